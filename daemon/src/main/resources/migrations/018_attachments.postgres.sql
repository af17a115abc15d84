alter table attachment add column content bytea;
