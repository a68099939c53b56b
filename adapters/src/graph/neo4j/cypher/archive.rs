//! Statements of export and import: each kind of record page by page, and its insertion. `rows` are lists of maps.

use super::claims;
use engine::{
    archive::{RecordKind, graph},
    embeddings::VectorKind,
};

/// Returns the statements of a kind other than vectors: the count, and the next page.
pub(in crate::graph::neo4j) fn statements(kind: RecordKind) -> Option<(String, String)> {
    let (pattern, page) = match kind {
        graph::COLLECTIONS => ("(x:Collection)", COLLECTIONS.to_owned()),
        graph::DOCUMENTS => ("(x:Document)", DOCUMENTS.to_owned()),
        graph::ENTITIES => ("(x:Entity)", ENTITIES.to_owned()),
        graph::CLAIMS => ("(x:Claim)", claims::page()),
        graph::FACTS => ("(x:Fact)", FACTS.to_owned()),
        graph::RELATIONSHIPS => ("()-[x:RELATES_TO]->()", RELATIONSHIPS.to_owned()),
        graph::MERGES => ("()-[x:MERGED_INTO]->()", MERGES.to_owned()),
        graph::REVIEWS => ("(x:Review)", REVIEWS.to_owned()),
        _ => return None,
    };
    Some((format!("MATCH {pattern} RETURN count(x) AS number"), page))
}

// Pages: the next `$limit` rows of `records::rows` after a place, which is a row number, or an id where there is none.

const COLLECTIONS: &str = "
    MATCH (k:Collection) WHERE k.n > $after
    RETURN toString(k.n) AS place, k.id AS id, coalesce(k.removed, false) AS removed ORDER BY k.n LIMIT $limit";

const DOCUMENTS: &str = "
    MATCH (d:Document) WHERE d.id > $after WITH d ORDER BY d.id LIMIT $limit
    MATCH (k:Collection {n: d.collection})
    RETURN d.id AS place, d.id AS id, k.id AS collection, d.document_order AS document_order ORDER BY id";

const ENTITIES: &str =
    "MATCH (e:Entity) WHERE e.n > $after RETURN toString(e.n) AS place, e.id AS id ORDER BY e.n LIMIT $limit";

const FACTS: &str = "
    MATCH (f:Fact) WHERE f.n > $after WITH f ORDER BY f.n LIMIT $limit
    MATCH (f)-[:OF]->(e:Entity) MATCH (k:Collection {n: f.collection})
    RETURN toString(f.n) AS place, e.id AS entity, f.facet AS facet, f.key AS key, f.value AS value, k.id AS collection,
        f.at AS at,
        COLLECT { MATCH (f)-[:EVIDENCED_BY]->(c:Claim) RETURN c.id } AS claims
    ORDER BY f.n";

const RELATIONSHIPS: &str = "
    MATCH (a:Entity)-[r:RELATES_TO]->(b:Entity) WHERE r.n > $after WITH a, r, b ORDER BY r.n LIMIT $limit
    RETURN toString(r.n) AS place, r.id AS id, a.id AS source, b.id AS target, r.description AS description,
        COLLECT {
            MATCH (v:RelationshipView {relationship: r.n}) WHERE v.collection >= 0 MATCH (k:Collection {n: v.collection})
            RETURN {collection: k.id, weight: v.weight, confidence: v.confidence, bidirectional: v.bidirectional,
                timestamp: v.timestamp, since: v.since, until: v.until} } AS views,
        COLLECT {
            MATCH (v:RelationshipView {relationship: r.n})-[:EVIDENCED_BY]->(c:Claim) WHERE v.collection >= 0
            RETURN c.id } AS claims
    ORDER BY r.n";

const MERGES: &str = "
    MATCH (e:Entity)-[m:MERGED_INTO]->(s:Entity) WHERE m.id > $after
    RETURN m.id AS place, m.id AS id, s.id AS survivor, e.id AS merged, m.by AS decided_by,
        m.at.epochSeconds * 1000000 + m.at.microsecond AS at, m.undone AS undone
    ORDER BY m.id LIMIT $limit";

