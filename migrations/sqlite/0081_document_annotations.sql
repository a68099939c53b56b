-- Documents that were put away, and tags and notes of readers on documents. An archived document leaves the library, search and the
-- reading of later questions. It keeps its address and its claims.

create table archived_documents (
    document_id blob primary key not null references documents (id) on delete cascade,
    archived_by blob not null,
    archived_at integer not null
) strict, without rowid;

create table document_tags (
    document_id blob not null references documents (id) on delete cascade,
    -- In lower case.
    tag         text not null,
    tagged_by   blob not null,
    tagged_at   integer not null,
    primary key (document_id, tag)
) strict, without rowid;
create index document_tags_by_tag on document_tags (tag);

create table document_notes (
    id          blob primary key not null,
    document_id blob not null references documents (id) on delete cascade,
    text        text not null,
    noted_by    blob not null,
    noted_at    integer not null
) strict, without rowid;
create index document_notes_by_document on document_notes (document_id, noted_at);
