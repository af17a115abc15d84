-- The number of the agent's last turn when a person had an undeliverable message delivered again: turns up to it do not count
-- as attempts.
alter table inbox_event add column since_turn bigint not null default 0;
