-- A sequence alone is not enough: a later number can commit first, and a reader would skip the
-- earlier one. So transactions write to event_staging, and one daemon at a time moves what is
-- committed to event under the lock of event_counter. Readers see only event, which has no gaps.
create table event (
  seq bigint primary key,
  at bigint not null,
  kind text not null,
  agent_id text,
  peer_id text,
  space_id text,
  run_id text,
  payload text not null
);

create table event_staging (
  id bigint generated always as identity primary key,
  at bigint not null,
  kind text not null,
  agent_id text,
  peer_id text,
  space_id text,
  run_id text,
  payload text not null
);

create table event_counter (
  last bigint not null
);

insert into event_counter (last) values (0);
