//! Statements that remove documents, and count what rests on them alone.

/// Counts claims of documents, and entities and relationships that a collection knows from these claims alone.
pub(in crate::graph::neo4j) const SOLE_EVIDENCE: &str = "
    CALL { UNWIND $documents AS id MATCH (c:Claim {document_id: id}) RETURN count(c) AS claims }
    CALL {
        UNWIND $documents AS id MATCH (c:Claim {document_id: id})
        CALL { WITH c MATCH (c)<-[:EVIDENCED_BY]-(:Fact {facet: 'name'})-[:OF]->(e:Entity) RETURN e
            UNION WITH c MATCH (c)-[:REFERENCES]->(e:Entity) RETURN e }
        WITH DISTINCT e, c.collection AS collection
        WHERE EXISTS { MATCH (e)<-[:OF]-(o:Fact) WHERE o.facet = 'name' AND o.collection = collection }
        AND NOT EXISTS { MATCH (e)<-[:OF]-(o:Fact) WHERE o.facet = 'name' AND o.collection = collection AND (
            EXISTS { MATCH (o)-[:EVIDENCED_BY]->(x:Claim) WHERE NOT x.document_id IN $documents }
            OR EXISTS { MATCH (e)-[:REFERENCES|PUBLISHED]-(x:Claim)
                WHERE x.collection = collection AND NOT x.document_id IN $documents }
            OR EXISTS { MATCH (e)-[r:RELATES_TO]-() MATCH (v:RelationshipView {relationship: r.n, collection: collection})
                MATCH (v)-[:EVIDENCED_BY]->(x:Claim) WHERE NOT x.document_id IN $documents }) }
        RETURN count(*) AS entities
    }
    CALL {
        UNWIND $documents AS id MATCH (:Claim {document_id: id})<-[:EVIDENCED_BY]-(v:RelationshipView)
        WITH DISTINCT v
        WHERE NOT EXISTS { MATCH (v)-[:EVIDENCED_BY]->(x:Claim) WHERE NOT x.document_id IN $documents }
        RETURN count(*) AS relationships
    }
    RETURN claims, entities, relationships";

/// Moves documents, also such that nothing was written of yet, to the collection of removed documents.
pub(in crate::graph::neo4j) const BURY: &str = "
    UNWIND $documents AS id MERGE (d:Document {id: id})
    SET d.collection = $collection, d.document_order = coalesce(d.document_order, '')";

/// Returns entities, facts, views and relationships with evidence in documents.
pub(in crate::graph::neo4j) const TOUCHED: &str = "
    UNWIND $documents AS id MATCH (c:Claim {document_id: id})
    WITH collect(c) AS claims WHERE size(claims) > 0
    CALL { WITH claims UNWIND claims AS c
        CALL { WITH c MATCH (c)-[:REFERENCES]->(e:Entity) RETURN e.root AS root
            UNION WITH c MATCH (c)<-[:PUBLISHED]-(e:Entity) RETURN e.root AS root
            UNION WITH c MATCH (c)<-[:EVIDENCED_BY]-(:Fact)-[:OF]->(e:Entity) RETURN e.root AS root
            UNION WITH c MATCH (c)<-[:EVIDENCED_BY]-(v:RelationshipView)
                MATCH (a:Entity)-[:RELATES_TO {n: v.relationship}]->(b:Entity) UNWIND [a.root, b.root] AS root RETURN root }
        RETURN collect(DISTINCT root) AS roots }
    CALL { WITH claims UNWIND claims AS c MATCH (c)<-[:EVIDENCED_BY]-(f:Fact)-[:OF]->(e:Entity)
        RETURN collect(DISTINCT f.n) AS facts, collect(DISTINCT [e.n, f.collection]) AS views }
    CALL { WITH claims UNWIND claims AS c MATCH (c)<-[:EVIDENCED_BY]-(v:RelationshipView)
        RETURN collect(DISTINCT [v.relationship, v.collection]) AS links }
    RETURN roots, facts, views, links";

pub(in crate::graph::neo4j) const REMOVE_CLAIMS: &str = "
    UNWIND $documents AS id MATCH (c:Claim {document_id: id})
    WITH c, c.collection AS collection DETACH DELETE c
    RETURN collection, count(*) AS number";

/// Returns facts without evidence of entities that nothing else of their collection is about.
pub(in crate::graph::neo4j) const UNNEEDED_FACTS: &str = "
    UNWIND $roots AS root MATCH (e:Entity {root: root})<-[:OF]-(f:Fact) USING INDEX SEEK e:Entity(root)
    WHERE NOT EXISTS { (f)-[:EVIDENCED_BY]->() }
        AND NOT EXISTS { MATCH (e)-[:REFERENCES|PUBLISHED]-(c:Claim) WHERE c.collection = f.collection }
        AND NOT EXISTS { MATCH (e)-[r:RELATES_TO]-() MATCH (v:RelationshipView {relationship: r.n, collection: f.collection})
            WHERE EXISTS { (v)-[:EVIDENCED_BY]->() } }
    RETURN f.n AS fact, e.n AS entity, f.collection AS collection";

