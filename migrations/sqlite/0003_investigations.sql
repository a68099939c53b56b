-- Investigations with their leases, work orders, the queue, and the numbered events.

create table investigations (
    id                  blob primary key not null,
    owner               blob not null references users (id),
    collection_id       blob not null references collections (id) on delete cascade,
    parent_id           blob references investigations (id) on delete set null,
    prompt              text not null,
    kind                text not null,
    started_by          text not null,
    -- JSON list of collections; investigation_scopes holds the same for look-ups.
    scope               text not null,
    status              text not null,
    cycle               integer not null,
    empty_sessions      integer not null,
    failed_cycles       integer not null,
    final_session       integer not null,
    resume_from         text,
    reason              text,
    suspended_at        integer,
    traceparent         text not null,
    created_at          integer not null,
    completed_at        integer,
    finish_requested_at integer,
    -- The lease. The attempt only grows; a write with an old one is refused.
    holder              blob,
    lease_until         integer,
    attempt             integer not null default 0,
    -- Sequence number of the last event.
    event_count         integer not null default 0
) strict;
create index investigations_open on investigations (lease_until) where status not in ('completed', 'failed');
create index investigations_by_owner on investigations (owner, created_at);
create index investigations_by_creation on investigations (created_at);
create index investigations_by_collection on investigations (collection_id);
create index investigations_by_parent on investigations (parent_id);

-- No reference to collections: what was drawn from a removed collection stays hidden from whoever could not see it.
create table investigation_scopes (
    investigation_id blob not null references investigations (id) on delete cascade,
    collection_id    blob not null,
    primary key (investigation_id, collection_id)
) strict, without rowid;

create table holders (
    id          blob primary key not null,
    alive_until integer not null
) strict, without rowid;

create table work_orders (
    id                  blob primary key not null,
    investigation_id    blob not null references investigations (id) on delete cascade,
    -- The Analyst session that staged it.
    session_id          blob not null,
    cycle               integer not null,
    objective           text not null,
    -- Hash of the normalised objective.
    objective_key       text not null,
    referenced_entities text not null,
    source_guidance     text not null,
    priority            integer not null,
    status              text not null,
    attempt             integer not null default 0,
    -- Attempts that failed; one whose worker died is none of them.
    failures            integer not null default 0,
    holder              blob,
    failure             text,
    traceparent         text not null,
    created_at          integer not null,
    assigned_at         integer,
    completed_at        integer,
    unique (investigation_id, cycle, objective_key)
) strict;
create index work_orders_by_status on work_orders (investigation_id, status);

-- Which documents an order has dealt with.
create table work_order_documents (
    work_order_id blob not null references work_orders (id) on delete cascade,
    document_id   blob not null,
    primary key (work_order_id, document_id)
) strict, without rowid;

create table queue (
    sequence        integer primary key autoincrement,
    work_order_id   blob not null unique,
    priority        integer not null,
    worker          blob,
    delivery        integer not null default 0,
    -- Null until it is given out.
    heartbeat_until integer
) strict;
create index queue_in_order on queue (priority desc, sequence);
create index queue_by_heartbeat on queue (heartbeat_until) where heartbeat_until is not null;

create table events (
    investigation_id blob not null references investigations (id) on delete cascade,
    sequence         integer not null,
    at               integer not null,
    what             text not null,
    primary key (investigation_id, sequence)
) strict, without rowid;
