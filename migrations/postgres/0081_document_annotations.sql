-- Documents that were put away, and tags and notes of readers on documents. An archived document leaves the library, search and the
-- reading of later questions. It keeps its address and its claims.

create table archived_documents (
    document_id uuid primary key not null references documents (id) on delete cascade,
    archived_by uuid not null,
    archived_at timestamptz not null
);

create table document_tags (
    document_id uuid not null references documents (id) on delete cascade,
    -- In lower case.
    tag         text not null,
    tagged_by   uuid not null,
    tagged_at   timestamptz not null,
    primary key (document_id, tag)
);
create index document_tags_by_tag on document_tags (tag);

create table document_notes (
    id          uuid primary key,
    document_id uuid not null references documents (id) on delete cascade,
    text        text not null,
    noted_by    uuid not null,
    noted_at    timestamptz not null
);
create index document_notes_by_document on document_notes (document_id, noted_at);
