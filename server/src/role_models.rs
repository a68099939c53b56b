//! Models by name: the models of each role, and the model that a single question names.

use crate::{
    config::{ModelChain, ModelsConfig, environment::ProviderKeys},
    features,
    wiring::OpenError,
};
use adapters::{
    llm::{ModelRef, Providers},
    replay::{self, Recording, Replay},
};
use async_trait::async_trait;
use engine::{
    config_files::ConfigFiles,
    models::{FeatureModels, RoleModels},
    reliability::Chain,
};
use extractive::Extractive;
use protocol::model::{Model, ModelError, ModelReply, ModelRequest};
use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
};

/// Model factory. Returns one shared instance per name, for all roles.
pub struct ModelFactory {
    providers: Arc<Providers>,
    /// Word lists and limits of the built-in provider, and recordings.
    files: Arc<ConfigFiles>,
    /// Budget currency. Prices in another currency are refused.
    currency: String,
    /// Whether recordings give their replies in order (`Replay::in_order`).
    replays_in_order: bool,
    models: Mutex<HashMap<ModelRef, Arc<dyn Model>>>,
}

impl ModelFactory {
    pub fn new(providers: Arc<Providers>, files: Arc<ConfigFiles>, currency: &str) -> Self {
        Self { providers, files, currency: currency.to_owned(), replays_in_order: false, models: Mutex::default() }
    }

    pub fn with_replays_in_order(self, replays_in_order: bool) -> Self {
        Self { replays_in_order, ..self }
    }

    /// Returns the configured models of every role.
    pub fn role_models(&self, config: &ModelsConfig) -> Result<RoleModels, OpenError> {
        let (analyst, processor) = (self.chain("analyst", &config.analyst)?, self.chain("processor", &config.processor)?);
        let judge = match &config.judge {
            Some(judge) => self.chain("judge", judge)?.judges(),
            None => processor.judges(),
        };
        let reflector = match &config.reflector {
            Some(reflector) => self.chain("reflector", reflector)?.judges(),
            None => None,
        };
        let dissenter = match &config.dissenter {
            Some(dissenter) => self.chain("dissenter", dissenter)?.dissenters(),
            None => analyst.dissenters(),
        };
        let mut added = BTreeMap::new();
        for spec in features::roles() {
            let name = spec.model.as_str();
            let own = config.features.get(name).map(|chain| self.chain(name, chain)).transpose()?;
            added.insert(spec.role, FeatureModels { role: spec.model, fallback: spec.fallback, own });
        }
        Ok(RoleModels { analyst, processor, judge, reflector, dissenter, features: added })
    }

    /// Returns the model of that name, or one whose calls fail with the configuration problem.
    pub fn model_named(&self, name: &str) -> Chain {
        let model = match name.parse::<ModelRef>() {
            Ok(parsed) => self.model(&parsed).map_err(|problem| (parsed, problem.to_string())),
            Err(problem) => Err((ModelRef::Extractive, problem)),
        };
        model.unwrap_or_else(|(parsed, problem)| Arc::new(UnconfiguredModel::new(&parsed, &problem))).into()
    }

    fn chain(&self, role: &str, chain: &ModelChain) -> Result<Chain, OpenError> {
        let of_role = |problem| OpenError::Configuration(format!("models.{role}: {problem}"));
        let models = chain.iter().map(|name| self.model(name).map_err(of_role));
        let mut models = models.collect::<Result<Vec<_>, _>>()?.into_iter();
        let first = models.next().ok_or_else(|| OpenError::Configuration(format!("models.{role} names no model")))?;
        Ok(Chain::new(first, models.collect()))
    }

