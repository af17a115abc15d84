-- An event names agents, people, spaces and runs. Each of their ids is stored once, and events and their indexes refer to it
-- by number: the event log is the largest table of a database.
create table event_entity (
  no integer primary key,
  id text not null unique
);

insert into event_entity (id)
select agent_id from event where agent_id is not null
union select peer_id from event where peer_id is not null
union select space_id from event where space_id is not null
union select run_id from event where run_id is not null;

create table event_narrow (
  seq integer primary key,
  at bigint not null,
  kind text not null,
  agent_no integer,
  peer_no integer,
  space_no integer,
  run_no integer,
  payload text not null
);

insert into event_narrow (seq, at, kind, agent_no, peer_no, space_no, run_no, payload)
select seq, at, kind,
  (select no from event_entity where id = agent_id),
  (select no from event_entity where id = peer_id),
  (select no from event_entity where id = space_id),
  (select no from event_entity where id = run_id),
  payload
from event order by seq;

drop table event;

alter table event_narrow rename to event;

-- The number of the row is part of every index.
create index event_agent on event (agent_no) where agent_no is not null;

create index event_peer on event (peer_no) where peer_no is not null;

create index event_space on event (space_no) where space_no is not null;

create index event_run on event (run_no) where run_no is not null;

-- Events with the ids that they name.
create view event_log as
select seq, at, kind, agent_no, peer_no, space_no, run_no,
  (select id from event_entity where no = agent_no) as agent_id,
  (select id from event_entity where no = peer_no) as peer_id,
  (select id from event_entity where no = space_no) as space_id,
  (select id from event_entity where no = run_no) as run_id,
  payload
from event;
