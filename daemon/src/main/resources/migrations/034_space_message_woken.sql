-- Handles of the agents that got the message as an inbox event when it was posted, separated by commas; null for messages posted before this migration.
alter table space_message add column woken text;
