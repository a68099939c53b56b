//! Metrics of features, exported with those of the kernel.

use crate::Web;
use engine::StoreResult;
use futures::future::BoxFuture;

/// Metric that a feature records with the macros of the crate `metrics`, or that is measured for each export.
#[derive(Clone, Copy)]
pub struct Metric {
    /// `autosint_FEATURE_…`; counters, and they alone, end with `_total`.
    pub name: &'static str,
    pub help: &'static str,
    pub kind: MetricKind,
}

/// Kind of a metric.
#[derive(Clone, Copy)]
pub enum MetricKind {
    /// Zero from the start of the process.
    Counter,
    /// Zero from the start of the process.
    Gauge,
    /// Gauge whose value is read from the store for each export; `NaN` while the store does not answer. It is equal in every process that
    /// shares the store.
    Measured(fn(Web) -> BoxFuture<'static, StoreResult<f64>>),
}
