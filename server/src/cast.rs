//! Models out of their names: who plays the roles as configured, and whom one question names for itself.

use crate::{
    config::{ModelChain, ModelsConfig, environment::ProviderKeys},
    wiring::OpenError,
};
use adapters::{
    llm::{ModelRef, Providers},
    replay::{self, Recording, Replay},
};
use async_trait::async_trait;
use engine::{config_files::ConfigFiles, models::Cast, reliability::Chain};
use extractive::Extractive;
use protocol::model::{Model, ModelError, ModelReply, ModelRequest};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Makes models; one value for one name, whatever roles it plays.
pub struct NamedModels {
    providers: Arc<Providers>,
    /// Word lists and limits of the built-in provider, and the recordings.
    files: Arc<ConfigFiles>,
    /// Of the budget; prices in another cannot be added up.
    currency: String,
    made: Mutex<HashMap<ModelRef, Arc<dyn Model>>>,
}

impl NamedModels {
    pub fn new(providers: Arc<Providers>, files: Arc<ConfigFiles>, currency: &str) -> Self {
        Self { providers, files, currency: currency.to_owned(), made: Mutex::default() }
    }

    /// Who plays the roles as configured.
    pub fn cast(&self, config: &ModelsConfig) -> Result<Cast, OpenError> {
        let (analyst, processor) = (self.chain("analyst", &config.analyst)?, self.chain("processor", &config.processor)?);
        let judge = match &config.judge {
            Some(judge) => self.chain("judge", judge)?.of_judges(),
            None => processor.of_judges(),
        };
        let reflector = match &config.reflector {
            Some(reflector) => self.chain("reflector", reflector)?.of_judges(),
            None => None,
        };
        Ok(Cast { analyst, processor, judge, reflector })
    }

    /// The model of that name, or one that says why there is none: then whoever waits for it learns what to mend.
    pub fn named(&self, name: &str) -> Chain {
        let model = match name.parse::<ModelRef>() {
            Ok(parsed) => self.model(&parsed).map_err(|problem| (parsed, problem.to_string())),
            Err(problem) => Err((ModelRef::Extractive, problem)),
        };
        model.unwrap_or_else(|(parsed, problem)| Arc::new(Missing::new(&parsed, &problem))).into()
    }

    fn chain(&self, role: &str, chain: &ModelChain) -> Result<Chain, OpenError> {
        let of_role = |problem| OpenError::Configuration(format!("models.{role}: {problem}"));
        let made = chain.iter().map(|name| self.model(name).map_err(of_role));
        let mut models = made.collect::<Result<Vec<_>, _>>()?.into_iter();
        let first = models.next().ok_or_else(|| OpenError::Configuration(format!("models.{role} names no model")))?;
        Ok(Chain::new(first, models.collect()))
    }

    fn model(&self, name: &ModelRef) -> Result<Arc<dyn Model>, String> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = made.get(name) {
            return Ok(model.clone());
        }
        let model: Arc<dyn Model> = match name {
            ModelRef::Extractive => {
                Arc::new(Extractive::new(|path| self.files.get(path)).map_err(|problem| problem.to_string())?)
            }
            ModelRef::Replay { recording } => Arc::new(Replay::new(recording_of(&self.files, recording)?)),
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
        made.insert(name.clone(), model.clone());
        Ok(model)
    }
}

/// The recording of that name (`varrow-lock/who`), which belongs to a sample.
pub fn recording_of(files: &ConfigFiles, name: &str) -> Result<Recording, String> {
    let path = name.split_once('/').map(|(sample, file)| format!("samples/{sample}/recordings/{file}.json"));
    let text = path.as_ref().and_then(|path| files.get(path));
    let text =
        text.ok_or_else(|| format!("there is no recording '{name}' under config/samples: name it like varrow-lock/who"))?;
    Recording::read(text).map_err(|problem| format!("the recording '{name}' cannot be read: {problem}"))
}

/// A role that names nobody who could play it. Before anything is written, as the rest of the configuration is checked.
pub fn check_roles(config: &ModelsConfig, currency: &str) -> Result<(), OpenError> {
    for (role, chain) in config.roles() {
        for name in chain.iter() {
            check(config, currency, name).map_err(|problem| OpenError::Configuration(format!("models.{role}: {problem}")))?;
        }
    }
    Ok(())
}

/// Whether the configuration knows how to call a model, and its price is in the currency of the budget.
pub fn check(config: &ModelsConfig, currency: &str, name: &ModelRef) -> Result<(), String> {
    // Which recordings there are is known when the folder of the configuration is read.
    if matches!(name, ModelRef::Extractive | ModelRef::Replay { .. }) {
        return Ok(());
    }
    let providers = Providers::new(config.llm(), Arc::new(ProviderKeys::new(config)));
    NamedModels::new(Arc::new(providers), Arc::new(ConfigFiles::embedded()), currency).model(name).map(drop)
}

/// A model that is not configured any more.
struct Missing {
    provider: String,
    model: String,
    problem: String,
}

impl Missing {
    fn new(name: &ModelRef, problem: &str) -> Self {
        let (provider, model) = match name {
            ModelRef::Extractive => (String::new(), String::new()),
            ModelRef::Replay { recording } => (replay::PROVIDER.to_owned(), recording.clone()),
            ModelRef::Remote { provider, model } => (provider.clone(), model.clone()),
        };
        Self { provider, model, problem: format!("the model that the question named cannot be used: {problem}") }
    }
}

#[async_trait]
impl Model for Missing {
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
    async fn a_model_that_is_not_configured_any_more_says_so_when_it_is_called() {
        let config = ModelsConfig::default();
        let providers = Arc::new(Providers::new(config.llm(), Arc::new(ProviderKeys::new(&config))));
        let models = NamedModels::new(providers, Arc::new(ConfigFiles::embedded()), "USD");
        let missing = models.named("gone:small").first().clone();
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
        assert!(matches!(&error, ModelError::Configuration(why) if why.contains("the question named") && why.contains("gone")));
        assert!(check(&config, "USD", &"gone:small".parse().unwrap()).is_err());
        let made = [models.named("extractive"), models.named("extractive")];
        assert!(Arc::ptr_eq(made[0].first(), made[1].first()), "one value for one name");
    }
}
