-- Monitor: interests with their matches, dates of reports, and standing questions with their runs.

create table interests (
    id          uuid primary key,
    user_id     uuid not null references users (id) on delete cascade,
    -- active, paused or proposed
    state       text not null,
    sentence    text not null,
    -- JSON lists of entity ids, names of regions, tags, and keys of sources.
    entities    text not null,
    regions     text not null,
    tags        text not null,
    kinds       text not null,
    -- Score from which a product matches, and weights of the terms of the score, in hundredths.
    threshold   bigint not null,
    weights     text not null,
    muted_until timestamptz,
    -- Sentence on what feedback changed last, and reason of a proposal.
    tuned       text not null,
    reason      text not null,
    created_at  timestamptz not null,
    changed_at  timestamptz not null
);
create index interests_by_person on interests (user_id);
create index interests_by_change on interests (changed_at);

-- Vectors of the sentences, a signed byte for each dimension.
create table interest_vectors (
    interest_id uuid not null references interests (id) on delete cascade,
    model       text not null,
    vector      bytea not null,
    primary key (interest_id, model)
);

-- Products that match an interest. They are shown as their sources find them for the person.
create table interest_matches (
    id          uuid primary key,
    interest_id uuid not null references interests (id) on delete cascade,
    -- That of the interest when it matched.
    sentence    text not null,
    source      text not null,
    product_id  uuid not null,
    arrived_at  timestamptz not null,
    score       bigint not null,
    terms       text not null,
    -- shown, borderline or refused
    state       text not null,
    -- more, less or not; empty: none
    feedback    text not null,
    matched_at  timestamptz not null,
    judged_at   timestamptz,
    unique (interest_id, source, product_id)
);
create index interest_matches_by_time on interest_matches (matched_at);
create index interest_matches_by_product on interest_matches (product_id);
create index interest_matches_waiting on interest_matches (matched_at) where state = 'borderline';

-- Time up to which the products of a source were matched, and (embedding_failed) of the last round in which the embedder failed.
create table product_marks (
    source text primary key,
    at     timestamptz not null
);

-- Last time that a person marked all as seen.
create table monitor_visits (
    user_id uuid primary key references users (id) on delete cascade,
    seen_at timestamptz not null
);

-- Indicators and gaps of reports that name a day. The owner of the report is asked.
create table due_items (
    assessment_id uuid not null references assessments (id) on delete cascade,
    -- I1, I2 … or G1, G2 …
    item          text not null,
    user_id       uuid not null references users (id) on delete cascade,
    words         text not null,
    -- Moment after the day, and when the person is asked.
    due_at        timestamptz not null,
    ask_at        timestamptz not null,
    -- happened, not or closed; empty: open
    answer        text not null,
    answered_at   timestamptz,
    primary key (assessment_id, item)
);
create index due_items_by_person on due_items (user_id, ask_at);

-- Questions that are asked again by themselves.
create table standing_questions (
    id            uuid primary key,
    user_id       uuid not null references users (id) on delete cascade,
    question      text not null,
    -- Investigation that the first run continues.
    follows_id    uuid,
    -- cron, once or names
    timing        text not null,
    pattern       text not null,
    time_zone     text not null,
    once_at       timestamptz,
    entity_id     uuid,
    -- Most money of 30 days, in millionths.
    budget_micros bigint,
    paused        boolean not null,
    -- Occurrences before this moment are not made up.
    counted_from  timestamptz not null,
    created_at    timestamptz not null
);
create index standing_questions_by_person on standing_questions (user_id);

create table standing_runs (
    standing_id      uuid not null references standing_questions (id) on delete cascade,
    due_at           timestamptz not null,
    -- Id that the investigation gets, so that a repeated start starts nothing.
    investigation_id uuid not null,
    -- due, started or skipped
    state            text not null,
    note             text not null,
    changed_at       timestamptz not null,
    -- Starts that failed, and time of the next one while it is due.
    attempts         bigint not null,
    try_at           timestamptz not null,
    primary key (standing_id, due_at)
);
create index standing_runs_open on standing_runs (try_at) where state = 'due';
create index standing_runs_by_change on standing_runs (changed_at);
