-- Questions that continue another: a follow-up, or the same question run again as its next version.

create table investigation_threads (
    investigation_id blob primary key not null references investigations (id) on delete cascade,
    follows_id       blob not null references investigations (id) on delete cascade,
    -- follow_up or rerun
    kind             text not null
) strict, without rowid;
create index investigation_threads_by_followed on investigation_threads (follows_id);
