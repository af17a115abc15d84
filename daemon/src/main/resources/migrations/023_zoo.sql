-- Agents that people keep as patterns for others: a configuration without a name and a place.
create table agent_template (
  id text primary key,
  name text not null,
  config text not null,
  created_at bigint not null
);

-- The agent that a visitor of the zoo becomes unless somebody says otherwise.
alter table credential add column default_agent_id text references agent (id);
