//! Tests of operations: metrics, dashboards, alerts, logs, traces, and container files.

mod compose;
mod lines;
mod metrics;
mod run;
mod scrape;
mod traces;

use crate::prelude::*;

/// Returns the path of a file or folder of the repository.
fn tree(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}
