//! Puts the layers together and says in one line what is wrong with them.

use super::{Config, environment};
use figment::{
    Figment, Source,
    error::Kind,
    providers::{Format, Toml},
    value::Value,
};
use std::path::{Path, PathBuf};

/// Where the file is looked for when none is named.
const DEFAULT_FILE: &str = "config/autosint.toml";

/// A setting from the command line: the key and its value.
pub type Override = (&'static str, Value);

/// The configuration and where it came from.
#[derive(Debug, Clone)]
pub struct Loaded {
    pub config: Config,
    /// None: built-in defaults, as there is no file.
    pub file: Option<PathBuf>,
}

/// The configuration cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ConfigError {
    #[error("there is no configuration file {0}: check the path after --config")]
    NoFile(PathBuf),
    #[error("{0}")]
    Bad(String),
}

/// Reads every layer. `file` is what `--config` named.
pub fn load(file: Option<&Path>, overrides: Vec<Override>) -> Result<Loaded, ConfigError> {
    let file = match file {
        Some(file) if !file.is_file() => return Err(ConfigError::NoFile(file.to_owned())),
        Some(file) => Some(file.to_owned()),
        None => Some(PathBuf::from(DEFAULT_FILE)).filter(|file| file.is_file()),
    };
    let mut figment = Figment::new();
    if let Some(file) = &file {
        figment = figment.merge(Toml::file_exact(file));
    }
    figment = figment.merge(environment::layer());
    for (key, value) in overrides {
        figment = figment.merge((key, value));
    }
    let config: Config = figment.extract().map_err(|error| ConfigError::Bad(in_words(&error)))?;
    match config.problem() {
        Some(problem) => Err(ConfigError::Bad(problem)),
        None => Ok(Loaded { config, file }),
    }
}

/// One line: which key, where it stands, what would do.
fn in_words(error: &figment::Error) -> String {
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
            let meant = nearest(name, known).map(|meant| format!(" (did you mean '{meant}'?)")).unwrap_or_default();
            format!("unknown key '{key}' {place}{meant}; known there: {}", known.join(", "))
        }
        Kind::UnknownVariant(value, known) => format!("'{key}' is '{value}' {place}; it must be one of: {}", known.join(", ")),
        Kind::InvalidType(found, wanted) | Kind::InvalidValue(found, wanted) => {
            format!("'{key}' is {found} {place}; it must be {}", kind_in_words(wanted))
        }
        Kind::Message(message) if key.is_empty() => format!("{} {place}", one_line(message)),
        Kind::Message(message) if message.contains("socket address") => {
            format!("'{key}' is no address {place}; it must be like 127.0.0.1:3000")
        }
        Kind::Message(message) => format!("'{key}' cannot be used {place}: {}", one_line(message)),
        other => format!("'{key}' cannot be used {place}: {other}"),
    }
}

/// The known key that was probably meant: at most a third of its letters differ, or one of the two goes on where the other ends.
fn nearest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let distance = |known: &&str| strsim::damerau_levenshtein(name, known);
    let is_near =
        |known: &&str| distance(known) * 3 <= known.len().max(3) || name.starts_with(known) || known.starts_with(name);
    known.iter().copied().filter(is_near).min_by_key(distance)
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The names of Rust's numbers mean nothing to who sets them.
fn kind_in_words(wanted: &str) -> &str {
    match wanted {
        "u16" | "u32" | "u64" | "usize" => "a whole number from 0 on",
        "f32" | "f64" => "a number",
        other => other,
    }
}
