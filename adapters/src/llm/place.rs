//! Whose error it is: every error of a provider names the model, the address without its secrets, and what a person may change.

use super::{config::ProviderConfig, http::Failure};
use protocol::model::ModelError;
use std::time::Duration;

/// Where a model is called.
pub(super) struct Place {
    pub provider: String,
    model: String,
    /// Without user, password and query.
    address: String,
    key_variable: Option<String>,
}

impl Place {
    pub fn new(provider: &str, model: &str, config: &ProviderConfig) -> Self {
        Self {
            provider: provider.to_owned(),
            model: model.to_owned(),
            address: config.shown_address(),
            key_variable: config.key_variable().map(str::to_owned),
        }
    }

    /// Names the model and its address before what happened there. What was wrong with a reply goes back to the model, as it is.
    pub fn explain(&self, failure: Failure) -> ModelError {
        let error = match failure {
            Failure::Refused(refusal) => refusal.into_error(self),
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

    /// The name of a setting of this provider.
    pub fn setting(&self, key: &str) -> String {
        format!("models.providers.{}.{key}", self.provider)
    }

    /// The time of a whole call is over.
    pub fn too_slow(&self, whole: Duration) -> ModelError {
        let (whole, setting) = (seconds(whole), self.setting("timeout_ms"));
        ModelError::Cut(format!("gave no reply within {whole}: choose a faster model, or raise {setting}"))
    }

    /// What to do without a key; none where there need be none.
    pub fn without_key(&self) -> Option<String> {
        let variable = self.key_variable.as_ref()?;
        Some(format!("has no key: set {variable}, store one on the page /settings, or choose another model under [models]"))
    }

    pub fn mend_key(&self) -> String {
        match &self.key_variable {
            Some(variable) => format!("set a valid key in {variable}, or store one on the page /settings"),
            None => format!("if it wants a key, name its environment variable in {}", self.setting("key_env")),
        }
    }

    pub fn mend_account(&self) -> String {
        "see to the account there, or choose another model under [models]".to_owned()
    }

    pub fn mend_model(&self) -> String {
        format!("choose a model that is there under [models], install this one there, or correct {}", self.setting("base_url"))
    }

    pub fn mend_address(&self) -> String {
        format!("correct {}", self.setting("base_url"))
    }
}

pub(super) fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}
