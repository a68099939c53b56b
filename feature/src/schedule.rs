//! Schedule of recurring work: a pattern in cron syntax in a time zone.

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
    /// Reads a pattern such as `30 4 * * *` in a time zone such as `Europe/Paris`; the error begins with the name of
    /// the setting.
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

    /// Returns the first occurrence after a moment; none where the pattern has no more.
    pub fn next(&self, after: Timestamp) -> Option<Timestamp> {
        let next = self.cron.find_next_occurrence(&after.to_datetime().with_timezone(&self.zone), false).ok()?;
        Some(Timestamp::from_micros(next.timestamp_micros()))
    }

    /// Returns the shortest pause between the next `occurrences`, in milliseconds; none with fewer than two.
    pub fn shortest_pause_ms(&self, after: Timestamp, occurrences: usize) -> Option<i64> {
        let times: Vec<Timestamp> = std::iter::successors(self.next(after), |at| self.next(*at)).take(occurrences).collect();
        times.windows(2).map(|pair| pair[1].ms_since(pair[0])).min()
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
    fn an_hour_that_summer_time_leaves_out_or_repeats_is_due_once() {
        let schedule = Schedule::parse("30 2 * * *", "Europe/Paris").unwrap();
        // In 2031 the clocks go forward on 30 March at 01:00 UTC, and back on 26 October at 01:00 UTC.
        let spring = [moment("2031-03-29T00:00:00Z"), moment("2031-03-31T12:00:00Z")];
        let autumn = [moment("2031-10-25T00:00:00Z"), moment("2031-10-27T12:00:00Z")];
        let between = |[from, until]: [Timestamp; 2]| {
            std::iter::successors(schedule.next(from), |at| schedule.next(*at)).take_while(|at| *at < until).count()
        };
        assert_eq!((between(spring), between(autumn)), (3, 3), "each of the three days has one run");
        let pause = Schedule::parse("0,1 9 * * *", "UTC").unwrap().shortest_pause_ms(moment("2031-03-14T09:00:30Z"), 4);
        assert_eq!(pause, Some(60_000));
    }

    #[test]
    fn wrong_patterns_and_zones_are_named() {
        assert!(Schedule::parse("often", "UTC").unwrap_err().starts_with("schedule is 'often'"));
        assert!(Schedule::parse("0 4 * * *", "Paris").unwrap_err().starts_with("time_zone is 'Paris'"));
    }
}
