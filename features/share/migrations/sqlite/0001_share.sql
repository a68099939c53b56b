-- Share links: public read-only pages of one object each. The token of a link is stored as its hash alone.
create table share_links (
    id         blob primary key not null,
    user_id    blob not null references users (id) on delete cascade,
    -- Hex SHA-256 of the token.
    token_hash text not null unique,
    -- Kind of the object, and its reference within the kind.
    kind       text not null,
    object     text not null,
    -- Whether the page shows the quotations of its sources.
    quotes     integer not null,
    note       text not null,
    created_at integer not null,
    expires_at integer not null,
    views      integer not null
) strict, without rowid;
create index share_links_by_user on share_links (user_id, created_at);
