//! How much is under way, as a gauge that is right even after a panic.

use metrics::Gauge;

/// Counts one in a gauge for as long as it lives.
#[must_use]
pub(crate) struct InFlightGauge(Gauge);

impl InFlightGauge {
    /// One more in `gauge`.
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
