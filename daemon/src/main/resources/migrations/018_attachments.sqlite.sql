alter table attachment add column content blob;
