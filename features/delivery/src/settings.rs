//! Settings of the feature, `[features.delivery]`.

use serde::Deserialize;

domain::settings! {
    /// Intervals and limits of mail. The mail server itself is set on its page.
    #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
    pub struct DeliverySettings {
        /// Interval of the rounds in milliseconds; 0 disables mail.
        pub check_ms: u64 = 60_000,
        /// Age in milliseconds from which news are mailed, so that writes in flight are not missed.
        pub settle_ms: u64 = 60_000,
        /// Pause between immediate mails to one person in milliseconds.
        pub immediate_ms: u64 = 300_000,
        /// People, and mails, read at once.
        pub per_round: u32 = 100,
        /// Mails of the server per hour.
        pub per_hour: u32 = 500,
        /// Digests to one person per day.
        pub per_person_per_day: u32 = 48,
        /// Mails with a confirmation link that one person may order per day.
        pub confirmations_per_day: u32 = 5,
        /// Newest news looked at for one mail or feed.
        pub news: u32 = 200,
        /// Timeout of each step with the mail server, and of a webhook message, in milliseconds.
        pub timeout_ms: u64 = 30_000,
        /// Pause after the first failed attempt in milliseconds; each further one doubles it.
        pub retry_ms: u64 = 60_000,
        /// Maximum pause between attempts in milliseconds.
        pub retry_max_ms: u64 = 3_600_000,
        /// Age in milliseconds from which a mail is not tried again.
        pub give_up_ms: u64 = 259_200_000,
        /// Days for which ended mails are listed.
        pub keep_days: u32 = 90,
        /// Days for which the links of a mail accept answers.
        pub link_days: u32 = 90,
        /// Days for which *Weekly*, *Pause* and *Unsubscribe* of a mail work.
        pub change_link_days: u32 = 365,
        /// Newest mails, and webhook messages, on the pages of a person.
        pub mails: u32 = 20,
        /// Webhooks of one person.
        pub webhooks_per_person: u32 = 10,
        /// PEM file of an authority of the mail server's certificate, besides those of the system; empty: none.
        pub ca_file: String = String::new(),
    }
}

impl feature::Settings for DeliverySettings {
    fn problem(&self) -> Option<String> {
        let counts = [
            ("per_round", u64::from(self.per_round)),
            ("per_hour", u64::from(self.per_hour)),
            ("per_person_per_day", u64::from(self.per_person_per_day)),
            ("confirmations_per_day", u64::from(self.confirmations_per_day)),
            ("news", u64::from(self.news)),
            ("timeout_ms", self.timeout_ms),
            ("retry_ms", self.retry_ms),
            ("webhooks_per_person", u64::from(self.webhooks_per_person)),
            ("keep_days", u64::from(self.keep_days)),
            ("link_days", u64::from(self.link_days)),
            ("change_link_days", u64::from(self.change_link_days)),
        ];
        counts.into_iter().find(|(_, count)| *count == 0).map(|(name, _)| format!("{name} is 0; it must be at least 1"))
    }
}

impl DeliverySettings {
    /// Returns the pause in milliseconds after a number of attempts, from 1 on.
    pub fn backoff_ms(&self, attempts: u32) -> u64 {
        let doublings = attempts.saturating_sub(1).min(20);
        self.retry_ms.saturating_mul(1 << doublings).min(self.retry_max_ms.max(self.retry_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use feature::Settings;

    #[test]
    fn the_defaults_are_valid_and_a_limit_of_nothing_is_named() {
        assert_eq!(DeliverySettings::default().problem(), None);
        let wrong = DeliverySettings { per_hour: 0, ..DeliverySettings::default() };
        assert_eq!(wrong.problem().as_deref(), Some("per_hour is 0; it must be at least 1"));
    }

    #[test]
    fn the_pause_between_attempts_doubles_up_to_a_maximum() {
        let settings = DeliverySettings::default();
        assert_eq!(
            [1, 2, 3, 7, 99].map(|attempts| settings.backoff_ms(attempts)),
            [60_000, 120_000, 240_000, 3_600_000, 3_600_000]
        );
    }
}
