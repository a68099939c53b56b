-- Share links: public read-only pages of one object each. The token of a link is stored as its hash alone.
create table share_links (
    id         uuid primary key,
    user_id    uuid not null references users (id) on delete cascade,
    -- Hex SHA-256 of the token.
    token_hash text not null unique,
    -- Kind of the object, and its reference within the kind.
    kind       text not null,
    object     text not null,
    -- Whether the page shows the quotations of its sources.
    quotes     boolean not null,
    note       text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    views      bigint not null
);
create index share_links_by_user on share_links (user_id, created_at);
