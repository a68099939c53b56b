//! Model settings for the settings page: roles, providers, and probing of models.

use crate::{
    config::{Config, ModelChain, ModelsConfig},
    features, role_models,
};
use adapters::llm::{ApiKind, ModelRef, ProviderConfig, Providers, probe::ProbeInput};
use async_trait::async_trait;
use domain::{UserId, agent::AgentRole, assessment::AssessmentKind, investigation::WebAccess};
use engine::{
    Engine,
    agents::{Agents, ToolOffer},
    reliability::TrialModel,
    settings::{KeyRing, ModelSetup, ProbeResult, Prober, Settings},
};
use std::{collections::BTreeSet, sync::Arc, time::Duration};
use views::settings::{FeatureRole, ProviderCard, RoleModels};

/// Providers listed even if no role names them, so that a key can be stored first.
const ALWAYS_SHOWN: [&str; 5] = ["anthropic", "llamacpp", "ollama", "openai", "vllm"];

pub(crate) fn build(
    config: &Config,
    engine: &Engine,
    agents: &Agents,
    providers: &Arc<Providers>,
    keys: Arc<KeyRing>,
) -> Settings {
    let prober = ModelProber::new(&config.models, engine, agents, providers);
    Settings::new(engine.clone(), setup(&config.models, providers), keys, Arc::new(prober))
}

fn setup(config: &ModelsConfig, providers: &Providers) -> ModelSetup {
    let line = |role: &str, chain: Option<&ModelChain>| RoleModels {
        role: role.to_owned(),
        models: chain.into_iter().flat_map(ModelChain::iter).map(ToString::to_string).collect(),
    };
    let kernel = config.roles().into_iter().filter(|(role, _)| !config.features.contains_key(*role));
    let roles = kernel.map(|(role, chain)| line(role, Some(chain))).collect();
    let added = features::roles().map(|spec| FeatureRole {
        models: line(spec.model.as_str(), config.features.get(spec.model.as_str())),
        fallback: spec.fallback.as_str().to_owned(),
    });
    let named = config.roles().into_iter().flat_map(|(_, chain)| chain.iter()).filter_map(|model| match model {
        ModelRef::Extractive | ModelRef::Replay { .. } => None,
        ModelRef::Remote { provider, .. } => Some(provider.as_str()),
    });
    let names: BTreeSet<&str> = named.chain(config.providers.keys().map(String::as_str)).chain(ALWAYS_SHOWN).collect();
    let cards = names.into_iter().filter_map(|name| Some(card(name, &providers.provider(name).ok()?)));
    ModelSetup { roles, features: added.collect(), providers: cards.collect() }
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

fn usable(line: &str) -> ProbeResult {
    ProbeResult { is_usable: true, line: line.to_owned() }
}

/// Model prober for the settings page and `doctor --probe`.
pub(crate) struct ModelProber {
    engine: Engine,
    providers: Arc<Providers>,
    /// Output schemas and tools of real sessions.
    trial: ProbeInput,
    timeout: Duration,
    config: ModelsConfig,
}

impl ModelProber {
    pub fn new(config: &ModelsConfig, engine: &Engine, agents: &Agents, providers: &Arc<Providers>) -> Self {
        let trial = ProbeInput {
            plan: agents.shapes.plan.clone(),
            extract: agents.shapes.extract.clone(),
            tools: agents.gateway.registry().schemas(
                AgentRole::Analyst,
                ToolOffer::All,
                AssessmentKind::Assessment,
                WebAccess::On,
            ),
        };
        let timeout = Duration::from_millis(config.probe_timeout_ms);
        Self { engine: engine.clone(), providers: providers.clone(), trial, timeout, config: config.clone() }
    }

    /// Probes a model; `by` pays for the calls.
    pub async fn probe_model(&self, by: UserId, name: &ModelRef) -> ProbeResult {
        let (provider, model) = match name {
            ModelRef::Remote { provider, model } => (provider, model),
            ModelRef::Extractive => return usable("built in, no probe needed: quotes and counts, does not reason"),
            ModelRef::Replay { .. } => {
                return usable("a recording, no probe needed: replays recorded answers");
            }
        };
        let not_usable = |line: String| ProbeResult { is_usable: false, line };
        let tried = match self.providers.model(provider, model) {
            Ok(made) => TrialModel::new(&self.engine, by, made),
            Err(problem) => return not_usable(problem.to_string()),
        };
        let probed = self.providers.probe(provider, model, &tried, &self.trial, self.timeout).await;
        match (tried.capped(), probed) {
            (Some(cap), _) => not_usable(format!("not probed: {cap}")),
            (None, Ok(report)) => ProbeResult { is_usable: report.is_usable(), line: report.line() },
            (None, Err(problem)) => not_usable(problem.to_string()),
        }
    }
}

#[async_trait]
impl Prober for ModelProber {
    async fn probe(&self, by: UserId, model: &str) -> ProbeResult {
        match model.parse() {
            Ok(name) => self.probe_model(by, &name).await,
            Err(problem) => ProbeResult { is_usable: false, line: problem },
        }
    }

    fn problem(&self, model: &str) -> Option<String> {
        let checked = model.parse::<ModelRef>().and_then(|name| match name {
            ModelRef::Replay { .. } => Err("a recording answers one question only".to_owned()),
            name => role_models::check(&self.config, &self.engine.budget.currency, &name),
        });
        checked.err()
    }

    async fn models(&self, provider: &str) -> Result<Vec<String>, String> {
        self.providers.list_models(provider).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_provider_is_listed_once() {
        let mut config = ModelsConfig::default();
        config.providers.insert("house".to_owned(), ProviderConfig::new(ApiKind::Openai));
        let providers = Providers::new(config.llm(), Arc::new(crate::config::environment::ProviderKeys::new(&config)));
        let setup = setup(&config, &providers);
        let names: Vec<_> = setup.providers.iter().map(|card| card.name.as_str()).collect();
        assert_eq!(names, ["anthropic", "house", "llamacpp", "ollama", "openai", "vllm"]);
        assert_eq!(setup.roles[0], RoleModels { role: "analyst".into(), models: vec!["extractive".into()] });
    }
}