    fn model(&self, name: &ModelRef) -> Result<Arc<dyn Model>, String> {
        let mut models = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = models.get(name) {
            return Ok(model.clone());
        }
        let model: Arc<dyn Model> = match name {
            ModelRef::Extractive => {
                Arc::new(Extractive::new(|path| self.files.get(path)).map_err(|problem| problem.to_string())?)
            }
            ModelRef::Replay { recording } => {
                let recording = load_recording(&self.files, recording)?;
                let replay = if self.replays_in_order { Replay::in_order } else { Replay::new };
                Arc::new(replay(recording))
            }
            ModelRef::Remote { provider, model } => {
                self.providers.model(provider, model).map_err(|problem| problem.to_string())?
            }
        };
        let price = model.price();
        if !price.is_free() && *price.currency != *self.currency {
            let (name, currency) = (model.model(), &self.currency);
            return Err(format!(
                "the price of {name} is in {}, budget.currency is {currency}: give both in one",
                price.currency
            ));
        }
        models.insert(name.clone(), model.clone());
        Ok(model)
    }
}

/// Loads the recording of that name (`varrow-lock/who`), which belongs to a sample.
pub fn load_recording(files: &ConfigFiles, name: &str) -> Result<Recording, String> {
    let path = name.split_once('/').map(|(sample, file)| format!("samples/{sample}/recordings/{file}.json"));
    let text = path.as_ref().and_then(|path| files.get(path));
    let text =
        text.ok_or_else(|| format!("recording '{name}' not found under config/samples: use a name like varrow-lock/who"))?;
    Recording::read(text).map_err(|problem| format!("the recording '{name}' cannot be read: {problem}"))
}

/// Checks that every role names models that exist. Runs before anything is written.
pub fn check_role_models(config: &ModelsConfig, currency: &str) -> Result<(), OpenError> {
    for (role, chain) in config.roles() {
        for name in chain.iter() {
            check(config, currency, name).map_err(|problem| OpenError::Configuration(format!("models.{role}: {problem}")))?;
        }
    }
    Ok(())
}

/// Checks that a model is configured and that its price is in the budget currency.
pub fn check(config: &ModelsConfig, currency: &str, name: &ModelRef) -> Result<(), String> {
    // Recordings are only known once the configuration folder is read.
    if matches!(name, ModelRef::Extractive | ModelRef::Replay { .. }) {
        return Ok(());
    }
    let providers = Providers::new(config.llm(), Arc::new(ProviderKeys::new(config)));
    ModelFactory::new(Arc::new(providers), Arc::default(), currency).model(name).map(drop)
}

/// Stand-in for a model that is no longer configured. Every call fails with the reason.
struct UnconfiguredModel {
    provider: String,
    model: String,
    problem: String,
}

impl UnconfiguredModel {
    fn new(name: &ModelRef, problem: &str) -> Self {
        let (provider, model) = match name {
            ModelRef::Extractive => (String::new(), String::new()),
            ModelRef::Replay { recording } => (replay::PROVIDER.to_owned(), recording.clone()),
            ModelRef::Remote { provider, model } => (provider.clone(), model.clone()),
        };
        Self { provider, model, problem: format!("the model named by the question cannot be used: {problem}") }
    }
}

#[async_trait]
impl Model for UnconfiguredModel {
    fn provider(&self) -> &str {
        &self.provider
    }

    fn model(&self) -> &str {
        &self.model
    }

    async fn call(&self, _: &ModelRequest) -> Result<ModelReply, ModelError> {
        Err(ModelError::Configuration(self.problem.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_missing_model_fails_with_the_reason() {
        let config = ModelsConfig::default();
        let providers = Arc::new(Providers::new(config.llm(), Arc::new(ProviderKeys::new(&config))));
        let models = ModelFactory::new(providers, Arc::new(crate::built_in::config_files(None).unwrap()), "USD");
        let missing = models.model_named("gone:small").first().clone();
        assert_eq!((missing.provider(), missing.model()), ("gone", "small"));
        let request = ModelRequest {
            role: domain::agent::AgentRole::Analyst,
            system: "".into(),
            messages: vec![],
            tools: Arc::new([]),
            max_output_tokens: 1,
            output_schema: None,
            progress: None,
        };
        let error = missing.call(&request).await.unwrap_err();
        assert!(
            matches!(&error, ModelError::Configuration(why) if why.contains("named by the question") && why.contains("gone"))
        );
        assert!(check(&config, "USD", &"gone:small".parse().unwrap()).is_err());
        let models = [models.model_named("extractive"), models.model_named("extractive")];
        assert!(Arc::ptr_eq(models[0].first(), models[1].first()), "one value for one name");
    }
}
