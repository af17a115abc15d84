-- The daemon that ran the agent's last turn; it goes first when the agent is ready again.
alter table agent add column ran_on text;
