-- Vectors of title and bottom line, one per assessment and embedding model.

create table assessment_vectors (
    assessment_id blob not null references assessments (id) on delete cascade,
    model         text not null,
    dimensions    integer not null,
    vector        blob not null,
    primary key (assessment_id, model)
) strict, without rowid;
