//! Models that an administrator chose in the app, by role.

use serde::{Deserialize, Serialize};

/// Role of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelRole {
    Analyst,
    Processor,
    Judge,
    Reflector,
}

impl ModelRole {
    pub const ALL: [Self; 4] = [Self::Analyst, Self::Processor, Self::Judge, Self::Reflector];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Analyst => "analyst",
            Self::Processor => "processor",
            Self::Judge => "judge",
            Self::Reflector => "reflector",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
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
}

impl ModelChoices {
    /// Returns the chosen model of a role.
    pub fn get(&self, role: ModelRole) -> Option<&str> {
        match role {
            ModelRole::Analyst => self.analyst.as_deref(),
            ModelRole::Processor => self.processor.as_deref(),
            ModelRole::Judge => self.judge.as_deref(),
            ModelRole::Reflector => self.reflector.as_deref(),
        }
    }

    pub fn set(&mut self, role: ModelRole, model: Option<String>) {
        match role {
            ModelRole::Analyst => self.analyst = model,
            ModelRole::Processor => self.processor = model,
            ModelRole::Judge => self.judge = model,
            ModelRole::Reflector => self.reflector = model,
        }
    }
}
