drop table passage_words;

drop table passage_row;

-- The text of each passage as searches compare it, and its number in passage_grams. A passage without a text was stored by
-- an earlier version and is indexed in the background.
create table passage_text (
  seq integer primary key,
  memory_id text not null unique references memory (id),
  agent_id text not null,
  text text
);

create index passage_text_not_indexed on passage_text (agent_id, seq) where text is null;

-- The n-grams of each text, made by the daemon and prefixed with a key of the owner.
create virtual table passage_grams using fts5(
  grams,
  content = '',
  contentless_delete = 1,
  detail = none,
  tokenize = "ascii"
);

insert into passage_text (memory_id, agent_id)
select id, agent_id from memory where kind = 'passage' order by created_at, id;
