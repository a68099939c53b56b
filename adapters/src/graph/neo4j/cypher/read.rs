//! Statements that read items by row or id. `scope` is a list of collection numbers.

pub(in crate::graph::neo4j) const COLLECTIONS: &str = "
    MATCH (k:Collection) WHERE k.id IN $ids RETURN k.id AS id, k.n AS n";

pub(in crate::graph::neo4j) const ENTITIES: &str = "
    UNWIND $roots AS root MATCH (r:Entity {n: root})
    MATCH (e:Entity {root: root})<-[:OF]-(f:Fact) USING INDEX SEEK e:Entity(root) WHERE f.collection IN $scope
    RETURN root, r.id AS id, f.n AS fact, f.facet AS facet, f.key AS key, f.value AS value, f.claims AS claims,
        f.newest AS newest, f.oldest AS oldest, f.at AS at";

pub(in crate::graph::neo4j) const FACT_EVIDENCE: &str = "
    UNWIND $facts AS fact MATCH (:Fact {n: fact})-[:EVIDENCED_BY]->(c:Claim)
    RETURN fact, c.id AS claim ORDER BY c.document_order, c.span_start, c.content_hash";

/// Selects those with a visible view that has no vector under that name.
pub(in crate::graph::neo4j) const WITHOUT_VECTOR: &str = "
    UNWIND $roots AS root MATCH (e:Entity {root: root})<-[:OF]-(v:EntityView) USING INDEX SEEK e:Entity(root)
    WHERE v.collection IN $scope AND v[$vector] IS NULL
    RETURN DISTINCT root";

pub(in crate::graph::neo4j) const CLAIM_ROWS: &str = "UNWIND $ids AS id MATCH (c:Claim {id: id}) RETURN c.n AS n";

pub(in crate::graph::neo4j) const RELATIONSHIP_ROWS: &str =
    "UNWIND $ids AS id MATCH ()-[r:RELATES_TO {id: id}]->() RETURN r.n AS n";

pub(in crate::graph::neo4j) const RELATIONSHIPS: &str = "
    UNWIND $rows AS n MATCH (a:Entity)-[r:RELATES_TO {n: n}]->(b:Entity)
    MATCH (v:RelationshipView {relationship: n}) USING INDEX SEEK v:RelationshipView(relationship) WHERE v.collection IN $scope
    WITH n, r, a, b, max(v.weight) AS weight, max(v.confidence) AS confidence, max(v.timestamp) AS timestamp,
        any(x IN collect(v.bidirectional) WHERE x) AS bidirectional, min(v.since + '~') AS since, max(v.until) AS until,
        collect(v) AS views
    MATCH (s:Entity {n: a.root}) MATCH (t:Entity {n: b.root})
    RETURN n, r.id AS id, s.id AS source_id, t.id AS target_id, r.description AS description, weight, confidence,
        bidirectional, timestamp, replace(since, '~', '') AS since, until,
        COLLECT { UNWIND views AS v MATCH (v)-[:EVIDENCED_BY]->(c:Claim) WHERE c.collection IN $scope
            RETURN c.id ORDER BY c.document_order, c.span_start, c.content_hash } AS claim_ids
    ORDER BY r.description, n";

// How much there is.

/// Returns the counts of each collection in a scope, and whether there are merges.
pub(in crate::graph::neo4j) const COUNTED: &str = "
    MATCH (k:Collection) WHERE k.n IN $scope
    RETURN k.claims AS claims, k.views AS views, k.links AS links,
        EXISTS { MATCH ()-[m:MERGED_INTO]->() WHERE NOT m.undone } AS is_merged";

/// Counts entities; those seen by several collections count once, as do relationships of merged entities.
pub(in crate::graph::neo4j) const COUNT_ENTITIES: &str = "
    MATCH (v:EntityView) WHERE v.collection IN $scope MATCH (v)-[:OF]->(e:Entity) RETURN count(DISTINCT e.root) AS number";

pub(in crate::graph::neo4j) const COUNT_RELATIONSHIPS: &str = "
    MATCH (v:RelationshipView) WHERE v.collection IN $scope
    WITH DISTINCT v.relationship AS n MATCH (a:Entity)-[r:RELATES_TO {n: n}]->(b:Entity)
    RETURN count(DISTINCT [a.root, b.root, r.description]) AS number";

pub(in crate::graph::neo4j) const CLAIM_COUNTS: &str = "
    UNWIND $documents AS document MATCH (c:Claim {document_id: document}) USING INDEX SEEK c:Claim(document_id) WHERE c.collection IN $scope
    RETURN document, count(*) AS claims";

// Pairs that may be one.
