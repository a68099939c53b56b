//! Constraints and indexes. Each statement can be repeated; a constraint brings its own index.

/// The schema, in the order of creation. The full-text indexes follow the writes at a distance: a commit that waits for Lucene costs more
/// than its statements. AutOSINT searches those of terms (`*_words`) once they have caught up (`TERM_COUNTS`); those of plain properties
/// are for people who query the database.
pub(in crate::graph::neo4j) const ALL: &[&str] = &[
    "CREATE CONSTRAINT graph_id IF NOT EXISTS FOR (g:Graph) REQUIRE g.id IS UNIQUE",
    // Of earlier versions: indexes that every write waited for, which the ones of other names replace; and data that nothing writes.
    "DROP INDEX entity_names IF EXISTS",
    "DROP INDEX claim_content IF EXISTS",
    "DROP INDEX relationship_description IF EXISTS",
    "DROP INDEX entity_terms IF EXISTS",
    "DROP INDEX claim_terms IF EXISTS",
    "DROP INDEX relationship_terms IF EXISTS",
    "DROP INDEX tension_scouted IF EXISTS",
    "DROP CONSTRAINT responds_to IF EXISTS",
    "CREATE CONSTRAINT collection_id IF NOT EXISTS FOR (k:Collection) REQUIRE k.id IS UNIQUE",
    "CREATE CONSTRAINT collection_n IF NOT EXISTS FOR (k:Collection) REQUIRE k.n IS UNIQUE",
    "CREATE CONSTRAINT document_id IF NOT EXISTS FOR (d:Document) REQUIRE d.id IS UNIQUE",
    "CREATE INDEX document_collection IF NOT EXISTS FOR (d:Document) ON (d.collection)",
    // Entities.
    "CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (e:Entity) REQUIRE e.id IS UNIQUE",
    "CREATE CONSTRAINT entity_n IF NOT EXISTS FOR (e:Entity) REQUIRE e.n IS UNIQUE",
    "CREATE INDEX entity_root IF NOT EXISTS FOR (e:Entity) ON (e.root)",
    "CREATE INDEX entity_kind IF NOT EXISTS FOR (e:Entity) ON (e.kind)",
    "CREATE INDEX entity_last_updated IF NOT EXISTS FOR (e:Entity) ON (e.last_updated)",
    "CREATE FULLTEXT INDEX entity_name_text IF NOT EXISTS FOR (e:Entity) ON EACH [e.canonical_name, e.aliases]
        OPTIONS {indexConfig: {`fulltext.eventually_consistent`: true}}",
    "CREATE CONSTRAINT merge_id IF NOT EXISTS FOR ()-[m:MERGED_INTO]-() REQUIRE m.id IS UNIQUE",
    "CREATE CONSTRAINT fact_id IF NOT EXISTS FOR (f:Fact) REQUIRE f.id IS UNIQUE",
    "CREATE CONSTRAINT fact_n IF NOT EXISTS FOR (f:Fact) REQUIRE f.n IS UNIQUE",
    "CREATE INDEX fact_collection IF NOT EXISTS FOR (f:Fact) ON (f.collection)",
    "CREATE INDEX fact_external_id IF NOT EXISTS FOR (f:Fact) ON (f.external_id)",
    "CREATE CONSTRAINT name_key IF NOT EXISTS FOR (k:NameKey) REQUIRE (k.key, k.collection) IS UNIQUE",
    "CREATE INDEX name_key_collection IF NOT EXISTS FOR (k:NameKey) ON (k.collection)",
    "CREATE CONSTRAINT view_id IF NOT EXISTS FOR (v:EntityView) REQUIRE v.id IS UNIQUE",
    "CREATE CONSTRAINT view_n IF NOT EXISTS FOR (v:EntityView) REQUIRE v.n IS UNIQUE",
    "CREATE CONSTRAINT view_of IF NOT EXISTS FOR (v:EntityView) REQUIRE (v.entity, v.collection) IS UNIQUE",
    "CREATE INDEX view_entity IF NOT EXISTS FOR (v:EntityView) ON (v.entity)",
    "CREATE INDEX view_collection IF NOT EXISTS FOR (v:EntityView) ON (v.collection)",
    "CREATE FULLTEXT INDEX entity_words IF NOT EXISTS FOR (v:EntityView) ON EACH [v.terms]
        OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: true}}",
    "CREATE CONSTRAINT review_id IF NOT EXISTS FOR (r:Review) REQUIRE r.id IS UNIQUE",
    "CREATE CONSTRAINT review_pair IF NOT EXISTS FOR (r:Review) REQUIRE (r.left, r.right) IS UNIQUE",
    "CREATE INDEX review_left IF NOT EXISTS FOR (r:Review) ON (r.left)",
    "CREATE INDEX review_right IF NOT EXISTS FOR (r:Review) ON (r.right)",
    "CREATE INDEX review_view_left IF NOT EXISTS FOR (s:ReviewView) ON (s.left_collection)",
    "CREATE INDEX review_view_right IF NOT EXISTS FOR (s:ReviewView) ON (s.right_collection)",
    "CREATE INDEX review_view_document IF NOT EXISTS FOR (s:ReviewView) ON (s.document)",
    // Claims.
    "CREATE CONSTRAINT claim_id IF NOT EXISTS FOR (c:Claim) REQUIRE c.id IS UNIQUE",
    "CREATE CONSTRAINT claim_n IF NOT EXISTS FOR (c:Claim) REQUIRE c.n IS UNIQUE",
    "CREATE CONSTRAINT claim_of IF NOT EXISTS FOR (c:Claim) REQUIRE (c.document_id, c.content_hash) IS UNIQUE",
    // An index of two properties answers for both alone, never for one.
    "CREATE INDEX claim_document IF NOT EXISTS FOR (c:Claim) ON (c.document_id)",
    "CREATE INDEX claim_collection IF NOT EXISTS FOR (c:Claim) ON (c.collection)",
    "CREATE INDEX claim_published IF NOT EXISTS FOR (c:Claim) ON (c.published_at)",
    "CREATE INDEX claim_ingested IF NOT EXISTS FOR (c:Claim) ON (c.ingested_at)",
    "CREATE INDEX claim_in_time IF NOT EXISTS FOR (c:Claim) ON (c.collection, c.published_at)",
    "CREATE INDEX claim_in_occurrence IF NOT EXISTS FOR (c:Claim) ON (c.collection, c.occurred_from)",
    "CREATE INDEX claim_in_documents IF NOT EXISTS FOR (c:Claim) ON (c.collection, c.document_order)",
    "CREATE INDEX claim_undated IF NOT EXISTS FOR (c:Claim) ON (c.collection, c.undated)",
    "CREATE FULLTEXT INDEX claim_content_text IF NOT EXISTS FOR (c:Claim) ON EACH [c.content]
        OPTIONS {indexConfig: {`fulltext.eventually_consistent`: true}}",
    "CREATE FULLTEXT INDEX claim_words IF NOT EXISTS FOR (c:Claim) ON EACH [c.terms]
        OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: true}}",
    // Relationships.
    "CREATE CONSTRAINT relationship_id IF NOT EXISTS FOR ()-[r:RELATES_TO]-() REQUIRE r.id IS UNIQUE",
    "CREATE CONSTRAINT relationship_n IF NOT EXISTS FOR ()-[r:RELATES_TO]-() REQUIRE r.n IS UNIQUE",
    "CREATE CONSTRAINT relationship_key IF NOT EXISTS FOR ()-[r:RELATES_TO]-() REQUIRE r.key IS UNIQUE",
    "CREATE FULLTEXT INDEX relationship_description_text IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON EACH [r.description]
        OPTIONS {indexConfig: {`fulltext.eventually_consistent`: true}}",
    "CREATE FULLTEXT INDEX relationship_words IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON EACH [r.terms]
        OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: true}}",
    "CREATE CONSTRAINT relationship_view IF NOT EXISTS FOR (v:RelationshipView) REQUIRE (v.relationship, v.collection) IS UNIQUE",
    "CREATE INDEX relationship_view_of IF NOT EXISTS FOR (v:RelationshipView) ON (v.relationship)",
    "CREATE INDEX relationship_view_collection IF NOT EXISTS FOR (v:RelationshipView) ON (v.collection)",
    // Vectors: one index per model and kind is made when the model is first used.
    "CREATE CONSTRAINT vector_slot IF NOT EXISTS FOR (m:VectorModel) REQUIRE m.slot IS UNIQUE",
    "CREATE CONSTRAINT vector_model IF NOT EXISTS FOR (m:VectorModel) REQUIRE (m.model, m.kind) IS UNIQUE",
];

