-- What an agent wants to reach.
create table goal (
  id text primary key,
  agent_id text not null references agent (id),
  description text not null,
  priority text not null check (priority in ('high', 'medium', 'low')),
  status text not null check (status in ('active', 'completed', 'abandoned')),
  created_at bigint not null,
  updated_at bigint not null
);

create index goal_agent on goal (agent_id, id);

-- What an agent wants to be told to do, once or again and again.
create table plan (
  id text primary key,
  agent_id text not null references agent (id),
  name text not null,
  instruction text not null,
  -- Exactly one of the two; the zone is the cron's.
  cron text,
  timezone text,
  scheduled_at bigint,
  status text not null check (status in ('active', 'done', 'ended')),
  -- When it is due; null if it will not be any more.
  next_at bigint,
  last_run_at bigint,
  runs bigint not null default 0,
  -- How often it was due since it last came, without coming.
  missed bigint not null default 0,
  -- What it last put into the inbox.
  event_id text,
  -- Counts every change: who acts on what it has read says which state that was.
  revision bigint not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  check ((cron is null) <> (scheduled_at is null)),
  check ((cron is null) = (timezone is null)),
  check ((status = 'active') = (next_at is not null))
);

create index plan_agent on plan (agent_id, id);

create index plan_due on plan (next_at, id) where next_at is not null;

-- What a call gave, so that its repetition in a retried turn gives the same.
alter table call_done add column result text;
