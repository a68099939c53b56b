//! Settings of the feature, `[features.bundle]`.

use serde::Deserialize;

/// Maximum of `context_bytes`.
const MAX_CONTEXT_BYTES: usize = 10_000;

domain::settings! {
    /// Size of the quoted passages.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct BundleSettings {
        /// Text before and after each quotation, in bytes.
        pub context_bytes: usize = 400,
    }
}

impl feature::Settings for BundleSettings {
    fn problem(&self) -> Option<String> {
        let is_large = self.context_bytes > MAX_CONTEXT_BYTES;
        is_large.then(|| format!("context_bytes is {}; it must be at most {MAX_CONTEXT_BYTES}", self.context_bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use feature::Settings;

    #[test]
    fn the_default_is_valid_and_a_large_context_is_refused() {
        assert_eq!(BundleSettings::default().problem(), None);
        let large = BundleSettings { context_bytes: MAX_CONTEXT_BYTES + 1 };
        assert!(large.problem().unwrap().starts_with("context_bytes is 10001"));
    }
}
