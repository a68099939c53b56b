-- Assessments. They refer to the graph by id; the graph never refers to them.

create table assessments (
    -- Also the row id in assessments_search.
    row_id           integer primary key,
    id               blob not null unique,
    investigation_id blob not null references investigations (id) on delete cascade,
    is_partial       integer not null,
    body             text not null,
    -- JSON lists; assessment_collections holds the first for look-ups.
    collections      text not null,
    entity_ids       text not null,
    created_at       integer not null,
    unique (investigation_id, is_partial)
) strict;
-- Lists of assessments by time read this index alone; the rows, which hold whole reports, are read for the page that is shown.
create index assessments_by_creation on assessments (created_at, id, investigation_id);

-- Summary of each assessment for lists, computed from its body: a list reads no body. Missing rows are made when the program starts.
create table assessment_summaries (
    assessment_id blob primary key not null references assessments (id) on delete cascade,
    -- For the filter of lists, derived from its numbers.
    state         text not null,
    summary       text not null,
    -- As in its row.
    collections   text not null,
    is_partial    integer not null,
    created_at    integer not null
) strict, without rowid;

-- No reference to collections: see investigation_scopes.
create table assessment_collections (
    assessment_id blob not null references assessments (id) on delete cascade,
    collection_id blob not null,
    primary key (assessment_id, collection_id)
) strict, without rowid;
create index assessment_collections_by_collection on assessment_collections (collection_id);

-- Documents that an assessment cites, for `Cited in` on their pages.
create table assessment_documents (
    assessment_id blob not null references assessments (id) on delete cascade,
    -- Of a document that may be gone.
    document_id   blob not null,
    primary key (assessment_id, document_id)
) strict, without rowid;
create index assessment_documents_by_document on assessment_documents (document_id);

-- Documents from the web that an assessment cites, and the finding of the last look at their addresses.
create table citation_watch (
    document_id blob primary key not null references documents (id) on delete cascade,
    looked_at   integer not null,
    -- Null: the page still says what was cited.
    finding     text,
    found_at    integer,
    note        text
) strict, without rowid;
create index citation_watch_by_look on citation_watch (looked_at);

create virtual table assessments_search using fts5 (
    question, title, bottom_line, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
create trigger assessments_leave_search after delete on assessments begin
    delete from assessments_search where rowid = old.row_id;
end;

-- For the same purpose as documents_terms.
create virtual table assessments_terms using fts5vocab (assessments_search, instance);

-- Vectors of title and bottom line, one per assessment and embedding model.
create table assessment_vectors (
    assessment_id blob not null references assessments (id) on delete cascade,
    model         text not null,
    dimensions    integer not null,
    vector        blob not null,
    primary key (assessment_id, model)
) strict, without rowid;
