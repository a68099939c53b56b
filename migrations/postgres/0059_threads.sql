-- Questions that continue another: a follow-up, or the same question run again as its next version.

create table investigation_threads (
    investigation_id uuid primary key not null references investigations (id) on delete cascade,
    follows_id       uuid not null references investigations (id) on delete cascade,
    -- follow_up or rerun
    kind             text not null
);
create index investigation_threads_by_followed on investigation_threads (follows_id);
