-- Only people have a list of unread messages; an entry for every message of an agent was written and deleted with it.
drop index message_unread;

create index message_unread on message (recipient, id) where read_at is null and recipient = 'operator';

-- These two columns change once, at the end of few messages; the status changes several times in every message, and an index
-- that depends on it makes PostgreSQL write all indexes of the row again.
drop index message_lost;

create index message_lost on message (id) where dead_at is not null or expired_at is not null;

-- Calls and results one by one: a row with both gives two lines.
create view run_line as
select id, run_id, step, type, tool_name, tool_call_id, tool_input,
  case when type <> 'tool_call_message' and content <> '' then content end as content, at
from run_message
where tool_call_id is not null
union all
select id, run_id, step, 'tool_return_message', tool_name, tool_call_id, null, content, at
from run_message
where type = 'tool_call_message' and content <> '';
