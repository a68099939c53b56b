-- Investigations that were put away: they and their assessments leave home, lists and search, and keep their addresses.

create table archived_investigations (
    investigation_id uuid primary key not null references investigations (id) on delete cascade,
    archived_by      uuid not null,
    archived_at      timestamptz not null
);
