-- The words come folded and cut, so that they are the same on every database: this only keeps where they are. Each begins
-- with a key of its owner, so that everybody has words of their own; `#` follows the key of what is a tag.
create table passage_words (
  row bigint generated always as identity unique,
  memory_id text primary key references memory (id),
  words tsvector not null
);

create index passage_words_found on passage_words using gin (words);

-- Without a vector, the passage is gone or cannot be read; who has it in memory learns so by its new number.
create table passage_vector (
  memory_id text primary key,
  agent_id text not null,
  model text not null,
  vector bytea,
  seq bigint not null
);

create index passage_vector_news on passage_vector (agent_id, seq);
