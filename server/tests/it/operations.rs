//! What operators hold in their hands: figures, dashboards, alerts, log lines, traces, and the files that containers are made of.

mod compose;
mod figures;
mod lines;
mod run;
mod scrape;
mod traces;

use std::path::{Path, PathBuf};

/// A file or folder of the tree.
fn tree(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}
