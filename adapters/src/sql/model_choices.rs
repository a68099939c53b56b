//! Models chosen in the app, by role, and their connection tests.

use super::{
    Store,
    accounts::log_audit,
    types::{Moment, word},
};
use async_trait::async_trait;
use domain::{
    Timestamp,
    model_choice::{ModelChoices, ModelRole},
};
use engine::{StoreResult, accounts::AuditEntry, models::ChosenModels};
use std::collections::BTreeMap;

#[async_trait]
impl ChosenModels for Store {
    async fn model_choices(&self) -> StoreResult<ModelChoices> {
        read!(self, conn => {
            let rows: Vec<(String, String)> =
                sqlx::query_as("select role, model from model_choices").fetch_all(&mut *conn).await?;
            let mut choices = ModelChoices::default();
            for (role, model) in rows {
                choices.set(word("role of a model", &role, ModelRole::parse)?, Some(model));
            }
            choices
        })
    }

    async fn choose_model(&self, role: ModelRole, model: Option<&str>, entry: &AuditEntry) -> StoreResult<()> {
        write!(self, conn => {
            match model {
                Some(model) => {
                    sqlx::query(
                        "insert into model_choices (role, model) values ($1, $2)
                         on conflict (role) do update set model = excluded.model",
                    )
                    .bind(role.as_str())
                    .bind(model)
                    .execute(&mut *conn)
                    .await?
                }
                None => {
                    sqlx::query("delete from model_choices where role = $1").bind(role.as_str()).execute(&mut *conn).await?
                }
            };
            log_audit!(conn, entry);
        })
    }

    async fn store_trial(&self, model: &str, at: Timestamp, is_usable: bool) -> StoreResult<()> {
        write!(self, conn => {
            sqlx::query(
                "insert into model_trials (model, tried_at, is_usable) values ($1, $2, $3)
                 on conflict (model) do update set tried_at = excluded.tried_at, is_usable = excluded.is_usable",
            )
            .bind(model)
            .bind(Moment(at))
            .bind(is_usable)
            .execute(&mut *conn)
            .await?;
        })
    }

    async fn trials(&self) -> StoreResult<BTreeMap<String, bool>> {
        read!(self, conn => {
            let rows: Vec<(String, bool)> =
                sqlx::query_as("select model, is_usable from model_trials").fetch_all(&mut *conn).await?;
            rows.into_iter().collect()
        })
    }
}
