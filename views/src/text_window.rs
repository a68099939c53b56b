//! Part of a long text that a page shows.

use domain::claim::Span;
use serde::{Deserialize, Serialize};

/// Place in a text around which a page shows it, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPlace {
    Around(Span),
    From(u64),
    Until(u64),
}

/// Part of a text, with its place in the whole in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextWindow {
    pub text: String,
    pub start: u64,
    /// Length of the whole text.
    pub total: u64,
}

impl TextWindow {
    pub fn end(&self) -> u64 {
        self.start + self.text.len() as u64
    }

    /// Returns the place of a span of the whole text in this part; none where they do not meet, or the span leaves the text.
    pub fn place_of(&self, span: Span) -> Option<Span> {
        let start = span.start.clamp(self.start, self.end()) - self.start;
        let end = span.end.clamp(self.start, self.end()) - self.start;
        let place = Span { start, end };
        (start < end && span.end <= self.total && place.slice(&self.text).is_some()).then_some(place)
    }
}
