//! Reader of the rows of the archive.

use crate::graph::{
    neo4j::{
        Neo4jGraph,
        client::Statement,
        cypher::{archive as cypher, vectors::name},
        read::Number,
    },
    records::{ArchiveRow, RecordReader, VectorModel, VectorRow, row_number, unknown},
};
use async_trait::async_trait;
use engine::{
    StoreResult,
    archive::{RecordKind, graph},
};
use serde::Deserialize;
use uuid::Uuid;

async fn number(graph: &Neo4jGraph, statement: Statement) -> StoreResult<u64> {
    let rows: Vec<Number> = graph.client.read(statement).await?;
    Ok(rows.iter().map(|row| row.number.cast_unsigned()).sum())
}

#[async_trait]
impl RecordReader for Neo4jGraph {
    async fn count(&mut self, kind: RecordKind) -> StoreResult<u64> {
        let (count, _) = cypher::statements(kind).ok_or_else(|| unknown(kind))?;
        number(self, Statement::new(count)).await
    }

    async fn rows<T: ArchiveRow>(&mut self, kind: RecordKind, after: Option<&str>, limit: u32) -> StoreResult<Vec<T>> {
        let (_, page) = cypher::statements(kind).ok_or_else(|| unknown(kind))?;
        let statement = Statement::new(page).with("limit", limit);
        let statement = match kind {
            graph::DOCUMENTS | graph::MERGES | graph::REVIEWS => statement.with("after", after.unwrap_or_default()),
            _ => statement.with("after", row_number(after)?),
        };
        self.client.read(statement).await
    }

    async fn models(&mut self) -> StoreResult<Vec<VectorModel>> {
        self.client.read(Statement::new(cypher::VECTOR_MODELS)).await
    }

    async fn count_vectors(&mut self, model: &VectorModel) -> StoreResult<u64> {
        number(self, Statement::new(cypher::vectors(model.kind()?).count).with("vector", name(model.slot))).await
    }

    async fn vectors(&mut self, model: &VectorModel, after: i64, limit: u32) -> StoreResult<Vec<VectorRow>> {
        #[derive(Deserialize)]
        struct Row {
            n: i64,
            id: Uuid,
            collection: Option<Uuid>,
            numbers: Vec<f64>,
        }
        let statement = Statement::new(cypher::vectors(model.kind()?).page)
            .with("vector", name(model.slot))
            .with("after", after)
            .with("limit", limit);
        let rows: Vec<Row> = self.client.read(statement).await?;
        let row = |Row { n, id, collection, numbers }: Row| {
            // They came as 32-bit numbers.
            let numbers = numbers.into_iter().map(|number| number as f32).collect();
            VectorRow { n, id, collection, numbers }
        };
        Ok(rows.into_iter().map(row).collect())
    }
}
