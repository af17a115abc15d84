-- What a mind wanted to do on its own. The pending call says whether a person allows it; if so, exactly
-- that may be done once.
create table permission (
  call_id text primary key references pending_call (id),
  agent_id text not null references agent (id),
  -- Of everything that makes it this wish and no other.
  fingerprint text not null,
  used_at bigint,
  used_by text
);
create index permission_wish on permission (agent_id, fingerprint) where used_at is null;
