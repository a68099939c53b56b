//! Log lines on standard error: text on a terminal, JSON elsewhere, each with the spans it stands in.

use crate::config::{LogConfig, LogFormat};
use std::io::{IsTerminal, stderr};
use tracing_subscriber::EnvFilter;

/// Which of the two levels of `[log]` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogOf {
    Serve,
    Command,
}

/// Sets the log up; or what is wrong with its level. Only the first call of a process counts.
pub fn start(config: &LogConfig, of: LogOf) -> Result<(), String> {
    let (key, level) = match of {
        LogOf::Serve => ("log.level", &config.level),
        LogOf::Command => ("log.command_level", &config.command_level),
    };
    let filter = EnvFilter::try_new(level).map_err(|error| {
        format!("{key} is '{level}': {error}; it must be a level such as info, or a filter such as info,engine=debug")
    })?;
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr).log_internal_errors(false);
    let as_json = match config.format {
        LogFormat::Json => true,
        LogFormat::Text => false,
        LogFormat::Auto => of == LogOf::Serve && !stderr().is_terminal(),
    };
    // A second start in one process (tests) keeps the first log.
    let _ = if as_json {
        builder.json().flatten_event(true).with_current_span(true).with_span_list(true).try_init()
    } else {
        builder.with_ansi(stderr().is_terminal()).try_init()
    };
    Ok(())
}
