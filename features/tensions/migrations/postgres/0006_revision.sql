-- Number of changes that lists of tensions show, by which a process sees that the heat that it holds in memory is out of date.
alter table tensions add column revision bigint not null default 0;
