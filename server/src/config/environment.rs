//! Environment variables. No other module reads them.
//!
//! Each may be given as a file: `NAME_FILE` is the path of a file with the value of `NAME`, so that secrets stay out of the
//! environment.

use super::ModelsConfig;
use adapters::llm::ProviderConfig;
use async_trait::async_trait;
use engine::{
    models::{Keys, Secret},
    settings::{source_key_variable, source_of_key},
};
use figment::{
    Error, Metadata, Profile, Provider,
    providers::Env,
    util::nest,
    value::{Dict, Map, Value},
};
use std::{collections::BTreeMap, ffi::OsString, fs, path::PathBuf};

/// Prefix of configuration variables: `AUTOSINT__SERVER__LISTEN` is `server.listen`.
pub const PREFIX: &str = "AUTOSINT__";

/// Ending of the variables that name a file.
const FILE_SUFFIX: &str = "_FILE";

/// Environment layer of the configuration.
pub(super) fn layer() -> Env {
    Env::prefixed(PREFIX).filter(|key| setting_in_file(key.as_str()).is_none()).split("__")
}

/// Layer of the settings that variables give as files. An unreadable file is reported with its variable.
pub(super) fn file_layer() -> Result<FileSettings, String> {
    let mut settings = Dict::new();
    for (name, path) in all_variables() {
        let Some(setting) = name.strip_prefix(PREFIX).and_then(setting_in_file) else { continue };
        let text = read_value(&name, &path)?;
        let Ok(value) = text.parse::<Value>();
        if let Value::Dict(_, nested) = nest(&setting.to_lowercase().replace("__", "."), value) {
            merge(&mut settings, nested);
        }
    }
    Ok(FileSettings(settings))
}

/// Settings from files that the environment names.
pub(super) struct FileSettings(Dict);

impl Provider for FileSettings {
    fn metadata(&self) -> Metadata {
        Metadata::named("files of the environment")
    }

    fn data(&self) -> Result<Map<Profile, Dict>, Error> {
        Ok(Profile::Default.collect(self.0.clone()))
    }
}

/// Adds settings to others, section by section.
fn merge(settings: &mut Dict, more: Dict) {
    for (key, value) in more {
        match (settings.get_mut(&key), value) {
            (Some(Value::Dict(_, known)), Value::Dict(_, value)) => merge(known, value),
            (_, value) => {
                settings.insert(key, value);
            }
        }
    }
}

/// Returns the setting that a variable gives as a file.
fn setting_in_file(name: &str) -> Option<&str> {
    let (setting, suffix) = name.split_at_checked(name.len().checked_sub(FILE_SUFFIX.len())?)?;
    suffix.eq_ignore_ascii_case(FILE_SUFFIX).then_some(setting)
}

fn read_value(name: &str, path: &str) -> Result<String, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{name} names {path}, which cannot be read: {error}"))?;
    Ok(text.trim().to_owned())
}

/// Reports secrets of AutOSINT whose file cannot be read. Those of providers are read when they are needed.
pub(super) fn file_problem() -> Option<String> {
    [SECRET_KEY, NEO4J_PASSWORD, FETCH_TOKEN].into_iter().find_map(|name| secret(name).err())
}

/// Returns a secret from a variable or its file; `None` where neither has one.
fn secret(name: &str) -> Result<Option<Secret>, String> {
    // A value that is not text is no valid key, and is refused later.
    let text = |name: &str| variable(name).map(|value| value.into_string().unwrap_or_else(|_| "not text".to_owned()));
    let is_set = |text: &String| !text.trim().is_empty();
    if let Some(value) = text(name).filter(is_set) {
        return Ok(Some(Secret::from(value)));
    }
    let file = format!("{name}{FILE_SUFFIX}");
    let Some(path) = text(&file).filter(is_set) else { return Ok(None) };
    Ok(Some(read_value(&file, &path)?).filter(is_set).map(Secret::from))
}

/// Returns a secret, and logs why its file cannot be read.
fn readable_secret(name: &str) -> Option<Secret> {
    secret(name).unwrap_or_else(|problem| {
        tracing::error!(problem, "secret not read");
        None
    })
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
    readable_secret(SECRET_KEY)
}

/// Variable with the Neo4j password.
const NEO4J_PASSWORD: &str = "AUTOSINT_NEO4J_PASSWORD";

/// Neo4j password, if set.
pub fn neo4j_password() -> Option<Secret> {
    readable_secret(NEO4J_PASSWORD)
}

/// Variable with the token of a remote Fetch service, the same on both sides.
pub const FETCH_TOKEN: &str = "AUTOSINT_FETCH_TOKEN";

/// Token of a remote Fetch service, if set.
pub fn fetch_token() -> Option<Secret> {
    readable_secret(FETCH_TOKEN)
}

/// Returns the key of a source, if set.
pub fn source_key(source: &str) -> Option<Secret> {
    readable_secret(&source_key_variable(source))
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
        readable_secret(config.key_variable()?)
    }
}

#[expect(clippy::disallowed_methods, reason = "the only module that reads the environment")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// Returns the variables whose names and values are text.
fn all_variables() -> Vec<(String, String)> {
    std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))).collect()
}
