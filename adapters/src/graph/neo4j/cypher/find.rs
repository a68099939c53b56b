//! Search statements: by words, vector, edges, or filters alone.
//!
//! `text` is the item searched for: a claim, a view of an entity, a relationship. `signal` is its full-text score.

use crate::graph::bm25::score_expression;
use engine::graph::{ClaimOrder, ClaimTime};

/// Selects the best `$limit`, including ties with the last, so that row numbers never cut a tie.
const CUT: &str = "
    WITH n, signal ORDER BY signal DESC
    WITH collect({n: n, signal: signal}) AS found
    WITH found, found[$limit - 1].signal AS least
    UNWIND found AS hit
    WITH hit, least WHERE least IS NULL OR hit.signal >= least
    RETURN hit.n AS n";

const CLAIM_FILTERS: &str = "
    ($entity IS NULL OR EXISTS { (text)-[:REFERENCES]->(:Entity {root: $entity}) })
    AND ($outlet IS NULL OR EXISTS { (text)<-[:PUBLISHED]-(:Entity {root: $outlet}) })
    AND (NOT $without_outlet OR NOT EXISTS { (text)<-[:PUBLISHED]-(:Entity) })
    AND ($documents IS NULL OR text.document_id IN $documents)
    AND ($after IS NULL OR text.published_at >= $after)
    AND ($before IS NULL OR text.published_at < $before)
    AND ($occurred_after IS NULL OR text.occurred_to >= $occurred_after)
    AND ($occurred_before IS NULL OR text.occurred_from < $occurred_before)
    AND ($attribution IS NULL OR text.attribution = $attribution)
    AND ($mode IS NULL OR text.mode = $mode)";

/// Whether the entity is of that kind: the one of most claims, as `KindRanking` has it.
const KIND_FILTER: &str = "
    ($kind IS NULL OR $kind = toLower(head(COLLECT {
        MATCH (text)-[:OF]->(e:Entity) MATCH (:Entity {root: e.root})<-[:OF]-(f:Fact {facet: 'kind'})
        WHERE f.collection IN $scope
        WITH f.value AS value, sum(f.claims) AS claims
        RETURN value ORDER BY claims DESC, size(value) DESC, value LIMIT 1 })))";

/// Visible to the scope and, with a claim, supported by it.
const LINK_FILTERS: &str = "
    EXISTS { MATCH (v:RelationshipView {relationship: text.n}) WHERE v.collection IN $scope }
    AND ($claim IS NULL OR EXISTS {
        MATCH (v:RelationshipView {relationship: text.n})-[:EVIDENCED_BY]->(c:Claim {id: $claim}) WHERE c.collection IN $scope })";

/// Sort order of claims without a time.
const IN_DOCUMENTS: &str = "text.document_order, text.span_start, text.content_hash, text.id";

/// Sort order of claims with equal time.
const AT_ONE_TIME: &str = "text.content_hash, text.id";

/// Returns the property of a time.
const fn property(time: ClaimTime) -> &'static str {
    match time {
        ClaimTime::Published => "text.published_at",
        ClaimTime::Occurred => "text.occurred_from",
    }
}

fn order_by(order: ClaimOrder) -> String {
    let time = if order == ClaimOrder::Relevance { ClaimOrder::NewestFirst.time() } else { order.time() };
    match time.map(|(time, is_newest_first)| (property(time), is_newest_first)) {
        Some((time, is_newest_first)) => format!(
            "ORDER BY {time} IS NULL, {time} {}, CASE WHEN {time} IS NULL THEN text.document_order END,
            CASE WHEN {time} IS NULL THEN text.span_start END, {AT_ONE_TIME}",
            if is_newest_first { "DESC" } else { "ASC" }
        ),
        None => format!("ORDER BY {IN_DOCUMENTS}"),
    }
}

// By words: `$claim_words`, `$view_words` and `$link_words` have at most one query for each collection.

