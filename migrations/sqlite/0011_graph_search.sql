-- Searching the graph: full-text indexes of terms made by the engine, and vectors, one table per model and kind.

-- An entity as one collection has it: the unit that full text and vectors describe, so that no search knows of a name that the
-- searcher may not see.
create table entity_views (
    n          integer primary key,
    id         blob not null unique,
    entity     integer not null references entities (n) on delete cascade,
    collection integer not null references graph_collections (n),
    -- Name and summary: what the vector describes.
    label      text not null,
    -- Every name and the summary: what full text finds.
    words      text not null,
    unique (entity, collection)
) strict;
create index entity_views_by_collection on entity_views (collection);

-- For each row of graph_collections there are two virtual tables, made with it: terms_1, terms_2 … with its full text (fts5;
-- rowid = 4 * n + (0 claim, 1 entity view, 2 relationship)), and term_counts_1, term_counts_2 … with how many texts hold a term
-- (fts5vocab). Each collection has its own, so that what one holds weighs nothing in what another finds.

-- For each row here there are two tables, made when a model is first used: vectors_1, vectors_2 … with the vectors, and coarse_1,
-- coarse_2 … with one bit per dimension, by which a large graph is searched first.
create table vector_models (
    slot       integer primary key,
    model      text not null,
    kind       text not null check (kind in ('claim', 'entity', 'relationship')),
    dimensions integer not null,
    unique (model, kind)
) strict;
