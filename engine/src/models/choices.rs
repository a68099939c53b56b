//! Models chosen in the app. An investigation takes them along when it starts, so that every process uses the same.

use super::{FeatureModels, RoleModels};
use crate::{StoreResult, accounts::AuditEntry};
use async_trait::async_trait;
use domain::{
    Timestamp,
    model_choice::{ModelChoices, ModelRole},
};
use std::{collections::BTreeMap, sync::Arc};

/// Port of chosen models.
#[async_trait]
pub trait ChosenModels: Send + Sync {
    /// Returns the choices for the next investigation.
    async fn model_choices(&self) -> StoreResult<ModelChoices>;
    /// Stores the model of a role; none: as configured. The audit entry is written in the same transaction.
    async fn choose_model(&self, role: ModelRole, model: Option<&str>, entry: &AuditEntry) -> StoreResult<()>;
    /// Stores the result of a connection test, in place of the last one.
    async fn store_trial(&self, model: &str, at: Timestamp, is_usable: bool) -> StoreResult<()>;
    /// Returns whether the last connection test of each model was passed.
    async fn trials(&self) -> StoreResult<BTreeMap<String, bool>>;
}

impl RoleModels {
    /// Replaces the configured models of the chosen roles. A judge that follows the configured Processor follows the chosen one, and a
    /// dissenter the Analyst.
    pub fn with_choices(self, choices: &ModelChoices, named: &super::NamedModels) -> Self {
        let chosen = |role| choices.get(role).map(named);
        let processor = chosen(ModelRole::Processor);
        let follows = self.judge.as_ref().is_none_or(|judge| {
            let judge = judge.first();
            self.processor.iter().any(|model| Arc::ptr_eq(model, judge))
        });
        let following = processor.as_ref().filter(|_| follows).map(|chain| chain.judges());
        let judge = match chosen(ModelRole::Judge) {
            Some(judge) => judge.judges(),
            None => following.unwrap_or(self.judge),
        };
        let analyst = chosen(ModelRole::Analyst);
        let follows = self.dissenter.as_ref().is_none_or(|dissenter| {
            let dissenter = dissenter.first();
            self.analyst.iter().any(|model| Arc::ptr_eq(model, dissenter))
        });
        let following = analyst.as_ref().filter(|_| follows).map(|chain| chain.dissenters());
        let dissenter = match chosen(ModelRole::Dissenter) {
            Some(dissenter) => dissenter.dissenters(),
            None => following.unwrap_or(self.dissenter),
        };
        let reflector = chosen(ModelRole::Reflector).map_or(self.reflector, |reflector| reflector.judges());
        let features = self.features.into_iter().map(|(role, models)| {
            let own = chosen(models.role).or(models.own);
            (role, FeatureModels { own, ..models })
        });
        Self {
            features: features.collect(),
            analyst: analyst.unwrap_or(self.analyst),
            processor: processor.unwrap_or(self.processor),
            judge,
            reflector,
            dissenter,
        }
    }
}
