-- The library: bytes once per hash, one immutable text per (bytes, extractor), and the captures that refer to both.

create table blobs (
    sha256 text primary key not null,
    bytes  blob not null
) strict;

create table texts (
    sha256      text not null references blobs (sha256),
    extractor   text not null,
    text_sha256 text not null,
    body        text not null,
    primary key (sha256, extractor)
) strict;

create table documents (
    -- Also the row id in documents_search.
    row_id              integer primary key,
    id                  blob not null unique,
    collection_id       blob not null references collections (id) on delete cascade,
    path                text not null,
    title               text not null,
    outlet              text,
    published_value     integer,
    published_precision text,
    published_basis     text,
    language            text,
    media_type          text not null,
    sha256              text not null,
    size_bytes          integer not null,
    text_sha256         text not null,
    text_bytes          integer not null,
    extractor           text not null,
    captured_at         integer not null,
    unique (collection_id, path, sha256, text_sha256),
    foreign key (sha256, extractor) references texts (sha256, extractor)
) strict;
create index documents_by_text on documents (text_sha256, path, id);
create index documents_by_bytes on documents (sha256, extractor);
create index documents_by_publication on documents (collection_id, published_value);

-- Full text over title and text; holds the index only, the words stay in documents and texts.
create virtual table documents_search using fts5 (
    title, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
create trigger documents_leave_search after delete on documents begin
    delete from documents_search where rowid = old.row_id;
end;

-- Documents that a Processor has extracted; written by the graph in the transaction that completes a document.
create table extractions (
    document_id blob primary key not null references documents (id) on delete cascade,
    at          integer not null
) strict, without rowid;

-- The last word on each path of a collection that could not be read.
create table rejected_files (
    collection_id blob not null references collections (id) on delete cascade,
    path          text not null,
    reason        text not null,
    primary key (collection_id, path)
) strict, without rowid;

-- What could not be read of the files of one investigation, which may never have begun for want of any other.
create table rejected_of_investigations (
    investigation_id blob not null,
    collection_id    blob not null references collections (id) on delete cascade,
    path             text not null,
    reason           text not null,
    primary key (investigation_id, collection_id, path)
) strict, without rowid;
create index rejected_of_investigations_by_collection on rejected_of_investigations (collection_id);
