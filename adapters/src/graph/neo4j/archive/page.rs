//! Reader of the rows of the archive.

use crate::graph::{
    neo4j::{
        Neo4jGraph,
        client::Statement,
        cypher::{archive as cypher, claims, vectors::name},
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
        let statement = match kind {
            graph::COLLECTIONS => cypher::COUNT_COLLECTIONS,
            graph::DOCUMENTS => cypher::COUNT_DOCUMENTS,
            graph::ENTITIES => cypher::COUNT_ENTITIES,
            graph::CLAIMS => cypher::COUNT_CLAIMS,
            graph::FACTS => cypher::COUNT_FACTS,
            graph::RELATIONSHIPS => cypher::COUNT_RELATIONSHIPS,
            graph::MERGES => cypher::COUNT_MERGES,
            graph::REVIEWS => cypher::COUNT_REVIEWS,
            other => return Err(unknown(other)),
        };
        number(self, Statement::new(statement)).await
    }

    async fn rows<T: ArchiveRow>(&mut self, kind: RecordKind, after: Option<&str>, limit: u32) -> StoreResult<Vec<T>> {
        let by_row = |text: &str| -> StoreResult<Statement> { Ok(Statement::new(text).with("after", row_number(after)?)) };
        let by_id = |text: &str| Statement::new(text).with("after", after.unwrap_or_default());
        let statement = match kind {
            graph::COLLECTIONS => by_row(cypher::COLLECTIONS)?,
            graph::DOCUMENTS => by_id(cypher::DOCUMENTS),
            graph::ENTITIES => by_row(cypher::ENTITIES)?,
            graph::CLAIMS => by_row(&claims::page())?,
            graph::FACTS => by_row(cypher::FACTS)?,
            graph::RELATIONSHIPS => by_row(cypher::RELATIONSHIPS)?,
            graph::MERGES => by_id(cypher::MERGES),
            graph::REVIEWS => by_id(cypher::REVIEWS),
            other => return Err(unknown(other)),
        };
        self.client.read(statement.with("limit", limit)).await
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
