//! The settings page's view of the configuration: roles, providers, and how a model is tried out.

use crate::config::ModelsConfig;
use adapters::llm::{ApiKind, ModelRef, ProviderConfig, Providers, probe::ProbeInput};
use async_trait::async_trait;
use domain::{
    UserId,
    agent::AgentRole,
    assessment::AssessmentKind,
    settings::{ProviderCard, RoleModels},
};
use engine::{
    Engine,
    agents::{Agents, desk::ToolOffer},
    reliability::OnTrial,
    settings::{KeyRing, ModelSetup, Probed, Prober, Settings},
};
use std::{collections::BTreeSet, sync::Arc, time::Duration};

/// Shown although no role names them, so that a key can be stored first.
const ALWAYS_SHOWN: [&str; 2] = ["anthropic", "openai"];

pub(crate) fn wire(
    config: &ModelsConfig,
    engine: &Engine,
    agents: &Agents,
    providers: &Arc<Providers>,
    keys: Arc<KeyRing>,
) -> Settings {
    let prober = Trials::new(config, engine, agents, providers);
    Settings::new(engine.clone(), setup(config, providers), keys, Arc::new(prober))
}

fn setup(config: &ModelsConfig, providers: &Providers) -> ModelSetup {
    let roles = config
        .roles()
        .into_iter()
        .map(|(role, chain)| RoleModels { role: role.to_owned(), models: chain.iter().map(ToString::to_string).collect() });
    let named = config.roles().into_iter().flat_map(|(_, chain)| chain.iter()).filter_map(|model| match model {
        ModelRef::Extractive | ModelRef::Replay { .. } => None,
        ModelRef::Remote { provider, .. } => Some(provider.as_str()),
    });
    let names: BTreeSet<&str> = named.chain(config.providers.keys().map(String::as_str)).chain(ALWAYS_SHOWN).collect();
    let cards = names.into_iter().filter_map(|name| Some(card(name, &providers.provider(name).ok()?)));
    ModelSetup { roles: roles.collect(), providers: cards.collect() }
}

fn card(name: &str, provider: &ProviderConfig) -> ProviderCard {
    let kind = match provider.kind {
        ApiKind::Anthropic => "Anthropic Messages",
        ApiKind::Openai => "chat completions",
    };
    ProviderCard {
        name: name.to_owned(),
        kind: kind.to_owned(),
        address: provider.shown_address(),
        key_variable: provider.key_variable().map(str::to_owned),
    }
}

fn usable(line: &str) -> Probed {
    Probed { is_usable: true, line: line.to_owned() }
}

/// Tries models out, for the page and for `doctor --probe`.
pub(crate) struct Trials {
    engine: Engine,
    providers: Arc<Providers>,
    /// The shapes and tools of sessions.
    trial: Trial,
    patience: Duration,
}

impl Trials {
    pub fn new(config: &ModelsConfig, engine: &Engine, agents: &Agents, providers: &Arc<Providers>) -> Self {
        let trial = ProbeInput {
            plan: agents.shapes.plan.clone(),
            extract: agents.shapes.extract.clone(),
            tools: agents.gateway.registry().schemas(AgentRole::Analyst, ToolOffer::All, AssessmentKind::Assessment),
        };
        let patience = Duration::from_millis(config.probe_timeout_ms);
        Self { engine: engine.clone(), providers: providers.clone(), trial, patience }
    }

    /// What the model can do, found out at the expense of `by`.
    pub async fn try_out(&self, by: UserId, name: &ModelRef) -> Probed {
        let (provider, model) = match name {
            ModelRef::Remote { provider, model } => (provider, model),
            ModelRef::Extractive => return usable("built in, nothing to try: quotes and counts, does not reason"),
            ModelRef::Replay { .. } => {
                return usable("a recording, nothing to try: it answers the questions that were recorded");
            }
        };
        let not_usable = |line: String| Probed { is_usable: false, line };
        let tried = match self.providers.model(provider, model) {
            Ok(made) => OnTrial::new(&self.engine, by, made),
            Err(problem) => return not_usable(problem.to_string()),
        };
        let probed = self.providers.probe(provider, model, &tried, &self.trial, self.patience).await;
        match (tried.capped(), probed) {
            (Some(cap), _) => not_usable(format!("not tried out: {cap}")),
            (None, Ok(report)) => Probed { is_usable: report.is_usable(), line: report.line() },
            (None, Err(problem)) => not_usable(problem.to_string()),
        }
    }
}

#[async_trait]
impl Prober for Trials {
    async fn probe(&self, by: UserId, model: &str) -> Probed {
        match model.parse() {
            Ok(name) => self.try_out(by, &name).await,
            Err(problem) => Probed { is_usable: false, line: problem },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_role_names_and_what_is_configured_is_shown_once() {
        let mut config = ModelsConfig::default();
        config.providers.insert("house".to_owned(), ProviderConfig::new(ApiKind::Openai));
        let providers = Providers::new(config.llm(), Arc::new(crate::config::environment::ProviderKeys::new(&config)));
        let setup = setup(&config, &providers);
        let names: Vec<_> = setup.providers.iter().map(|card| card.name.as_str()).collect();
        assert_eq!(names, ["anthropic", "house", "openai"]);
        assert_eq!(setup.roles[0], RoleModels { role: "analyst".into(), models: vec!["extractive".into()] });
    }
}