const REVIEWS: &str = "
    MATCH (r:Review) WHERE r.id > $after WITH r ORDER BY r.id LIMIT $limit
    MATCH (a:Entity {n: r.left}) MATCH (b:Entity {n: r.right})
    RETURN r.id AS place, r.id AS id, a.id AS left_entity, b.id AS right_entity, COLLECT {
            MATCH (r)-[:SEEN_IN]->(s:ReviewView)
            MATCH (x:Collection {n: s.left_collection}) MATCH (y:Collection {n: s.right_collection})
            RETURN s {.score, .why, .document, .created_at, .closed, .postponed_at, .decided_by, .decided_at, left: x.id, right: y.id}
        } AS views
    ORDER BY id";

pub(in crate::graph::neo4j) const VECTOR_MODELS: &str =
    "MATCH (m:VectorModel) RETURN m.slot AS slot, m.model AS model, m.kind AS kind ORDER BY slot";

/// The vectors of one slot: their count, and a page of them.
pub(in crate::graph::neo4j) struct Vectors {
    pub count: &'static str,
    pub page: &'static str,
}

pub(in crate::graph::neo4j) const fn vectors(kind: VectorKind) -> Vectors {
    match kind {
        VectorKind::Claim => Vectors {
            count: "MATCH (t:Claim) WHERE t[$vector] IS NOT NULL RETURN count(t) AS number",
            page: "MATCH (t:Claim) WHERE t.n > $after AND t[$vector] IS NOT NULL
                RETURN t.n AS n, t.id AS id, null AS collection, t[$vector] AS numbers ORDER BY t.n LIMIT $limit",
        },
        VectorKind::Entity => Vectors {
            count: "MATCH (t:EntityView) WHERE t[$vector] IS NOT NULL RETURN count(t) AS number",
            page: "MATCH (t:EntityView) WHERE t.n > $after AND t[$vector] IS NOT NULL WITH t ORDER BY t.n LIMIT $limit
                MATCH (e:Entity {n: t.entity}) MATCH (k:Collection {n: t.collection})
                RETURN t.n AS n, e.id AS id, k.id AS collection, t[$vector] AS numbers ORDER BY n",
        },
        VectorKind::Relationship => Vectors {
            count: "MATCH ()-[t:RELATES_TO]->() WHERE t[$vector] IS NOT NULL RETURN count(t) AS number",
            page: "MATCH ()-[t:RELATES_TO]->() WHERE t.n > $after AND t[$vector] IS NOT NULL
                RETURN t.n AS n, t.id AS id, null AS collection, t[$vector] AS numbers ORDER BY t.n LIMIT $limit",
        },
    }
}

// The numbers of what records name by id.

pub(in crate::graph::neo4j) const NUMBERS_OF_COLLECTIONS: &str =
    "UNWIND $ids AS id MATCH (k:Collection {id: id}) RETURN id, k.n AS n";
pub(in crate::graph::neo4j) const NUMBERS_OF_ENTITIES: &str = "UNWIND $ids AS id MATCH (e:Entity {id: id}) RETURN id, e.n AS n";
pub(in crate::graph::neo4j) const NUMBERS_OF_CLAIMS: &str = "UNWIND $ids AS id MATCH (c:Claim {id: id}) RETURN id, c.n AS n";

pub(in crate::graph::neo4j) const ORDERS_OF_DOCUMENTS: &str = "
    UNWIND $ids AS id MATCH (d:Document {id: id}) RETURN id, d.collection AS collection, d.document_order AS order";

// Records arrive. What is there stays.

pub(in crate::graph::neo4j) const ADD_COLLECTIONS: &str = "
    UNWIND $rows AS row MERGE (k:Collection {id: row.id})
        ON CREATE SET k.n = row.n, k.claims = 0, k.views = 0, k.links = 0, k.removed = CASE WHEN row.removed THEN true END";

pub(in crate::graph::neo4j) const ADD_DOCUMENTS: &str = "
    UNWIND $rows AS row MATCH (k:Collection {id: row.collection})
    MERGE (d:Document {id: row.id}) SET d.collection = k.n, d.document_order = row.order";

