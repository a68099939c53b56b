//! Schedule of the cycle: a pattern in cron syntax in a time zone.

use chrono_tz::Tz;
use croner::Cron;
use domain::Timestamp;

/// Pattern in cron syntax with its time zone.
#[derive(Debug, Clone)]
pub struct Schedule {
    cron: Cron,
    zone: Tz,
}

impl Schedule {
    /// Reads a pattern such as `30 4 * * *` in a time zone such as `Europe/Paris`; the error is for the operator.
    pub fn parse(pattern: &str, zone: &str) -> Result<Self, String> {
        let cron = pattern.parse::<Cron>().map_err(|error| format!("schedule is '{pattern}': {error}"))?;
        let zone = zone.parse::<Tz>().map_err(|_| format!("time_zone is '{zone}'; it must be a name such as Europe/Paris"))?;
        Ok(Self { cron, zone })
    }

    /// Returns the last occurrence up to `now` after a moment.
    pub fn due(&self, after: Timestamp, now: Timestamp) -> Option<Timestamp> {
        let last = self.cron.find_previous_occurrence(&now.to_datetime().with_timezone(&self.zone), true).ok()?;
        let last = Timestamp::from_micros(last.timestamp_micros());
        (last > after).then_some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn an_occurrence_is_due_once_in_the_time_of_its_zone() {
        let schedule = Schedule::parse("30 4 * * *", "Europe/Paris").unwrap();
        let (started, now) = (moment("2031-03-14T00:00:00Z"), moment("2031-03-14T03:31:00Z"));
        let due = schedule.due(started, now).unwrap();
        assert_eq!(due, moment("2031-03-14T03:30:00Z"));
        assert_eq!(schedule.due(due, now), None);
        assert_eq!(schedule.due(due, moment("2031-03-17T12:00:00Z")), Some(moment("2031-03-17T03:30:00Z")), "missed ones once");
        assert_eq!(
            schedule.due(started, moment("2031-07-01T02:30:00Z")),
            Some(moment("2031-07-01T02:30:00Z")),
            "in summer time"
        );
    }

    #[test]
    fn wrong_patterns_and_zones_are_named() {
        assert!(Schedule::parse("often", "UTC").unwrap_err().starts_with("schedule is 'often'"));
        assert!(Schedule::parse("0 4 * * *", "Paris").unwrap_err().starts_with("time_zone is 'Paris'"));
    }
}
