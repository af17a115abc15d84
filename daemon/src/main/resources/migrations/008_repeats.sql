-- Calls whose effect leaves nothing behind by which it could be found again: a permission used up, a
-- reminder that has fired. A retried turn that makes them again changes nothing.
create table call_done (
  agent_id text not null references agent (id),
  call_key text not null,
  at bigint not null,
  primary key (agent_id, call_key)
);
