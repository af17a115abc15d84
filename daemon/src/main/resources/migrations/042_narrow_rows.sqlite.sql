
-- Small rows that are found by their key: without a second B-tree for it.
create table pending_reply_narrow (
  message_id text primary key references message (id),
  asker text not null,
  answerer text not null,
  asked_at bigint not null,
  shown_at bigint,
  kind text not null default 'question',
  deadline bigint not null default 9223372036854775807,
  shown_turn bigint,
  subject text
) without rowid;

insert into pending_reply_narrow
  (message_id, asker, answerer, asked_at, shown_at, kind, deadline, shown_turn, subject)
select message_id, asker, answerer, asked_at, shown_at, kind, deadline, shown_turn, subject from pending_reply;

drop table pending_reply;

alter table pending_reply_narrow rename to pending_reply;

create index pending_reply_answerer on pending_reply (answerer, message_id);

create index pending_reply_deadline on pending_reply (deadline);

create index pending_reply_asker on pending_reply (asker, subject);

create table run_step_narrow (
  run_id text not null references run (id),
  step integer not null,
  model text,
  started_at bigint not null,
  ended_at bigint,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_micros bigint not null default 0,
  primary key (run_id, step)
) without rowid;

insert into run_step_narrow
  (run_id, step, model, started_at, ended_at, input_tokens, output_tokens, cost_micros)
select run_id, step, model, started_at, ended_at, input_tokens, output_tokens, cost_micros from run_step;

drop table run_step;

alter table run_step_narrow rename to run_step;

create table inbox_event_narrow (
  id text primary key,
  agent_id text not null references agent (id),
  kind text not null,
  message_id text references message (id),
  payload text not null,
  not_before bigint not null,
  attempts integer not null default 0,
  turn_no bigint,
  soft integer not null default 0,
  held integer not null default 0,
  batch text,
  copied integer not null default 0,
  space_id text,
  round_id text,
  subject text,
  soft_until bigint,
  postponed integer not null default 0,
  since_turn bigint not null default 0
) without rowid;

insert into inbox_event_narrow
  (id, agent_id, kind, message_id, payload, not_before, attempts, turn_no, soft, held, batch, copied, space_id, round_id,
   subject, soft_until, postponed, since_turn)
select id, agent_id, kind, message_id, payload, not_before, attempts, turn_no, soft, held, batch, copied, space_id, round_id,
  subject, soft_until, postponed, since_turn
from inbox_event;

drop table inbox_event;

alter table inbox_event_narrow rename to inbox_event;

create index inbox_event_agent on inbox_event (agent_id, id);

create index inbox_event_space on inbox_event (space_id) where space_id is not null;

create index inbox_event_subject on inbox_event (agent_id, subject) where subject is not null;

create index inbox_event_claimed on inbox_event (agent_id, turn_no) where turn_no is not null;

create index inbox_event_answer on inbox_event (agent_id)
  where soft = 0 and kind in ('reply', 'notice') and turn_no is null;
