-- What an agent's own model wrote about its turns up to one of them, so that they need not be told
-- again. Older summaries stay: a replay of an old turn is told what that turn was told.
create table summary (
  agent_id text not null references agent (id),
  through_turn bigint not null,
  text text not null,
  at bigint not null,
  primary key (agent_id, through_turn)
);
