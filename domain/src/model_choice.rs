//! Models that an administrator chose in the app, by role.

use crate::Word;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Role of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelRole {
    Analyst,
    Processor,
    Judge,
    Reflector,
    Dissenter,
    /// Role that a feature adds, by its name.
    #[serde(untagged)]
    Feature(Word),
}

impl ModelRole {
    /// Roles of the kernel.
    pub const ALL: [Self; 5] = [Self::Analyst, Self::Processor, Self::Judge, Self::Reflector, Self::Dissenter];

    /// Declares a role of a feature.
    pub const fn feature(name: &'static str) -> Self {
        Self::Feature(Word::new(name))
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Analyst => "analyst",
            Self::Processor => "processor",
            Self::Judge => "judge",
            Self::Reflector => "reflector",
            Self::Dissenter => "dissenter",
            Self::Feature(name) => name.as_str(),
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).or_else(|| Word::parse(text).map(Self::Feature))
    }
}

/// Chosen models by role, as `extractive` or `PROVIDER:MODEL`; none: as configured.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelChoices {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analyst: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reflector: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dissenter: Option<String>,
    /// Models of the roles that features add.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub features: BTreeMap<Word, String>,
}

impl ModelChoices {
    /// Returns every chosen model with its role.
    pub fn all(&self) -> impl Iterator<Item = (ModelRole, &str)> {
        let features = self.features.keys().map(|name| ModelRole::Feature(*name));
        ModelRole::ALL.into_iter().chain(features).filter_map(move |role| Some((role, self.get(role)?)))
    }

    /// Returns the chosen model of a role.
    pub fn get(&self, role: ModelRole) -> Option<&str> {
        match role {
            ModelRole::Analyst => self.analyst.as_deref(),
            ModelRole::Processor => self.processor.as_deref(),
            ModelRole::Judge => self.judge.as_deref(),
            ModelRole::Reflector => self.reflector.as_deref(),
            ModelRole::Dissenter => self.dissenter.as_deref(),
            ModelRole::Feature(name) => self.features.get(&name).map(String::as_str),
        }
    }

    pub fn set(&mut self, role: ModelRole, model: Option<String>) {
        match (role, model) {
            (ModelRole::Analyst, model) => self.analyst = model,
            (ModelRole::Processor, model) => self.processor = model,
            (ModelRole::Judge, model) => self.judge = model,
            (ModelRole::Reflector, model) => self.reflector = model,
            (ModelRole::Dissenter, model) => self.dissenter = model,
            (ModelRole::Feature(name), Some(model)) => drop(self.features.insert(name, model)),
            (ModelRole::Feature(name), None) => drop(self.features.remove(&name)),
        }
    }
}
