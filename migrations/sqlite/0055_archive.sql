-- Investigations that were put away: they and their assessments leave home, lists and search, and keep their addresses.

create table archived_investigations (
    investigation_id blob primary key not null references investigations (id) on delete cascade,
    archived_by      blob not null,
    archived_at      integer not null
) strict, without rowid;
