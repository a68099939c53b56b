//! Candidate entities of a write, looked up in the SQLite tables.

use crate::{
    graph::{
        sqlite::json,
        write_plan::candidates::{CandidateSource, EntityFactRow, ExternalId},
    },
    sql::fault::Fault,
};
use async_trait::async_trait;
use engine::StoreResult;
use serde_json::json;
use sqlx::SqliteConnection;

pub(super) struct SqliteCandidates<'a>(pub &'a mut SqliteConnection);

#[async_trait]
impl CandidateSource for SqliteCandidates<'_> {
    async fn rows_by_key(&mut self, keys: &[&str], within: &[i64], most: u32) -> StoreResult<Vec<(String, Vec<i64>)>> {
        let sql = "select w.value, (select json_group_array(e.root)
                from (select distinct k.entity from json_each($3) s
                    cross join name_keys k on k.key = w.value and k.collection = s.value limit $2) d
                join entities e on e.n = d.entity)
            from json_each($1) w";
        let rows: Vec<(String, String)> = sqlx::query_as(sql)
            .bind(json!(keys).to_string())
            .bind(i64::from(most) + 1)
            .bind(json!(within).to_string())
            .fetch_all(&mut *self.0)
            .await
            .map_err(Fault::from)?;
        Ok(rows.into_iter().map(|(key, roots)| (key, serde_json::from_str(&roots).unwrap_or_default())).collect())
    }

    async fn by_external_id(&mut self, ids: &[ExternalId], within: &[i64]) -> StoreResult<Vec<(ExternalId, i64)>> {
        let sql = "select distinct f.key, f.value, e.root from json_each($1) w
            cross join entity_facts f on f.facet = 'external' and f.key = w.value ->> 0 and f.value = w.value ->> 1
                and +f.collection in (select value from json_each($2))
            cross join entities e on e.n = f.entity";
        let rows: Vec<(String, String, i64)> = sqlx::query_as(sql)
            .bind(json!(ids).to_string())
            .bind(json!(within).to_string())
            .fetch_all(&mut *self.0)
            .await
            .map_err(Fault::from)?;
        Ok(rows.into_iter().map(|(system, id, root)| ((system, id), root)).collect())
    }

    async fn entity_facts(&mut self, rows: &[i64], within: &[i64]) -> StoreResult<Vec<EntityFactRow>> {
        let sql = "select r.n, e.n as part, r.id, f.facet, f.key, f.value, f.collection, f.claims from json_each($1) w
            cross join entities r on r.n = w.value cross join entities e on e.root = r.n
            cross join entity_facts f on f.entity = e.n and f.facet in ('name', 'kind', 'external')
                and +f.collection in (select value from json_each($2))";
        let entity_facts = sqlx::query_as(sql)
            .bind(json::list(rows.iter().copied()))
            .bind(json!(within).to_string())
            .fetch_all(&mut *self.0)
            .await;
        Ok(entity_facts.map_err(Fault::from)?)
    }
}
