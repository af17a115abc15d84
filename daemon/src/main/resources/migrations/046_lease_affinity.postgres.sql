-- Without an index on a column that every turn changes twice, PostgreSQL updates the row in place and
-- leaves the other indexes of the table alone. Expired leases are searched rarely.
drop index agent_lease;
alter table agent set (fillfactor = 70);
