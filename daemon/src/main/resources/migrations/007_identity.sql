-- Credentials of one turn, and tokens that take the place of others.

-- The turn it belongs to; it is good while that turn is under way.
alter table credential add column run_id text references run (id);

-- When it took the place of an older one; created_at is when the first of them was made.
alter table credential add column rotated_at bigint;

-- The one that took its place: a token is replaced once.
alter table credential add column replaced_by text;

create index credential_turn on credential (run_id) where run_id is not null;

create index credential_expiry on credential (expires_at) where expires_at is not null;
