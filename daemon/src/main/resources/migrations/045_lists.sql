-- Lists read one page, however much there is to list.
create index run_agent on run (agent_id, id);

-- Turns that did not succeed are few among many.
create index run_not_done on run (id) where status not in ('running', 'open', 'done');

create index agent_child on agent (parent_id, id) where terminated_at is null;

create index agent_by_name on agent (lower(name), id) where terminated_at is null;

create index agent_with_servers on agent (id) where terminated_at is null and config like '%"mcp"%';

create index agent_provider on agent (provider) where terminated_at is null;

-- Few calls of an agent are open, however many it has made.
create index pending_call_waiting on pending_call (owner, id) where status in ('pending', 'asking');

drop index run_subject;

create index run_subject on run (subject, id) where subject is not null;
