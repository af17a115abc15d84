-- Names of the tools that an agent with deferred tools has loaded, the newest last, as a JSON list.
alter table agent add column loaded_tools text not null default '[]';
