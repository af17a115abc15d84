-- Mail that came to nothing is looked for among all mail, and there should be little of it.
create index message_lost on message (id) where status in ('dead', 'expired');
