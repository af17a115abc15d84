-- The space a turn is about: the one whose message started it.
alter table run add column space_id text;
-- The active space of this turn, until the agent enters or leaves a space; null if that is the agent's own active space.
alter table run add column active_space text;
-- 1 if the turn, or an earlier attempt at it, has posted or reacted in the space it is about.
alter table run add column space_answered integer not null default 0;
-- Set if the turn finished without posting: the number of the last message in the space at that time.
alter table run add column unposted_after bigint;
create index run_unposted on run (space_id, unposted_after) where unposted_after is not null;
