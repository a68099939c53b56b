//! Environment variables. No other module reads them.

use super::ModelsConfig;
use adapters::llm::ProviderConfig;
use async_trait::async_trait;
use engine::{
    models::{Keys, Secret},
    settings::{source_key_variable, source_of_key},
};
use figment::providers::Env;
use std::{collections::BTreeMap, ffi::OsString, path::PathBuf};

/// Prefix of configuration variables: `AUTOSINT__SERVER__LISTEN` is `server.listen`.
pub const PREFIX: &str = "AUTOSINT__";

/// Environment layer of the configuration.
pub(super) fn layer() -> Env {
    Env::prefixed(PREFIX).split("__")
}

/// Cache folder of the user, where the setup scripts keep downloads for every checkout.
pub fn cache_folder() -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache"))).map(|cache| cache.join("autosint"))
}

/// Variable with the master key.
pub const SECRET_KEY: &str = "AUTOSINT_SECRET_KEY";

/// Master key, if set.
pub fn secret_key() -> Option<Secret> {
    // A value that is not text is no valid key, and is refused later.
    let value = variable(SECRET_KEY)?.into_string().unwrap_or_else(|_| "not text".to_owned());
    (!value.is_empty()).then(|| Secret::from(value))
}

/// Variable with the Neo4j password.
const NEO4J_PASSWORD: &str = "AUTOSINT_NEO4J_PASSWORD";

/// Neo4j password, if set.
pub fn neo4j_password() -> Option<Secret> {
    let value = variable(NEO4J_PASSWORD)?.into_string().ok()?;
    (!value.is_empty()).then(|| Secret::from(value))
}

/// Variable with the token of a remote Fetch service, the same on both sides.
pub const FETCH_TOKEN: &str = "AUTOSINT_FETCH_TOKEN";

/// Token of a remote Fetch service, if set.
pub fn fetch_token() -> Option<Secret> {
    let value = variable(FETCH_TOKEN)?.into_string().ok()?;
    (!value.is_empty()).then(|| Secret::from(value))
}

/// Returns the key of a source, if set.
pub fn source_key(source: &str) -> Option<Secret> {
    let value = variable(&source_key_variable(source))?.into_string().ok()?;
    (!value.trim().is_empty()).then(|| Secret::from(value))
}

/// Provider keys from the environment, read when needed.
pub struct ProviderKeys {
    providers: BTreeMap<String, ProviderConfig>,
}

impl ProviderKeys {
    pub fn new(models: &ModelsConfig) -> Self {
        Self { providers: models.providers.clone() }
    }
}

#[async_trait]
impl Keys for ProviderKeys {
    async fn key(&self, provider: &str) -> Option<Secret> {
        if let Some(source) = source_of_key(provider) {
            return source_key(source);
        }
        let config = self.providers.get(provider).cloned().or_else(|| ProviderConfig::built_in(provider))?;
        let value = variable(config.key_variable()?)?.into_string().ok()?;
        (!value.trim().is_empty()).then(|| Secret::from(value))
    }
}

#[expect(clippy::disallowed_methods, reason = "the only module that reads the environment")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}
