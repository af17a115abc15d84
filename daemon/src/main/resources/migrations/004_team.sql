-- The root of the tree an agent lives in: slots are shared out among teams.
alter table agent add column team_id text;

with recursive tree (id, root) as (
  select id, id from agent where parent_id is null
  union all
  select agent.id, tree.root from agent join tree on agent.parent_id = tree.id
)
update agent set team_id = (select root from tree where tree.id = agent.id);

create index agent_team on agent (team_id) where terminated_at is null;

-- Who wants to be told how another agent's turns end.
create table subscription (
  watcher text not null references agent (id),
  subject text not null references agent (id),
  created_at bigint not null,
  primary key (watcher, subject)
);

create index subscription_subject on subscription (subject);

-- What the operator has not read yet.
create index message_unread on message (recipient, id) where read_at is null;
