//! Retrieval method of pages, which determines how they can be checked again.

/// Retrieval method of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetrievalMethod {
    /// Fetched by address.
    Fetched,
    /// Rendered by address, with scripts.
    Rendered,
    /// Reached by clicks and forms in the browser; its address alone may lead elsewhere.
    Walked,
}

impl RetrievalMethod {
    const ALL: [Self; 3] = [Self::Fetched, Self::Rendered, Self::Walked];

    /// Returns the stored text.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fetched => "fetched",
            Self::Rendered => "rendered",
            Self::Walked => "walked",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reached| reached.as_str() == text)
    }
}
