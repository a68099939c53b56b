-- Vectors of title and bottom line, one per assessment and embedding model. Each model gets an index of its own with its first vector.

create extension if not exists vector;

create table assessment_vectors (
    assessment_id uuid not null references assessments (id) on delete cascade,
    model         text not null,
    dimensions    bigint not null,
    vector        vector not null,
    primary key (assessment_id, model)
);
