-- Held messages are few among many.
create index space_message_held on space_message (id) where held_reason is not null;
