-- How documents came from the web.
create table web_captures (
    document_id   uuid primary key references documents (id) on delete cascade,
    -- As it was asked for, after redirects, and as the page calls itself.
    url           text not null,
    final_url     text not null,
    canonical_url text,
    status        bigint not null,
    -- Redirects on the way; headers that say something about the content.
    hops          jsonb not null,
    headers       jsonb not null,
    fetched_at    timestamptz not null
);

-- What a session may open: named by a source in it, or a link of a page that it opened, so many links away.
create table session_addresses (
    session_id uuid not null references agent_sessions (id) on delete cascade,
    address    text not null,
    steps      bigint not null,
    primary key (session_id, address)
);

-- Documents from the web that an assessment cites, and what was found when their addresses were last looked at again.
create table citation_watch (
    document_id uuid primary key references documents (id) on delete cascade,
    looked_at   timestamptz not null,
    -- None: the page still says what was cited.
    finding     text,
    found_at    timestamptz,
    note        text
);
create index citation_watch_by_look on citation_watch (looked_at);
