-- Investigations with their leases, work orders, the queue, and the numbered events.

create table investigations (
    id                  blob primary key not null,
    owner               blob not null references users (id),
    collection_id       blob not null references collections (id) on delete cascade,
    parent_id           blob references investigations (id) on delete set null,
    question            text not null,
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
    event_count         integer not null default 0,
    -- The model that the question asked for; null: as configured.
    model               text,
    -- JSON list of obstacles that its agents reported, and the time since which nothing was done.
    obstacles           text,
    stalled_since       integer,
    -- JSON list of addresses that the person gave with the question (null: none), and web access of its agents (null: on).
    addresses           text,
    web                 text,
    -- JSON: selection of collections, period of publication, depth (null: the whole library, any time, standard).
    terms               text,
    -- JSON: model_choices when it started (null: as configured).
    models              text
) strict;
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
    investigation_id blob not null references investigations (id) on delete cascade,
    collection_id    blob not null,
    primary key (investigation_id, collection_id)
) strict, without rowid;

-- Addresses that a source listed in an investigation or one of its parts: work orders may name them.
create table investigation_addresses (
    investigation_id blob not null references investigations (id) on delete cascade,
    address          text not null,
    primary key (investigation_id, address)
) strict, without rowid;

-- Investigations whose owner made the report visible to others, with the quotes in it. The others have no row.
create table investigation_visibility (
    investigation_id blob primary key not null references investigations (id) on delete cascade,
    -- Null: everybody with an account. A removed team leaves the report private.
    team_id          blob references teams (id) on delete cascade,
    -- For the notification of a team; null: no notification.
    shared_at        integer
) strict, without rowid;
create index investigation_visibility_by_team on investigation_visibility (team_id);

-- Archived investigations: they and their assessments leave home, lists and search. They keep their addresses.
create table archived_investigations (
    investigation_id blob primary key not null references investigations (id) on delete cascade,
    archived_by      blob not null,
    archived_at      integer not null
) strict, without rowid;

-- Questions that continue another: a follow-up, or the same question run again as its next version.
create table investigation_threads (
    investigation_id blob primary key not null references investigations (id) on delete cascade,
    follows_id       blob not null references investigations (id) on delete cascade,
    -- follow_up or rerun
    kind             text not null
) strict, without rowid;
create index investigation_threads_by_followed on investigation_threads (follows_id);

-- Processes that hold leases.
create table holders (
    id          blob primary key not null,
    alive_until integer not null,
    -- The process carries out work orders only.
    works_only  integer not null default 0
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
    -- Failed attempts, without those whose worker died.
    failures            integer not null default 0,
    holder              blob,
    failure             text,
    traceparent         text not null,
    created_at          integer not null,
    assigned_at         integer,
    completed_at        integer,
    -- Attempts that do not count: a dependency was down.
    returned            integer not null default 0,
    -- A failed work order that needs no attention: discarded by an administrator, or cancelled with its investigation.
    discarded_at        integer,
    unique (investigation_id, cycle, objective_key)
) strict;
create index work_orders_by_status on work_orders (investigation_id, status);
-- Unresolved work orders of all investigations: the queue is rebuilt from them after Redis has lost everything.
create index work_orders_open on work_orders (created_at, id) where status in ('queued', 'assigned');
create index work_orders_of_status on work_orders (status);
create index work_orders_failed on work_orders (completed_at, id) where status = 'failed' and discarded_at is null;

-- Documents that a work order has dealt with.
create table work_order_documents (
    work_order_id blob not null references work_orders (id) on delete cascade,
    document_id   blob not null,
    primary key (work_order_id, document_id)
) strict, without rowid;

-- Changes of people in the plan of a running investigation.
create table plan_changes (
    work_order_id    blob not null references work_orders (id) on delete cascade,
    -- added, removed or raised
    change           text not null,
    investigation_id blob not null references investigations (id) on delete cascade,
    changed_by       blob not null,
    changed_at       integer not null,
    primary key (work_order_id, change)
) strict, without rowid;
create index plan_changes_by_investigation on plan_changes (investigation_id, changed_at);

create table queue (
    sequence        integer primary key autoincrement,
    work_order_id   blob not null unique,
    priority        integer not null,
    worker          blob,
    delivery        integer not null default 0,
    -- Null until it is delivered.
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
-- The additions of an investigation to the graph are the sum of these events.
create index events_additions on events (investigation_id, sequence) where what ->> 'type' = 'graph_added';
