-- Named filters of the list of assessments, as the query of their address.

create table saved_views (
    id         blob primary key not null,
    user_id    blob not null references users (id) on delete cascade,
    name       text not null,
    query      text not null,
    created_at integer not null,
    unique (user_id, name)
) strict, without rowid;
