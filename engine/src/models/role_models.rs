//! Models of each role in an investigation: configured, or named by its question.

use crate::{agents::specs, reliability::Chain};
use domain::{agent::AgentRole, model_choice::ModelRole};
use protocol::model::Model;
use std::{collections::BTreeMap, sync::Arc};

/// Look-up of a model by name, such as `ollama:qwen3:8b`. Unavailable models fail with the reason when called.
pub type NamedModels = dyn Fn(&str) -> Chain + Send + Sync;

/// Models of every role. A cheap clone.
#[derive(Clone)]
pub struct RoleModels {
    pub analyst: Chain,
    pub processor: Chain,
    /// Judge of probable names; without one they go to the review list.
    pub judge: Option<Chain>,
    /// Scorer of tool results; without one, rules score them.
    pub reflector: Option<Chain>,
    /// Author of dissents; without one there are none.
    pub dissenter: Option<Chain>,
    /// Models of the roles that features add.
    pub features: BTreeMap<AgentRole, FeatureModels>,
}

/// Models of a role that a feature adds.
#[derive(Clone)]
pub struct FeatureModels {
    pub role: ModelRole,
    /// Role of the kernel whose models play it where it has none of its own.
    pub fallback: ModelRole,
    pub own: Option<Chain>,
}

impl RoleModels {
    /// Uses one model for every role it supports. Results are scored by rules, because a small model named by a user would see
    /// withheld text.
    pub fn single(chain: Chain) -> Self {
        Self {
            judge: chain.judges(),
            reflector: None,
            dissenter: chain.dissenters(),
            analyst: chain.clone(),
            processor: chain,
            features: BTreeMap::new(),
        }
    }

    /// Returns the models of a model role, preferred first; none where it is optional and has no models.
    pub fn chain(&self, role: ModelRole) -> Option<&Chain> {
        match role {
            ModelRole::Analyst => Some(&self.analyst),
            ModelRole::Processor => Some(&self.processor),
            ModelRole::Judge => self.judge.as_ref(),
            ModelRole::Reflector => self.reflector.as_ref(),
            ModelRole::Dissenter => self.dissenter.as_ref(),
            ModelRole::Feature(_) => self.features.values().find(|models| models.role == role)?.own.as_ref(),
        }
    }

    /// Returns the models of an agent's role, preferred first.
    pub fn models(&self, role: AgentRole) -> &Chain {
        let added = || self.features.get(&role).map(|models| (models.role, models.fallback));
        let roles = specs::for_role(role).map(|spec| (spec.model, spec.fallback)).or_else(added);
        let chain = roles.and_then(|(model, fallback)| self.chain(model).or_else(|| self.chain(fallback)));
        chain.unwrap_or(&self.analyst)
    }

    /// Returns every model an investigation may call; those of features belong to none.
    pub fn all(&self) -> impl Iterator<Item = &Arc<dyn Model>> {
        let optional = [&self.judge, &self.reflector, &self.dissenter].map(Option::as_ref);
        let kernel = [Some(&self.analyst), Some(&self.processor)].into_iter().chain(optional);
        kernel.flatten().flat_map(Chain::iter)
    }

    /// Returns the preferred model of a role.
    pub fn model(&self, role: AgentRole) -> &Arc<dyn Model> {
        self.models(role).first()
    }

    /// Returns whether a language model is preferred in a role, rather than the built-in rules.
    pub fn has_language_model(&self, role: AgentRole) -> bool {
        self.model(role).product().is_assessment()
    }
}