/// Deletes facts without evidence, with the keys that nothing else is filed under. Of those still needed, names and kinds stay where
/// the collection has no other.
pub(in crate::graph::neo4j) const REMOVE_FACTS: &str = "
    UNWIND $facts AS n MATCH (f:Fact {n: n})-[:OF]->(e:Entity) WHERE NOT EXISTS { (f)-[:EVIDENCED_BY]->() }
        AND (n IN $unneeded OR NOT f.facet IN ['name', 'kind'] OR EXISTS {
            MATCH (e)<-[:OF]-(o:Fact) WHERE o.facet = f.facet AND o.collection = f.collection
                AND EXISTS { (o)-[:EVIDENCED_BY]->() } })
    OPTIONAL MATCH (f)-[:FILED_UNDER]->(k:NameKey)
    WITH f, collect(k) AS keys DETACH DELETE f
    WITH keys UNWIND keys AS k WITH DISTINCT k WHERE NOT EXISTS { (k)<-[:FILED_UNDER]-() } DELETE k";

/// Counts the evidence of facts again.
pub(in crate::graph::neo4j) const COUNT_FACTS: &str = "
    UNWIND $facts AS n MATCH (f:Fact {n: n}) OPTIONAL MATCH (f)-[:EVIDENCED_BY]->(c:Claim)
    WITH f, count(c) AS claims, max(c.published_at.epochMillis * 1000 + c.published_at.microsecond % 1000) AS newest,
        min(c.published_at.epochMillis * 1000 + c.published_at.microsecond % 1000) AS oldest,
        max(c.ingested_at.epochMillis * 1000 + c.ingested_at.microsecond % 1000) AS at
    SET f.claims = claims, f.newest = newest, f.oldest = oldest, f.at = coalesce(at, f.at)";

/// Deletes views of relationships without evidence.
pub(in crate::graph::neo4j) const REMOVE_RELATIONSHIP_VIEWS: &str = "
    UNWIND $links AS link MATCH (v:RelationshipView {relationship: link[0], collection: link[1]})
    WHERE NOT EXISTS { (v)-[:EVIDENCED_BY]->() }
    WITH v, v.relationship AS relationship, v.collection AS collection DETACH DELETE v
    RETURN relationship, collection";

/// Takes the terms of a collection out of relationships that it has no more.
pub(in crate::graph::neo4j) const UNMARK_RELATIONSHIPS: &str = "
    UNWIND $rows AS row MATCH ()-[r:RELATES_TO {n: row.n}]->()
    SET r.terms = reduce(kept = '', term IN split(r.terms, ' ') |
        CASE WHEN term STARTS WITH row.mark THEN kept ELSE ltrim(kept + ' ' + term) END)";

/// Deletes relationships that no collection has any more.
pub(in crate::graph::neo4j) const REMOVE_RELATIONSHIPS: &str = "
    UNWIND $rows AS row MATCH ()-[r:RELATES_TO {n: row.n}]->()
    WITH DISTINCT r WHERE NOT EXISTS { MATCH (:RelationshipView {relationship: r.n}) } DELETE r";

/// Deletes views of entities that a collection has no name of any more.
pub(in crate::graph::neo4j) const REMOVE_VIEWS: &str = "
    UNWIND $views AS view MATCH (v:EntityView {entity: view[0], collection: view[1]})
    WHERE NOT EXISTS { MATCH (:Entity {n: view[0]})<-[:OF]-(f:Fact) WHERE f.facet = 'name' AND f.collection = view[1] }
    WITH v, v.collection AS collection DETACH DELETE v
    RETURN collection, count(*) AS number";

/// Deletes the views of reviews in whose collections a side has no name, and reviews without any.
pub(in crate::graph::neo4j) const REDUCE_REVIEWS: &str = "
    UNWIND $roots AS root MATCH (e:Entity {root: root})
    CALL { WITH e MATCH (r:Review {left: e.n}) RETURN r UNION WITH e MATCH (r:Review {right: e.n}) RETURN r }
    WITH DISTINCT r
    MATCH (l:Entity {n: r.left}) MATCH (o:Entity {n: r.right})
    WITH r, COLLECT { MATCH (:Entity {root: l.root})<-[:OF]-(f:Fact) WHERE f.facet = 'name' RETURN DISTINCT f.collection } AS lefts,
        COLLECT { MATCH (:Entity {root: o.root})<-[:OF]-(f:Fact) WHERE f.facet = 'name' RETURN DISTINCT f.collection } AS rights
    CALL { WITH r, lefts, rights MATCH (r)-[:SEEN_IN]->(s:ReviewView)
        WHERE NOT (s.left_collection IN lefts AND s.right_collection IN rights) DETACH DELETE s }
    WITH r WHERE NOT EXISTS { (r)-[:SEEN_IN]->() } DELETE r";

/// Blanks the reasons of reviews that have words of documents.
pub(in crate::graph::neo4j) const FORGET_REASONS: &str = "
    UNWIND $documents AS id MATCH (s:ReviewView {document: id}) WHERE s.why STARTS WITH $stated OR s.why CONTAINS $judged
    SET s.why = '', s.score = 0.0, s.document = null";
