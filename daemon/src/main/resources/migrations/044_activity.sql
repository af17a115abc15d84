-- Totals per minute, counted from the event log for the Health page, which shows the last hour without reading its events.
-- Messages and tool calls have the empty provider.
create table activity_minute (
  minute bigint not null,
  provider text not null,
  turns bigint not null,
  failed bigint not null,
  messages bigint not null,
  calls bigint not null,
  tokens bigint not null,
  primary key (minute, provider)
);

-- The last event that is counted; -1 before the first count.
create table activity_progress (
  last_seq bigint not null
);

insert into activity_progress (last_seq) values (-1);
