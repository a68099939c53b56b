-- The library: bytes once per hash, immutable texts of them, and documents, the captures that refer to both.

create table blobs (
    sha256 text primary key,
    bytes  bytea not null
);

-- Texts of the bytes. Charset and address, as the mail or server stated them, belong to the text: the same bytes may have several texts,
-- and what one person stored says nothing of what another may store.
create table texts (
    sha256      text not null references blobs (sha256),
    extractor   text not null,
    text_sha256 text not null,
    body        text not null,
    primary key (sha256, extractor, text_sha256)
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
    foreign key (sha256, extractor, text_sha256) references texts (sha256, extractor, text_sha256)
);
create index documents_by_text on documents (text_sha256, path, id);
create index documents_by_bytes on documents (sha256, extractor);
create index documents_by_publication on documents (collection_id, published_value);
create index documents_search on documents using gin (search);
-- The last document of each collection bounds a page of a library.
create index documents_by_arrival on documents (collection_id, row_id);

-- Facts that a document states beside its text: authors, last change and tables. A document without any has no row.
create table document_details (
    document_id       uuid primary key references documents (id) on delete cascade,
    byline            text,
    updated_value     timestamptz,
    updated_precision text,
    updated_basis     text,
    -- Captions and rows of cells.
    tables            jsonb not null
);

-- Credits of a document beside its outlet: the agency that its text is from, and its authors. The first credits stay.
create table document_credits (
    document_id uuid primary key references documents (id) on delete cascade,
    agency      text,
    -- The common part of the credits of one agency.
    agency_key  text,
    byline      text,
    -- The day of publication, counted from 1970-01-01; null where no day is known.
    day         bigint
);
create index document_credits_by_agency on document_credits (agency_key, day) where agency_key is not null;

-- How documents came from the web.
create table web_captures (
    document_id   uuid primary key references documents (id) on delete cascade,
    -- Address of the request, after redirects, and as the page calls itself.
    url           text not null,
    final_url     text not null,
    canonical_url text,
    status        bigint not null,
    -- Redirects on the way; headers that say something about the content.
    hops          jsonb not null,
    headers       jsonb not null,
    fetched_at    timestamptz not null,
    -- How the page was reached: fetched, rendered in the browser, or walked to by clicks and forms, so that its address alone does not lead
    -- to it. Null: fetched.
    reached       text
);

-- Documents that a Processor has extracted; written when the graph completes a document.
create table extractions (
    document_id uuid primary key references documents (id) on delete cascade,
    at          timestamptz not null
);
create index extractions_by_time on extractions (at);

-- Files of a collection that could not be read, with the reason of the last attempt on each path.
create table rejected_files (
    collection_id uuid not null references collections (id) on delete cascade,
    path          text collate "C" not null,
    reason        text not null,
    primary key (collection_id, path)
);

-- Files of one investigation that could not be read. The investigation may never have begun for want of other files.
create table rejected_of_investigations (
    investigation_id uuid not null,
    collection_id    uuid not null references collections (id) on delete cascade,
    path             text collate "C" not null,
    reason           text not null,
    primary key (investigation_id, collection_id, path)
);
create index rejected_of_investigations_by_collection on rejected_of_investigations (collection_id);

-- Sketches of texts, compared to find texts that repeat one another, and the bands that near sketches share.
create table text_sketches (
    id          bigint generated always as identity primary key,
    text_sha256 text collate "C" not null unique,
    -- Null where the text is too short to be compared.
    sketch      bytea
);

create table text_bands (
    band      bigint not null,
    sketch_id bigint not null references text_sketches (id) on delete cascade,
    primary key (band, sketch_id)
);
create index text_bands_by_sketch on text_bands (sketch_id);

-- Archived documents: they leave the library, search and the reading of later questions. They keep their addresses and claims.
create table archived_documents (
    document_id uuid primary key references documents (id) on delete cascade,
    archived_by uuid not null,
    archived_at timestamptz not null
);
