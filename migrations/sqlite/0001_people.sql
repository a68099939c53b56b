-- Accounts, collections, signed-in browser sessions, the audit log.
-- Moments are integer microseconds since 1970 UTC, ids are 16-byte blobs.

create table users (
    id            blob primary key not null,
    name          text not null,
    name_key      text not null unique,
    role          text not null,
    -- A PHC string; null: cannot sign in.
    password_hash text,
    -- Kept out: cannot sign in, and is signed out.
    disabled      integer not null default 0,
    created_at    integer not null
) strict;

create table collections (
    id         blob primary key not null,
    kind       text not null,
    name       text not null,
    owner      blob not null references users (id),
    created_at integer not null,
    unique (owner, kind, name)
) strict;

create table web_sessions (
    id         text primary key not null,
    data       text not null,
    expires_at integer not null
) strict;
create index web_sessions_by_expiry on web_sessions (expires_at);

create table audit_log (
    sequence integer primary key autoincrement,
    at       integer not null,
    user_id  blob,
    act      text not null,
    object   text not null
) strict;
