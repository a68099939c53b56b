-- Counts removals of documents and collections: a process compares it to know whether what it keeps in memory of them still holds.
create table library_version (number integer not null) strict;
insert into library_version (number) values (0);
