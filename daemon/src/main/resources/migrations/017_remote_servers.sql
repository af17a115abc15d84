-- What an agent knows of a remote MCP server.
create table remote_server (
  agent_id text not null references agent (id),
  name text not null,
  -- Where it was when its tools were first seen: who is elsewhere is somebody else.
  address text not null,
  state text not null check (state in ('new', 'up', 'down', 'unapproved')),
  -- Why it is down.
  problem text,
  -- When somebody last tried to see its tools, and when they were last seen.
  tried_at bigint not null,
  seen_at bigint,
  primary key (agent_id, name)
);

-- The tools of a remote server, as they were approved and as they are offered.
create table remote_tool (
  agent_id text not null references agent (id),
  server text not null,
  name text not null,
  -- What was approved; null if nothing was yet.
  pinned text,
  -- What the server last said it is.
  offered text not null,
  verdict text not null check (verdict in ('approved', 'quarantined', 'rejected')),
  -- 1 if the server's last list had it.
  listed integer not null,
  decided_by text,
  decided_at bigint,
  primary key (agent_id, server, name),
  check (verdict <> 'approved' or pinned is not null)
);

-- Counts every change of what an agent may see of its remote servers.
create table remote_view (
  agent_id text primary key references agent (id),
  revision bigint not null
);

-- Programs that a person has allowed to be started as servers, by a hash of all that matters.
create table remote_command (
  hash text primary key,
  command text not null,
  approved_by text not null,
  approved_at bigint not null
);
