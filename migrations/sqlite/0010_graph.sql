-- The knowledge graph: claims with their evidence, entities as facts that some readers can see, relationships; and its search.
-- Row numbers (n) serve inside; ids serve outside. Nothing here refers to products.

create table graph_collections (
    n       integer primary key,
    id      blob not null unique,
    -- Removed for ever: nothing is read from it, and nothing written to it.
    removed integer not null default 0
) strict;

create table graph_documents (
    n              integer primary key,
    id             blob not null unique,
    collection     integer not null references graph_collections (n),
    document_order text not null
) strict;
create index graph_documents_in_order on graph_documents (collection, document_order);

-- A merged entity keeps its row and everything written to it; root is the entity that it counts as now.
create table entities (
    n    integer primary key,
    id   blob not null unique,
    root integer not null
) strict;
create index entities_by_root on entities (root);

create table claims (
    n                     integer primary key,
    id                    blob not null unique,
    document              integer not null references graph_documents (n),
    collection            integer not null references graph_collections (n),
    content               text not null,
    quote                 text not null,
    span_start            integer not null,
    span_end              integer not null,
    published_value       integer,
    published_precision   text,
    published_basis       text,
    ingested_at           integer not null,
    attribution           text not null,
    information           text not null,
    speaker               text,
    mode                  text not null,
    language              text,
    content_hash          text not null,
    outlet                integer references entities (n),
    -- The period of the claimed event, from its first to its last moment, with the precision of the first.
    occurred_from         integer,
    occurred_to           integer,
    occurred_precision    text,
    -- Precision of the last day, month or year of the period, where it is not that of the first.
    occurred_to_precision text,
    unique (document, content_hash)
) strict;
create index claims_in_order on claims (document, span_start);
create index claims_by_publication on claims (collection, published_value);
create index claims_undated on claims (document, span_start) where published_value is null;
create index claims_by_ingestion on claims (ingested_at);
create index claims_by_attribution on claims (attribution, published_value);
create index claims_by_outlet on claims (outlet, published_value) where outlet is not null;
create index claims_by_occurrence on claims (collection, occurred_from) where occurred_from is not null;

create table claim_entities (
    entity   integer not null references entities (n),
    claim    integer not null references claims (n) on delete cascade,
    position integer not null,
    primary key (entity, claim)
) strict, without rowid;
create index claim_entities_by_claim on claim_entities (claim, position);

-- Facts of an entity: its names, kinds, summaries, properties, ids elsewhere, and that it is more than a stub.
-- One row per collection that states it; a reader sees the rows of the collections in their scope.
create table entity_facts (
    n          integer primary key,
    entity     integer not null references entities (n) on delete cascade,
    facet      text not null check (facet in ('name', 'kind', 'summary', 'property', 'external', 'detail')),
    key        text not null,
    value      text not null,
    collection integer not null references graph_collections (n),
    at         integer not null,
    -- Kept by the trigger below: the number of claims that state it, and the publication of the newest and the oldest of them. Of two names
    -- the one with the oldest evidence stays.
    claims     integer not null default 0,
    newest     integer,
    oldest     integer,
    unique (entity, facet, key, value, collection)
) strict;
create index entity_facts_by_external_id on entity_facts (key, value) where facet = 'external';
create index entity_facts_by_collection on entity_facts (collection);

create table fact_claims (
    fact  integer not null references entity_facts (n) on delete cascade,
    claim integer not null references claims (n) on delete cascade,
    primary key (fact, claim)
) strict, without rowid;
create index fact_claims_by_claim on fact_claims (claim);

create trigger fact_claims_count after insert on fact_claims begin
    update entity_facts
    set claims = entity_facts.claims + 1,
        newest = case when c.published_value is null then newest else max(coalesce(newest, c.published_value), c.published_value) end,
        oldest = case when c.published_value is null then oldest else min(coalesce(oldest, c.published_value), c.published_value) end,
        at = max(at, c.ingested_at)
    from claims c
    where c.n = new.claim and entity_facts.n = new.fact;
end;

-- Keys of a name in a collection. Resolution compares the names that share one, and none that are private to other collections.
create table name_keys (
    key        text not null,
    collection integer not null references graph_collections (n),
    entity     integer not null references entities (n) on delete cascade,
    fact       integer not null references entity_facts (n) on delete cascade,
    primary key (key, collection, entity, fact)
) strict, without rowid;
create index name_keys_by_fact on name_keys (fact);
create index name_keys_by_entity on name_keys (entity);

