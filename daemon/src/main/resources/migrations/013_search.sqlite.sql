-- The full text knows its passages by a number only.
create table passage_row (
  row integer primary key,
  memory_id text not null unique references memory (id)
);

-- The words come folded and cut, so that they are the same on every database: this only keeps where they are. Each begins
-- with a key of its owner, so that everybody has words of their own; `#` follows the key of what is a tag.
create virtual table passage_words using fts5(
  words,
  content = '',
  contentless_delete = 1,
  detail = none,
  tokenize = "ascii tokenchars '#'"
);

-- Without a vector, the passage is gone or cannot be read; who has it in memory learns so by its new number.
create table passage_vector (
  memory_id text primary key,
  agent_id text not null,
  model text not null,
  vector blob,
  seq bigint not null
);

create index passage_vector_news on passage_vector (agent_id, seq);
