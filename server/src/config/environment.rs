//! The only reader of the environment.

use super::ModelsConfig;
use adapters::llm::ProviderConfig;
use async_trait::async_trait;
use engine::{
    models::{Keys, Secret},
    settings::{source_key_variable, source_of_key},
};
use figment::providers::Env;
use std::{collections::BTreeMap, ffi::OsString, path::PathBuf};

/// What a variable of the configuration begins with; `AUTOSINT__SERVER__LISTEN` is `server.listen`.
pub const PREFIX: &str = "AUTOSINT__";

/// The environment as a layer of the configuration.
pub(super) fn layer() -> Env {
    Env::prefixed(PREFIX).split("__")
}

/// Where set-up keeps what it fetched once for every checkout: the cache folder of this person.
pub fn cache_folder() -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache"))).map(|cache| cache.join("autosint"))
}

/// The variable with the key that seals stored keys.
pub const SECRET_KEY: &str = "AUTOSINT_SECRET_KEY";

/// The key that seals stored keys, where the operator gives one.
pub fn secret_key() -> Option<Secret> {
    // What is no text is no key either, and is refused as such.
    let value = variable(SECRET_KEY)?.into_string().unwrap_or_else(|_| "not text".to_owned());
    (!value.is_empty()).then(|| Secret::from(value))
}

/// The variable with the password of Neo4j.
const NEO4J_PASSWORD: &str = "AUTOSINT_NEO4J_PASSWORD";

/// The password of Neo4j, where it has one.
pub fn neo4j_password() -> Option<Secret> {
    let value = variable(NEO4J_PASSWORD)?.into_string().ok()?;
    (!value.is_empty()).then(|| Secret::from(value))
}

/// The variable with the token of a Fetch that is a service of its own; the same for it and for who asks it.
pub const FETCH_TOKEN: &str = "AUTOSINT_FETCH_TOKEN";

/// That token, where there is one.
pub fn fetch_token() -> Option<Secret> {
    let value = variable(FETCH_TOKEN)?.into_string().ok()?;
    (!value.is_empty()).then(|| Secret::from(value))
}

/// The key of a source.
pub fn source_key(source: &str) -> Option<Secret> {
    let value = variable(&source_key_variable(source))?.into_string().ok()?;
    (!value.trim().is_empty()).then(|| Secret::from(value))
}

/// Keys of providers, read where the configuration says: a role names a provider, or a question does.
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

#[expect(clippy::disallowed_methods, reason = "the one module that reads the environment")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}
