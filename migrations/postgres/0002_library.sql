-- The library: bytes once per hash, one immutable text per (bytes, extractor), and the captures that refer to both.

create table blobs (
    sha256 text primary key,
    bytes  bytea not null
);

create table texts (
    sha256      text not null references blobs (sha256),
    extractor   text not null,
    text_sha256 text not null,
    body        text not null,
    primary key (sha256, extractor)
);

create table documents (
    row_id              bigint generated always as identity primary key,
    id                  uuid not null unique,
    collection_id       uuid not null references collections (id) on delete cascade,
    path                text collate "C" not null,
    title               text not null,
    outlet              text,
    published_value     timestamptz,
    published_precision text,
    published_basis     text,
    language            text,
    media_type          text not null,
    sha256              text not null,
    size_bytes          bigint not null,
    text_sha256         text collate "C" not null,
    text_bytes          bigint not null,
    extractor           text not null,
    captured_at         timestamptz not null,
    -- Full text over title and text.
    search              tsvector,
    unique (collection_id, path, sha256, text_sha256),
    foreign key (sha256, extractor) references texts (sha256, extractor)
);
create index documents_by_text on documents (text_sha256, path, id);
create index documents_by_bytes on documents (sha256, extractor);
create index documents_by_publication on documents (collection_id, published_value);
create index documents_search on documents using gin (search);

-- Documents that a Processor has extracted; written when the graph completes a document.
create table extractions (
    document_id uuid primary key references documents (id) on delete cascade,
    at          timestamptz not null
);

-- The last word on each path of a collection that could not be read.
create table rejected_files (
    collection_id uuid not null references collections (id) on delete cascade,
    path          text collate "C" not null,
    reason        text not null,
    primary key (collection_id, path)
);

-- What could not be read of the files of one investigation, which may never have begun for want of any other.
create table rejected_of_investigations (
    investigation_id uuid not null,
    collection_id    uuid not null references collections (id) on delete cascade,
    path             text collate "C" not null,
    reason           text not null,
    primary key (investigation_id, collection_id, path)
);
create index rejected_of_investigations_by_collection on rejected_of_investigations (collection_id);
