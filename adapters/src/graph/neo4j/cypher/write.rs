//! Statements of a write. `rows` are lists of maps; every statement takes all rows of its kind at once.

/// Locks the graph against other writers until the transaction ends, increments its version and returns the collections. Setting a
/// property before reading the others takes the lock first.
pub(in crate::graph::neo4j) const LOCK: &str = "
    MATCH (g:Graph {id: 'graph'}) SET g.locked = true
    WITH g SET g.version = g.version + 1
    WITH g OPTIONAL MATCH (k:Collection) WHERE k.id IN $collections
    RETURN g.version AS version, g.rows AS rows,
        collect(CASE WHEN k IS NULL THEN null ELSE {id: k.id, n: k.n, removed: coalesce(k.removed, false)} END) AS collections";

pub(in crate::graph::neo4j) const DOCUMENTS: &str = "
    MERGE (k:Collection {id: $collection_id})
        ON CREATE SET k.n = $collection, k.claims = 0, k.views = 0, k.links = 0
    WITH k UNWIND $rows AS row
    MERGE (d:Document {id: row.id}) ON CREATE SET d.collection = $collection, d.document_order = row.document_order
    RETURN d.id AS id, d.collection AS collection, EXISTS { MATCH (:Claim {document_id: row.id}) } AS has_claims";

/// Returns the root rows of entities.
pub(in crate::graph::neo4j) const ENTITIES: &str = "
    UNWIND $ids AS id MATCH (e:Entity {id: id}) MATCH (r:Entity {n: e.root})
    RETURN id, r.n AS root, r.id AS root_id";

pub(in crate::graph::neo4j) const CLAIMS_NAMED: &str = "
    UNWIND $ids AS id MATCH (c:Claim {id: id}) RETURN id, c.n AS n, c.collection AS collection";

/// Returns the existing claims of a document among these.
pub(in crate::graph::neo4j) const CLAIMS_OF: &str = "
    UNWIND $hashes AS hash MATCH (c:Claim {document_id: $document, content_hash: hash}) RETURN hash, c.n AS n, c.id AS id";

// What proposals may be.

pub(in crate::graph::neo4j) const SHARERS: &str = "
    UNWIND $keys AS key
    CALL {
        WITH key
        UNWIND $within AS collection
        MATCH (k:NameKey {key: key, collection: collection})<-[:FILED_UNDER]-(:Fact)-[:OF]->(e:Entity)
            USING INDEX SEEK k:NameKey(key, collection)
        RETURN DISTINCT e LIMIT $most
    }
    RETURN key, collect(e.root) AS roots";

pub(in crate::graph::neo4j) const BY_EXTERNAL_ID: &str = "
    UNWIND $ids AS id MATCH (f:Fact {external_id: id.hash})-[:OF]->(e:Entity) USING INDEX SEEK f:Fact(external_id)
    WHERE f.key = id.system AND f.value = id.id AND f.collection IN $within
    RETURN DISTINCT id.system AS system, id.id AS id, e.root AS root";

pub(in crate::graph::neo4j) const DESCRIBED: &str = "
    UNWIND $roots AS root MATCH (r:Entity {n: root})
    MATCH (e:Entity {root: root})<-[:OF]-(f) USING INDEX SEEK e:Entity(root)
    WHERE f.facet IN ['name', 'kind', 'external'] AND f.collection IN $within
    RETURN root AS n, e.n AS part, r.id AS id, f.facet AS facet, f.key AS key, f.value AS value, f.collection AS collection, f.claims AS claims";

// Entities and claims.

pub(in crate::graph::neo4j) const NEW_ENTITIES: &str = "
    UNWIND $rows AS row CREATE (:Entity {id: row.id, n: row.n, root: row.n})";

pub(in crate::graph::neo4j) const PUBLISHED: &str = "
    UNWIND $rows AS row MATCH (o:Entity {n: row.outlet})
    UNWIND row.claims AS claim MATCH (c:Claim {n: claim}) CREATE (o)-[:PUBLISHED]->(c)";

pub(in crate::graph::neo4j) const REFERENCES: &str = "
    UNWIND $rows AS row MATCH (c:Claim {n: row.claim}) MATCH (e:Entity {n: row.entity})
    MERGE (c)-[r:REFERENCES]->(e) ON CREATE SET r.position = row.position";

// What is said of entities.

pub(in crate::graph::neo4j) const FACTS: &str = "
    UNWIND $rows AS row MATCH (e:Entity {n: row.entity})
    MERGE (f:Fact {id: row.id})
        ON CREATE SET f.n = row.n, f.facet = row.facet, f.key = row.key, f.value = row.value, f.collection = row.collection,
            f.external_id = row.external_id, f.claims = 0, f.at = row.at
    MERGE (f)-[:OF]->(e)
    RETURN row.n AS offered, f.n AS n";

