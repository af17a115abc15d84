-- One writer commits in order, so the row's own number is the order everyone sees.
create table event (
  seq integer primary key autoincrement,
  at bigint not null,
  kind text not null,
  agent_id text,
  peer_id text,
  space_id text,
  run_id text,
  payload text not null
);
