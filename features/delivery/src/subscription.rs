//! Mail that a person orders.

use crate::schedule::{Frequency, Schedule, WEEKDAYS, parse_minute};
use app::NoticeAction;
use chrono_tz::Tz;
use domain::{Timestamp, UserId};
use feature::NoticeText;
use lettre::Address;
use serde::Deserialize;

/// Most news per mail that a person may choose.
pub const MAX_BUDGET: u32 = 30;
/// Maximum length of an address in bytes (RFC 5321).
const MAX_ADDRESS: usize = 254;

/// Refusal of a text that is not an address.
pub const BAD_ADDRESS: NoticeText = NoticeText {
    code: "bad_mail_address",
    message: "This is not an e-mail address.",
    action: NoticeAction { text: "Correct the address", href: "#address" },
};

/// Refusal of a wrong time, hour or number.
pub const BAD_SCHEDULE: NoticeText = NoticeText {
    code: "bad_mail_schedule",
    message: "Choose a time such as 07:00, hours from 0 to 23, and 1 to 30 items.",
    action: NoticeAction { text: "Correct the schedule", href: "#time" },
};

/// Refusal of an unknown time zone.
pub const BAD_ZONE: NoticeText = NoticeText {
    code: "bad_time_zone",
    message: "This time zone is not known. Use a name such as Europe/Berlin.",
    action: NoticeAction { text: "Correct the time zone", href: "#zone" },
};

/// Mail that a person ordered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    pub user: UserId,
    pub choice: MailChoice,
    /// Time of the confirmation of the address; none before.
    pub confirmed_at: Option<Timestamp>,
    /// By its person, or because the mail server refused a mail.
    pub is_paused: bool,
    /// News up to this time are in a mail, or there were none.
    pub covered_at: Timestamp,
}

impl Subscription {
    /// Returns whether its person wants digests at the confirmed address.
    pub fn is_wanted(&self) -> bool {
        self.confirmed_at.is_some() && !self.is_paused && self.choice.schedule.frequency != Frequency::Off
    }
}

/// Address, schedule and form of the mail, as its person chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailChoice {
    pub address: String,
    pub schedule: Schedule,
    /// News per mail; each is about a minute of reading.
    pub budget: u32,
    /// Whether the subject names the first item.
    pub names_in_subject: bool,
}

impl Default for MailChoice {
    fn default() -> Self {
        let schedule = Schedule { frequency: Frequency::Daily, weekday: 0, minute: 7 * 60, zone: Tz::UTC, quiet: (22, 7) };
        Self { address: String::new(), schedule, budget: 5, names_in_subject: false }
    }
}

/// Form of a subscription, as it was typed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct SubscriptionForm {
    pub address: String,
    pub frequency: String,
    pub weekday: String,
    pub time: String,
    pub zone: String,
    pub quiet_from: String,
    pub quiet_to: String,
    pub budget: String,
    /// Set by the box "Name the first item in the subject".
    pub names: String,
}

impl SubscriptionForm {
    /// Reads the choice; the error is the code of a notice.
    pub fn choice(&self) -> Result<MailChoice, &'static str> {
        let address = self.address.trim();
        if address.len() > MAX_ADDRESS || address.parse::<Address>().is_err() {
            return Err(BAD_ADDRESS.code);
        }
        let zone = self.zone.trim().parse::<Tz>().map_err(|_| BAD_ZONE.code)?;
        let hour = |text: &str| text.parse::<u8>().ok().filter(|hour| *hour < 24);
        let schedule = || {
            Some(Schedule {
                frequency: Frequency::parse(&self.frequency)?,
                weekday: self.weekday.parse::<u8>().ok().filter(|day| usize::from(*day) < WEEKDAYS.len())?,
                minute: parse_minute(&self.time)?,
                zone,
                quiet: (hour(&self.quiet_from)?, hour(&self.quiet_to)?),
            })
        };
        let budget = self.budget.parse::<u32>().ok().filter(|budget| (1..=MAX_BUDGET).contains(budget));
        let (Some(schedule), Some(budget)) = (schedule(), budget) else { return Err(BAD_SCHEDULE.code) };
        Ok(MailChoice { address: address.to_owned(), schedule, budget, names_in_subject: !self.names.is_empty() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_field_is_named_and_a_right_form_is_read() {
        let form = SubscriptionForm {
            address: " ada@example.org ".into(),
            frequency: "weekly".into(),
            weekday: "4".into(),
            time: "07:30".into(),
            zone: "Europe/Berlin".into(),
            quiet_from: "22".into(),
            quiet_to: "7".into(),
            budget: "5".into(),
            names: String::new(),
        };
        let choice = form.choice().unwrap();
        assert_eq!((choice.address.as_str(), choice.schedule.minute, choice.budget), ("ada@example.org", 450, 5));
        let refused = |change: fn(&mut SubscriptionForm)| {
            let mut form = form.clone();
            change(&mut form);
            form.choice().unwrap_err()
        };
        assert_eq!(refused(|form| form.address = "ada@example.org\r\nBcc: eve@example.org".into()), "bad_mail_address");
        assert_eq!(refused(|form| form.zone = "Berlin".into()), "bad_time_zone");
        assert_eq!(refused(|form| form.budget = "31".into()), "bad_mail_schedule");
        assert_eq!(refused(|form| form.quiet_to = "24".into()), "bad_mail_schedule");
    }
}
