//! Vector similarity search: exact for few texts, through the vector index for many.
//!
//! Neo4j's vector index knows no collections. It is asked for growing numbers until enough of its results are visible, and these are
//! compared exactly. So private data never displaces visible results.

use crate::graph::{
    GraphConfig,
    neo4j::{
        Neo4jGraph,
        client::Statement,
        cypher::{find::Nearest, vectors::text_statements},
        read::Number,
        vectors::{self, Slot},
    },
};
use engine::{StoreError, StoreResult, embeddings::VectorKind};
use serde::Deserialize;
use serde_json::json;

/// Growth factor of the number asked for when too few results are visible.
const GROWTH: i64 = 4;

/// A query vector with its slot and statements.
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

/// Prepares a vector query; `None` when no text has a vector of that model yet.
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
    /// Returns the most similar rows, including ties with the last. `among` selects the eligible rows, up to its `$most`; `filtered`
    /// binds the parameters that filter the rows of the index.
    pub async fn best(
        &self,
        graph: &Neo4jGraph,
        among: Statement,
        filtered: impl Fn(Statement) -> Statement,
        limit: u32,
    ) -> StoreResult<Vec<(i64, f64)>> {
        #[derive(Deserialize)]
        struct Eligible {
            rows: Vec<i64>,
        }
        let GraphConfig { exact_vectors, compared_per_candidate, neo4j, .. } = &*graph.config;
        let eligible: Vec<Eligible> = graph.client.read(among.with("most", i64::from(*exact_vectors) + 1)).await?;
        let rows: Vec<i64> = eligible.into_iter().flat_map(|eligible| eligible.rows).collect();
        if rows.len() <= *exact_vectors as usize {
            return Ok(keep_best(self.similarities(graph, &rows).await?, limit));
        }
        let mut compared = i64::from(limit.max(1)) * i64::from(*compared_per_candidate);
        let mut nearest = compared.max(i64::from(neo4j.nearest));
        let mut all = None;
        loop {
            let statement = filtered(self.with_vector(Statement::new(self.statements.by_index.as_str())));
            let statement = statement.with("nearest", nearest).with("compared", compared).with("limit", limit.max(1));
            let found: Vec<Row> = graph.client.read(statement).await?;
            if found.len() >= limit as usize {
                return Ok(keep_best(similarities_from(found), limit));
            }
            let count = match all {
                Some(all) => all,
                None => self.count(graph).await?,
            };
            if nearest >= count {
                return Ok(keep_best(similarities_from(found), limit));
            }
            all = Some(count);
            (nearest, compared) = ((nearest * GROWTH).min(count), compared * GROWTH);
        }
    }

    /// Returns the number of texts in the index.
    async fn count(&self, graph: &Neo4jGraph) -> StoreResult<i64> {
        let all: Vec<Number> = graph.client.read(Statement::new(text_statements(self.kind).count)).await?;
        Ok(all.iter().map(|row| row.number).sum())
    }

    /// Returns the similarity of the given rows.
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

/// Converts Neo4j's (1 + cosine) / 2 to the cosine.
fn similarities_from(rows: Vec<Row>) -> Vec<(i64, f64)> {
    rows.into_iter().map(|row| (row.n, 2.0 * row.likeness - 1.0)).collect()
}

/// Keeps the best rows, including ties with the last.
fn keep_best(mut found: Vec<(i64, f64)>, limit: u32) -> Vec<(i64, f64)> {
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    if let Some((_, least)) = found.get((limit.max(1) - 1) as usize).copied() {
        found.retain(|(_, likeness)| *likeness >= least);
    }
    found
}
