-- Investigations with their leases, work orders, the queue, and the numbered events.

create table investigations (
    id                  uuid primary key,
    owner               uuid not null references users (id),
    collection_id       uuid not null references collections (id) on delete cascade,
    parent_id           uuid references investigations (id) on delete set null,
    question            text not null,
    kind                text not null,
    started_by          text not null,
    -- JSON list of collections; investigation_scopes holds the same for look-ups.
    scope               jsonb not null,
    status              text not null,
    cycle               bigint not null,
    empty_sessions      bigint not null,
    failed_cycles       bigint not null,
    final_session       boolean not null,
    resume_from         text,
    reason              text,
    suspended_at        timestamptz,
    traceparent         text not null,
    created_at          timestamptz not null,
    completed_at        timestamptz,
    finish_requested_at timestamptz,
    -- The lease. The attempt only grows; a write with an old one is refused.
    holder              uuid,
    lease_until         timestamptz,
    attempt             bigint not null default 0,
    -- Sequence number of the last event.
    event_count         bigint not null default 0,
    -- The model that the question asked for; null: as configured.
    model               text,
    -- JSON list of obstacles that its agents reported, and the time since which nothing was done.
    obstacles           jsonb,
    stalled_since       timestamptz,
    -- JSON list of addresses that the person gave with the question (null: none), and web access of its agents (null: on).
    addresses           jsonb,
    web                 text,
    -- JSON: selection of collections, period of publication, depth (null: the whole library, any time, standard).
    terms               jsonb,
    -- JSON: model_choices when it started (null: as configured).
    models              jsonb
);
create index investigations_open on investigations (lease_until) where status not in ('completed', 'failed');
create index investigations_by_owner on investigations (owner, created_at);
create index investigations_by_creation on investigations (created_at);
create index investigations_by_collection on investigations (collection_id);
create index investigations_by_parent on investigations (parent_id);
-- Costs of past runs are read from the newest completed ones.
create index investigations_by_completion on investigations (completed_at) where status = 'completed';
-- Investigations of each status are counted often while nothing happens.
create index investigations_by_status on investigations (status);
-- Ends of a person's own investigations, for notifications.
create index investigations_by_end on investigations (owner, completed_at);

-- No reference to collections: what was drawn from a removed collection stays hidden from readers who could not see it.
create table investigation_scopes (
    investigation_id uuid not null references investigations (id) on delete cascade,
    collection_id    uuid not null,
    primary key (investigation_id, collection_id)
);

-- Addresses that a source listed in an investigation or one of its parts: work orders may name them.
create table investigation_addresses (
    investigation_id uuid not null references investigations (id) on delete cascade,
    address          text not null,
    primary key (investigation_id, address)
);

-- Investigations whose owner made the report visible to others, with the quotes in it. The others have no row.
create table investigation_visibility (
    investigation_id uuid primary key references investigations (id) on delete cascade,
    -- Null: everybody with an account. A removed team leaves the report private.
    team_id          uuid references teams (id) on delete cascade,
    -- For the notification of a team; null: no notification.
    shared_at        timestamptz
);
create index investigation_visibility_by_team on investigation_visibility (team_id);

-- Archived investigations: they and their assessments leave home, lists and search. They keep their addresses.
create table archived_investigations (
    investigation_id uuid primary key references investigations (id) on delete cascade,
    archived_by      uuid not null,
    archived_at      timestamptz not null
);

-- Questions that continue another: a follow-up, or the same question run again as its next version.
create table investigation_threads (
    investigation_id uuid primary key references investigations (id) on delete cascade,
    follows_id       uuid not null references investigations (id) on delete cascade,
    -- follow_up or rerun
    kind             text not null
);
create index investigation_threads_by_followed on investigation_threads (follows_id);

-- Processes that hold leases.
create table holders (
    id          uuid primary key,
    alive_until timestamptz not null,
    -- The process carries out work orders only.
    works_only  boolean not null default false
);

create table work_orders (
    id                  uuid primary key,
    investigation_id    uuid not null references investigations (id) on delete cascade,
    -- The Analyst session that staged it.
    session_id          uuid not null,
    cycle               bigint not null,
    objective           text not null,
    -- Hash of the normalised objective.
    objective_key       text not null,
    referenced_entities jsonb not null,
    source_guidance     jsonb not null,
    priority            bigint not null,
    status              text not null,
    attempt             bigint not null default 0,
    -- Failed attempts, without those whose worker died.
    failures            bigint not null default 0,
    holder              uuid,
    failure             text,
    traceparent         text not null,
    created_at          timestamptz not null,
    assigned_at         timestamptz,
    completed_at        timestamptz,
    -- Attempts that do not count: a dependency was down.
    returned            bigint not null default 0,
    -- A failed work order that needs no attention: discarded by an administrator, or cancelled with its investigation.
    discarded_at        timestamptz,
    unique (investigation_id, cycle, objective_key)
);
create index work_orders_by_status on work_orders (investigation_id, status);
-- Unresolved work orders of all investigations: the queue is rebuilt from them after Redis has lost everything.
create index work_orders_open on work_orders (created_at, id) where status in ('queued', 'assigned');
create index work_orders_of_status on work_orders (status);
create index work_orders_failed on work_orders (completed_at, id) where status = 'failed' and discarded_at is null;

-- Documents that a work order has dealt with.
create table work_order_documents (
    work_order_id uuid not null references work_orders (id) on delete cascade,
    document_id   uuid not null,
    primary key (work_order_id, document_id)
);

-- Changes of people in the plan of a running investigation.
create table plan_changes (
    work_order_id    uuid not null references work_orders (id) on delete cascade,
    -- added, removed or raised
    change           text not null,
    investigation_id uuid not null references investigations (id) on delete cascade,
    changed_by       uuid not null,
    changed_at       timestamptz not null,
    primary key (work_order_id, change)
);
create index plan_changes_by_investigation on plan_changes (investigation_id, changed_at);

create table queue (
    sequence        bigint generated always as identity primary key,
    work_order_id   uuid not null unique,
    priority        bigint not null,
    worker          uuid,
    delivery        bigint not null default 0,
    -- Null until it is delivered.
    heartbeat_until timestamptz
);
create index queue_in_order on queue (priority desc, sequence);
create index queue_by_heartbeat on queue (heartbeat_until) where heartbeat_until is not null;

create table events (
    investigation_id uuid not null references investigations (id) on delete cascade,
    sequence         bigint not null,
    at               timestamptz not null,
    what             jsonb not null,
    primary key (investigation_id, sequence)
);
-- The additions of an investigation to the graph are the sum of these events.
create index events_additions on events (investigation_id, sequence) where what ->> 'type' = 'graph_added';