create table relationships (
    n                integer primary key,
    id               blob not null unique,
    source           integer not null references entities (n),
    target           integer not null references entities (n),
    description      text not null,
    description_hash text not null,
    unique (source, target, description_hash)
) strict;
create index relationships_by_target on relationships (target);

-- A relationship as one collection has it: its claims combined.
create table relationship_views (
    relationship  integer not null references relationships (n) on delete cascade,
    collection    integer not null references graph_collections (n),
    weight        real,
    confidence    real,
    bidirectional integer not null,
    timestamp     integer,
    -- How long it held, as days, months or years.
    since         text,
    until         text,
    primary key (relationship, collection)
) strict, without rowid;
create index relationship_views_by_collection on relationship_views (collection);

-- What each claim states of a relationship, so that a view is combined again when some of its claims go.
create table relationship_claims (
    relationship  integer not null references relationships (n) on delete cascade,
    claim         integer not null references claims (n) on delete cascade,
    weight        real,
    confidence    real,
    bidirectional integer,
    timestamp     integer,
    since         text,
    until         text,
    primary key (relationship, claim)
) strict, without rowid;
create index relationship_claims_by_claim on relationship_claims (claim);

-- The merge log. A merge moves no rows: an undone merge is only left out.
create table merges (
    id         blob primary key not null,
    survivor   integer not null references entities (n) on delete cascade,
    merged     integer not null references entities (n) on delete cascade,
    at         integer not null,
    undone     integer not null default 0,
    -- The person who decided; null: the program.
    decided_by blob
) strict, without rowid;
create index merges_by_merged on merges (merged) where undone = 0;
create index merges_by_survivor on merges (survivor) where undone = 0;

-- Pairs of entities that may be one.
create table reviews (
    n            integer primary key,
    id           blob not null unique,
    left_entity  integer not null references entities (n) on delete cascade,
    right_entity integer not null references entities (n) on delete cascade,
    unique (left_entity, right_entity)
) strict;
create index reviews_by_right on reviews (right_entity);

-- Score, reason and decision of a pair belong to the two collections that make it probable, so that readers of other collections see
-- none of them.
create table review_views (
    review           integer not null references reviews (n) on delete cascade,
    left_collection  integer not null references graph_collections (n),
    right_collection integer not null references graph_collections (n),
    score            real not null,
    why              text not null,
    -- The document that the reason comes from.
    document         integer,
    created_at       integer not null,
    closed           integer not null,
    -- Postponed reviews are listed last.
    postponed_at     integer,
    decided_by       blob,
    decided_at       integer,
    primary key (review, left_collection, right_collection)
) strict, without rowid;
create index review_views_by_left on review_views (left_collection);
create index review_views_by_right on review_views (right_collection);
create index review_views_by_document on review_views (document) where document is not null;

-- An entity as one collection has it: the unit that full text and vectors describe, so that no search knows of a name that the
-- searcher may not see.
create table entity_views (
    n          integer primary key,
    id         blob not null unique,
    entity     integer not null references entities (n) on delete cascade,
    collection integer not null references graph_collections (n),
    -- Name and summary, which the vector describes.
    label      text not null,
    -- Every name and the summary, which full text finds.
    words      text not null,
    unique (entity, collection)
) strict;
create index entity_views_by_collection on entity_views (collection);

-- Each row of graph_collections has two virtual tables, made with it: terms_1, terms_2 … with its full text (fts5;
-- rowid = 4 * n + (0 claim, 1 entity view, 2 relationship)), and term_counts_1, term_counts_2 … with the number of texts that hold a term
-- (fts5vocab). Each collection has its own, so that its terms have no weight in the results of another.

-- Embedding models with the kinds of text that they made vectors of. Each row has a table with the vectors, made at its first use:
-- vectors_1, vectors_2 …
create table vector_models (
    slot       integer primary key,
    model      text not null,
    kind       text not null check (kind in ('claim', 'entity', 'relationship')),
    dimensions integer not null,
    unique (model, kind)
) strict;

-- Coarse vectors, one bit per dimension, of 512 rows of a text's table in one row here: a large graph is searched in a few reads.
create table coarse_vectors (
    slot        integer not null references vector_models (slot) on delete cascade,
    -- Rows 512 * chunk to 512 * chunk + 511.
    chunk       integer not null,
    -- Number of them with a vector.
    present     integer not null,
    bits        blob not null,
    -- Of each row four bytes: 0 no vector, the collection that has the text, or all ones where several may have it.
    collections blob not null,
    unique (slot, chunk)
) strict;

-- Counts the changes of the graph that resolution could notice: a process compares it to know whether its resolution cache still holds.
create table graph_version (number integer not null) strict;
insert into graph_version (number) values (0);
