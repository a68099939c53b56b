//! Gauge guard that stays correct when a task panics.

use metrics::Gauge;

/// Guard that counts one in a gauge while it lives.
#[must_use]
pub(crate) struct InFlightGauge(Gauge);

impl InFlightGauge {
    /// Increments `gauge` until the guard is dropped.
    pub fn increment(gauge: Gauge) -> Self {
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for InFlightGauge {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}
