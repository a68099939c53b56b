-- Named states of a page, as the query of their address: filters of the list of assessments, pictures of the graph.

create table saved_views (
    id         uuid primary key,
    user_id    uuid not null references users (id) on delete cascade,
    -- assessments or graph
    page       text not null,
    name       text not null,
    notes      text not null,
    query      text not null,
    -- Whether everybody with an account sees it.
    shared     boolean not null,
    created_at timestamptz not null,
    unique (user_id, page, name)
);
create index saved_views_shared on saved_views (page) where shared;
