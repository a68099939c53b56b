//! Statements that insert and read claims, built from the names of the columns.

use crate::graph::claim_columns::COLUMNS;

/// Columns that are a `datetime` in Neo4j, with their properties.
pub(in crate::graph::neo4j) const MOMENTS: [(&str, &str); 3] =
    [("published_value", "published_at"), ("occurred_from", "occurred_from"), ("occurred_to", "occurred_to")];

/// Returns the property of a column that is a moment.
fn moment(column: &str) -> Option<&'static str> {
    MOMENTS.iter().find(|(name, _)| *name == column).map(|(_, property)| *property)
}

/// Inserts claims. An existing claim stays unchanged and keeps its row; of two equal claims in one write the first counts.
pub(in crate::graph::neo4j) fn insert() -> String {
    let columns = COLUMNS.iter().filter(|name| **name != "content_hash").map(|name| match moment(name) {
        Some(property) => format!(
            "c.{property} = CASE WHEN row.{name} IS NULL THEN null
                ELSE datetime({{epochSeconds: row.{name}[0], nanosecond: row.{name}[1]}}) END"
        ),
        None => format!("c.{name} = row.{name}"),
    });
    let columns = columns.collect::<Vec<_>>().join(", ");
    format!(
        "UNWIND $rows AS row
        MERGE (c:Claim {{document_id: row.document, content_hash: row.content_hash}})
            ON CREATE SET c.id = row.id, c.n = row.n, c.collection = row.collection, c.document_order = row.document_order,
                c.undated = CASE WHEN row.published_value IS NULL THEN row.document_order END,
                c.ingested_at = datetime({{epochSeconds: row.ingested_at[0], nanosecond: row.ingested_at[1]}}),
                c.terms = row.terms, c.length = row.length, {columns}
        RETURN row.n AS offered, c.n AS n, c.id AS id"
    )
}

/// Reads the claims in `$rows` that the scope sees, in document order.
pub(in crate::graph::neo4j) fn by_rows() -> String {
    visible("UNWIND $rows AS n MATCH (c:Claim {n: n})")
}

/// Reads the claims of `$ids` that the scope sees.
pub(in crate::graph::neo4j) fn by_ids() -> String {
    visible("UNWIND $ids AS id MATCH (c:Claim {id: id})")
}

fn visible(matches: &str) -> String {
    format!(
        "{matches} WHERE c.collection IN $scope
        MATCH (k:Collection {{n: c.collection}})
        RETURN {} ORDER BY c.document_order, c.span_start, c.content_hash, c.id",
        fields("root")
    )
}

/// Reads the next `$limit` claims after a row, with the entities that they were written with.
pub(in crate::graph::neo4j) fn page() -> String {
    format!(
        "MATCH (c:Claim) WHERE c.n > $after WITH c ORDER BY c.n LIMIT $limit
        MATCH (k:Collection {{n: c.collection}})
        RETURN {} ORDER BY n",
        fields("n")
    )
}

/// Returns the fields of `StoredClaim`; `entity` is as in the statements of SQLite.
fn fields(entity: &str) -> String {
    // `epochSeconds` is a second late just before a full second before 1970.
    let micros = |property: &str| format!("c.{property}.epochMillis * 1000 + c.{property}.microsecond % 1000");
    let columns = COLUMNS.iter().map(|name| match moment(name) {
        Some(property) => format!("{name}: {}", micros(property)),
        None => format!(".{name}"),
    });
    let columns = columns.collect::<Vec<_>>().join(", ");
    format!(
        "c.n AS n, c.id AS id, c.document_id AS document_id, k.id AS collection_id, {} AS ingested_at, c {{{columns}}} AS columns,
        head(COLLECT {{ MATCH (c)<-[:PUBLISHED]-(o:Entity) MATCH (r:Entity {{n: o.{entity}}}) RETURN r.id }}) AS outlet_id,
        COLLECT {{ MATCH (c)-[x:REFERENCES]->(e:Entity) MATCH (r:Entity {{n: e.{entity}}})
            RETURN r.id ORDER BY x.position, e.id }} AS entity_ids",
        micros("ingested_at")
    )
}
