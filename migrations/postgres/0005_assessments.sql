-- Assessments. They refer to the graph by id; the graph never refers to them.

create extension if not exists vector;

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
-- Lists of assessments by time read this index alone; the rows, which hold whole reports, are read for the page that is shown.
create index assessments_by_creation on assessments (created_at, id, investigation_id) include (row_id);
create index assessments_search on assessments using gin (search);

-- Summary of each assessment for lists, computed from its body: a list reads no body. Missing rows are made when the program starts.
create table assessment_summaries (
    assessment_id uuid primary key references assessments (id) on delete cascade,
    -- For the filter of lists, derived from its numbers.
    state         text not null,
    summary       jsonb not null,
    -- As in its row.
    collections   jsonb not null,
    is_partial    boolean not null,
    created_at    timestamptz not null
);

-- No reference to collections: see investigation_scopes.
create table assessment_collections (
    assessment_id uuid not null references assessments (id) on delete cascade,
    collection_id uuid not null,
    primary key (assessment_id, collection_id)
);
create index assessment_collections_by_collection on assessment_collections (collection_id);

-- Documents that an assessment cites, for `Cited in` on their pages.
create table assessment_documents (
    assessment_id uuid not null references assessments (id) on delete cascade,
    -- Of a document that may be gone.
    document_id   uuid not null,
    primary key (assessment_id, document_id)
);
create index assessment_documents_by_document on assessment_documents (document_id);

-- Documents from the web that an assessment cites, and the finding of the last look at their addresses.
create table citation_watch (
    document_id uuid primary key references documents (id) on delete cascade,
    looked_at   timestamptz not null,
    -- Null: the page still says what was cited.
    finding     text,
    found_at    timestamptz,
    note        text
);
create index citation_watch_by_look on citation_watch (looked_at);

-- Vectors of title and bottom line, one per assessment and embedding model. Each model gets an index of its own with its first vector.
create table assessment_vectors (
    assessment_id uuid not null references assessments (id) on delete cascade,
    model         text not null,
    dimensions    bigint not null,
    vector        vector not null,
    primary key (assessment_id, model)
);
