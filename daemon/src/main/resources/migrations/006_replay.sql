-- Everything a turn was given is on record, so that it can be replayed, and forked from a step.

-- The configurations that agents had when their turns began, each of them once.
create table run_config (
  hash text primary key,
  config text not null
);

alter table run add column config_hash text references run_config (hash);

-- A turn that is given again what another could not finish.
alter table run add column attempt integer not null default 1;

alter table run add column retry_of text;

alter table run add column cause_id text;

-- 1 if it was ended from outside: the record stops wherever the mind was.
alter table run add column cut_short integer not null default 0;

alter table run_event add column event_id text;

alter table run_event add column attempts integer not null default 0;

-- The step that fetched it; 0 for what the turn began with.
alter table run_event add column step integer not null default 0;

create index run_event_event on run_event (event_id) where event_id is not null;

-- What a result carried beside itself: a hint, news of the inbox.
alter table run_message add column beside text;

-- 1 if the answer came from another run's record, and nothing was done.
alter table run_message add column replayed integer not null default 0;

-- A copy of what another agent's turn was given: shown to a fork first, and alone.
alter table inbox_event add column copied integer not null default 0;

alter table agent add column forked_from_run text;

alter table agent add column forked_from_step integer;
