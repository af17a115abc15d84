-- What a person may do: owner, operator, member or viewer.
alter table person add column role text not null default 'member';

-- What a token is limited to, as a JSON array such as ["messages:send agent=ID"]; null: nothing.
alter table credential add column scopes text;
