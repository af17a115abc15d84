-- Calls that a daemon executes after their turn went on. `executor` is that daemon, by the name under which it holds leases,
-- `executor_until` how long it is believed to be alive, on the database's clock. `attempt` grows with every execution and
-- fences its result. `repeatable` says whether another daemon may execute the call again with the stored arguments.
alter table pending_call add column executor text;
alter table pending_call add column executor_until bigint;
alter table pending_call add column attempt integer not null default 0;
alter table pending_call add column repeatable integer not null default 0;
alter table pending_call add column idempotency_key text;
create index pending_call_executed on pending_call (executor) where executor is not null and status = 'pending';

-- The tool call whose sub-agent has reserved it: it may go on after the turn that made the call.
alter table budget_hold add column call_id text;
create index pending_call_origin on pending_call (call_id) where call_id is not null and status = 'pending';
