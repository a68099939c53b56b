-- Summary of each assessment for lists, computed from its body: a list reads no body. Rows that are missing are made when the program
-- starts.

drop table assessment_states;
create table assessment_summaries (
    assessment_id uuid primary key not null references assessments (id) on delete cascade,
    -- As its numbers say, for the filter of lists.
    state         text not null,
    summary       jsonb not null,
    -- As in its row.
    collections   jsonb not null,
    is_partial    boolean not null,
    created_at    timestamptz not null
);
