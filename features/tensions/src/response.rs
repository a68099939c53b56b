//! Responses: what eases a tension.

use crate::tension::{DAY_MS, TensionId};
use domain::{CollectionId, DocumentId, Timestamp};
use feature::region::Region;

/// Longest title of a response, in characters.
pub const MAX_TITLE: usize = 200;
/// Longest text of a response, in characters.
pub const MAX_TEXT: usize = 2_000;

domain::ids! {
    /// One thing that eases a tension.
    ResponseId = "response";
}

domain::words! {
    /// Kind of a response.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum ResponseKind {
        /// Help that is there.
        #[default]
        Give = "give",
        /// Something that takes place.
        Event = "event",
        /// Help that is wanted.
        Ask = "ask",
    }
}

impl ResponseKind {
    pub const fn label(self) -> &'static str {
        match self {
            Self::Give => "Give",
            Self::Event => "Event",
            Self::Ask => "Ask",
        }
    }
}

/// Something that eases tensions.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    pub id: ResponseId,
    pub collection: CollectionId,
    pub kind: ResponseKind,
    pub title: String,
    pub summary: String,
    pub url: String,
    /// The page as an agent read it; none where a person entered the address.
    pub document: Option<DocumentId>,
    pub starts_at: Option<Timestamp>,
    pub ends_at: Option<Timestamp>,
    pub region: Region,
    /// 0 to 1.
    pub confidence: f64,
    pub created_at: Timestamp,
}

impl Response {
    /// Returns whether title and texts are of a length that pages show.
    pub fn is_complete(title: &str, texts: &[&str]) -> bool {
        let title_chars = title.chars().count();
        (1..=MAX_TITLE).contains(&title_chars) && texts.iter().all(|text| text.chars().count() <= MAX_TEXT)
    }

    /// Returns the last day of an event with a date. One without an end ends on the day on which it starts.
    fn last_day(&self) -> Option<Timestamp> {
        self.ends_at.or(self.starts_at)
    }

    /// Whether it is an event with a date, and over.
    pub fn has_passed(&self, now: Timestamp) -> bool {
        self.kind == ResponseKind::Event && self.last_day().is_some_and(|end| end <= EventLimits::new(now, 0).ended)
    }
}

/// Moments up to which events are over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventLimits {
    pub now: Timestamp,
    /// Midnight of the last day whose events are over.
    pub ended: Timestamp,
    /// Last sight of an event without a date that is over.
    pub seen: Timestamp,
}

impl EventLimits {
    pub fn new(now: Timestamp, undated_event_days: u32) -> Self {
        Self { now, ended: now.plus_ms(-DAY_MS), seen: now.plus_ms(-DAY_MS * i64::from(undated_event_days)) }
    }
}

/// Link of a response to a tension that it eases.
#[derive(Debug, Clone, PartialEq)]
pub struct RespondsTo {
    pub tension: TensionId,
    /// 0 to 1.
    pub strength: f64,
    pub explanation: String,
    /// In free words: mutual aid, legal leverage, information …
    pub mechanism: String,
    pub first_seen: Timestamp,
    pub last_seen: Timestamp,
}

/// A response with what it eases.
#[derive(Debug, Clone, PartialEq)]
pub struct TensionResponse {
    pub response: Response,
    pub link: RespondsTo,
    /// Title of the tension.
    pub tension_title: String,
}

impl TensionResponse {
    /// Whether it is an event that is over: after its last day, and without a date some days after it was last seen.
    pub fn is_over(&self, limits: EventLimits) -> bool {
        let is_undated = self.response.kind == ResponseKind::Event && self.response.last_day().is_none();
        self.response.has_passed(limits.now) || (is_undated && self.link.last_seen <= limits.seen)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use testkit::id;

    pub fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    pub fn event(starts_at: Option<&str>, ends_at: Option<&str>) -> Response {
        Response {
            id: ResponseId(id()),
            collection: CollectionId(id()),
            kind: ResponseKind::Event,
            title: "Talks".into(),
            summary: String::new(),
            url: "https://mediation.example/".into(),
            document: None,
            starts_at: starts_at.map(at),
            ends_at: ends_at.map(at),
            region: Region::unknown(),
            confidence: 0.7,
            created_at: at("2026-11-01"),
        }
    }

    #[test]
    fn an_event_is_over_after_its_last_day() {
        let last = event(Some("2026-11-26"), Some("2026-11-28"));
        assert!(!last.has_passed(at("2026-11-28T23:59:59Z")) && last.has_passed(at("2026-11-29")));
        let single = event(Some("2026-11-28"), None);
        assert!(!single.has_passed(at("2026-11-28T09:00:00Z")) && single.has_passed(at("2026-11-29")));
        assert!(!event(None, None).has_passed(at("2026-11-29")));
        assert!(!Response { kind: ResponseKind::Give, ..last }.has_passed(at("2026-11-29")));
    }

    #[test]
    fn an_event_without_a_date_is_over_some_days_after_it_was_last_seen() {
        let seen = |response: Response| TensionResponse {
            response,
            link: RespondsTo {
                tension: TensionId(id()),
                strength: 0.7,
                explanation: String::new(),
                mechanism: String::new(),
                first_seen: at("2026-10-01"),
                last_seen: at("2026-11-01"),
            },
            tension_title: String::new(),
        };
        let is_over = |one: &TensionResponse, now: &str| one.is_over(EventLimits::new(at(now), 30));
        let undated = seen(event(None, None));
        assert!(!is_over(&undated, "2026-11-30") && is_over(&undated, "2026-12-01"));
        assert!(!is_over(&seen(event(Some("2026-12-24"), None)), "2026-12-24"), "a date decides");
        assert!(!is_over(&seen(Response { kind: ResponseKind::Give, ..event(None, None) }), "2026-12-01"));
    }
}
