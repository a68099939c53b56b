//! A range of bytes of the text that was given.

/// A range of bytes; always on character boundaries of the text it was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end: end.max(start) }
    }

    /// The whole of a text.
    pub fn whole(text: &str) -> Self {
        Self::new(0, text.len())
    }

    /// The text of this span; empty where the span does not fit the text.
    pub fn slice<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    pub fn len(&self) -> usize {
        self.end - self.start
    }

    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    pub fn contains(&self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    pub fn overlaps(&self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The smallest span that holds both.
    pub fn to(&self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// This span without white space at its ends.
    pub fn trimmed(&self, text: &str) -> Span {
        let inner = self.slice(text);
        let start = self.start + (inner.len() - inner.trim_start().len());
        Span::new(start, start + inner.trim().len())
    }
}

impl From<Span> for domain::claim::Span {
    fn from(span: Span) -> Self {
        domain::claim::Span { start: span.start as u64, end: span.end as u64 }
    }
}
