//! Statements of the review list: pairs of entities that may be one.

pub(in crate::graph::neo4j) fn open() -> String {
    list(false, "postponed_at IS NOT NULL, score DESC")
}

pub(in crate::graph::neo4j) fn kept_apart() -> String {
    list(true, "decided_at IS NULL, decided_at DESC")
}

/// Counts open pairs.
pub(in crate::graph::neo4j) fn count_open() -> String {
    format!("MATCH (v:Review {{closed: false}}) {VISIBLE_PAIRS} RETURN count(v) AS number")
}

fn list(is_closed: bool, order: &str) -> String {
    format!(
        "MATCH (v:Review {{closed: {is_closed}}}) {VISIBLE_PAIRS} {PAIR} ORDER BY {order}, left_name, right_name SKIP $skip LIMIT $limit"
    )
}

const VISIBLE_PAIRS: &str = "
    WHERE any(i IN range(0, size(v.left_collections) - 1)
        WHERE v.left_collections[i] IN $scope AND v.right_collections[i] IN $scope)
    MATCH (a:Entity {n: v.left}) MATCH (b:Entity {n: v.right}) WHERE a.root <> b.root
    MATCH (l:Entity {n: a.root}) MATCH (r:Entity {n: b.root})
    WITH v, l, r,
        head(COLLECT { MATCH (a)<-[:OF]-(f:Fact {facet: 'name'}) WHERE f.collection IN $scope
            RETURN f.value ORDER BY f.value LIMIT 1 }) AS left_name,
        head(COLLECT { MATCH (b)<-[:OF]-(f:Fact {facet: 'name'}) WHERE f.collection IN $scope
            RETURN f.value ORDER BY f.value LIMIT 1 }) AS right_name
    WHERE left_name IS NOT NULL AND right_name IS NOT NULL";

const PAIR: &str = "
    RETURN v.id AS id, l.id AS left, r.id AS right, v.score AS score, v.why AS why, v.created_at AS created_at,
        v.postponed_at AS postponed_at, v.decided_by AS decided_by, v.decided_at AS decided_at, left_name, right_name";

pub(in crate::graph::neo4j) const DECIDE: &str = "
    MATCH (v:Review {id: $id})
    WHERE any(i IN range(0, size(v.left_collections) - 1)
        WHERE v.left_collections[i] IN $scope AND v.right_collections[i] IN $scope)
    SET v.closed = $closed, v.postponed_at = $postponed_at, v.decided_by = $decided_by, v.decided_at = $decided_at
    RETURN v.id AS id";
