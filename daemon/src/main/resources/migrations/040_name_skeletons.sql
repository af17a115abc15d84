-- What names look like, so that a look-alike of a living agent is found without reading all of them.

-- Missing until the name is compared for the first time: only the daemon can compute it.
alter table agent add column name_skeleton text;

create index agent_name_skeleton on agent (name_skeleton) where terminated_at is null;

create index agent_without_skeleton on agent (id) where name_skeleton is null and terminated_at is null;

-- Handles have lower-case letters, digits and dashes only.
alter table handle add column skeleton text;

update handle set skeleton = replace(replace(replace(handle, 'm', 'rn'), '0', 'o'), '1', 'l');

create index handle_skeleton on handle (skeleton);
