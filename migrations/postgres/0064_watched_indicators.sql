-- Indicators that people watch, and the claims that match them.

create table watched_indicators (
    id            uuid primary key,
    user_id       uuid not null references users (id) on delete cascade,
    assessment_id uuid not null references assessments (id) on delete cascade,
    -- Id of the indicator (I1), and its words.
    item          text not null,
    words         text not null,
    watched_at    timestamptz not null,
    -- Last search for new claims.
    looked_at     timestamptz not null,
    unique (user_id, assessment_id, item)
);
create index watched_indicators_by_assessment on watched_indicators (assessment_id);
create index watched_indicators_by_look on watched_indicators (looked_at);

-- Claims of the graph, which may have another store.
create table watch_matches (
    watch_id uuid not null references watched_indicators (id) on delete cascade,
    claim_id uuid not null,
    found_at timestamptz not null,
    primary key (watch_id, claim_id)
);
create index extractions_by_time on extractions (at);
