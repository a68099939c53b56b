-- Assessments. They refer to the graph by id; the graph never refers to them.

create table assessments (
    row_id           bigint generated always as identity primary key,
    id               uuid not null unique,
    investigation_id uuid not null references investigations (id) on delete cascade,
    is_partial       boolean not null,
    body             jsonb not null,
    -- JSON lists; assessment_collections holds the first for look-ups.
    collections      jsonb not null,
    entity_ids       jsonb not null,
    created_at       timestamptz not null,
    -- Full text over question, title and bottom line.
    search           tsvector,
    unique (investigation_id, is_partial)
);
create index assessments_by_creation on assessments (created_at);

-- No reference to collections: see investigation_scopes.
create table assessment_collections (
    assessment_id uuid not null references assessments (id) on delete cascade,
    collection_id uuid not null,
    primary key (assessment_id, collection_id)
);
create index assessment_collections_by_collection on assessment_collections (collection_id);

create index assessments_search on assessments using gin (search);
