-- Calls whose answer comes later: from a person, an outside service, or work that takes long. The row
-- is the only record of it, whoever looks: the agent, its MCP client as a task, a person.
create table pending_call (
  id text primary key,
  owner text not null,
  run_id text,
  tool text not null,
  arguments text not null,
  status text not null check (
    status in ('pending', 'asking', 'completed', 'failed', 'cancelled', 'expired')
  ),
  -- What is still asked, and what was answered so far, under the asker's names.
  questions text,
  answers text,
  result text,
  created_at bigint not null,
  updated_at bigint not null,
  expires_at bigint
);
create index pending_call_owner on pending_call (owner, id);
create index pending_call_due on pending_call (expires_at)
  where status in ('pending', 'asking');
