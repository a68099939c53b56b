//! Statements that split an entity. `old` is its row and `claims` are the rows of the claims that move.

/// Returns how many visible entities were merged into this one, the claims to move with their collections, and the collections of the
/// visible ones that stay.
pub(in crate::graph::neo4j) const MENTIONS: &str = "
    MATCH (e:Entity {n: $old})
    RETURN COUNT { MATCH (m:Entity {root: e.n}) WHERE m <> e AND EXISTS {
            MATCH (m)<-[:OF]-(f:Fact {facet: 'name'}) WHERE f.collection IN $scope } } AS members,
        COLLECT { MATCH (c:Claim)-[:REFERENCES]->(e) WHERE c.id IN $claims AND c.collection IN $scope
            RETURN [c.n, c.collection] } AS moved,
        COLLECT { MATCH (c:Claim)-[:REFERENCES]->(e) WHERE c.collection IN $scope AND NOT c.id IN $claims
            RETURN DISTINCT c.collection } AS kept_in";

pub(in crate::graph::neo4j) const MOVE: &str = "
    MATCH (o:Entity {n: $old}) MATCH (e:Entity {n: $new})
    UNWIND $claims AS claim MATCH (c:Claim {n: claim})-[x:REFERENCES]->(o)
    CREATE (c)-[:REFERENCES {position: x.position}]->(e) DELETE x";

pub(in crate::graph::neo4j) const FACTS: &str = "
    MATCH (:Entity {n: $old})<-[:OF]-(f:Fact)
    RETURN f.n AS n, f.facet AS facet, f.key AS key, f.value AS value, f.collection AS collection, f.at AS at,
        COLLECT { MATCH (f)-[:EVIDENCED_BY]->(c:Claim) WHERE c.n IN $claims RETURN c.n ORDER BY c.n } AS moved,
        COUNT { MATCH (f)-[:EVIDENCED_BY]->(:Claim) } AS evidence ORDER BY n";

/// Files the names of the new entity under the keys of the old one's.
pub(in crate::graph::neo4j) const FILE: &str = "
    UNWIND $rows AS row MATCH (f:Fact {n: row.from})-[:FILED_UNDER]->(k:NameKey) MATCH (g:Fact {n: row.to})
    MERGE (g)-[:FILED_UNDER]->(k)";

pub(in crate::graph::neo4j) const FORGET_FACTS: &str = "UNWIND $gone AS n MATCH (f:Fact {n: n}) DETACH DELETE f";

/// Takes the claims that move away from facts, and counts again.
pub(in crate::graph::neo4j) const REDUCE_FACTS: &str = "
    UNWIND $facts AS n MATCH (:Entity {n: $old})<-[:OF]-(f:Fact {n: n})
    CALL { WITH f MATCH (f)-[x:EVIDENCED_BY]->(c:Claim) WHERE c.n IN $claims DELETE x }
    WITH f OPTIONAL MATCH (f)-[:EVIDENCED_BY]->(c:Claim)
    WITH f, count(c) AS claims, max(c.published_at.epochMillis * 1000 + c.published_at.microsecond % 1000) AS newest,
        min(c.published_at.epochMillis * 1000 + c.published_at.microsecond % 1000) AS oldest
    SET f.claims = claims, f.newest = newest, f.oldest = oldest";

/// Returns the relationships of the entity, by collection.
pub(in crate::graph::neo4j) const LINKS: &str = "
    MATCH (o:Entity {n: $old})-[r:RELATES_TO]-(b:Entity) WHERE b.n <> $old
    MATCH (v:RelationshipView {relationship: r.n})
    RETURN r.n AS n, r.id AS id, startNode(r).n AS source, endNode(r).n AS target, r.description AS description,
        v.collection AS collection,
        COLLECT { MATCH (v)-[:EVIDENCED_BY]->(c:Claim) WHERE c.n IN $claims RETURN c.n ORDER BY c.n } AS moved,
        COUNT { MATCH (v)-[:EVIDENCED_BY]->(:Claim) } AS evidence ORDER BY n, collection";

/// Copies views to new relationships and moves the claims.
pub(in crate::graph::neo4j) const MOVE_VIEWS: &str = "
    UNWIND $rows AS row MATCH (v:RelationshipView {relationship: row.from, collection: row.collection})
    CREATE (w:RelationshipView {relationship: row.to, collection: row.collection})
    SET w += v {.weight, .confidence, .bidirectional, .timestamp, .since, .until}
    WITH v, w, row UNWIND row.claims AS claim MATCH (v)-[x:EVIDENCED_BY]->(c:Claim {n: claim})
    CREATE (w)-[y:EVIDENCED_BY]->(c) SET y = properties(x) DELETE x";

/// Deletes views without claims, their terms, and relationships that no collection has any more.
pub(in crate::graph::neo4j) const FORGET_LINKS: &str = "
    UNWIND $rows AS row MATCH ()-[r:RELATES_TO {n: row.n}]->()
    CALL { WITH row MATCH (v:RelationshipView {relationship: row.n}) WHERE v.collection IN row.collections DETACH DELETE v }
    FOREACH (x IN CASE WHEN row.is_kept THEN [r] ELSE [] END |
        SET x.terms = reduce(kept = '', term IN split(x.terms, ' ') |
            CASE WHEN any(mark IN row.marks WHERE term STARTS WITH mark) THEN kept ELSE ltrim(kept + ' ' + term) END))
    FOREACH (x IN CASE WHEN row.is_kept THEN [] ELSE [r] END | DELETE x)";

/// Deletes the views in which an entity has no name.
pub(in crate::graph::neo4j) const FORGET_VIEWS: &str = "
    MATCH (v:EntityView {entity: $entity}) MATCH (e:Entity {n: $entity})
    WHERE NOT EXISTS { MATCH (e)<-[:OF]-(f:Fact {facet: 'name'}) WHERE f.collection = v.collection }
    WITH v, v.collection AS collection DETACH DELETE v RETURN collection";

/// Stores a review that is closed from the start.
pub(in crate::graph::neo4j) const KEEP_APART: &str = "
    WITH $row AS row
    CREATE (r:Review {id: row.id, left: row.left, right: row.right})
    WITH r, row UNWIND row.pairs AS pair
    CREATE (r)-[:SEEN_IN]->(:ReviewView {left_collection: pair[0], right_collection: pair[1], score: 1.0, why: row.why, closed: true,
        created_at: row.at, decided_by: row.by, decided_at: row.at})";
