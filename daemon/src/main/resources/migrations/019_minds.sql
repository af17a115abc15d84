-- What an agent's provider keeps from turn to turn; read with the provider's name.
create table mind (
  agent_id text primary key references agent (id),
  provider text not null,
  state text not null,
  at bigint not null
);