/// Counts the texts per term and collection in indexes of nodes, and in that of relationships, up to `$most`. First waits until the
/// indexes contain what was committed before.
pub(in crate::graph::neo4j) const TERM_COUNTS: &str = "
    CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
    UNWIND $terms AS term CALL db.index.fulltext.queryNodes(term.index, term.query, {limit: $most}) YIELD score
    RETURN term.index AS index, term.collection AS collection, term.word AS word, count(*) AS texts
    UNION ALL
    UNWIND $link_terms AS term CALL db.index.fulltext.queryRelationships(term.index, term.query, {limit: $most}) YIELD score
    RETURN term.index AS index, term.collection AS collection, term.word AS word, count(*) AS texts";

/// Finds claims by words; `kind` is returned with each.
pub(in crate::graph::neo4j) fn claims_by_words(kind: &str) -> String {
    ranked_claims("$claim_words", &format!("WHERE {CLAIM_FILTERS}"), kind)
}

/// Finds claims by a common word of each collection, among the `$most` that were written last.
pub(in crate::graph::neo4j) fn claims_by_common_words(kind: &str) -> String {
    ranked_claims("$common_claim_words", "WITH text, score ORDER BY text.n DESC LIMIT $most", kind)
}

/// `narrowed` follows the hits `text` with their `score`.
fn ranked_claims(queries: &str, narrowed: &str, kind: &str) -> String {
    format!(
        "UNWIND {queries} AS words CALL {{ WITH words
            CALL db.index.fulltext.queryNodes('claim_words', words) YIELD node AS text, score {narrowed}
            WITH text.n AS n, {} AS signal {CUT}
        }} RETURN '{kind}' AS kind, n",
        score_expression("score", "text.length")
    )
}

/// Finds claims by words, sorted by time or document order.
pub(in crate::graph::neo4j) fn claims_by_words_in(order: ClaimOrder, kind: &str) -> String {
    format!(
        "UNWIND $claim_words AS words CALL {{ WITH words
            CALL db.index.fulltext.queryNodes('claim_words', words) YIELD node AS text WHERE {CLAIM_FILTERS}
            RETURN text.n AS n {} LIMIT $limit
        }} RETURN '{kind}' AS kind, n",
        order_by(order)
    )
}

/// Finds the entities of views by words.
pub(in crate::graph::neo4j) fn views_by_words(kind: &str) -> String {
    format!(
        "UNWIND $view_words AS words CALL {{ WITH words
            CALL db.index.fulltext.queryNodes('entity_words', words) YIELD node AS text, score WHERE {KIND_FILTER}
            WITH text.n AS n, {} AS signal {CUT}
        }} MATCH (:EntityView {{n: n}})-[:OF]->(e:Entity) RETURN DISTINCT '{kind}' AS kind, e.root AS n",
        score_expression("score", "text.length")
    )
}

/// Finds relationships by words.
pub(in crate::graph::neo4j) fn links_by_words(kind: &str) -> String {
    format!(
        "UNWIND $link_words AS words CALL {{ WITH words
            CALL db.index.fulltext.queryRelationships('relationship_words', words) YIELD relationship AS text, score
            WHERE {LINK_FILTERS}
            WITH text.n AS n, {} AS signal {CUT}
        }} RETURN '{kind}' AS kind, n",
        score_expression("score", "text.length")
    )
}

/// Returns the newest claims about each survivor of `$ids`, at most `$each`.
pub(in crate::graph::neo4j) const NEWEST_CLAIMS: &str = "
    UNWIND $ids AS asked MATCH (i:Entity {id: asked}) WITH DISTINCT i.root AS root MATCH (r:Entity {n: root})
    CALL { WITH root MATCH (e:Entity {root: root})<-[:REFERENCES]-(text:Claim) WHERE text.collection IN $scope
        WITH DISTINCT text
        ORDER BY text.published_at IS NULL, text.published_at DESC, text.document_order, text.span_start, text.content_hash, text.id
        LIMIT $each
        WITH collect(text.n) AS found UNWIND range(0, size(found) - 1) AS place RETURN found[place] AS n, place }
    RETURN r.id AS id, n ORDER BY id, place";

// By filters alone.

/// The starting point of a claim search: an entity, an outlet, documents, or none of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::graph::neo4j) enum From {
    Documents,
    Entity,
    Outlet,
    Anywhere,
}

