//! Statements of the review list: pairs of entities that may be one.

pub(in crate::graph::neo4j) fn open() -> String {
    list(false, "postponed_at IS NOT NULL, score DESC")
}

pub(in crate::graph::neo4j) fn kept_apart() -> String {
    list(true, "decided_at IS NULL, decided_at DESC")
}

/// Counts open pairs.
pub(in crate::graph::neo4j) fn count_open() -> String {
    format!("{} RETURN count(p) AS number", visible_pairs(false))
}

fn list(is_closed: bool, order: &str) -> String {
    let pairs = visible_pairs(is_closed);
    format!("{pairs} {PAIR} ORDER BY {order}, left_name, right_name, id SKIP $skip LIMIT $limit")
}

/// Matches pairs `p` that are two entities, as their visible views have them: `best` has the reason, and `said` the last decision. Without
/// a decision the first view says whether the pair is open.
fn visible_pairs(is_closed: bool) -> String {
    format!(
        "MATCH (p:Review)-[:SEEN_IN]->(s:ReviewView) WHERE s.left_collection IN $scope AND s.right_collection IN $scope
        WITH p, s ORDER BY s.closed, s.score DESC, s.why
        WITH p, collect(s) AS seen
        WITH p, head(seen) AS best, reduce(first = head(seen).created_at, s IN seen |
                CASE WHEN s.created_at < first THEN s.created_at ELSE first END) AS created_at,
            head(COLLECT {{ UNWIND seen AS s
                RETURN s ORDER BY s.decided_at IS NULL, s.decided_at DESC, s.created_at, s.closed, s.score DESC, s.why LIMIT 1 }}) AS said
        WHERE said.closed = {is_closed}
        MATCH (a:Entity {{n: p.left}}) MATCH (b:Entity {{n: p.right}}) WHERE a.root <> b.root
        MATCH (l:Entity {{n: a.root}}) MATCH (r:Entity {{n: b.root}})
        WITH p, best, said, created_at, l, r,
            head(COLLECT {{ MATCH (a)<-[:OF]-(f:Fact {{facet: 'name'}}) WHERE f.collection IN $scope
                RETURN f.value ORDER BY f.value LIMIT 1 }}) AS left_name,
            head(COLLECT {{ MATCH (b)<-[:OF]-(f:Fact {{facet: 'name'}}) WHERE f.collection IN $scope
                RETURN f.value ORDER BY f.value LIMIT 1 }}) AS right_name
        WHERE left_name IS NOT NULL AND right_name IS NOT NULL"
    )
}

const PAIR: &str = "
    RETURN p.id AS id, l.id AS left_id, r.id AS right_id, best.score AS score, best.why AS why, created_at,
        said.postponed_at AS postponed_at, said.decided_by AS decided_by, said.decided_at AS decided_at, left_name, right_name";

/// Stores a decision where it is visible; readers of other collections decide for themselves.
pub(in crate::graph::neo4j) const DECIDE: &str = "
    MATCH (p:Review {id: $id})-[:SEEN_IN]->(s:ReviewView)
    WHERE s.left_collection IN $scope AND s.right_collection IN $scope
    SET s.closed = $closed, s.postponed_at = $postponed_at, s.decided_by = $decided_by, s.decided_at = $decided_at
    RETURN DISTINCT p.id AS id";
