-- A turn is made of steps, one for each time its mind was asked; calls belong to the step that made
-- them.

create table run_step (
  run_id text not null references run (id),
  step integer not null,
  model text,
  started_at bigint not null,
  ended_at bigint,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_micros bigint not null default 0,
  primary key (run_id, step)
);

-- 0 for what belongs to no step: mail read by a mind elsewhere, lines of older versions.
alter table run_message add column step integer not null default 0;