impl From {
    const fn matches(self) -> &'static str {
        match self {
            Self::Documents => "UNWIND $documents AS document MATCH (text:Claim {document_id: document})",
            Self::Entity => "MATCH (:Entity {root: $entity})<-[:REFERENCES]-(text:Claim)",
            Self::Outlet => "MATCH (:Entity {root: $outlet})-[:PUBLISHED]->(text:Claim)",
            Self::Anywhere => "MATCH (text:Claim)",
        }
    }
}

pub(in crate::graph::neo4j) fn claims_from(from: From, order: ClaimOrder) -> String {
    format!(
        "{} WHERE text.collection IN $scope AND {CLAIM_FILTERS} WITH DISTINCT text RETURN text.n AS n {} SKIP $skip LIMIT $limit",
        from.matches(),
        order_by(order)
    )
}

// The three that follow walk an index: the collection stands in their order, though there is one, for else Neo4j sorts all of it.

/// Filters of the index walks, besides the collection.
const WALK_FILTERS: &str = "
    ($after IS NULL OR text.published_at >= $after) AND ($before IS NULL OR text.published_at < $before)
    AND ($occurred_after IS NULL OR text.occurred_to >= $occurred_after)
    AND ($occurred_before IS NULL OR text.occurred_from < $occurred_before)
    AND ($attribution IS NULL OR text.attribution = $attribution)
    AND ($mode IS NULL OR text.mode = $mode)";

/// Lists a collection's claims that have that time. `$first` and `$last` bound it, so that the index is used.
pub(in crate::graph::neo4j) fn dated_claims(time: ClaimTime, is_newest_first: bool) -> String {
    let (time, direction) = (property(time), if is_newest_first { "DESC" } else { "ASC" });
    format!(
        "MATCH (text:Claim {{collection: $collection}}) WHERE {time} >= $first AND {time} < $last AND {WALK_FILTERS}
        RETURN text.n AS n ORDER BY text.collection {direction}, {time} {direction}, {AT_ONE_TIME} LIMIT $limit"
    )
}

/// Lists a collection's claims without a publication date.
pub(in crate::graph::neo4j) fn undated_claims() -> String {
    format!(
        "MATCH (text:Claim {{collection: $collection}}) WHERE text.undated IS NOT NULL AND {WALK_FILTERS}
        RETURN text.n AS n ORDER BY text.collection, text.undated, text.span_start, text.content_hash, text.id LIMIT $limit"
    )
}

/// Lists a collection's claims in document order; with `without`, only claims that lack that time.
pub(in crate::graph::neo4j) fn claims_in_documents(without: Option<ClaimTime>) -> String {
    let only = without.map_or(String::new(), |time| format!("AND {} IS NULL", property(time)));
    format!(
        "MATCH (text:Claim {{collection: $collection}}) WHERE text.document_order IS NOT NULL {only} AND {WALK_FILTERS}
        RETURN text.n AS n ORDER BY text.collection, {IN_DOCUMENTS} LIMIT $limit"
    )
}

/// Lists entities with the most claims behind their names.
pub(in crate::graph::neo4j) fn entities_listed() -> String {
    format!(
        "MATCH (text:EntityView)-[:OF]->(e:Entity) WHERE text.collection IN $scope AND {KIND_FILTER}
        MATCH (e)<-[:OF]-(name:Fact {{facet: 'name', collection: text.collection}})
        WITH e.root AS n, sum(name.claims) AS claims, min(name.value) AS first
        RETURN n ORDER BY claims DESC, first LIMIT $limit"
    )
}

pub(in crate::graph::neo4j) fn links_listed() -> String {
    format!(
        "MATCH (seen:RelationshipView) WHERE seen.collection IN $scope
        WITH DISTINCT seen.relationship AS n MATCH ()-[text:RELATES_TO {{n: n}}]->() WHERE {LINK_FILTERS}
        RETURN n ORDER BY text.description, n LIMIT $limit"
    )
}

// By likeness.

