-- Investigations with their leases, work orders, the queue, and the numbered events.

create table investigations (
    id                  uuid primary key,
    owner               uuid not null references users (id),
    collection_id       uuid not null references collections (id) on delete cascade,
    parent_id           uuid references investigations (id) on delete set null,
    prompt              text not null,
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
    event_count         bigint not null default 0
);
create index investigations_open on investigations (lease_until) where status not in ('completed', 'failed');
create index investigations_by_owner on investigations (owner, created_at);
create index investigations_by_creation on investigations (created_at);
create index investigations_by_collection on investigations (collection_id);
create index investigations_by_parent on investigations (parent_id);

-- No reference to collections: what was drawn from a removed collection stays hidden from whoever could not see it.
create table investigation_scopes (
    investigation_id uuid not null references investigations (id) on delete cascade,
    collection_id    uuid not null,
    primary key (investigation_id, collection_id)
);

create table holders (
    id          uuid primary key,
    alive_until timestamptz not null
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
    -- Attempts that failed; one whose worker died is none of them.
    failures            bigint not null default 0,
    holder              uuid,
    failure             text,
    traceparent         text not null,
    created_at          timestamptz not null,
    assigned_at         timestamptz,
    completed_at        timestamptz,
    unique (investigation_id, cycle, objective_key)
);
create index work_orders_by_status on work_orders (investigation_id, status);

-- Which documents an order has dealt with.
create table work_order_documents (
    work_order_id uuid not null references work_orders (id) on delete cascade,
    document_id   uuid not null,
    primary key (work_order_id, document_id)
);

create table queue (
    sequence        bigint generated always as identity primary key,
    work_order_id   uuid not null unique,
    priority        bigint not null,
    worker          uuid,
    delivery        bigint not null default 0,
    -- Null until it is given out.
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