/// Version of `ALL`, so that a start without changes needs one query.
pub(in crate::graph::neo4j) const VERSION: i64 = 8;

/// Fills data that an older schema lacks. Each can be repeated and continues where it was interrupted.
pub(in crate::graph::neo4j) const FILL: &[&str] = &[
    "MATCH (f:Fact) WHERE f.oldest IS NULL AND f.newest IS NOT NULL
    CALL { WITH f
        MATCH (f)-[:EVIDENCED_BY]->(c:Claim)
        WITH f, min(c.published_at.epochMillis * 1000 + c.published_at.microsecond % 1000) AS oldest
        SET f.oldest = oldest
    } IN TRANSACTIONS OF 1000 ROWS",
    // Of older evidence only the combined values are known.
    "MATCH (v:RelationshipView)-[x:EVIDENCED_BY]->(:Claim) WHERE x.bidirectional IS NULL
    CALL { WITH v, x SET x += v {.weight, .confidence, .bidirectional, .timestamp, .since, .until} } IN TRANSACTIONS OF 1000 ROWS",
    // Reviews had one reason for all readers. One with words of a document or a judge is blanked: whose words they are was not stored.
    "MATCH (r:Review) WHERE r.left_collections IS NOT NULL
    CALL { WITH r
        UNWIND range(0, size(r.left_collections) - 1) AS i
        WITH r, r.left_collections[i] AS left, r.right_collections[i] AS right, r.why STARTS WITH 'a document says so' AS is_stated
        MERGE (r)-[:SEEN_IN]->(s:ReviewView {left_collection: left, right_collection: right})
        SET s += r {.created_at, .closed, .postponed_at, .decided_by, .decided_at},
            s.score = CASE WHEN is_stated THEN 0.0 ELSE r.score END,
            s.why = CASE WHEN is_stated OR r.why CONTAINS '; judged ' THEN '' ELSE r.why END
        WITH DISTINCT r
        REMOVE r.left_collections, r.right_collections, r.score, r.why, r.created_at, r.closed, r.postponed_at, r.decided_by, r.decided_at
    } IN TRANSACTIONS OF 1000 ROWS",
];

/// Creates the node that writers lock. It stores the version of the schema.
pub(in crate::graph::neo4j) const GRAPH: &str = "
    MERGE (g:Graph {id: 'graph'}) ON CREATE SET g.version = 0, g.rows = 0
    RETURN coalesce(g.schema, 0) AS number";

pub(in crate::graph::neo4j) const MADE: &str = "MATCH (g:Graph {id: 'graph'}) SET g.schema = $schema";

pub(in crate::graph::neo4j) const AWAIT_INDEXES: &str = "CALL db.awaitIndexes($seconds)";

/// Returns the version of the server.
pub(in crate::graph::neo4j) const SERVER: &str =
    "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions[0] AS version";

pub(in crate::graph::neo4j) const PING: &str = "RETURN 1 AS one";
