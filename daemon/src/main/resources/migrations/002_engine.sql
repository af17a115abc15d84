-- Mail that is held, expires, answers a broadcast; agents that are gated; turns on record.

alter table agent add column provider text not null default 'scripted';

alter table agent add column gated integer not null default 0;

-- How many turns a gated agent may take all the same.
alter table agent add column permits integer not null default 0;

-- The parent's turn in which it was spawned; its first turn waits until that one is over.
alter table agent add column born_in_turn bigint;

-- Makes a retried spawn find the child it made.
alter table agent add column spawn_key text;

create unique index agent_spawned_once on agent (spawn_key) where spawn_key is not null;

-- Below the parent's workspace; empty for the whole of it.
alter table agent add column workspace_subdir text;

alter table agent add column metadata text not null default '{}';

alter table message add column kind text not null default 'message';

alter table message add column broadcast_id text;

-- The message whose handling led to this one: following it back gives the path of a chain.
alter table message add column cause_id text;

alter table message add column held_reason text;

alter table message add column expired_at bigint;

-- Soft events do not wake an agent that waits for a reply; held ones wake nobody.
alter table inbox_event add column soft integer not null default 0;

alter table inbox_event add column held integer not null default 0;

-- The request in which an agent that reads its mail itself was given it; read with its next one.
alter table inbox_event add column batch text;

-- `question` waits for its answer; an answer to a `broadcast` is welcome, but nobody waits.
alter table pending_reply add column kind text not null default 'question';

alter table pending_reply add column deadline bigint not null default 9223372036854775807;

-- A fresh id, taken when the question was shown: messages with a larger one were sent after that.
alter table pending_reply add column shown_mark text;

create index pending_reply_deadline on pending_reply (deadline);

alter table run add column depth integer not null default 0;

create table run_event (
  run_id text not null references run (id),
  position integer not null,
  kind text not null,
  message_id text,
  payload text not null,
  shown_at bigint,
  primary key (run_id, position)
);

create table run_message (
  id text primary key,
  run_id text not null references run (id),
  type text not null,
  tool_name text,
  tool_call_id text,
  tool_input text,
  content text not null,
  at bigint not null
);

create index run_message_run on run_message (run_id, id);

create table reminder (
  id text primary key,
  agent_id text not null references agent (id),
  text text not null,
  due_at bigint not null,
  created_at bigint not null
);

create index reminder_due on reminder (due_at);

create index message_sender on message (sender, id);

create index message_held on message (id) where held_reason is not null;

create index message_broadcast on message (broadcast_id) where broadcast_id is not null;

create index run_under_way on run (agent_id) where status in ('running', 'open');

create index event_agent on event (agent_id, seq);

create index event_peer on event (peer_id, seq);

create index event_run on event (run_id, seq);

create index credential_principal on credential (principal);
