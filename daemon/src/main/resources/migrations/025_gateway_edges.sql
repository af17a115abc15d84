-- Under which id the call was made whose result comes later, and which keys of the result nobody may see.
alter table pending_call add column call_id text;
alter table pending_call add column redacted text;

-- A program is approved with all it is started with.
alter table remote_command add column env text;
alter table remote_command add column network integer;
