-- Conversations of agents and people. Members and authors are principals' keys: an agent's id, `operator`, `person/<name>`.

create table space (
  id text primary key,
  name text not null,
  kind text not null check (kind in ('public', 'private', 'dm')),
  topic text not null,
  wake_policy text not null check (wake_policy in ('all', 'sequential', 'dm-chain', 'mention', 'none')),
  -- How deep a chain of messages may wake agents here; missing is the daemon's own limit.
  max_chain_depth integer,
  -- The two members of a DM, in order: a pair has one.
  dm_pair text unique,
  last_seq bigint not null default 0,
  -- Agents' messages up to here do not count any more: a person has spoken since.
  calm_seq bigint not null default 0,
  -- 1 while agents' messages wake nobody because there were too many of them.
  breaker_open integer not null default 0,
  -- Why something was held here last.
  held_reason text,
  created_by text not null,
  created_at bigint not null
);

create table member (
  space_id text not null references space (id),
  member text not null,
  -- The order in which they came; rounds take it.
  position bigint not null,
  joined_at bigint not null,
  last_read_seq bigint not null default 0,
  -- When the member is, or was last, woken because of this space.
  woken_at bigint,
  primary key (space_id, member)
);

create index member_spaces on member (member);

create table space_message (
  id text primary key,
  space_id text not null references space (id),
  seq bigint not null,
  author text not null,
  text text not null,
  parent_id text references space_message (id),
  kind text not null check (kind in ('message', 'tool', 'system')),
  status text not null check (status in ('requires_action', 'complete', 'error', 'expired')),
  metadata text,
  run_id text,
  depth integer not null,
  -- The mail whose handling led to it.
  cause_id text,
  -- The message that began the round in which it was said.
  round_id text,
  -- Why it woke nobody.
  held_reason text,
  idempotency_key text,
  created_at bigint not null,
  unique (space_id, seq)
);

create unique index space_message_once on space_message (author, idempotency_key) where idempotency_key is not null;

create index space_message_parent on space_message (parent_id, seq) where parent_id is not null;

create index space_message_round on space_message (round_id, seq) where round_id is not null;

create table reaction (
  message_id text not null references space_message (id),
  author text not null,
  emoji text not null,
  created_at bigint not null,
  primary key (message_id, author, emoji)
);

-- Members take their turns one after another. `queue` are those to come, `waiting` is the one whose turn it is; rounds
-- of one space follow each other.
create table space_round (
  message_id text primary key references space_message (id),
  space_id text not null references space (id),
  seq bigint not null,
  state text not null check (state in ('queued', 'running', 'held')),
  queue text not null,
  waiting text,
  due_at bigint
);

create index space_round_space on space_round (space_id, seq);

create index space_round_waiting on space_round (waiting) where waiting is not null;

create index space_round_due on space_round (due_at) where due_at is not null;

-- Where the agent is: what it says without an address goes there.
alter table agent add column active_space text;

-- The space an event is about, and the round it belongs to.
alter table inbox_event add column space_id text;

alter table inbox_event add column round_id text;

create index inbox_event_space on inbox_event (space_id) where space_id is not null;

create index event_space on event (space_id, seq) where space_id is not null;