/// Adds evidence; each claim counts once.
pub(in crate::graph::neo4j) const FACT_EVIDENCE: &str = "
    UNWIND $rows AS row MATCH (f:Fact {n: row.fact}) MATCH (c:Claim {n: row.claim})
    MERGE (f)-[x:EVIDENCED_BY]->(c) ON CREATE SET x.new = true
    WITH f, c, x WHERE x.new
    SET x.new = null
    WITH f, count(c) AS claims, max(c.published_at.epochMillis * 1000 + c.published_at.microsecond % 1000) AS newest,
        min(c.published_at.epochMillis * 1000 + c.published_at.microsecond % 1000) AS oldest,
        max(c.ingested_at.epochMillis * 1000 + c.ingested_at.microsecond % 1000) AS at
    SET f.claims = f.claims + claims, f.at = CASE WHEN at > f.at THEN at ELSE f.at END,
        f.newest = CASE WHEN f.newest IS NULL OR newest > f.newest THEN coalesce(newest, f.newest) ELSE f.newest END,
        f.oldest = CASE WHEN f.oldest IS NULL OR oldest < f.oldest THEN coalesce(oldest, f.oldest) ELSE f.oldest END";

pub(in crate::graph::neo4j) const NAME_KEYS: &str = "
    UNWIND $rows AS row MATCH (f:Fact {n: row.fact})
    MERGE (k:NameKey {key: row.key, collection: row.collection})
    MERGE (f)-[:FILED_UNDER]->(k)";

/// Returns all facts of the changed entities, for their views and for the entities themselves.
pub(in crate::graph::neo4j) const SAID: &str = "
    UNWIND $entities AS entity MATCH (:Entity {n: entity})<-[:OF]-(f:Fact)
    RETURN entity, f.n AS fact, f.facet AS facet, f.key AS key, f.value AS value, f.collection AS collection, f.claims AS claims,
        f.newest AS newest, f.oldest AS oldest, f.at AS at";

pub(in crate::graph::neo4j) const VIEWS: &str = "
    UNWIND $entities AS entity MATCH (v:EntityView {entity: entity})
    RETURN entity, v.collection AS collection, v.label AS label, v.terms AS terms";

/// Replaces views whose label has changed: each is a new text with a row of its own and without vectors.
pub(in crate::graph::neo4j) const RELABEL_VIEWS: &str = "
    UNWIND $rows AS row MATCH (e:Entity {n: row.entity})
    MERGE (v:EntityView {entity: row.entity, collection: row.collection})
    SET v = row
    MERGE (v)-[:OF]->(e)";

pub(in crate::graph::neo4j) const REWORD_VIEWS: &str = "
    UNWIND $rows AS row MATCH (v:EntityView {entity: row.entity, collection: row.collection})
    SET v.terms = row.terms, v.length = row.length";

/// Writes the projection of all collections to entities.
pub(in crate::graph::neo4j) const DESCRIBE: &str = "
    UNWIND $rows AS row MATCH (e:Entity {n: row.n})
    WITH e, row.properties AS properties,
        datetime({epochSeconds: row.last_updated[0], nanosecond: row.last_updated[1]}) AS last_updated
    SET e = properties {.*, id: e.id, n: e.n, root: e.root, last_updated: last_updated}";

// Relationships.

pub(in crate::graph::neo4j) const RELATIONSHIPS: &str = "
    UNWIND $rows AS row MATCH (s:Entity {n: row.source}) MATCH (t:Entity {n: row.target})
    MERGE (s)-[r:RELATES_TO {key: row.key}]->(t)
        ON CREATE SET r.id = row.id, r.n = row.n, r.description = row.description, r.terms = ''
    RETURN row.n AS offered, r.n AS n, r.id AS id";

/// Returns the collections of each relationship before the write.
pub(in crate::graph::neo4j) const HAD: &str = "
    UNWIND $relationships AS n MATCH (v:RelationshipView {relationship: n})
    RETURN n, collect(v.collection) AS collections";

