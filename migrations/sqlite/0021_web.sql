-- How documents came from the web.
create table web_captures (
    document_id   blob primary key not null references documents (id) on delete cascade,
    -- As it was asked for, after redirects, and as the page calls itself.
    url           text not null,
    final_url     text not null,
    canonical_url text,
    status        integer not null,
    -- JSON: redirects on the way; headers that say something about the content.
    hops          text not null,
    headers       text not null,
    fetched_at    integer not null
) strict, without rowid;

-- What a session may open: named by a source in it, or a link of a page that it opened, so many links away.
create table session_addresses (
    session_id blob not null references agent_sessions (id) on delete cascade,
    address    text not null,
    steps      integer not null,
    primary key (session_id, address)
) strict, without rowid;

-- Documents from the web that an assessment cites, and what was found when their addresses were last looked at again.
create table citation_watch (
    document_id blob primary key not null references documents (id) on delete cascade,
    looked_at   integer not null,
    -- None: the page still says what was cited.
    finding     text,
    found_at    integer,
    note        text
) strict, without rowid;
create index citation_watch_by_look on citation_watch (looked_at);
