//! Candidate entities of a write, looked up in Neo4j.

use super::facts::{external_id, filed};
use crate::graph::{
    neo4j::{
        client::{Statement, Transaction},
        cypher,
    },
    write_plan::candidates::{CandidateSource, EntityFactRow, ExternalId},
};
use async_trait::async_trait;
use engine::StoreResult;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;

pub(super) struct Neo4jCandidates<'a>(pub &'a mut Transaction);

#[async_trait]
impl CandidateSource for Neo4jCandidates<'_> {
    async fn rows_by_key(&mut self, keys: &[&str], within: &[i64], most: u32) -> StoreResult<Vec<(String, Vec<i64>)>> {
        #[derive(Deserialize)]
        struct Row {
            key: String,
            roots: Vec<i64>,
        }
        let asked: HashMap<String, &str> = keys.iter().map(|key| (filed(key), *key)).collect();
        let statement = Statement::new(cypher::write::SHARERS)
            .with("keys", json!(asked.keys().collect::<Vec<_>>()))
            .with("within", json!(within))
            .with("most", i64::from(most) + 1);
        let rows: Vec<Row> = self.0.read(statement).await?;
        let mut found: HashMap<&str, Vec<i64>> =
            rows.into_iter().filter_map(|row| Some((*asked.get(&row.key)?, row.roots))).collect();
        // A key without an entity is cached too.
        Ok(keys.iter().map(|key| ((*key).to_owned(), found.remove(key).unwrap_or_default())).collect())
    }

    async fn by_external_id(&mut self, ids: &[ExternalId], within: &[i64]) -> StoreResult<Vec<(ExternalId, i64)>> {
        #[derive(Deserialize)]
        struct Row {
            system: String,
            id: String,
            root: i64,
        }
        let ids = ids.iter().map(|(system, id)| json!({"system": system, "id": id, "hash": external_id(system, id)}));
        let statement =
            Statement::new(cypher::write::BY_EXTERNAL_ID).with("ids", ids.collect::<Vec<_>>()).with("within", json!(within));
        let rows: Vec<Row> = self.0.read(statement).await?;
        Ok(rows.into_iter().map(|row| ((row.system, row.id), row.root)).collect())
    }

    async fn entity_facts(&mut self, rows: &[i64], within: &[i64]) -> StoreResult<Vec<EntityFactRow>> {
        let statement = Statement::new(cypher::write::DESCRIBED).with("roots", json!(rows)).with("within", json!(within));
        self.0.read(statement).await
    }
}
