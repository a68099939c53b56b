//! How much is under way, as a gauge that is right even after a panic.

/// Counts one in a gauge for as long as it lives.
#[must_use]
pub(crate) struct UnderWay(&'static str);

impl UnderWay {
    /// One more in the gauge of this name.
    pub fn one(gauge: &'static str) -> Self {
        metrics::gauge!(gauge).increment(1.0);
        Self(gauge)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        metrics::gauge!(self.0).decrement(1.0);
    }
}
