//! Stand-in for the export of traces in builds without the feature `otel`: no span leaves the process.

use crate::config::TracesConfig;
use tracing_subscriber::layer::Identity;

/// Builds no layer; the configuration names no collector in such a build.
pub(super) const fn layer(_: &TracesConfig) -> Result<Option<Identity>, String> {
    Ok(None)
}

pub(super) const fn stop() {}

/// Returns no trace parent.
pub(crate) const fn current_traceparent() -> Option<String> {
    None
}