/// Merges views. Of a month and a day in it the day is kept: as text with a mark behind it the earlier, without one the later.
pub(in crate::graph::neo4j) const RELATIONSHIP_VIEWS: &str = "
    UNWIND $rows AS row
    MERGE (v:RelationshipView {relationship: row.relationship, collection: row.collection})
    SET v.weight = CASE WHEN v.weight > row.weight THEN v.weight ELSE coalesce(row.weight, v.weight) END,
        v.confidence = CASE WHEN v.confidence > row.confidence THEN v.confidence ELSE coalesce(row.confidence, v.confidence) END,
        v.bidirectional = coalesce(v.bidirectional, false) OR row.bidirectional,
        v.timestamp = CASE WHEN v.timestamp > row.timestamp THEN v.timestamp ELSE coalesce(row.timestamp, v.timestamp) END,
        v.since = CASE WHEN v.since + '~' < row.since + '~' THEN v.since ELSE coalesce(row.since, v.since) END,
        v.until = CASE WHEN v.until > row.until THEN v.until ELSE coalesce(row.until, v.until) END
    WITH v, row UNWIND row.claims AS claim MATCH (c:Claim {n: claim})
    MERGE (v)-[x:EVIDENCED_BY]->(c)
    SET x.weight = CASE WHEN x.weight > row.weight THEN x.weight ELSE coalesce(row.weight, x.weight) END,
        x.confidence = CASE WHEN x.confidence > row.confidence THEN x.confidence ELSE coalesce(row.confidence, x.confidence) END,
        x.bidirectional = coalesce(x.bidirectional, false) OR row.bidirectional,
        x.timestamp = CASE WHEN x.timestamp > row.timestamp THEN x.timestamp ELSE coalesce(row.timestamp, x.timestamp) END,
        x.since = CASE WHEN x.since + '~' < row.since + '~' THEN x.since ELSE coalesce(row.since, x.since) END,
        x.until = CASE WHEN x.until > row.until THEN x.until ELSE coalesce(row.until, x.until) END";

pub(in crate::graph::neo4j) const RELATIONSHIP_TERMS: &str = "
    UNWIND $rows AS row MATCH ()-[r:RELATES_TO {n: row.n}]->()
    SET r.terms = CASE r.terms WHEN '' THEN row.terms ELSE r.terms + ' ' + row.terms END, r.length = row.length";

/// Combines again what the claims of relationships state, by collection.
pub(in crate::graph::neo4j) const RECOUNT_VIEWS: &str = "
    UNWIND $links AS link
    MATCH (v:RelationshipView {relationship: link[0], collection: link[1]})-[x:EVIDENCED_BY]->(:Claim)
    WITH v, max(x.weight) AS weight, max(x.confidence) AS confidence, any(b IN collect(x.bidirectional) WHERE b) AS bidirectional,
        max(x.timestamp) AS timestamp, min(x.since + '~') AS since, max(x.until) AS until
    SET v.weight = weight, v.confidence = confidence, v.bidirectional = bidirectional, v.timestamp = timestamp,
        v.since = replace(since, '~', ''), v.until = until";

/// Writes the combined weights of all collections to relationships.
pub(in crate::graph::neo4j) const RELATE: &str = "
    UNWIND $relationships AS n
    MATCH (v:RelationshipView {relationship: n})
    WITH n, max(v.weight) AS weight, max(v.confidence) AS confidence, max(v.timestamp) AS at,
        any(x IN collect(v.bidirectional) WHERE x) AS bidirectional, replace(min(v.since + '~'), '~', '') AS since,
        max(v.until) AS until
    MATCH ()-[r:RELATES_TO {n: n}]->()
    SET r.weight = weight, r.confidence = confidence, r.bidirectional = bidirectional, r.since = since, r.until = until,
        r.timestamp = CASE WHEN at IS NULL THEN null ELSE datetime({epochMillis: at / 1000}) END";

// What is left over.

/// Stores reviews; each pair of entities has one node, with one view for each pair of collections.
///
/// Invariant: score, reason and decision are those of the view. Readers of other collections see none of them.
pub(in crate::graph::neo4j) const REVIEWS: &str = "
    UNWIND $rows AS row
    MERGE (r:Review {left: row.left, right: row.right}) ON CREATE SET r.id = row.id
    WITH r, row UNWIND row.pairs AS pair
    MERGE (r)-[:SEEN_IN]->(s:ReviewView {left_collection: pair[0], right_collection: pair[1]})
        ON CREATE SET s.score = row.score, s.why = row.why, s.document = row.document, s.closed = row.closed, s.created_at = row.at
    WITH s, row WHERE row.score > s.score AND NOT s.closed AND NOT row.closed
    SET s.score = row.score, s.why = row.why, s.document = row.document";

/// Stores the last used row number and adds to the counts of collections.
pub(in crate::graph::neo4j) const RELEASE: &str = "
    MATCH (g:Graph {id: 'graph'}) SET g.rows = $last
    WITH g UNWIND $rows AS row MATCH (k:Collection {n: row.collection})
    SET k.claims = k.claims + row.claims, k.views = k.views + row.views, k.links = k.links + row.links";
