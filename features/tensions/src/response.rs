//! Responses: what eases a tension.

use crate::tension::TensionId;
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

    /// Whether it is an event that is over. One without an end ends on the day on which it starts.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.kind == ResponseKind::Event && self.ends_at.or(self.starts_at).is_some_and(|end| end <= over_until(now))
    }
}

/// Returns the last day whose events are over: its midnight is a day ago.
pub fn over_until(now: Timestamp) -> Timestamp {
    const DAY_MS: i64 = 86_400_000;
    now.plus_ms(-DAY_MS)
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
        assert!(!last.is_over(at("2026-11-28T23:59:59Z")) && last.is_over(at("2026-11-29")));
        let single = event(Some("2026-11-28"), None);
        assert!(!single.is_over(at("2026-11-28T09:00:00Z")) && single.is_over(at("2026-11-29")));
        assert!(!event(None, None).is_over(at("2026-11-29")));
        assert!(!Response { kind: ResponseKind::Give, ..last }.is_over(at("2026-11-29")));
    }
}
