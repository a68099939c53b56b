-- Summary of each assessment for lists, computed from its body: a list reads no body. Rows that are missing are made when the program
-- starts.

drop table assessment_states;
create table assessment_summaries (
    assessment_id blob primary key not null references assessments (id) on delete cascade,
    -- As its numbers say, for the filter of lists.
    state         text not null,
    summary       text not null,
    -- As in its row.
    collections   text not null,
    is_partial    integer not null,
    created_at    integer not null
) strict, without rowid;
