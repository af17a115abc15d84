-- What an agent's passages are found by; each passage has its row in `memory`.

-- Passages that have no vector yet, and which daemon is about to make it, until when.
create table passage_waiting (
  memory_id text primary key references memory (id),
  claimed_by text,
  claimed_until bigint not null
);

-- Numbers the vectors in the order in which they are committed, so that a reader misses none; and says which model's they
-- are.
create table vector_counter (
  last bigint not null,
  model text not null
);

insert into vector_counter (last, model) values (0, '');
