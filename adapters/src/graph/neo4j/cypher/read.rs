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

/// Relationships with their visible evidence; `$from` matches `r` between `a` and `b`, and its row `n`.
macro_rules! relationships {
    ($from:literal) => {
        concat!(
            $from,
            "
    MATCH (v:RelationshipView {relationship: n}) USING INDEX SEEK v:RelationshipView(relationship) WHERE v.collection IN $scope
    WITH n, r, a, b, max(v.weight) AS weight, max(v.confidence) AS confidence, max(v.timestamp) AS timestamp,
        any(x IN collect(v.bidirectional) WHERE x) AS bidirectional, min(v.since + '~') AS since, max(v.until) AS until,
        collect(v) AS views
    MATCH (s:Entity {n: a.root}) MATCH (t:Entity {n: b.root})
    RETURN n, r.id AS id, s.id AS source_id, t.id AS target_id, r.description AS description, weight, confidence,
        bidirectional, timestamp, replace(since, '~', '') AS since, until,
        COLLECT { UNWIND views AS v MATCH (v)-[:EVIDENCED_BY]->(c:Claim) WHERE c.collection IN $scope
            RETURN c.id ORDER BY c.document_order, c.span_start, c.content_hash } AS claim_ids
    ORDER BY r.description, n"
        )
    };
}

pub(in crate::graph::neo4j) const RELATIONSHIPS_IN_ROWS: &str =
    relationships!("UNWIND $links AS n MATCH (a:Entity)-[r:RELATES_TO {n: n}]->(b:Entity)");

/// Facts of entities, and names of the ends of relationships.
const FACTS: &str = "
    CALL { UNWIND $roots AS root RETURN root
        UNION UNWIND $links AS n MATCH (a:Entity)-[:RELATES_TO {n: n}]->(b:Entity) UNWIND [a.root, b.root] AS root RETURN root }
    WITH DISTINCT root, root IN $roots AS is_found
    MATCH (r:Entity {n: root})
    MATCH (e:Entity {root: root})<-[:OF]-(f:Fact) USING INDEX SEEK e:Entity(root)
    WHERE f.collection IN $scope AND (is_found OR f.facet = 'name')
    RETURN null AS claim, null AS relationship, {root: root, id: r.id, fact: f.n, facet: f.facet, key: f.key, value: f.value,
        claims: f.claims, newest: f.newest, oldest: f.oldest, at: f.at,
        evidence: CASE WHEN f.facet IN ['summary', 'property'] THEN COLLECT { MATCH (f)-[:EVIDENCED_BY]->(c:Claim)
            RETURN c.id ORDER BY c.document_order, c.span_start, c.content_hash } END} AS fact";

/// Reads claims (`$rows`), relationships (`$links`) and entities (`$roots`).
pub(in crate::graph::neo4j) fn all() -> String {
    format!(
        "CALL {{ {} }}
        RETURN {{n: n, id: id, document_id: document_id, collection_id: collection_id, ingested_at: ingested_at, columns: columns,
            outlet_id: outlet_id, entity_ids: entity_ids}} AS claim, null AS relationship, null AS fact
        UNION ALL
        CALL {{ {RELATIONSHIPS_IN_ROWS} }}
        RETURN null AS claim, {{n: n, id: id, source_id: source_id, target_id: target_id, description: description, weight: weight,
            confidence: confidence, bidirectional: bidirectional, timestamp: timestamp, since: since, until: until,
            claim_ids: claim_ids}} AS relationship, null AS fact
        UNION ALL {FACTS}",
        super::claims::by_rows()
    )
}

pub(in crate::graph::neo4j) const RELATIONSHIPS_BY_ID: &str =
    relationships!("UNWIND $ids AS id MATCH (a:Entity)-[r:RELATES_TO {id: id}]->(b:Entity) WITH a, r, b, r.n AS n");

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

/// Counts the claims about an entity by month of publication, outlet and mode.
pub(in crate::graph::neo4j) fn claim_numbers(is_outlet: bool) -> String {
    let link = if is_outlet { "-[:PUBLISHED]->" } else { "<-[:REFERENCES]-" };
    format!(
        "MATCH (i:Entity {{id: $entity}}) MATCH (:Entity {{root: i.root}}){link}(c:Claim) WHERE c.collection IN $scope
        WITH DISTINCT c OPTIONAL MATCH (o:Entity)-[:PUBLISHED]->(c) OPTIONAL MATCH (r:Entity {{n: o.root}})
        WITH c.mode AS mode, r.id AS outlet,
            CASE WHEN c.published_at IS NOT NULL THEN toString(date.truncate('month', c.published_at)) END AS month
        RETURN month, outlet, mode, count(*) AS claims"
    )
}

/// Returns the relationships and values that rest on a claim, and the first documents of the claims that state the same.
pub(in crate::graph::neo4j) const CLAIM_USES: &str = "
    MATCH (c:Claim {id: $claim}) WHERE c.collection IN $scope
    CALL { WITH c MATCH (v:RelationshipView)-[:EVIDENCED_BY]->(c) WHERE v.collection IN $scope
        MATCH (a:Entity)-[r:RELATES_TO {n: v.relationship}]->(b:Entity) MATCH (s:Entity {n: a.root}) MATCH (t:Entity {n: b.root})
        RETURN DISTINCT r.id AS relationship, s.id AS entity, t.id AS target, r.description AS text, null AS document
        UNION ALL
        WITH c MATCH (f:Fact)-[:EVIDENCED_BY]->(c) WHERE f.collection IN $scope AND f.facet IN ['property', 'external', 'summary']
        MATCH (f)-[:OF]->(e:Entity) MATCH (s:Entity {n: e.root})
        RETURN DISTINCT null AS relationship, s.id AS entity, null AS target,
            CASE f.facet WHEN 'summary' THEN 'summary' ELSE f.key END AS text, null AS document
        UNION ALL
        WITH c CALL { WITH c MATCH (v:RelationshipView)-[:EVIDENCED_BY]->(c) WHERE v.collection IN $scope
            MATCH (w:RelationshipView {relationship: v.relationship})-[:EVIDENCED_BY]->(x:Claim) RETURN x
            UNION
            WITH c MATCH (f:Fact)-[:EVIDENCED_BY]->(c) WHERE f.collection IN $scope
                AND f.facet IN ['property', 'external', 'summary']
            MATCH (f)-[:EVIDENCED_BY]->(x:Claim) RETURN x }
        WITH x WHERE x.collection IN $scope WITH DISTINCT x.document_id AS document ORDER BY document LIMIT $limit
        RETURN null AS relationship, null AS entity, null AS target, null AS text, document
    } RETURN relationship, entity, target, text, document";

/// Returns the documents of the claims behind each relationship that rests on one of `$claims`; twins of merged entities are one.
pub(in crate::graph::neo4j) const STATING_DOCUMENTS: &str = "
    UNWIND $claims AS claim MATCH (c:Claim {id: claim}) WHERE c.collection IN $scope
    MATCH (v:RelationshipView)-[:EVIDENCED_BY]->(c)
    MATCH (a:Entity)-[r:RELATES_TO {n: v.relationship}]->(b:Entity)
    WITH DISTINCT a.root AS source, b.root AS target, r.description AS words
    MATCH (s:Entity {root: source})-[l:RELATES_TO]->(t:Entity {root: target}) WHERE l.description = words
    MATCH (w:RelationshipView {relationship: l.n})-[:EVIDENCED_BY]->(x:Claim) WHERE x.collection IN $scope
    RETURN DISTINCT source, target, words, x.document_id AS document";

// Pairs that may be one.
