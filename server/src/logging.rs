//! Logging to standard error (text on a terminal, JSON elsewhere) and export of spans to a trace collector.
//!
//! Invariant: spans of an investigation, work order and session carry their ids and have level error, so that every log line has
//! the ids.

#[cfg(test)]
mod capture;
mod json;
#[cfg(not(feature = "otel"))]
mod no_traces;
mod record;
#[cfg(feature = "otel")]
mod remote_trace;
mod text;
#[cfg(feature = "otel")]
mod traces;

#[cfg(not(feature = "otel"))]
use no_traces as traces;
#[cfg(not(feature = "otel"))]
pub(crate) use no_traces::current_traceparent;
#[cfg(feature = "otel")]
pub(crate) use remote_trace::current_traceparent;

use crate::{
    config::{LogConfig, LogFormat, TracesConfig},
    features::FEATURES,
};
use json::JsonFormat;
use std::io::{IsTerminal, stderr};
use text::TextFormat;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::{
    EnvFilter, Layer, Registry, fmt,
    fmt::format::JsonFields,
    layer::{Context, SubscriberExt},
    util::SubscriberInitExt,
};

/// Log profile, which selects one of the two levels of `[log]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogProfile {
    Serve,
    Command,
}

/// Sets up logging and tracing; returns the problem with the settings, if any. Only the first call of a process counts.
pub fn start(config: &LogConfig, traces: &TracesConfig, profile: LogProfile) -> Result<(), String> {
    let (key, level) = match profile {
        LogProfile::Serve => ("log.level", &config.level),
        LogProfile::Command => ("log.command_level", &config.command_level),
    };
    let filter = filter(key, level)?;
    let as_json = match config.format {
        LogFormat::Json => true,
        LogFormat::Text => false,
        LogFormat::Auto => profile == LogProfile::Serve && !stderr().is_terminal(),
    };
    let lines = fmt::layer().with_writer(stderr).with_ansi(stderr().is_terminal()).log_internal_errors(false);
    let lines = lines.fmt_fields(JsonFields::new());
    let lines: Box<dyn Layer<Registry> + Send + Sync> = match as_json {
        true => Box::new(lines.event_format(JsonFormat)),
        false => Box::new(lines.event_format(TextFormat { with_spans: profile == LogProfile::Serve })),
    };
    let lines = lines.and_then(LogCounter).with_filter(filter);
    let traces = traces::layer(traces)?;
    // A second start in the same process (tests) keeps the first log.
    let _ = Registry::default().with(lines).with(traces).try_init();
    Ok(())
}

/// Flushes pending spans. Call it when the process ends.
pub fn stop() {
    traces::stop();
}

/// Name of all crates of this program in a filter: `warn,autosint=info`.
const OWN_CRATES: &str = "autosint";
/// Crates of the kernel. The crate of a feature has its name.
const KERNEL_CRATES: [&str; 10] =
    ["adapters", "app", "domain", "engine", "extractive", "feature", "fetch", "protocol", "server", "views"];

/// Returns a filter with each crate of this program in the place of `autosint`. Without a level it means every line, as with any crate.
fn with_own_crates(level: &str) -> String {
    let directives = level.split(',').map(|directive| match directive.trim().strip_prefix(OWN_CRATES) {
        Some(level) if level.is_empty() || level.starts_with('=') => {
            let own = KERNEL_CRATES.into_iter().chain(FEATURES.iter().map(|feature| feature.name));
            own.map(|name| format!("{name}{level}")).collect::<Vec<_>>().join(",")
        }
        _ => directive.to_owned(),
    });
    directives.collect::<Vec<_>>().join(",")
}

fn filter(key: &str, level: &str) -> Result<EnvFilter, String> {
    EnvFilter::try_new(with_own_crates(level)).map_err(|error| {
        format!("{key} is '{level}': {error}; it must be a level such as info, or a filter such as warn,autosint=info")
    })
}

/// Layer that counts warnings and errors.
struct LogCounter;

impl<S: Subscriber> Layer<S> for LogCounter {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let level = match *event.metadata().level() {
            Level::ERROR => "error",
            Level::WARN => "warn",
            _ => return,
        };
        metrics::counter!("autosint_log_lines_total", "level" => level).increment(1);
    }
}

#[cfg(test)]
mod tests {
    use super::{capture::CapturedOutput, *};

    #[test]
    fn by_default_other_peoples_crates_log_warnings_only() {
        let lines = CapturedOutput::default();
        let filter = filter("log.level", &LogConfig::default().level).unwrap();
        let layer = fmt::layer().with_writer(lines.clone()).with_filter(filter);
        tracing::subscriber::with_default(Registry::default().with(layer), || {
            tracing::info!(target: "engine::reliability", "ours");
            tracing::info!(target: "locale_codes::region", "chatter");
            tracing::warn!(target: "locale_codes::region", "problem");
        });
        let text = lines.text();
        assert!(text.contains("ours") && text.contains("problem") && !text.contains("chatter"), "{text}");
    }

    #[test]
    fn own_crates_without_a_level_log_every_line() {
        let lines = CapturedOutput::default();
        let layer = fmt::layer().with_writer(lines.clone()).with_filter(filter("log.level", "error, autosint").unwrap());
        tracing::subscriber::with_default(Registry::default().with(layer), || {
            tracing::trace!(target: "engine::reliability", "ours");
            tracing::warn!(target: "locale_codes::region", "chatter");
        });
        let text = lines.text();
        assert!(text.contains("ours") && !text.contains("chatter"), "{text}");
        assert_eq!(with_own_crates("autosinter,autosint::x=info"), "autosinter,autosint::x=info");
    }

    #[test]
    fn own_crates_are_those_of_the_workspace() {
        let manifest = include_str!("../../Cargo.toml");
        let members = manifest.lines().find(|line| line.starts_with("members = [")).unwrap();
        let members = members.split('"').skip(1).step_by(2).filter(|member| !member.contains('/'));
        // These run in the browser, or apart from the program.
        let own = members.filter(|member| !["frontend", "benchmarks", "testkit"].contains(member));
        let mut own: Vec<&str> = own.collect();
        own.sort_unstable();
        assert_eq!(own, KERNEL_CRATES);
        let filter = with_own_crates("warn, autosint=debug,sqlx::query=trace");
        assert!(filter.starts_with("warn,adapters=debug,") && filter.ends_with(",sqlx::query=trace"), "{filter}");
        assert!(FEATURES.iter().all(|feature| filter.contains(&format!(",{}=debug,", feature.name))), "{filter}");
    }
}
