//! `[models]`: models of the roles, and settings of providers.

use crate::features;
use adapters::llm::{LlmConfig, ModelRef, PriceConfig, ProviderConfig};
use serde::{
    Deserialize, Deserializer,
    de::{self, SeqAccess, Visitor},
};
use std::{collections::BTreeMap, fmt};

domain::settings! {
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct ModelsConfig {
        pub analyst: ModelChain = ModelChain::default(),
        pub processor: ModelChain = ModelChain::default(),
        /// Model that decides which names denote the same entity; `None` uses the Processor's.
        pub judge: Option<ModelChain> = None,
        /// Small model that scores results of external tools; `None` uses fixed rules.
        pub reflector: Option<ModelChain> = None,
        /// Model that argues against the answer of an assessment; `None` uses the Analyst's.
        pub dissenter: Option<ModelChain> = None,
        /// Models of roles that features add, by role; other roles use those of the kernel that they name.
        pub features: BTreeMap<String, ModelChain> = BTreeMap::new(),
        /// Whether recordings give their replies in recorded order, for any request.
        pub replays_in_order: bool = false,
        /// Timeout of `doctor --probe` for one model.
        pub probe_timeout_ms: u64 = 120_000,
        /// Additional providers by name.
        pub providers: BTreeMap<String, ProviderConfig> = BTreeMap::new(),
        /// By `MODEL` or `PROVIDER:MODEL`.
        pub prices: BTreeMap<String, PriceConfig> = BTreeMap::new(),
        /// By `MODEL` or `PROVIDER:MODEL`.
        pub context_tokens: BTreeMap<String, u32> = BTreeMap::new(),
    }
}

impl ModelsConfig {
    /// Returns every configured role with its models.
    pub fn roles(&self) -> Vec<(&str, &ModelChain)> {
        let judge = self.judge.iter().map(|judge| ("judge", judge));
        let reflector = self.reflector.iter().map(|reflector| ("reflector", reflector));
        let dissenter = self.dissenter.iter().map(|dissenter| ("dissenter", dissenter));
        let kernel = [("analyst", &self.analyst), ("processor", &self.processor)].into_iter().chain(judge).chain(reflector);
        kernel.chain(dissenter).chain(self.features.iter().map(|(role, chain)| (role.as_str(), chain))).collect()
    }

    /// Returns the provider with the longest timeout, among those named by roles or available to questions.
    pub(super) fn longest_call(&self) -> Option<(String, u64)> {
        let named = self.roles().into_iter().flat_map(|(_, chain)| chain.iter()).filter_map(|name| match name {
            ModelRef::Remote { provider, .. } => Some(provider),
            ModelRef::Extractive | ModelRef::Replay { .. } => None,
        });
        let calls = named.chain(self.providers.keys()).filter_map(|name| {
            let config = self.providers.get(name).cloned().or_else(|| ProviderConfig::built_in(name))?;
            Some((name.clone(), config.timeout_ms))
        });
        calls.max_by_key(|(_, timeout_ms)| *timeout_ms)
    }

    /// Returns the settings of models over HTTP.
    pub fn llm(&self) -> LlmConfig {
        LlmConfig {
            providers: self.providers.clone(),
            prices: self.prices.clone(),
            context_tokens: self.context_tokens.clone(),
        }
    }

    pub(super) fn problem(&self) -> Option<String> {
        let has_role = |name: &str| features::roles().any(|spec| spec.model.as_str() == name);
        if let Some(unknown) = self.features.keys().find(|name| !has_role(name.as_str())) {
            return Some(format!("models.features.{unknown}: no feature has this role"));
        }
        let mut prices = self.prices.iter();
        prices.find_map(|(name, price)| Some(format!("models.prices.\"{name}\" {}", price.problem()?)))
    }
}

/// Models of a role: the preferred one first, then its fallbacks. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelChain(Vec<ModelRef>);

impl ModelChain {
    /// Chain of a single model.
    pub fn single(model: ModelRef) -> Self {
        Self(vec![model])
    }

    pub fn iter(&self) -> impl Iterator<Item = &ModelRef> {
        self.0.iter()
    }
}

impl Default for ModelChain {
    fn default() -> Self {
        Self(vec![ModelRef::Extractive])
    }
}

impl fmt::Display for ModelChain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, model) in self.0.iter().enumerate() {
            let between = if n == 0 { "" } else { ", then " };
            write!(out, "{between}{model}")?;
        }
        Ok(())
    }
}

/// Accepts one name or a list of names.
impl<'de> Deserialize<'de> for ModelChain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ModelChainVisitor)
    }
}

struct ModelChainVisitor;

impl<'de> Visitor<'de> for ModelChainVisitor {
    type Value = ModelChain;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("\"PROVIDER:MODEL\", or a list of such names")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<ModelChain, E> {
        Ok(ModelChain(vec![name.parse().map_err(E::custom)?]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut names: A) -> Result<ModelChain, A::Error> {
        let mut chain = vec![];
        while let Some(name) = names.next_element()? {
            chain.push(name);
        }
        if chain.is_empty() {
            return Err(de::Error::custom("the list is empty: name at least one model, such as \"extractive\""));
        }
        Ok(ModelChain(chain))
    }
}
