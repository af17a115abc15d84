-- The token that a browser's session was opened with, and with which it ends. Older sessions have none.
alter table credential add column parent_id text;
create index credential_parent on credential (parent_id) where parent_id is not null;
