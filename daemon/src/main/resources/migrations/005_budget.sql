-- How much an agent and everyone below it may use up. Only agents that were given a budget have rows here; whoever
-- works draws on its own and on those of everyone above it. Amounts are whole numbers of the kind's smallest unit:
-- millionths of a US dollar, tokens, turns, milliseconds.

create table budget (
  agent_id text not null references agent (id),
  kind text not null,
  cap bigint not null,
  spent bigint not null default 0,
  reserved bigint not null default 0,
  warned_at bigint,
  exhausted_at bigint,
  primary key (agent_id, kind)
);

create index budget_exhausted on budget (agent_id) where exhausted_at is not null;

-- What a turn (step 0) or one of its steps has reserved and not settled yet, in whose budget. `drawer_id` is who works:
-- when its turn is over, or its daemon gone, all that it still holds is settled.
create table budget_hold (
  run_id text not null references run (id),
  step integer not null,
  owner_id text not null,
  kind text not null,
  drawer_id text not null,
  amount bigint not null,
  primary key (run_id, step, owner_id, kind)
);

create index budget_hold_drawer on budget_hold (drawer_id);
