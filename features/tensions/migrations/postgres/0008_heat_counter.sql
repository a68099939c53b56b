-- Counters by name. `heat` counts the changes that lists of tensions show: a process compares it to know whether the heat that it keeps in
-- memory still holds. It takes the place of the revisions of tensions.
create table tension_counters (
    name   text primary key,
    number bigint not null
);
alter table tensions drop column revision;
