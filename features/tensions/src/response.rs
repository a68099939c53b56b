//! Responses: what eases a tension.

use crate::{region::Region, tension::TensionId};
use domain::{CollectionId, DocumentId, Timestamp};

/// Longest title of a response, in characters.
pub const MAX_TITLE: usize = 200;
/// Longest text of a response, in characters.
pub const MAX_TEXT: usize = 2_000;

domain::ids! {
    /// One thing that eases a tension.
    ResponseId = "response";
}

/// Kind of a response.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResponseKind {
    /// Help that is there.
    #[default]
    Give,
    /// Something that takes place.
    Event,
    /// Help that is wanted.
    Ask,
}

impl ResponseKind {
    pub const ALL: [Self; 3] = [Self::Give, Self::Event, Self::Ask];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Give => "give",
            Self::Event => "event",
            Self::Ask => "ask",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

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

    /// Whether it is over. One without an end ends on the day on which it starts.
    pub fn is_over(&self, now: Timestamp) -> bool {
        const DAY_MS: i64 = 86_400_000;
        let end = self.ends_at.or_else(|| self.starts_at.map(|start| start.plus_ms(DAY_MS)));
        self.kind == ResponseKind::Event && end.is_some_and(|end| end < now)
    }
}

/// How a response eases a tension.
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
