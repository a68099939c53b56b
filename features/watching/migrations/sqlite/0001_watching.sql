-- Watching: indicators with the claims that match them, saved views, and the last look of each person at their notifications.

-- Indicators that people watch.
create table watched_indicators (
    id            blob primary key not null,
    user_id       blob not null references users (id) on delete cascade,
    assessment_id blob not null references assessments (id) on delete cascade,
    -- Id of the indicator (I1), and its words.
    item          text not null,
    words         text not null,
    watched_at    integer not null,
    -- Last search for new claims.
    looked_at     integer not null,
    unique (user_id, assessment_id, item)
) strict, without rowid;
create index watched_indicators_by_assessment on watched_indicators (assessment_id);
create index watched_indicators_by_look on watched_indicators (looked_at);

-- Matches of an indicator. The claims are in the graph, which may have another store.
create table watch_matches (
    watch_id blob not null references watched_indicators (id) on delete cascade,
    claim_id blob not null,
    found_at integer not null,
    primary key (watch_id, claim_id)
) strict, without rowid;

-- Named states of a page, as the query of their address: filters of the list of assessments, pictures of the graph.
create table saved_views (
    id         blob primary key not null,
    user_id    blob not null references users (id) on delete cascade,
    -- assessments or graph
    page       text not null,
    name       text not null,
    notes      text not null,
    query      text not null,
    -- Everybody with an account sees it.
    shared     integer not null,
    created_at integer not null,
    unique (user_id, page, name)
) strict, without rowid;
create index saved_views_shared on saved_views (page) where shared;

-- Last look of a person at their notifications.
create table notification_visits (
    user_id blob primary key not null references users (id) on delete cascade,
    seen_at integer not null
) strict, without rowid;
