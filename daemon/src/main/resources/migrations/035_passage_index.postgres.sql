drop table passage_words;

-- The text of each passage as searches compare it, and the hashes of its n-grams with a key of the owner. A passage without
-- a text was stored by an earlier version and is indexed in the background.
create table passage_text (
  seq bigint generated always as identity primary key,
  memory_id text not null unique references memory (id),
  agent_id text not null,
  text text,
  grams integer[]
);

create index passage_text_owner on passage_text (agent_id, seq);

create index passage_text_not_indexed on passage_text (agent_id, seq) where text is null;

create index passage_text_grams on passage_text using gin (grams);

insert into passage_text (memory_id, agent_id)
select id, agent_id from memory where kind = 'passage' order by created_at, id;