/// Selects the rows eligible for a similarity search, up to `$most` in one list, to decide whether all can be compared.
pub(in crate::graph::neo4j) fn claims_among(from: From) -> String {
    format!(
        "{} WHERE text.collection IN $scope AND {CLAIM_FILTERS} WITH DISTINCT text.n AS n LIMIT $most RETURN collect(n) AS rows",
        from.matches()
    )
}

pub(in crate::graph::neo4j) fn views_among() -> String {
    format!(
        "MATCH (text:EntityView) WHERE text.collection IN $scope AND {KIND_FILTER} WITH text.n AS n LIMIT $most
        RETURN collect(n) AS rows"
    )
}

pub(in crate::graph::neo4j) fn links_among() -> String {
    format!(
        "MATCH (seen:RelationshipView) WHERE seen.collection IN $scope
        WITH DISTINCT seen.relationship AS n MATCH ()-[text:RELATES_TO {{n: n}}]->() WHERE {LINK_FILTERS}
        WITH n LIMIT $most RETURN collect(n) AS rows"
    )
}

/// Compares the nearest texts exactly, because the index may hold rounded vectors, and selects the best `$limit` including ties.
const NEAREST_CUT: &str = "
    WITH text, score ORDER BY score DESC LIMIT $compared
    WITH text.n AS n, vector.similarity.cosine(text[$vector], $numbers) AS likeness ORDER BY likeness DESC
    WITH collect({n: n, likeness: likeness}) AS found
    WITH found, found[$limit - 1].likeness AS least
    UNWIND found AS hit
    WITH hit, least WHERE least IS NULL OR hit.likeness >= least
    RETURN hit.n AS n, hit.likeness AS likeness";

/// The vector statements for one kind of text. Neo4j maps the cosine to a number from 0 to 1.
pub(in crate::graph::neo4j) struct Nearest {
    /// Returns the similarity of the given rows.
    pub similarities: &'static str,
    /// Returns the nearest rows of the index, `$compared` of them compared exactly. It knows no scope, so the caller asks for more until
    /// enough are visible.
    pub by_index: String,
}

pub(in crate::graph::neo4j) fn nearest_claims() -> Nearest {
    Nearest {
        similarities: "UNWIND $rows AS n MATCH (text:Claim {n: n}) WHERE text[$vector] IS NOT NULL
            RETURN n, vector.similarity.cosine(text[$vector], $numbers) AS likeness",
        by_index: format!(
            "CALL db.index.vector.queryNodes($vector, $nearest, $numbers) YIELD node AS text, score
            WHERE text.collection IN $scope AND {CLAIM_FILTERS} {NEAREST_CUT}"
        ),
    }
}

pub(in crate::graph::neo4j) fn nearest_views() -> Nearest {
    Nearest {
        similarities: "UNWIND $rows AS n MATCH (text:EntityView {n: n}) WHERE text[$vector] IS NOT NULL
            RETURN n, vector.similarity.cosine(text[$vector], $numbers) AS likeness",
        by_index: format!(
            "CALL db.index.vector.queryNodes($vector, $nearest, $numbers) YIELD node AS text, score
            WHERE text.collection IN $scope AND {KIND_FILTER} {NEAREST_CUT}"
        ),
    }
}

pub(in crate::graph::neo4j) fn nearest_links() -> Nearest {
    Nearest {
        similarities: "UNWIND $rows AS n MATCH ()-[text:RELATES_TO {n: n}]->() WHERE text[$vector] IS NOT NULL
            RETURN n, vector.similarity.cosine(text[$vector], $numbers) AS likeness",
        by_index: format!(
            "CALL db.index.vector.queryRelationships($vector, $nearest, $numbers) YIELD relationship AS text, score
            WHERE {LINK_FILTERS} {NEAREST_CUT}"
        ),
    }
}

/// Returns the entities of views.
pub(in crate::graph::neo4j) const ROOTS: &str =
    "UNWIND $views AS n MATCH (:EntityView {n: n})-[:OF]->(e:Entity) RETURN n, e.root AS root";

