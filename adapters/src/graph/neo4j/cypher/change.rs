//! Merging, undoing a merge, closing reviews, and removing a collection.

pub(in crate::graph::neo4j) const MERGE_KNOWN: &str = "MATCH ()-[m:MERGED_INTO {id: $id}]->() RETURN count(m) AS number";

pub(in crate::graph::neo4j) const MERGE: &str = "
    MATCH (s:Entity {n: $survivor}) MATCH (m:Entity {n: $merged})
    CREATE (m)-[:MERGED_INTO {id: $id, at: datetime({epochSeconds: $at[0], nanosecond: $at[1]}), undone: false}]->(s)
    WITH s MATCH (e:Entity {root: $merged}) SET e.root = s.n";

pub(in crate::graph::neo4j) const UNDO: &str = "
    MATCH (m:Entity)-[x:MERGED_INTO {id: $id}]->() SET x.undone = true
    WITH m MATCH (e:Entity {root: m.root})
    OPTIONAL MATCH (e)-[y:MERGED_INTO]->(s:Entity) WHERE NOT y.undone
    RETURN e.n AS n, s.n AS survivor";

pub(in crate::graph::neo4j) const SET_ROOTS: &str = "UNWIND $rows AS row MATCH (e:Entity {n: row.n}) SET e.root = row.root";

pub(in crate::graph::neo4j) const CLOSE_REVIEW: &str = "MATCH (r:Review {id: $id}) SET r.closed = true";

// A collection goes. It stays as a tombstone, which refuses whatever was under way.

pub(in crate::graph::neo4j) const TOMBSTONE: &str = "
    MERGE (k:Collection {id: $id}) ON CREATE SET k.n = $n
    SET k.removed = true, k.claims = 0, k.views = 0, k.links = 0";

/// The entities of which the collection knows something.
pub(in crate::graph::neo4j) const TOUCHED: &str = "
    CALL {
        MATCH (:Fact {collection: $collection})-[:OF]->(e:Entity) RETURN e
        UNION MATCH (c:Claim {collection: $collection})-[:REFERENCES]->(e:Entity) RETURN e
        UNION MATCH (c:Claim {collection: $collection})<-[:PUBLISHED]-(e:Entity) RETURN e
        UNION MATCH (v:RelationshipView {collection: $collection})
            MATCH (a:Entity)-[:RELATES_TO {n: v.relationship}]->(b:Entity) UNWIND [a, b] AS e RETURN e
    }
    RETURN collect(DISTINCT e.root) AS roots";

/// Relationships that only this collection had go; of the others it leaves the index.
pub(in crate::graph::neo4j) const REMOVE_RELATIONSHIPS: &str = "
    MATCH (v:RelationshipView {collection: $collection})
    WITH v, v.relationship AS n DETACH DELETE v
    WITH DISTINCT n MATCH ()-[r:RELATES_TO {n: n}]->()
    WITH n, r, EXISTS { MATCH (:RelationshipView {relationship: n}) } AS is_kept
    FOREACH (x IN CASE WHEN is_kept THEN [r] ELSE [] END |
        SET x.terms = reduce(kept = '', term IN split(x.terms, ' ') |
            CASE WHEN term STARTS WITH $mark THEN kept ELSE ltrim(kept + ' ' + term) END))
    FOREACH (x IN CASE WHEN is_kept THEN [] ELSE [r] END | DELETE x)
    RETURN collect(CASE WHEN is_kept THEN n END) AS kept";

/// What belongs to a collection alone.
pub(in crate::graph::neo4j) const REMOVE: &[&str] = &[
    "MATCH (v:EntityView {collection: $collection}) DETACH DELETE v",
    "MATCH (f:Fact {collection: $collection}) DETACH DELETE f",
    "MATCH (k:NameKey {collection: $collection}) DETACH DELETE k",
    "MATCH (c:Claim {collection: $collection}) DETACH DELETE c",
    "MATCH (d:Document {collection: $collection}) DETACH DELETE d",
    // Of a pair that others see too, only how this collection saw it.
    "MATCH (r:Review) WHERE $collection IN r.left_collections OR $collection IN r.right_collections
     WITH r, [i IN range(0, size(r.left_collections) - 1)
        WHERE r.left_collections[i] <> $collection AND r.right_collections[i] <> $collection] AS kept
     SET r.left_collections = [i IN kept | r.left_collections[i]], r.right_collections = [i IN kept | r.right_collections[i]]",
    "MATCH (r:Review) WHERE size(r.left_collections) = 0 DELETE r",
];

/// Entities of which nothing is left go, with everything that was merged into them.
pub(in crate::graph::neo4j) const REMOVE_ENTITIES: &str = "
    UNWIND $roots AS root MATCH (e:Entity {root: root})
    WITH root, collect(e) AS members
    WHERE none(e IN members WHERE EXISTS { (e)<-[:OF]-(:Fact) } OR EXISTS { (e)<-[:REFERENCES]-() }
        OR EXISTS { (e)-[:PUBLISHED]->() } OR EXISTS { (e)-[:RELATES_TO]-() })
    UNWIND members AS e
    CALL { WITH e MATCH (r:Review {left: e.n}) DELETE r }
    CALL { WITH e MATCH (r:Review {right: e.n}) DELETE r }
    DETACH DELETE e";
