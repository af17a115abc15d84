-- Most events are about nobody else; a page of an index for those who are not there was written with every call of a tool.
drop index event_peer;
create index event_peer on event (peer_id, seq) where peer_id is not null;
