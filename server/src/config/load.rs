//! Loading of the configuration layers, with one-line errors.

use super::{Config, environment};
use domain::fetch::FeedEntry;
use fetch::SourcesConfig;
use crate::features::FEATURES;
use figment::{
    Figment, Source,
    error::Kind,
    providers::{Format, Toml},
    value::Value,
};
use std::{
    path::{Path, PathBuf},
    sync::LazyLock,
};

/// Default path of the configuration file.
const DEFAULT_FILE: &str = "config/autosint.toml";

/// List of feeds beside the configuration file.
const FEEDS: &str = "feeds.opml";

/// Setting from the command line: key and value.
pub type Override = (&'static str, Value);

/// Loaded configuration with the file it came from.
#[derive(Debug, Clone)]
pub struct LoadedConfig {
    pub config: Config,
    /// `None` if there is no file.
    pub file: Option<PathBuf>,
}

/// Configuration error.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ConfigError {
    #[error("configuration file {0} not found: check the path after --config")]
    NoFile(PathBuf),
    #[error("{0}")]
    Invalid(String),
}

/// Loads all layers. `file` is the argument of `--config`.
pub fn load(file: Option<&Path>, overrides: Vec<Override>) -> Result<LoadedConfig, ConfigError> {
    let file = match file {
        Some(file) if !file.is_file() => return Err(ConfigError::NoFile(file.to_owned())),
        Some(file) => Some(file.to_owned()),
        None => Some(PathBuf::from(DEFAULT_FILE)).filter(|file| file.is_file()),
    };
    let mut figment = Figment::new();
    if let Some(file) = &file {
        figment = figment.merge(Toml::file_exact(file));
    }
    figment = figment.merge(environment::layer()).merge(environment::file_layer().map_err(ConfigError::Invalid)?);
    for (key, value) in overrides {
        figment = figment.merge((key, value));
    }
    if let Some(problem) = environment::file_problem() {
        return Err(ConfigError::Invalid(problem));
    }
    let mut config: Config = figment.extract().map_err(|error| ConfigError::Invalid(describe_error(&error)))?;
    check_features(&figment, &config).map_err(|error| ConfigError::Invalid(describe_error(&error)))?;
    if let Some(file) = &file
        && !figment.contains("fetch.sources.feeds")
        && let Some(feeds) = read_feeds(&file.with_file_name(FEEDS))?
    {
        config.fetch.sources.feeds = feeds;
    }
    match config.problem() {
        Some(problem) => Err(ConfigError::Invalid(problem)),
        None => Ok(LoadedConfig { config, file }),
    }
}

/// Reads a list of feeds, if the file exists.
fn read_feeds(list: &Path) -> Result<Option<Vec<FeedEntry>>, ConfigError> {
    if !list.is_file() {
        return Ok(None);
    }
    let invalid = |problem: String| ConfigError::Invalid(format!("{} cannot be used: {problem}", list.display()));
    let opml = std::fs::read(list).map_err(|error| invalid(error.to_string()))?;
    SourcesConfig::read_feeds(&opml).map(Some).map_err(invalid)
}

/// Checks names, keys and types of the sections of features.
fn check_features(figment: &Figment, config: &Config) -> Result<(), Box<figment::Error>> {
    static KNOWN: LazyLock<Vec<&'static str>> = LazyLock::new(|| FEATURES.iter().map(|feature| feature.name).collect());
    for name in config.features.keys() {
        let section = format!("features.{name}");
        let Some(feature) = FEATURES.iter().find(|feature| feature.name == name.as_str()) else {
            let mut error = figment::Error::from(Kind::UnknownField(name.clone(), KNOWN.as_slice()));
            error.metadata = figment.find_metadata(&section).cloned();
            return Err(Box::new(error.with_path(&section)));
        };
        feature.settings.check(figment, &section)?;
    }
    Ok(())
}

/// Describes an error in one line: key, location and allowed values.
fn describe_error(error: &figment::Error) -> String {
    let key = error.path.join(".");
    let place = match error.metadata.as_ref() {
        Some(metadata) => match &metadata.source {
            Some(Source::File(path)) => format!("in {}", path.display()),
            _ if metadata.name.contains("environment") => {
                format!("in the environment ({}{})", environment::PREFIX, key.to_uppercase().replace('.', "__"))
            }
            _ => "on the command line".to_owned(),
        },
        None => "in the configuration".to_owned(),
    };
    match &error.kind {
        Kind::UnknownField(name, known) => {
            let key = if key.ends_with(name.as_str()) { key } else { [key.as_str(), name].join(".") };
            let key = key.trim_start_matches('.');
            let suggestion =
                closest_key(name, known).map(|suggestion| format!(" (did you mean '{suggestion}'?)")).unwrap_or_default();
            format!("unknown key '{key}' {place}{suggestion}; known there: {}", known.join(", "))
        }
        Kind::UnknownVariant(value, known) => format!("'{key}' is '{value}' {place}; it must be one of: {}", known.join(", ")),
        Kind::InvalidType(found, wanted) | Kind::InvalidValue(found, wanted) => {
            format!("'{key}' is {found} {place}; it must be {}", expected_in_words(wanted))
        }
        Kind::Message(message) if key.is_empty() => format!("{} {place}", one_line(message)),
        Kind::Message(message) if message.contains("socket address") => {
            format!("'{key}' is not an address {place}; it must be like 127.0.0.1:3000")
        }
        Kind::Message(message) => format!("'{key}' cannot be used {place}: {}", one_line(message)),
        other => format!("'{key}' cannot be used {place}: {other}"),
    }
}

/// Returns the known key closest to `name`: at most a third of its letters differ, or one is a prefix of the other.
fn closest_key(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let distance = |known: &&str| strsim::damerau_levenshtein(name, known);
    let is_near =
        |known: &&str| distance(known) * 3 <= known.len().max(3) || name.starts_with(known) || known.starts_with(name);
    known.iter().copied().filter(is_near).min_by_key(distance)
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Describes the expected type without Rust's type names.
fn expected_in_words(wanted: &str) -> &str {
    match wanted {
        "u16" | "u32" | "u64" | "usize" => "a whole number from 0 on",
        "f32" | "f64" => "a number",
        other => other,
    }
}
