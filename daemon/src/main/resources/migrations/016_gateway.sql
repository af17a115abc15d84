-- Where a call that is answered later is shown, how a person sees it, and what became of it.

alter table pending_call add column space_id text;
alter table pending_call add column message_id text;

-- What a UI needs to ask: component, title, description, the schema of the arguments.
alter table pending_call add column display text;

-- When somebody who could answer saw it first.
alter table pending_call add column shown_at bigint;
alter table pending_call add column answered_by text;

-- The inbox event that brought the result.
alter table pending_call add column event_id text;

-- How deep in a chain of messages it was made, and by which of them.
alter table pending_call add column depth integer not null default 0;
alter table pending_call add column cause_id text;

create index pending_call_space on pending_call (space_id, id) where space_id is not null;
create index pending_call_event on pending_call (event_id) where event_id is not null;
create index pending_call_open on pending_call (id) where status in ('pending', 'asking');

-- What all daemons of a database sign with.
create table signing_key (
  name text primary key,
  value text not null
);
