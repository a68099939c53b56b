//! Statements that merge entities and undo merges.

pub(in crate::graph::neo4j) const MERGE_KNOWN: &str = "MATCH ()-[m:MERGED_INTO {id: $id}]->() RETURN count(m) AS number";

pub(in crate::graph::neo4j) const MERGE: &str = "
    MATCH (s:Entity {n: $survivor}) MATCH (m:Entity {n: $merged})
    CREATE (m)-[:MERGED_INTO {id: $id, at: datetime({epochSeconds: $at[0], nanosecond: $at[1]}), by: $by, undone: false}]->(s)
    WITH s MATCH (e:Entity {root: $merged}) SET e.root = s.n";

pub(in crate::graph::neo4j) const UNDO: &str = "
    MATCH (m:Entity)-[x:MERGED_INTO {id: $id}]->() SET x.undone = true
    WITH m MATCH (e:Entity {root: m.root})
    OPTIONAL MATCH (e)-[y:MERGED_INTO]->(s:Entity) WHERE NOT y.undone
    RETURN e.n AS n, s.n AS survivor";

pub(in crate::graph::neo4j) const SET_ROOTS: &str = "UNWIND $rows AS row MATCH (e:Entity {n: row.n}) SET e.root = row.root";

/// Returns the collections in which the survivor of an entity, or what was merged into it, has names.
pub(in crate::graph::neo4j) const NAMED_IN: &str = "
    MATCH (i:Entity {id: $id}) MATCH (e:Entity {root: i.root})<-[:OF]-(f:Fact {facet: 'name'})
    WITH f.collection AS collection, any(is_own IN collect(e.n = e.root) WHERE is_own) AS is_own
    MATCH (k:Collection {n: collection}) WHERE NOT coalesce(k.removed, false)
    RETURN k.id AS id, is_own ORDER BY k.n";

/// Returns merges that stand, with a visible name of each side; a name comes before an alias.
pub(in crate::graph::neo4j) const STANDING: &str = "
    MATCH (g:Entity)-[m:MERGED_INTO]->(s:Entity) WHERE NOT m.undone
    WITH m, g, s,
        head(COLLECT { MATCH (s)<-[:OF]-(f:Fact {facet: 'name'}) WHERE f.collection IN $scope
            RETURN f.value ORDER BY f.key, f.value LIMIT 1 }) AS survivor_name,
        head(COLLECT { MATCH (g)<-[:OF]-(f:Fact {facet: 'name'}) WHERE f.collection IN $scope
            RETURN f.value ORDER BY f.key, f.value LIMIT 1 }) AS merged_name
    WHERE $is_all OR (survivor_name IS NOT NULL AND merged_name IS NOT NULL)
    RETURN m.id AS id, s.id AS survivor, survivor_name, g.id AS merged, merged_name, m.by AS by,
        m.at.epochMillis * 1000 AS at
    ORDER BY m.at DESC, m.id DESC LIMIT $limit";
