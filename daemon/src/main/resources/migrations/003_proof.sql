-- What a turn was given is known by its own id, so that anyone can check that no event was consumed
-- by two turns that ended well.
alter table run_event add column event_id text;

create index run_event_given on run_event (event_id) where event_id is not null;

-- Calls whose effect leaves nothing behind by which it could be found again: a permission used up, a
-- reminder that has fired. A retried turn that makes them again changes nothing.
create table call_done (
  agent_id text not null references agent (id),
  call_key text not null,
  at bigint not null,
  primary key (agent_id, call_key)
);
