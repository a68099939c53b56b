-- Named filters of the list of assessments, as the query of their address.

create table saved_views (
    id         uuid primary key,
    user_id    uuid not null references users (id) on delete cascade,
    name       text not null,
    query      text not null,
    created_at timestamptz not null,
    unique (user_id, name)
);