pub(in crate::graph::neo4j) const VIEWS_OF: &str = "
    UNWIND $roots AS root MATCH (e:Entity {root: root})<-[:OF]-(v:EntityView) USING INDEX SEEK e:Entity(root)
    WHERE v.collection IN $scope RETURN v.n AS n";

// By walking edges.

/// Returns every visible edge of an entity whose other end is visible too.
pub(in crate::graph::neo4j) const EDGES: &str = "
    MATCH (e:Entity {root: $root})-[r:RELATES_TO]-(:Entity) USING INDEX SEEK e:Entity(root)
    WITH DISTINCT r
    MATCH (v:RelationshipView {relationship: r.n}) USING INDEX SEEK v:RelationshipView(relationship) WHERE v.collection IN $scope
    WITH r, startNode(r).root AS source, endNode(r).root AS target, max(v.weight) AS weight,
        any(x IN collect(v.bidirectional) WHERE x) AS bidirectional
    WITH r, source, target, weight, bidirectional, CASE source WHEN $root THEN target ELSE source END AS other
    MATCH (o:Entity {root: other})<-[:OF]-(f:Fact {facet: 'name'}) USING INDEX SEEK o:Entity(root)
    WHERE f.collection IN $scope
    RETURN r.n AS n, source, target, r.description AS description, weight, bidirectional, min(f.value) AS name";

/// Returns the strongest visible edges of the seeds.
pub(in crate::graph::neo4j) const SUBGRAPH_EDGES: &str = "
    MATCH (x:Entity) WHERE x.id IN $seeds
    WITH DISTINCT x.root AS root
    MATCH (e:Entity {root: root})-[r:RELATES_TO]-(:Entity) USING INDEX SEEK e:Entity(root)
    WITH DISTINCT r
    MATCH (v:RelationshipView {relationship: r.n}) USING INDEX SEEK v:RelationshipView(relationship) WHERE v.collection IN $scope
    WITH r, startNode(r).root AS source, endNode(r).root AS target, max(v.weight) AS weight,
        any(x IN collect(v.bidirectional) WHERE x) AS bidirectional, min(v.since + '~') AS since, max(v.until) AS until,
        collect(v) AS views
    WHERE source <> target
    WITH r, source, target, weight, bidirectional, since, until,
        COLLECT { UNWIND views AS v MATCH (v)-[:EVIDENCED_BY]->(c:Claim) WHERE c.collection IN $scope
            RETURN {mode: c.mode, at: c.published_at.epochMillis * 1000 + c.published_at.microsecond % 1000} } AS support
    RETURN r.id AS id, source, target, r.description AS description, weight, bidirectional, replace(since, '~', '') AS since, until,
        size(support) AS claims, size([one IN support WHERE one.mode = 'asserted']) AS asserted,
        reduce(first = null, one IN support | CASE WHEN first IS NULL OR one.at < first THEN one.at ELSE first END) AS first_published,
        reduce(last = null, one IN support | CASE WHEN last IS NULL OR one.at > last THEN one.at ELSE last END) AS last_published
    ORDER BY weight IS NULL, weight DESC, claims DESC, description, r.n LIMIT $limit";

/// Returns the visible names and kinds of the seeds and of the ends of edges.
pub(in crate::graph::neo4j) const SUBGRAPH_NODES: &str = "
    OPTIONAL MATCH (x:Entity) WHERE x.id IN $seeds
    WITH collect(DISTINCT x.root) AS seeds
    UNWIND seeds + $ends AS root
    WITH DISTINCT root, root IN seeds AS is_seed
    WITH root, is_seed,
        CASE WHEN $counted AND is_seed THEN
            COUNT { MATCH (:Entity {root: root})<-[:REFERENCES]-(c:Claim) WHERE c.collection IN $scope RETURN DISTINCT c }
        END AS about
    MATCH (r:Entity {n: root})
    MATCH (e:Entity {root: root})<-[:OF]-(f:Fact) USING INDEX SEEK e:Entity(root)
    WHERE f.collection IN $scope AND f.facet IN ['name', 'kind']
    RETURN root, r.id AS id, f.facet AS facet, f.key AS key, f.value AS value, f.claims AS claims, f.oldest AS oldest, is_seed, about";
