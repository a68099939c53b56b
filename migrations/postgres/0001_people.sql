-- Accounts, collections, signed-in browser sessions, the audit log.

-- Lists of ids and words are bound as one JSON text on both databases; these two give the functions that SQLite has built in
-- (json_each over an array, unhex of an id) the same names here, so that one text of a statement serves both.
create function json_each(list text) returns table (value text)
    language sql immutable parallel safe
    as $$ select jsonb_array_elements_text(list::jsonb) $$;
create function unhex(id text) returns uuid
    language sql immutable parallel safe
    as $$ select id::uuid $$;

-- What full text is made of: without diacritics, and without the signs that would make one word of a file name or an address.
create function search_fold(body text) returns text
    language sql immutable parallel safe
    as $$ select regexp_replace(regexp_replace(normalize(body, NFD), '[\u0300-\u036f]+', '', 'g'), '[!-/:-@\[-`{-~]+', ' ', 'g') $$;

create table users (
    id            uuid primary key,
    name          text not null,
    name_key      text not null unique,
    role          text not null,
    -- A PHC string; null: cannot sign in.
    password_hash text,
    -- Kept out: cannot sign in, and is signed out.
    disabled      boolean not null default false,
    created_at    timestamptz not null
);

create table collections (
    id         uuid primary key,
    kind       text not null,
    name       text not null,
    owner      uuid not null references users (id),
    created_at timestamptz not null,
    unique (owner, kind, name)
);

create table web_sessions (
    id         text primary key,
    data       text not null,
    expires_at timestamptz not null
);
create index web_sessions_by_expiry on web_sessions (expires_at);

create table audit_log (
    sequence bigint generated always as identity primary key,
    at       timestamptz not null,
    user_id  uuid,
    act      text not null,
    object   text not null
);
