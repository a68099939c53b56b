//! Finding texts by likeness of vectors: exactly where they are few, through the vector index where they are many.
//!
//! A vector index of Neo4j knows no collections: it is asked for more and more until enough of what it gives may be seen, and what
//! it gives is compared exactly. So nothing that others hold takes the place of what the scope sees.

use crate::graph::{
    GraphConfig,
    neo4j::{
        Neo4jGraph,
        client::Statement,
        cypher::{find::Nearest, vectors::texts},
        read::Number,
        vectors::{self, Slot},
    },
};
use engine::{StoreError, StoreResult, embeddings::VectorKind};
use serde::Deserialize;
use serde_json::json;

/// How many times more the index is asked for when it gave too little.
const GROWTH: i64 = 4;

/// Where vectors are looked for, and what they are compared with.
pub(super) struct VectorQuery<'a> {
    slot: Slot,
    kind: VectorKind,
    numbers: &'a [f32],
    statements: Nearest,
}

#[derive(Deserialize)]
struct Row {
    n: i64,
    likeness: f64,
}

/// What a query's vector is compared with; none when no text has a vector of that model yet.
pub(super) async fn vector_query<'a>(
    graph: &Neo4jGraph,
    kind: VectorKind,
    vector: Option<&'a (String, Vec<f32>)>,
    statements: Nearest,
) -> StoreResult<Option<VectorQuery<'a>>> {
    let Some((model, numbers)) = vector else { return Ok(None) };
    let Some(slot) = vectors::slot(graph, model, kind).await? else { return Ok(None) };
    if slot.dimensions != numbers.len() as i64 {
        return Err(StoreError::Invalid(format!(
            "the query's vector has {} dimensions, those of '{model}' have {}",
            numbers.len(),
            slot.dimensions
        )));
    }
    Ok(Some(VectorQuery { slot, kind, numbers, statements }))
}

impl VectorQuery<'_> {
    /// The nearest rows, and whatever is as near as the last of them. `among` gives the rows that count, up to its `$most`;
    /// `filtered` adds to a statement the parameters by which the index's rows are filtered.
    pub async fn best(
        &self,
        graph: &Neo4jGraph,
        among: Statement,
        filtered: impl Fn(Statement) -> Statement,
        limit: u32,
    ) -> StoreResult<Vec<(i64, f64)>> {
        let GraphConfig { exact_vectors, compared_per_candidate, neo4j, .. } = &*graph.config;
        let rows = super::rows(graph, among.with("most", i64::from(*exact_vectors) + 1)).await?;
        if rows.len() <= *exact_vectors as usize {
            return Ok(keep_best(self.similarities(graph, &rows).await?, limit));
        }
        let all: Vec<Number> = graph.client.read(Statement::new(texts(self.kind).count)).await?;
        let all: i64 = all.iter().map(|row| row.number).sum();
        let mut nearest = (i64::from(limit.max(1)) * i64::from(*compared_per_candidate)).max(i64::from(neo4j.nearest));
        loop {
            let statement = filtered(self.with_vector(Statement::new(self.statements.by_index.as_str())));
            let found: Vec<Row> = graph.client.read(statement.with("nearest", nearest.min(all))).await?;
            if found.len() >= limit as usize || nearest >= all {
                return Ok(keep_best(similarities_from(found), limit));
            }
            nearest *= GROWTH;
        }
    }

    /// The likeness of rows that were found otherwise.
    pub async fn similarities(&self, graph: &Neo4jGraph, rows: &[i64]) -> StoreResult<Vec<(i64, f64)>> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let statement = self.with_vector(Statement::new(self.statements.similarities)).with("rows", json!(rows));
        Ok(similarities_from(graph.client.read(statement).await?))
    }

    fn with_vector(&self, statement: Statement) -> Statement {
        statement.with("vector", self.slot.name()).with_numbers("numbers", self.numbers)
    }
}

/// Neo4j gives (1 + cosine) / 2.
fn similarities_from(rows: Vec<Row>) -> Vec<(i64, f64)> {
    rows.into_iter().map(|row| (row.n, 2.0 * row.likeness - 1.0)).collect()
}

/// The best, and whatever is as good as the last of them.
fn keep_best(mut found: Vec<(i64, f64)>, limit: u32) -> Vec<(i64, f64)> {
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    if let Some((_, least)) = found.get((limit.max(1) - 1) as usize).copied() {
        found.retain(|(_, likeness)| *likeness >= least);
    }
    found
}
