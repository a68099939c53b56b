//! Schedule of the mail to a person, in their time zone.

use chrono::{Datelike, Days, LocalResult, NaiveDate, TimeDelta, TimeZone, Timelike};
use chrono_tz::Tz;
use domain::Timestamp;

/// Days of the week, Monday first.
pub const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

domain::words! {
    /// Frequency of mail.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Frequency {
        Off = "off",
        Immediate = "immediate",
        Daily = "daily",
        Weekly = "weekly",
    }
}

impl Frequency {
    /// Returns the words of a form.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Off => "No mail",
            Self::Immediate => "As it happens",
            Self::Daily => "Daily",
            Self::Weekly => "Weekly",
        }
    }
}

/// When a person gets mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    pub frequency: Frequency,
    /// Day of a weekly mail; 0 is Monday.
    pub weekday: u8,
    /// Minute of the day of a daily or weekly mail.
    pub minute: u16,
    pub zone: Tz,
    /// First quiet hour, and the hour at which the quiet ends; equal ones: none.
    pub quiet: (u8, u8),
}

impl Schedule {
    /// Returns whether the news between two times are due; `pause_ms` is the pause between immediate mails. Quiet hours delay a mail.
    pub fn is_due(&self, covered: Timestamp, until: Timestamp, pause_ms: u64) -> bool {
        if self.is_quiet(until) {
            return false;
        }
        match self.frequency {
            Frequency::Off => false,
            Frequency::Immediate => until.ms_since(covered) >= i64::try_from(pause_ms).unwrap_or(i64::MAX),
            Frequency::Daily | Frequency::Weekly => self.last_slot(until).is_some_and(|slot| slot > covered),
        }
    }

    /// Returns the last slot up to a time.
    fn last_slot(&self, until: Timestamp) -> Option<Timestamp> {
        let today = until.to_datetime().with_timezone(&self.zone).date_naive();
        let days = (0..=7).filter_map(|days| today.checked_sub_days(Days::new(days)));
        let weekday = u32::from(self.weekday);
        days.filter(|day| self.frequency != Frequency::Weekly || day.weekday().num_days_from_monday() == weekday)
            .filter_map(|day| self.slot(day))
            .find(|slot| *slot <= until)
    }

    /// Returns the slot of a day. A time that summer time skips is one hour later; of a time that comes twice, it is the first.
    fn slot(&self, day: NaiveDate) -> Option<Timestamp> {
        let local = day.and_hms_opt(u32::from(self.minute / 60), u32::from(self.minute % 60), 0)?;
        let at = match self.zone.from_local_datetime(&local) {
            LocalResult::Single(at) | LocalResult::Ambiguous(at, _) => at,
            LocalResult::None => self.zone.from_local_datetime(&(local + TimeDelta::hours(1))).earliest()?,
        };
        Some(Timestamp::from_micros(at.timestamp_micros()))
    }

    /// Returns whether a time is in the quiet hours.
    pub fn is_quiet(&self, at: Timestamp) -> bool {
        let hour = at.to_datetime().with_timezone(&self.zone).hour();
        let (from, to) = (u32::from(self.quiet.0), u32::from(self.quiet.1));
        if from <= to { (from..to).contains(&hour) } else { hour >= from || hour < to }
    }

    /// Returns the day of a time in the zone, such as `Friday, 28 November`.
    pub fn day_of(&self, at: Timestamp) -> String {
        at.to_datetime().with_timezone(&self.zone).format("%A, %-d %B").to_string()
    }

    /// Returns the time of the mails in words, such as `daily at 07:00 (Europe/Berlin)`.
    pub fn describe(&self) -> String {
        let time = format!("{} ({})", self.time(), self.zone.name());
        match self.frequency {
            Frequency::Off => "never".to_owned(),
            Frequency::Immediate => "as it happens".to_owned(),
            Frequency::Daily => format!("daily at {time}"),
            Frequency::Weekly => {
                let day = WEEKDAYS.get(usize::from(self.weekday)).copied().unwrap_or_default();
                format!("every {day} at {time}")
            }
        }
    }

    /// Returns the time of day, such as `07:00`.
    pub fn time(&self) -> String {
        format!("{:02}:{:02}", self.minute / 60, self.minute % 60)
    }
}

