//! How much is under way, as a gauge that is right even after a panic.

use metrics::Gauge;

/// Counts one in a gauge for as long as it lives.
#[must_use]
pub(crate) struct UnderWay(Gauge);

impl UnderWay {
    /// One more in `gauge`.
    pub fn in_gauge(gauge: Gauge) -> Self {
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}
