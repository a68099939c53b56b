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
create index assessments_by_creation on assessments (created_at);

-- No reference to collections: see investigation_scopes.
create table assessment_collections (
    assessment_id blob not null references assessments (id) on delete cascade,
    collection_id blob not null,
    primary key (assessment_id, collection_id)
) strict, without rowid;
create index assessment_collections_by_collection on assessment_collections (collection_id);

create virtual table assessments_search using fts5 (
    question, title, bottom_line, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
create trigger assessments_leave_search after delete on assessments begin
    delete from assessments_search where rowid = old.row_id;
end;
