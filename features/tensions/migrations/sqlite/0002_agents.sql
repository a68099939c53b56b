-- Work of agents on tensions: runs of the cycle with their tasks, and what they found.

-- An order to run the cycle, or to look for responses to one tension.
create table cycle_orders (
    id            blob primary key not null,
    -- Whose budget is used.
    user_id       blob not null references users (id) on delete cascade,
    -- False: it reads what that person reads, and only they see it. True: what everybody reads.
    is_shared     integer not null,
    -- The one tension to scout; null for the whole cycle.
    tension_id    blob,
    -- cycle or scout
    kind          text not null,
    -- Most tensions to scout.
    max_targets   integer not null,
    ordered_at    integer not null,
    -- Occurrence of the schedule; null where a person ordered it.
    due_at        integer,
    -- End of the lease of the process that carries it out.
    held_until    integer,
    -- Why it waits, if it does.
    reason        text not null,
    ended_at      integer
) strict, without rowid;
create index cycle_orders_by_end on cycle_orders (ended_at, ordered_at);

-- Stages of an order, with figures of what each did as JSON.
create table cycle_runs (
    order_id   blob not null references cycle_orders (id) on delete cascade,
    stage      text not null,
    started_at integer not null,
    ended_at   integer,
    counts     text not null,
    error      text not null,
    primary key (order_id, stage)
) strict, without rowid;

-- Sessions of agents that a stage needs, one row each. The id is that of the session's object.
create table cycle_tasks (
    id            blob primary key not null,
    order_id      blob not null references cycle_orders (id) on delete cascade,
    stage         text not null,
    -- Where pages are stored and results belong.
    collection_id blob not null references collections (id) on delete cascade,
    -- Null for a situation, whose claims are listed.
    tension_id    blob,
    counts        text not null,
    ended_at      integer
) strict, without rowid;
create unique index cycle_tasks_by_order on cycle_tasks (order_id, stage, tension_id);
create index cycle_tasks_by_collection on cycle_tasks (collection_id);

-- Claims that the curiosity of a task starts from. A claim is asked about once.
create table situation_claims (
    claim_id    blob primary key not null,
    task_id     blob not null references cycle_tasks (id) on delete cascade,
    document_id blob not null references documents (id) on delete cascade
) strict, without rowid;
create index situation_claims_by_task on situation_claims (task_id);
create index situation_claims_by_document on situation_claims (document_id);

-- Vectors of title and summary: 32-bit floats, little endian.
create table response_vectors (
    response_id blob not null references responses (id) on delete cascade,
    model       text not null,
    vector      blob not null,
    primary key (response_id, model)
) strict, without rowid;

-- Queries that a scouting leaves for the next one of the same tension.
create table future_queries (
    tension_id blob not null references tensions (id) on delete cascade,
    query      text not null,
    noted_at   integer not null,
    primary key (tension_id, query)
) strict, without rowid;

-- Sentences of the story of a tension: what happened, what feeds it, what eases it. Each rests on one claim or one response.
create table story_sentences (
    tension_id  blob not null references tensions (id) on delete cascade,
    number      integer not null,
    part        text not null,
    text        text not null,
    -- Id of the claim, or of the response of the last part.
    source_id   blob not null,
    -- Null for a response that a person entered.
    document_id blob references documents (id) on delete cascade,
    written_at  integer not null,
    primary key (tension_id, number)
) strict, without rowid;
create index story_sentences_by_document on story_sentences (document_id);

-- Independent origins that a tension had when it came up. Further ones corroborate it.
alter table spawned_from add column origins integer not null default 0;
