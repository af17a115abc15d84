
-- Records of calls are looked up by their run only.
alter table run_message drop constraint run_message_pkey;

drop index run_message_run;

create unique index run_message_run on run_message (run_id, id);
