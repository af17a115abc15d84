-- One subject per turn. A subject is a question (the id of a message whose sender waits) or the direct messages of one
-- person (`dm:` and the id of the space).
alter table inbox_event add column subject text;

-- Until when a soft event waits for an agent that waits for a reply.
alter table inbox_event add column soft_until bigint;

-- Set while the event waits because its agent's provider had no time for another event.
alter table inbox_event add column postponed integer not null default 0;

create index inbox_event_subject on inbox_event (agent_id, subject) where subject is not null;

-- What a turn has, and answers that were not given to a turn yet, are found without reading a long inbox.
create index inbox_event_claimed on inbox_event (agent_id, turn_no) where turn_no is not null;
create index inbox_event_answer on inbox_event (agent_id)
  where soft = 0 and kind in ('reply', 'notice') and turn_no is null;

alter table run add column subject text;

create index run_subject on run (subject) where subject is not null;

-- The subject of the turn that sent the message, and its run. What comes back because of the message has that subject.
alter table message add column subject text;
alter table message add column run_id text;

-- The turn of the answerer that was shown the question, and the subject of the turn that asked it.
alter table pending_reply add column shown_turn bigint;
alter table pending_reply add column subject text;
drop index pending_reply_asker;
create index pending_reply_asker on pending_reply (asker, subject);

alter table pending_call add column subject text;
create index pending_call_subject on pending_call (owner, subject)
  where subject is not null and status in ('pending', 'asking');

alter table reminder add column subject text;
alter table reminder add column depth integer not null default 0;
alter table reminder add column cause_id text;

-- What is under way: an open question belongs to the newest question that its asker was shown before it.
update message set subject = (
  select max(owed.message_id) from pending_reply owed
  where owed.answerer = message.sender and owed.kind = 'question' and owed.shown_mark < message.id
)
where id in (select message_id from pending_reply where kind = 'question')
  or id in (
    select answer.in_reply_to from inbox_event join message answer on answer.id = inbox_event.message_id
    where answer.in_reply_to is not null
  );

update pending_call set subject = (
  select max(owed.message_id) from pending_reply owed
  where owed.answerer = pending_call.owner and owed.kind = 'question' and owed.shown_mark < pending_call.id
)
where status in ('pending', 'asking') or event_id in (select id from inbox_event);

update pending_reply set subject = (select message.subject from message where message.id = message_id);

update inbox_event set soft_until = 0 where soft = 1;

update inbox_event set subject = message_id
where held = 0 and message_id in (select message_id from pending_reply where kind = 'question');

update inbox_event set subject = (
  select asked.subject from message answer join message asked on asked.id = answer.in_reply_to
  where answer.id = inbox_event.message_id
)
where kind in ('reply', 'notice') and message_id is not null;

update inbox_event set subject = (select pending_call.subject from pending_call where pending_call.event_id = inbox_event.id)
where kind = 'tool_result';

-- Replaced by the subject.
alter table pending_reply drop column shown_mark;
