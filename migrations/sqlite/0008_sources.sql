-- Sources of the catalogue: their switches, their health, and the documents and claims that they led to.

create table sources (
    id              text primary key not null,
    -- Null: as configured.
    is_on           integer,
    answers         integer not null default 0,
    failures        integer not null default 0,
    -- Message of the last failure; null after a success.
    last_error      text,
    last_success_at integer,
    last_failure_at integer
) strict, without rowid;

-- Addresses that a source named: they say which documents it led to.
create table source_finds (
    source_id text not null,
    address   text not null,
    primary key (source_id, address)
) strict, without rowid;
create index source_finds_by_address on source_finds (address);

-- Claims of documents that a source led to.
create table source_yields (
    source_id   text not null,
    document_id blob not null references documents (id) on delete cascade,
    claims      integer not null,
    primary key (source_id, document_id)
) strict, without rowid;
create index source_yields_by_document on source_yields (document_id);

-- Feeds that people added to those of the configuration.
create table feeds (
    address    text primary key not null,
    title      text not null,
    feed_group text not null,
    region     text not null,
    language   text not null,
    added_at   integer not null
) strict, without rowid;
