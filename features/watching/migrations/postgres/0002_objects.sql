-- Objects of other features that people watch, and their signs as the last look found them.

create table watched_objects (
    id         uuid primary key,
    user_id    uuid not null references users (id) on delete cascade,
    -- Key of the kind, and id as its feature knows it. The job removes the row when the object is gone.
    kind       text not null,
    object_id  uuid not null,
    watched_at timestamptz not null,
    -- Last comparison of the signs.
    looked_at  timestamptz not null,
    unique (user_id, kind, object_id)
);
create index watched_objects_by_object on watched_objects (kind, object_id);
create index watched_objects_by_look on watched_objects (looked_at);

create table watched_signs (
    watch_id   uuid not null references watched_objects (id) on delete cascade,
    name       text not null,
    value      bigint not null,
    -- Sentence about the last change, and its time; no time before the first.
    words      text not null,
    changed_at timestamptz,
    primary key (watch_id, name)
);
