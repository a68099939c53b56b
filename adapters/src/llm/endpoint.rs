//! The endpoint of a model, for error messages: each names the model, its address without secrets, and a remedy.

use super::{config::ProviderConfig, http::Failure};
use protocol::model::ModelError;
use std::time::Duration;

/// The endpoint of a model.
pub(super) struct Endpoint {
    pub provider: String,
    model: String,
    /// Address without user, password and query.
    address: String,
    key_variable: Option<String>,
}

impl Endpoint {
    pub fn new(provider: &str, model: &str, config: &ProviderConfig) -> Self {
        Self {
            provider: provider.to_owned(),
            model: model.to_owned(),
            address: config.shown_address(),
            key_variable: config.key_variable().map(str::to_owned),
        }
    }

    /// Adds model and address to an error. A malformed reply stays unchanged, because it goes back to the model.
    pub fn explain(&self, failure: Failure) -> ModelError {
        let error = match failure {
            Failure::Response(response) => response.into_error(self),
            Failure::Other(error) => error,
        };
        let named = |what: String| format!("{}:{} at {} {what}", self.provider, self.model, self.address);
        match error {
            ModelError::Unavailable { message, retry_after_ms } => {
                ModelError::Unavailable { message: named(message), retry_after_ms }
            }
            ModelError::Cut(what) => ModelError::Cut(named(what)),
            ModelError::Rejected(what) => ModelError::Rejected(named(what)),
            ModelError::Configuration(what) => ModelError::Configuration(named(what)),
            ModelError::ContextTooLong { .. } | ModelError::Malformed(_) => error,
        }
    }

    /// Returns the name of a setting of this provider.
    pub fn setting(&self, key: &str) -> String {
        format!("models.providers.{}.{key}", self.provider)
    }

    /// Returns the error for a call that reached its time limit.
    pub fn too_slow(&self, whole: Duration) -> ModelError {
        let (whole, setting) = (seconds(whole), self.setting("timeout_ms"));
        ModelError::Cut(format!("gave no reply within {whole}: choose a faster model, or raise {setting}"))
    }

    /// Returns the advice for a missing key; `None` when no key is needed.
    pub fn without_key(&self) -> Option<String> {
        let variable = self.key_variable.as_ref()?;
        Some(format!("has no key: set {variable}, add one under /settings, or choose another model under [models]"))
    }

    pub fn key_advice(&self) -> String {
        match &self.key_variable {
            Some(variable) => format!("set a valid key in {variable}, or add one under /settings"),
            None => format!("if it needs a key, name its environment variable in {}", self.setting("key_env")),
        }
    }

    pub fn account_advice(&self) -> String {
        "check your account there, or choose another model under [models]".to_owned()
    }

    pub fn model_advice(&self) -> String {
        format!("choose an available model under [models], install this one, or correct {}", self.setting("base_url"))
    }

    pub fn address_advice(&self) -> String {
        format!("correct {}", self.setting("base_url"))
    }
}

pub(super) fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}
