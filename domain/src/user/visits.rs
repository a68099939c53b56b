//! Visits of a person, for "since your last visit".

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// Pause after which the next page begins another visit.
const PAUSE_MS: i64 = 30 * 60_000;
/// Least time between two updates, so that few pages write.
const UPDATE_MS: i64 = 5 * 60_000;

/// Times of the visits of an account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Visits {
    /// Last time on the home page, to within a few minutes.
    pub seen_at: Option<Timestamp>,
    /// End of the visit before this one; none during the first.
    pub before: Option<Timestamp>,
}

impl Visits {
    /// Returns the visits with one at `now`, or none while the stored ones are exact enough.
    pub fn with(self, now: Timestamp) -> Option<Self> {
        match self.seen_at.map(|seen| (seen, now.ms_since(seen))) {
            None => Some(Self { seen_at: Some(now), before: None }),
            Some((seen, pause)) if pause >= PAUSE_MS => Some(Self { seen_at: Some(now), before: Some(seen) }),
            Some((_, pause)) if pause >= UPDATE_MS => Some(Self { seen_at: Some(now), ..self }),
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_begins_another_visit_and_few_pages_write() {
        let start = Timestamp::parse("2031-05-06T08:00:00Z").unwrap();
        let at = |minutes: i64| start.plus_ms(minutes * 60_000);
        let first = Visits::default().with(at(0)).unwrap();
        assert_eq!(first, Visits { seen_at: Some(at(0)), ..Visits::default() });
        assert_eq!(first.with(at(4)), None);
        let later = first.with(at(20)).unwrap();
        assert_eq!(later, Visits { seen_at: Some(at(20)), ..Visits::default() });
        assert_eq!(later.with(at(50)).unwrap(), Visits { seen_at: Some(at(50)), before: Some(at(20)) });
    }
}
