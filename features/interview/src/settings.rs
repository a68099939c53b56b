//! Settings of the feature, `[features.interview]`.

use serde::Deserialize;

domain::settings! {
    /// Limits of interviews, and the rounds of the interviewer.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct InterviewSettings {
        /// Interval of the rounds in milliseconds, besides those that an answer begins; 0 disables the interviewer.
        pub check_ms: u64 = 5_000,
        /// Interviews that one round goes on with at once.
        pub per_round: u32 = 8,
        /// Lease of a round on an interview in milliseconds; longer than a call of a model may take.
        pub lease_ms: u64 = 180_000,
        /// Pause in milliseconds where no model answers or a budget is used up.
        pub retry_ms: u64 = 15_000,
        /// Questions on one card.
        pub follow_ups: u32 = 4,
        /// Signals found in answers on one card, after which the next follows.
        pub signals: u32 = 3,
        /// Signals with a confidence above `strong_confidence`, 0 to 1, that a card needs to end with the reason `signals_extracted`.
        pub least_signals: u32 = 2,
        pub strong_confidence: f64 = 0.7,
        /// Minimum confidence of a signal that the interviewer extracts, 0 to 1; it must be above.
        pub min_confidence: f64 = 0.6,
        /// Longest answer in characters.
        pub max_answer_chars: usize = 2_000,
        /// Interviews that one person may keep.
        pub per_person: u32 = 50,
        /// Most proposed interests of one interview. The first message to the interviewer names it.
        pub proposals: usize = 8,
        /// Longest wait in milliseconds for the model that asks about a vague question.
        pub sharpen_ms: u64 = 30_000,
    }
}

impl feature::Settings for InterviewSettings {
    fn problem(&self) -> Option<String> {
        let confidences = [("min_confidence", self.min_confidence), ("strong_confidence", self.strong_confidence)];
        if let Some((name, confidence)) = confidences.into_iter().find(|(_, confidence)| !(0.0..1.0).contains(confidence)) {
            return Some(format!("{name} is {confidence}; it must be from 0 to below 1"));
        }
        let counts = [
            ("per_round", u64::from(self.per_round)),
            ("lease_ms", self.lease_ms),
            ("retry_ms", self.retry_ms),
            ("follow_ups", u64::from(self.follow_ups)),
            ("signals", u64::from(self.signals)),
            ("max_answer_chars", self.max_answer_chars as u64),
            ("per_person", u64::from(self.per_person)),
            ("sharpen_ms", self.sharpen_ms),
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
        assert_eq!(InterviewSettings::default().problem(), None);
        let high = InterviewSettings { min_confidence: 1.0, ..InterviewSettings::default() };
        assert!(high.problem().unwrap().starts_with("min_confidence is 1"));
        let none = InterviewSettings { follow_ups: 0, ..InterviewSettings::default() };
        assert!(none.problem().unwrap().starts_with("follow_ups is 0"));
    }
}
