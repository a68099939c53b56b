//! Who plays the roles in one investigation: the configured models, or the one that its question names.

use crate::reliability::Chain;
use domain::agent::AgentRole;
use protocol::model::Model;
use std::sync::Arc;

/// Gives the model of a name such as `ollama:qwen3:8b`. One that cannot be had says why whenever it is called.
pub type NamedModels = dyn Fn(&str) -> Chain + Send + Sync;

/// The models of every role. A cheap clone.
#[derive(Clone)]
pub struct RoleModels {
    pub analyst: Chain,
    pub processor: Chain,
    /// Who tells whether two names are one thing; none: nobody, and what is probable waits on the review list.
    pub judge: Option<Chain>,
    /// Who judges what tool results are worth; none: fixed rules.
    pub reflector: Option<Chain>,
}

impl RoleModels {
    /// One model for every role, as far as it can play it. Results are judged by fixed rules: a small model that somebody else named would
    /// read what the question was kept from it.
    pub fn single(chain: Chain) -> Self {
        Self { judge: chain.judges(), reflector: None, analyst: chain.clone(), processor: chain }
    }

    /// The models that play a role, the preferred one first.
    pub fn models(&self, role: AgentRole) -> &Chain {
        match role {
            AgentRole::Analyst => &self.analyst,
            AgentRole::Processor => &self.processor,
        }
    }

    /// Every model that an investigation may call.
    pub fn all(&self) -> impl Iterator<Item = &Arc<dyn Model>> {
        [Some(&self.analyst), Some(&self.processor), self.judge.as_ref(), self.reflector.as_ref()]
            .into_iter()
            .flatten()
            .flat_map(Chain::iter)
    }

    /// The preferred model of a role.
    pub fn model(&self, role: AgentRole) -> &Arc<dyn Model> {
        self.models(role).first()
    }
}
