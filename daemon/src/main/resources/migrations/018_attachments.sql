-- What tools make that is no text: images. Seen by whoever sees the space it was made in.
create table attachment (
  id text primary key,
  agent_id text not null references agent (id),
  space_id text,
  media_type text not null,
  created_at bigint not null
);
