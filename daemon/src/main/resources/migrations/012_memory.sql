-- What agents keep: one store of typed records, and each toolset a view of it. `block` stands in every prompt, `passage`
-- is found by searching, `value` stands under its key, `brain` is an entry of the zoo.
create table memory (
  id text primary key,
  kind text not null check (kind in ('block', 'passage', 'value', 'brain')),
  -- Whose it is; null for a block that several agents share.
  agent_id text references agent (id),
  -- A block's label, a value's key, an entry's title; passages have none.
  label text,
  content text not null,
  tags text not null default '[]',
  description text not null default '',
  -- Content, title and tags in lower case, whatever the language: the databases fold differently. Only for what is
  -- searched.
  folded text,
  max_chars integer,
  read_only integer not null default 0,
  pinned integer not null default 0,
  version bigint not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  -- Its versions stay, so that a deletion can be undone. A passage that is deleted is gone.
  deleted_at bigint,
  check ((kind = 'passage') = (label is null)),
  check (agent_id is not null or kind = 'block')
);

create unique index memory_label on memory (agent_id, kind, label)
  where label is not null and agent_id is not null and deleted_at is null;

create index memory_owner on memory (agent_id, kind, created_at, id) where deleted_at is null;

-- The blocks that stand before an agent, its own and shared ones, so that a label means one of them.
create table memory_share (
  agent_id text not null references agent (id),
  label text not null,
  memory_id text not null references memory (id),
  may_write integer not null default 0,
  -- The version it was shown last; 0 before that. What it writes is based on this one.
  seen bigint not null default 0,
  primary key (agent_id, label),
  unique (memory_id, agent_id)
);

-- Every content that a block, value or entry has had, who wrote it, and why.
create table memory_version (
  memory_id text not null references memory (id),
  version bigint not null,
  content text not null,
  author text not null,
  reason text not null default '',
  at bigint not null,
  primary key (memory_id, version)
);