pub(in crate::graph::neo4j) const ADD_ENTITIES: &str =
    "UNWIND $rows AS row MERGE (e:Entity {id: row.id}) ON CREATE SET e.n = row.n, e.root = row.n";

pub(in crate::graph::neo4j) const ADD_PUBLISHED: &str = "
    UNWIND $rows AS row MATCH (c:Claim {n: row.claim}) MATCH (o:Entity {id: row.outlet}) MERGE (o)-[:PUBLISHED]->(c)";

pub(in crate::graph::neo4j) const ADD_REFERENCES: &str = "
    UNWIND $rows AS row MATCH (c:Claim {n: row.claim}) MATCH (e:Entity {id: row.entity})
    MERGE (c)-[r:REFERENCES]->(e) ON CREATE SET r.position = row.position";

pub(in crate::graph::neo4j) const ADD_RELATIONSHIPS: &str = "
    UNWIND $rows AS row MATCH (s:Entity {n: row.source}) MATCH (t:Entity {n: row.target})
    MERGE (s)-[r:RELATES_TO {key: row.key}]->(t)
        ON CREATE SET r.id = row.id, r.n = row.n, r.description = row.description, r.terms = ''
    RETURN row.n AS offered, r.n AS n";

/// Inserts new views.
pub(in crate::graph::neo4j) const ADD_RELATIONSHIP_VIEWS: &str = "
    UNWIND $rows AS row
    MERGE (v:RelationshipView {relationship: row.relationship, collection: row.collection})
        ON CREATE SET v.new = true
    SET v.weight = row.weight, v.confidence = row.confidence, v.bidirectional = row.bidirectional, v.timestamp = row.timestamp,
        v.since = row.since, v.until = row.until
    WITH v, row, coalesce(v.new, false) AS is_new
    SET v.new = null
    WITH row, is_new WHERE is_new
    RETURN row.relationship AS relationship, row.collection AS collection";

/// Adds claims as evidence to the view of their own collection. An archive has the values of all its claims combined: each gets them.
pub(in crate::graph::neo4j) const ADD_RELATIONSHIP_EVIDENCE: &str = "
    UNWIND $rows AS row MATCH (c:Claim {id: row.claim}) USING INDEX SEEK c:Claim(id)
    MATCH (v:RelationshipView {relationship: row.relationship, collection: c.collection})
    MERGE (v)-[x:EVIDENCED_BY]->(c)
        ON CREATE SET x += v {.weight, .confidence, .bidirectional, .timestamp, .since, .until}";

pub(in crate::graph::neo4j) const ADD_MERGES: &str = "
    UNWIND $rows AS row MATCH (e:Entity {id: row.merged}) MATCH (s:Entity {id: row.survivor})
    MERGE (e)-[m:MERGED_INTO {id: row.id}]->(s)
    SET m.at = datetime({epochSeconds: row.at[0], nanosecond: row.at[1]}), m.undone = row.undone, m.by = row.by";

/// The merges that were not undone.
pub(in crate::graph::neo4j) const STANDING: &str = "
    MATCH (e:Entity)-[m:MERGED_INTO]->(s:Entity) WHERE NOT m.undone RETURN e.n AS n, s.n AS survivor";

pub(in crate::graph::neo4j) const ADD_REVIEWS: &str = "
    UNWIND $rows AS row MATCH (a:Entity {id: row.left}) MATCH (b:Entity {id: row.right})
    MERGE (r:Review {left: a.n, right: b.n}) SET r.id = row.id
    WITH r, row UNWIND row.views AS view
    MERGE (r)-[:SEEN_IN]->(s:ReviewView {left_collection: view.left_collection, right_collection: view.right_collection})
    SET s = view";

pub(in crate::graph::neo4j) const VIEW_IDS: &str = "
    UNWIND $rows AS row MATCH (e:Entity {id: row.entity}) MATCH (k:Collection {id: row.collection})
    MATCH (v:EntityView {entity: e.n, collection: k.n})
    RETURN row.entity AS entity, row.collection AS collection, v.id AS id";
