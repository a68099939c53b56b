//! Settings of the feature, `[features.watching]`.

use serde::Deserialize;

domain::settings! {
    /// Limits of the lists, and the search for watched indicators.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct WatchingSettings {
        /// Interval of the rounds in milliseconds; 0 disables them.
        pub check_ms: u64 = 60_000,
        /// Indicators, and objects, per round.
        pub per_round: u32 = 50,
        /// Minimum score of a match, 0 to 1.
        pub min_score: f64 = 0.5,
        /// Best claims of a search that are looked at.
        pub candidates: usize = 50,
        /// Indicators, and objects, that one person may watch.
        pub per_person: u32 = 200,
        /// Views that one person may save.
        pub saved_views: u32 = 30,
        /// Newest notifications on their page.
        pub notifications: u32 = 50,
        /// Newest matches on the page of watched indicators.
        pub matches: u32 = 100,
    }
}

impl feature::Settings for WatchingSettings {
    fn problem(&self) -> Option<String> {
        if !(0.0..=1.0).contains(&self.min_score) {
            return Some(format!("min_score is {}; it must be from 0 to 1", self.min_score));
        }
        let counts = [
            ("per_round", u64::from(self.per_round)),
            ("candidates", self.candidates as u64),
            ("notifications", u64::from(self.notifications)),
        ];
        counts.into_iter().find(|(_, count)| *count == 0).map(|(name, _)| format!("{name} is 0; it must be at least 1"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use feature::Settings;

    #[test]
    fn the_defaults_are_valid_and_wrong_values_are_named() {
        assert_eq!(WatchingSettings::default().problem(), None);
        let high = WatchingSettings { min_score: 1.5, ..WatchingSettings::default() };
        assert!(high.problem().unwrap().starts_with("min_score is 1.5"));
        let none = WatchingSettings { per_round: 0, ..WatchingSettings::default() };
        assert!(none.problem().unwrap().starts_with("per_round is 0"));
    }
}
