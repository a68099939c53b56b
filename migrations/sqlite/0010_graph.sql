-- The knowledge graph: claims with their evidence, entities as facts that somebody can see, relationships.
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

-- A merged entity keeps its row and everything written to it; root says which entity it counts as now.
create table entities (
    n    integer primary key,
    id   blob not null unique,
    root integer not null
) strict;
create index entities_by_root on entities (root);

create table claims (
    n                   integer primary key,
    id                  blob not null unique,
    document            integer not null references graph_documents (n),
    collection          integer not null references graph_collections (n),
    content             text not null,
    quote               text not null,
    span_start          integer not null,
    span_end            integer not null,
    published_value     integer,
    published_precision text,
    published_basis     text,
    ingested_at         integer not null,
    attribution         text not null,
    information         text not null,
    speaker             text,
    mode                text not null,
    language            text,
    content_hash        text not null,
    outlet              integer references entities (n),
    unique (document, content_hash)
) strict;
create index claims_in_order on claims (document, span_start);
create index claims_by_publication on claims (collection, published_value);
create index claims_undated on claims (document, span_start) where published_value is null;
create index claims_by_ingestion on claims (ingested_at);
create index claims_by_attribution on claims (attribution, published_value);
create index claims_by_outlet on claims (outlet, published_value) where outlet is not null;

create table claim_entities (
    entity   integer not null references entities (n),
    claim    integer not null references claims (n) on delete cascade,
    position integer not null,
    primary key (entity, claim)
) strict, without rowid;
create index claim_entities_by_claim on claim_entities (claim, position);

-- Everything said of an entity: its names, kinds, summaries, properties, ids elsewhere, and that it is more than a stub.
-- One row per collection that says so; a reader sees the rows of the collections that he sees.
create table entity_facts (
    n          integer primary key,
    entity     integer not null references entities (n) on delete cascade,
    facet      text not null check (facet in ('name', 'kind', 'summary', 'property', 'external', 'detail')),
    key        text not null,
    value      text not null,
    collection integer not null references graph_collections (n),
    at         integer not null,
    -- Kept by the trigger below: how many claims say so, and when the newest of them was published.
    claims     integer not null default 0,
    newest     integer,
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
        at = max(at, c.ingested_at)
    from claims c
    where c.n = new.claim and entity_facts.n = new.fact;
end;

-- Under which keys a name is filed in a collection, so that resolution compares few, and none that others keep to themselves.
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

-- A relationship as one collection has it.
create table relationship_views (
    relationship  integer not null references relationships (n) on delete cascade,
    collection    integer not null references graph_collections (n),
    weight        real,
    confidence    real,
    bidirectional integer not null,
    timestamp     integer,
    primary key (relationship, collection)
) strict, without rowid;
create index relationship_views_by_collection on relationship_views (collection);

create table relationship_claims (
    relationship integer not null references relationships (n) on delete cascade,
    claim        integer not null references claims (n) on delete cascade,
    primary key (relationship, claim)
) strict, without rowid;
create index relationship_claims_by_claim on relationship_claims (claim);

-- The merge log. Nothing is moved: undoing a merge is forgetting it.
create table merges (
    id       blob primary key not null,
    survivor integer not null references entities (n) on delete cascade,
    merged   integer not null references entities (n) on delete cascade,
    at       integer not null,
    undone   integer not null default 0
) strict, without rowid;
create index merges_by_merged on merges (merged) where undone = 0;
create index merges_by_survivor on merges (survivor) where undone = 0;

-- Pairs that may be one. A pair is seen by who sees both collections whose names make it likely.
create table reviews (
    n            integer primary key,
    id           blob not null unique,
    left_entity  integer not null references entities (n) on delete cascade,
    right_entity integer not null references entities (n) on delete cascade,
    score        real not null,
    why          text not null,
    created_at   integer not null,
    closed       integer not null default 0,
    unique (left_entity, right_entity)
) strict;
create index reviews_by_right on reviews (right_entity);

create table review_views (
    review           integer not null references reviews (n) on delete cascade,
    left_collection  integer not null references graph_collections (n),
    right_collection integer not null references graph_collections (n),
    primary key (review, left_collection, right_collection)
) strict, without rowid;
create index review_views_by_left on review_views (left_collection);
create index review_views_by_right on review_views (right_collection);
