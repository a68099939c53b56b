//! How pages were reached, which says how they can be looked at again.

/// How a page was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetrievalMethod {
    /// By its address, as its server sends it.
    Fetched,
    /// By its address, as it stands when its scripts have run.
    Rendered,
    /// By clicks and forms in the browser: its address alone may lead elsewhere.
    Walked,
}

impl RetrievalMethod {
    const ALL: [Self; 3] = [Self::Fetched, Self::Rendered, Self::Walked];

    /// As it is stored.
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
