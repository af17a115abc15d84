-- What an agent was like, from each change of its configuration to the next.
create table agent_version (
  agent_id text not null references agent (id),
  version bigint not null,
  at bigint not null,
  -- Who made it so: `operator`, or the agent that spawned it.
  author text not null,
  config text not null,
  primary key (agent_id, version)
);
