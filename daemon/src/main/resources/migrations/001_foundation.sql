-- Times are UTC milliseconds, ids are text, flags are 0 or 1.

create table agent (
  id text primary key,
  handle text not null unique,
  name text not null,
  description text not null,
  parent_id text references agent (id),
  role text not null,
  config text not null,
  created_at bigint not null,
  terminated_at bigint,
  turn_no bigint not null default 0,
  lease_owner text,
  lease_until bigint
);

-- Names are addresses: among the living children of one parent they are unique.
create unique index agent_sibling on agent (parent_id, lower(name)) where terminated_at is null;

create index agent_lease on agent (lease_until) where lease_until is not null;

create table credential (
  id text primary key,
  hash text not null,
  principal text not null,
  label text not null,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint
);

create table message (
  id text primary key,
  sender text not null,
  recipient text not null,
  text text not null,
  sync integer not null,
  in_reply_to text references message (id),
  depth integer not null,
  idempotency_key text,
  status text not null,
  stored_at bigint not null,
  claimed_at bigint,
  injected_at bigint,
  read_at bigint,
  replied_at bigint,
  dead_at bigint,
  dead_reason text
);

create unique index message_once on message (sender, idempotency_key) where idempotency_key is not null;

create index message_recipient on message (recipient, id);

create index message_reply on message (in_reply_to) where in_reply_to is not null;

-- Only what still waits stands here; consumed events leave, so that a claim stays cheap.
create table inbox_event (
  id text primary key,
  agent_id text not null references agent (id),
  kind text not null,
  message_id text references message (id),
  payload text not null,
  not_before bigint not null,
  attempts integer not null default 0,
  turn_no bigint
);

create index inbox_event_agent on inbox_event (agent_id, id);

create table pending_reply (
  message_id text primary key references message (id),
  asker text not null,
  answerer text not null,
  asked_at bigint not null,
  shown_at bigint
);

create index pending_reply_answerer on pending_reply (answerer, message_id);

create index pending_reply_asker on pending_reply (asker);

create table run (
  id text primary key,
  agent_id text not null references agent (id),
  turn_no bigint not null,
  status text not null,
  stop_reason text,
  response text,
  started_at bigint not null,
  ended_at bigint,
  unique (agent_id, turn_no)
);
