-- What a commit costs are the pages it writes, and every index of a table is a page. Records of calls are looked up by their
-- run only. Events are never deleted, so the largest number is the last one without a table that says so.
create table run_message_kept (
  id text not null,
  run_id text not null references run (id),
  type text not null,
  tool_name text,
  tool_call_id text,
  tool_input text,
  content text not null,
  at bigint not null,
  step integer not null default 0,
  beside text,
  replayed integer not null default 0,
  client_meta text
);
insert into run_message_kept
  (id, run_id, type, tool_name, tool_call_id, tool_input, content, at, step, beside, replayed, client_meta)
select id, run_id, type, tool_name, tool_call_id, tool_input, content, at, step, beside, replayed, client_meta
from run_message order by id;
drop table run_message;
alter table run_message_kept rename to run_message;
create unique index run_message_run on run_message (run_id, id);

create table event_kept (
  seq integer primary key,
  at bigint not null,
  kind text not null,
  agent_id text,
  peer_id text,
  space_id text,
  run_id text,
  payload text not null
);
insert into event_kept (seq, at, kind, agent_id, peer_id, space_id, run_id, payload)
select seq, at, kind, agent_id, peer_id, space_id, run_id, payload from event order by seq;
drop table event;
alter table event_kept rename to event;
create index event_agent on event (agent_id, seq);
create index event_peer on event (peer_id, seq) where peer_id is not null;
create index event_run on event (run_id, seq);
create index event_space on event (space_id, seq) where space_id is not null;
