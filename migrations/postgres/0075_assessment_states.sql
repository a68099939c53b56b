-- State of each assessment, as its numbers say, for the filter of lists. Rows that are missing are made when a list asks for a state.

create table assessment_states (
    assessment_id uuid primary key not null references assessments (id) on delete cascade,
    state         text not null
);
