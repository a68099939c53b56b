-- The library: bytes once per hash, immutable texts of them, and documents, the captures that refer to both.

create table blobs (
    sha256 text primary key not null,
    bytes  blob not null
) strict;

-- Texts of the bytes. Charset and address, as the mail or server stated them, belong to the text: the same bytes may have several texts,
-- and what one person stored says nothing of what another may store.
create table texts (
    sha256      text not null references blobs (sha256),
    extractor   text not null,
    text_sha256 text not null,
    body        text not null,
    primary key (sha256, extractor, text_sha256)
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
    foreign key (sha256, extractor, text_sha256) references texts (sha256, extractor, text_sha256)
) strict;
create index documents_by_text on documents (text_sha256, path, id);
create index documents_by_bytes on documents (sha256, extractor);
create index documents_by_publication on documents (collection_id, published_value);
-- The last document of each collection bounds a page of a library.
create index documents_by_arrival on documents (collection_id, row_id);

-- Full text over title and text; holds the index only, the words stay in documents and texts.
create virtual table documents_search using fts5 (
    title, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
create trigger documents_leave_search after delete on documents begin
    delete from documents_search where rowid = old.row_id;
end;

-- How often a word stands in a text. The rank of FTS5 depends on the texts of everybody; an order by these numbers on the text alone.
create virtual table documents_terms using fts5vocab (documents_search, instance);

-- Facts that a document states beside its text: authors, last change and tables. A document without any has no row.
create table document_details (
    document_id       blob primary key not null references documents (id) on delete cascade,
    byline            text,
    updated_value     integer,
    updated_precision text,
    updated_basis     text,
    -- JSON: captions and rows of cells.
    tables            text not null
) strict;

-- Credits of a document beside its outlet: the agency that its text is from, and its authors. The first credits stay.
create table document_credits (
    document_id blob primary key not null references documents (id) on delete cascade,
    agency      text,
    -- The common part of the credits of one agency.
    agency_key  text,
    byline      text,
    -- The day of publication, counted from 1970-01-01; null where no day is known.
    day         integer
) strict, without rowid;
create index document_credits_by_agency on document_credits (agency_key, day) where agency_key is not null;

-- How documents came from the web.
create table web_captures (
    document_id   blob primary key not null references documents (id) on delete cascade,
    -- Address of the request, after redirects, and as the page calls itself.
    url           text not null,
    final_url     text not null,
    canonical_url text,
    status        integer not null,
    -- JSON: redirects on the way; headers that say something about the content.
    hops          text not null,
    headers       text not null,
    fetched_at    integer not null,
    -- How the page was reached: fetched, rendered in the browser, or walked to by clicks and forms, so that its address alone does not lead
    -- to it. Null: fetched.
    reached       text
) strict, without rowid;

-- Documents that a Processor has extracted; written when the graph completes a document.
create table extractions (
    document_id blob primary key not null references documents (id) on delete cascade,
    at          integer not null
) strict, without rowid;
create index extractions_by_time on extractions (at);

-- Files of a collection that could not be read, with the reason of the last attempt on each path.
create table rejected_files (
    collection_id blob not null references collections (id) on delete cascade,
    path          text not null,
    reason        text not null,
    primary key (collection_id, path)
) strict, without rowid;

-- Files of one investigation that could not be read. The investigation may never have begun for want of other files.
create table rejected_of_investigations (
    investigation_id blob not null,
    collection_id    blob not null references collections (id) on delete cascade,
    path             text not null,
    reason           text not null,
    primary key (investigation_id, collection_id, path)
) strict, without rowid;
create index rejected_of_investigations_by_collection on rejected_of_investigations (collection_id);

-- Sketches of texts, compared to find texts that repeat one another, and the bands that near sketches share.
create table text_sketches (
    id          integer primary key,
    text_sha256 text not null unique,
    -- Null where the text is too short to be compared.
    sketch      blob
) strict;

create table text_bands (
    band      integer not null,
    sketch_id integer not null references text_sketches (id) on delete cascade,
    primary key (band, sketch_id)
) strict, without rowid;
create index text_bands_by_sketch on text_bands (sketch_id);

-- Archived documents: they leave the library, search and the reading of later questions. They keep their addresses and claims.
create table archived_documents (
    document_id blob primary key not null references documents (id) on delete cascade,
    archived_by blob not null,
    archived_at integer not null
) strict, without rowid;
