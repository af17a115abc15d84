-- The paths that a program may use are approved with it; null if it was approved before there were any.
alter table remote_command add column paths text;
