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
            let rows: Vec<(String, String)> = rows!(conn.fetch_all, "select role, model from model_choices");
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
                    execute!(conn, "insert into model_choices (role, model) values ($1, $2)
                         on conflict (role) do update set model = excluded.model"; role.as_str(), model)
                }
                None => {
                    execute!(conn, "delete from model_choices where role = $1"; role.as_str())
                }
            };
            log_audit!(conn, entry);
        })
    }

    async fn store_trial(&self, model: &str, at: Timestamp, is_usable: bool) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "insert into model_trials (model, tried_at, is_usable) values ($1, $2, $3)
                 on conflict (model) do update set tried_at = excluded.tried_at, is_usable = excluded.is_usable";
                model, Moment(at), is_usable);
        })
    }

    async fn trials(&self) -> StoreResult<BTreeMap<String, bool>> {
        read!(self, conn => {
            let rows: Vec<(String, bool)> = rows!(conn.fetch_all, "select model, is_usable from model_trials");
            rows.into_iter().collect()
        })
    }
}
