-- The agents that a zoo client may see, as a JSON array of ids; null: all of them.
alter table credential add column zoo_agents text;
