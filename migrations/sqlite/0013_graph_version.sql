-- Counts every change of the graph that resolution could notice, so that a process knows whether what it remembers of the graph
-- still holds.
create table graph_version (number integer not null) strict;
insert into graph_version (number) values (0);
