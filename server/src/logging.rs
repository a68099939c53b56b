//! Log lines on standard error: text on a terminal, JSON elsewhere, each with what the spans around it say; and the spans themselves
//! for a collector of traces, where one is configured.
//!
//! Invariant: spans of an investigation, an order and a session carry their ids and have level error, so that every log line has the ids.

mod json;
mod line;
mod remote;
mod text;
mod traces;
#[cfg(test)]
mod written;

use crate::config::{LogConfig, LogFormat, TracesConfig};
use json::Json;
use std::io::{IsTerminal, stderr};
use text::Text;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::{
    EnvFilter, Layer, Registry, fmt,
    fmt::format::JsonFields,
    layer::{Context, SubscriberExt},
    util::SubscriberInitExt,
};

/// Which of the two levels of `[log]` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogOf {
    Serve,
    Command,
}

/// Sets log and traces up; or what is wrong with their settings. Only the first call of a process counts.
pub fn start(config: &LogConfig, traces: &TracesConfig, of: LogOf) -> Result<(), String> {
    let (key, level) = match of {
        LogOf::Serve => ("log.level", &config.level),
        LogOf::Command => ("log.command_level", &config.command_level),
    };
    let filter = filter(key, level)?;
    let as_json = match config.format {
        LogFormat::Json => true,
        LogFormat::Text => false,
        LogFormat::Auto => of == LogOf::Serve && !stderr().is_terminal(),
    };
    let lines = fmt::layer().with_writer(stderr).with_ansi(stderr().is_terminal()).log_internal_errors(false);
    let lines = lines.fmt_fields(JsonFields::new());
    let lines: Box<dyn Layer<Registry> + Send + Sync> = match as_json {
        true => Box::new(lines.event_format(Json)),
        false => Box::new(lines.event_format(Text { with_spans: of == LogOf::Serve })),
    };
    let lines = lines.and_then(Counted).with_filter(filter);
    let traces = traces::layer(traces)?;
    // A second start in one process (tests) keeps the first log.
    let _ = Registry::default().with(lines).with(traces).try_init();
    Ok(())
}

/// Sends what is still to be sent; to be called when the process ends.
pub fn stop() {
    traces::stop();
}

fn filter(key: &str, level: &str) -> Result<EnvFilter, String> {
    EnvFilter::try_new(level).map_err(|error| {
        format!("{key} is '{level}': {error}; it must be a level such as info, or a filter such as info,engine=debug")
    })
}

/// Counts warnings and errors.
struct Counted;

impl<S: Subscriber> Layer<S> for Counted {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let level = match *event.metadata().level() {
            Level::ERROR => "error",
            Level::WARN => "warn",
            _ => return,
        };
        metrics::counter!("autosint_log_lines_total", "level" => level).increment(1);
    }
}
