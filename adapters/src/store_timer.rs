//! Latency of store calls, for the metric `autosint_store_seconds`.

use metrics::histogram;
use std::time::Instant;

/// Timer of one call, which records when it is dropped: a call that was given up counts, too.
pub struct StoreTimer {
    store: &'static str,
    call: &'static str,
    access: &'static str,
    started: Instant,
}

impl StoreTimer {
    /// Starts the timer of a call to the state store from a module below `sql`, or from a feature, which counts by the name of its crate.
    pub fn state(module_path: &'static str, access: &'static str) -> Self {
        let call = match module_path.split_once("::") {
            Some(("adapters", module)) => module.split("::").nth(1).unwrap_or("store"),
            Some((feature, _)) => feature,
            None => module_path,
        };
        Self { store: "state", call, access, started: Instant::now() }
    }

    /// Starts the timer of a method of the graph.
    pub fn graph(call: &'static str, access: &'static str) -> Self {
        Self { store: "graph", call, access, started: Instant::now() }
    }
}

impl Drop for StoreTimer {
    fn drop(&mut self) {
        let Self { store, call, access, started } = *self;
        histogram!("autosint_store_seconds", "store" => store, "call" => call, "access" => access)
            .record(started.elapsed().as_secs_f64());
    }
}
