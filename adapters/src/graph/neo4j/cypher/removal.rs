//! Statements that remove a collection.

/// Writes the tombstone of a collection, which refuses concurrent writes.
pub(in crate::graph::neo4j) const TOMBSTONE: &str = "
    MERGE (k:Collection {id: $id}) ON CREATE SET k.n = $n
    SET k.removed = true, k.claims = 0, k.views = 0, k.links = 0";

/// Removes the collection's own data kind by kind, in portions of `limit`. Each portion returns its size (`number`), the affected
/// entities (`roots`) and the relationships that remain (`kept`).
pub(in crate::graph::neo4j) const REMOVE: [&str; 8] = [
    // Relationships that only this collection had go; of the others it leaves the index.
    "MATCH (v:RelationshipView {collection: $collection}) WITH v LIMIT $limit
     WITH v, v.relationship AS n DETACH DELETE v
     WITH DISTINCT n OPTIONAL MATCH (a:Entity)-[r:RELATES_TO {n: n}]->(b:Entity)
     WITH n, r, [a.root, b.root] AS ends, EXISTS { MATCH (:RelationshipView {relationship: n}) } AS is_kept
     FOREACH (x IN CASE WHEN is_kept THEN [r] ELSE [] END |
         SET x.terms = reduce(kept = '', term IN split(x.terms, ' ') |
             CASE WHEN term STARTS WITH $mark THEN kept ELSE ltrim(kept + ' ' + term) END))
     FOREACH (x IN CASE WHEN is_kept THEN [] ELSE [r] END | DELETE x)
     RETURN count(*) AS number, [root IN reduce(all = [], ends IN collect(ends) | all + ends) WHERE root IS NOT NULL] AS roots,
         collect(CASE WHEN is_kept THEN n END) AS kept",
    "MATCH (v:EntityView {collection: $collection}) WITH v LIMIT $limit
     DETACH DELETE v RETURN count(*) AS number, [] AS roots, [] AS kept",
    "MATCH (f:Fact {collection: $collection}) WITH f LIMIT $limit
     OPTIONAL MATCH (f)-[:OF]->(e:Entity)
     WITH f, e.root AS root DETACH DELETE f
     RETURN count(*) AS number, collect(DISTINCT root) AS roots, [] AS kept",
    "MATCH (k:NameKey {collection: $collection}) WITH k LIMIT $limit
     DETACH DELETE k RETURN count(*) AS number, [] AS roots, [] AS kept",
    "MATCH (c:Claim {collection: $collection}) WITH c LIMIT $limit
     OPTIONAL MATCH (c)-[:REFERENCES]->(e:Entity)
     WITH c, collect(e.root) AS named
     OPTIONAL MATCH (c)<-[:PUBLISHED]-(o:Entity)
     WITH c, named, collect(o.root) AS outlets
     WITH c, named + outlets AS roots DETACH DELETE c
     RETURN count(*) AS number, reduce(all = [], some IN collect(roots) | all + some) AS roots, [] AS kept",
    "MATCH (d:Document {collection: $collection}) WITH d LIMIT $limit
     DETACH DELETE d RETURN count(*) AS number, [] AS roots, [] AS kept",
    // Of a pair that others see too, only how this collection saw it.
    "MATCH (s:ReviewView) WHERE s.left_collection = $collection OR s.right_collection = $collection WITH s LIMIT $limit
     DETACH DELETE s RETURN count(*) AS number, [] AS roots, [] AS kept",
    "MATCH (r:Review) WHERE NOT EXISTS { (r)-[:SEEN_IN]->() } WITH r LIMIT $limit
     DELETE r RETURN count(*) AS number, [] AS roots, [] AS kept",
];

/// Deletes entities without remaining data, with everything merged into them.
pub(in crate::graph::neo4j) const REMOVE_ENTITIES: &str = "
    UNWIND $roots AS root MATCH (e:Entity {root: root})
    WITH root, collect(e) AS members
    WHERE none(e IN members WHERE EXISTS { (e)<-[:OF]-(:Fact) } OR EXISTS { (e)<-[:REFERENCES]-() }
        OR EXISTS { (e)-[:PUBLISHED]->() } OR EXISTS { (e)-[:RELATES_TO]-() })
    UNWIND members AS e
    CALL { WITH e MATCH (r:Review {left: e.n}) OPTIONAL MATCH (r)-[:SEEN_IN]->(s) DETACH DELETE s, r }
    CALL { WITH e MATCH (r:Review {right: e.n}) OPTIONAL MATCH (r)-[:SEEN_IN]->(s) DETACH DELETE s, r }
    DETACH DELETE e";
