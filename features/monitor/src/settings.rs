//! Settings of the feature, `[features.monitor]`.

use crate::{
    interest::{LEAST, MOST_WEIGHT, Weights},
    runs::BUDGET_DAYS,
};
use serde::Deserialize;

domain::settings! {
    /// Matching, standing questions, and limits of the pages.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct MonitorSettings {
        /// Interval of the matching in milliseconds; 0 disables it.
        pub check_ms: u64 = 60_000,
        /// Products of a source that are matched in one round, and in one step of it.
        pub products_per_round: u32 = 1_000,
        pub products_per_step: u32 = 50,
        /// Interests read at once and embedded at once, and candidates stored at once.
        pub interests_per_step: u32 = 500,
        /// Interests that one person may have.
        pub per_person: u32 = 100,
        /// Threshold of a new interest, from 0 to 1, and the weights of its terms, in hundredths.
        pub threshold: f64 = 0.35,
        pub weights: Weights = Weights::default(),
        /// Distance below the threshold within which the role `interest_matcher` decides, from 0 to 1.
        pub margin: f64 = 0.1,
        /// Decisions of that role for one person in 24 hours; 0: it is not asked.
        pub judged_per_day: u32 = 0,
        /// Days of the preview, and newest products of each source that it looks at.
        pub preview_days: u32 = 90,
        pub preview_products: u32 = 100,
        /// Days after which a match is removed.
        pub keep_days: u32 = 180,
        /// Minutes of reading that "For you" shows unfolded, and words that are read in a minute.
        pub reading_minutes: u32 = 5,
        pub words_per_minute: u32 = 230,
        /// Newest matches that a page looks at.
        pub matches_shown: u32 = 100,
        /// Interval in which standing questions are looked at, in milliseconds; 0 disables them.
        pub schedule_ms: u64 = 60_000,
        /// Standing questions that one person may have.
        pub standing_per_person: u32 = 50,
        /// Shortest pause between two runs of a standing question, in minutes.
        pub least_pause_minutes: u32 = 60,
        /// Time zone that the forms offer, such as `Europe/Paris`.
        pub time_zone: String = "UTC".to_owned(),
        /// Runs on the page of the schedule.
        pub runs_shown: u32 = 25,
        /// Starts of a run that may fail before it is given up.
        pub run_attempts: u32 = 10,
        /// Days after which a run leaves the page; its report stays.
        pub keep_runs_days: u32 = 365,
        /// Days by which "Later" puts off a question about a date.
        pub later_days: u32 = 7,
    }
}

impl MonitorSettings {
    /// Returns the threshold of a new interest in hundredths.
    pub fn new_threshold(&self) -> u8 {
        (self.threshold * 100.0).round() as u8
    }

    /// Returns the margin in hundredths; 0 where the role is not asked.
    pub fn judged_margin(&self) -> u8 {
        if self.judged_per_day == 0 { 0 } else { (self.margin * 100.0).round() as u8 }
    }
}

impl feature::Settings for MonitorSettings {
    fn problem(&self) -> Option<String> {
        let shares = [("threshold", self.threshold), ("margin", self.margin)];
        if let Some((name, share)) = shares.into_iter().find(|(_, share)| !(0.0..=1.0).contains(share)) {
            return Some(format!("{name} is {share}; it must be from 0 to 1"));
        }
        if self.weights != self.weights.bounded() {
            return Some(format!("weights are {:?}; each must be from {LEAST} to {MOST_WEIGHT}", self.weights.as_array()));
        }
        if let Err(problem) = feature::Schedule::parse("0 9 * * 1", &self.time_zone) {
            return Some(problem);
        }
        if self.keep_runs_days <= BUDGET_DAYS {
            return Some(format!(
                "keep_runs_days is {}; it must be above {BUDGET_DAYS}, over which budgets count",
                self.keep_runs_days
            ));
        }
        let counts = [
            ("products_per_round", self.products_per_round),
            ("products_per_step", self.products_per_step),
            ("interests_per_step", self.interests_per_step),
            ("preview_days", self.preview_days),
            ("preview_products", self.preview_products),
            ("keep_days", self.keep_days),
            ("words_per_minute", self.words_per_minute),
            ("matches_shown", self.matches_shown),
            ("least_pause_minutes", self.least_pause_minutes),
            ("runs_shown", self.runs_shown),
            ("run_attempts", self.run_attempts),
            ("later_days", self.later_days),
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
        assert_eq!(MonitorSettings::default().problem(), None);
        let high = MonitorSettings { threshold: 1.5, ..MonitorSettings::default() };
        assert!(high.problem().unwrap().starts_with("threshold is 1.5"));
        let weights = Weights { tags: 0, ..Weights::default() };
        let light = MonitorSettings { weights, ..MonitorSettings::default() };
        assert!(light.problem().unwrap().starts_with("weights are [65, 35, 50, 20, 0]"));
        let zone = MonitorSettings { time_zone: "Paris".into(), ..MonitorSettings::default() };
        assert!(zone.problem().unwrap().starts_with("time_zone is 'Paris'"));
        let none = MonitorSettings { keep_days: 0, ..MonitorSettings::default() };
        assert!(none.problem().unwrap().starts_with("keep_days is 0"));
        let short = MonitorSettings { keep_runs_days: 30, ..MonitorSettings::default() };
        assert!(short.problem().unwrap().starts_with("keep_runs_days is 30"));
    }
}
