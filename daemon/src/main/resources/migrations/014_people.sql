-- People who are known by a name, and the handles that they and agents share.

-- One who is removed stays on record: what they wrote is still theirs.
create table person (
  name text primary key,
  display_name text,
  created_at bigint not null,
  removed_at bigint
);

-- Two tables cannot have one unique index, so whoever gets a handle claims it here first.
create table handle (
  handle text primary key
);

insert into handle (handle) select handle from agent;