/// Reads a time of day such as `07:00` as the minute of the day.
pub fn parse_minute(text: &str) -> Option<u16> {
    let (hours, minutes) = text.split_once(':')?;
    let (hours, minutes) = (hours.parse::<u16>().ok()?, minutes.parse::<u16>().ok()?);
    (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn schedule(frequency: Frequency, time: &str, quiet: (u8, u8)) -> Schedule {
        let minute = parse_minute(time).unwrap();
        Schedule { frequency, weekday: 4, minute, zone: Tz::Europe__Berlin, quiet }
    }

    fn is_due(schedule: &Schedule, covered: &str, until: &str) -> bool {
        schedule.is_due(moment(covered), moment(until), 300_000)
    }

    #[test]
    fn a_daily_mail_is_due_once_at_the_local_time_in_winter_and_summer() {
        let daily = schedule(Frequency::Daily, "07:00", (0, 0));
        assert!(!is_due(&daily, "2031-01-10T06:00:00Z", "2031-01-11T05:59:00Z"));
        assert!(is_due(&daily, "2031-01-10T06:00:00Z", "2031-01-11T06:00:00Z"));
        assert!(!is_due(&daily, "2031-01-11T06:00:00Z", "2031-01-11T23:00:00Z"));
        assert!(is_due(&daily, "2031-07-10T05:00:00Z", "2031-07-11T05:00:00Z"), "an hour earlier in summer");
        assert!(is_due(&daily, "2031-01-01T00:00:00Z", "2031-01-11T12:00:00Z"), "a missed one is made up for");
    }

    #[test]
    fn a_time_that_summer_time_skips_or_repeats_is_due_once() {
        let daily = schedule(Frequency::Daily, "02:30", (0, 0));
        // On 30 March 2031 the clock goes from 02:00 to 03:00, on 26 October from 03:00 to 02:00.
        assert!(!is_due(&daily, "2031-03-29T01:30:00Z", "2031-03-30T01:29:00Z"));
        assert!(is_due(&daily, "2031-03-29T01:30:00Z", "2031-03-30T01:30:00Z"), "03:30 instead");
        assert!(is_due(&daily, "2031-10-25T00:30:00Z", "2031-10-26T00:30:00Z"));
        assert!(!is_due(&daily, "2031-10-26T00:30:00Z", "2031-10-26T01:31:00Z"), "not again an hour later");
    }

    #[test]
    fn a_weekly_mail_is_due_on_its_day() {
        let weekly = schedule(Frequency::Weekly, "07:00", (0, 0));
        assert!(!is_due(&weekly, "2031-01-10T06:00:00Z", "2031-01-16T12:00:00Z"));
        assert!(is_due(&weekly, "2031-01-10T06:00:00Z", "2031-01-17T06:00:00Z"), "Friday");
        assert_eq!(weekly.describe(), "every Friday at 07:00 (Europe/Berlin)");
    }

    #[test]
    fn quiet_hours_delay_a_mail_over_midnight() {
        let immediate = schedule(Frequency::Immediate, "00:00", (22, 7));
        assert!(is_due(&immediate, "2031-01-10T20:00:00Z", "2031-01-10T20:59:00Z"));
        assert!(!is_due(&immediate, "2031-01-10T20:00:00Z", "2031-01-10T21:00:00Z"));
        assert!(!is_due(&immediate, "2031-01-10T20:00:00Z", "2031-01-11T05:59:00Z"));
        assert!(is_due(&immediate, "2031-01-10T20:00:00Z", "2031-01-11T06:00:00Z"));
        assert!(!is_due(&immediate, "2031-01-11T08:00:00Z", "2031-01-11T08:04:00Z"), "within the pause");
        let daily = schedule(Frequency::Daily, "06:00", (22, 7));
        assert!(!is_due(&daily, "2031-01-10T06:00:00Z", "2031-01-11T05:30:00Z"));
        assert!(is_due(&daily, "2031-01-10T06:00:00Z", "2031-01-11T06:00:00Z"));
    }

    #[test]
    fn times_of_day_are_read_strictly() {
        assert_eq!(
            ["07:00", "23:59", "24:00", "7", "07:60", "-1:00"].map(parse_minute),
            [Some(420), Some(1439), None, None, None, None]
        );
    }
}
