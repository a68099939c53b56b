//! Models chosen in the app, by role.

use super::{Store, accounts::log_audit, types::word};
use async_trait::async_trait;
use domain::model_choice::{ModelChoices, ModelRole};
use engine::{StoreResult, accounts::AuditEntry, models::ChosenModels};

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
}
