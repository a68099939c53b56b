//! A feed: what an outlet announces, item by item, whatever dialect it was written in.

use crate::Published;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A feed as it was read. Texts are plain, without markup.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Feed {
    pub title: Option<String>,
    /// The site that the feed belongs to.
    pub address: Option<String>,
    pub description: Option<String>,
    pub language: Option<String>,
    pub updated: Option<Published>,
    /// In the order of the feed.
    pub items: Vec<FeedItem>,
    /// Not well-formed, so that it was read as far as it could be understood.
    pub is_mended: bool,
}

/// One thing that a feed announces.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FeedItem {
    /// As the feed names it; stable where the feed is.
    pub id: Option<String>,
    pub title: Option<String>,
    pub address: Option<String>,
    pub published: Option<Published>,
    pub updated: Option<Published>,
    pub byline: Option<String>,
    pub summary: Option<String>,
    /// The whole text, where the feed carries it.
    pub content: Option<String>,
}

/// Which source shows a feed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FeedGroup {
    #[default]
    Outlets,
    UnitedNations,
    CentralBanks,
    Governments,
}

impl FeedGroup {
    pub const ALL: [Self; 4] = [Self::Outlets, Self::UnitedNations, Self::CentralBanks, Self::Governments];

    /// As it is written in JSON, SQL and lists of feeds.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Outlets => "outlets",
            Self::UnitedNations => "united_nations",
            Self::CentralBanks => "central_banks",
            Self::Governments => "governments",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.as_str() == text)
    }
}

/// A feed to follow.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FeedEntry {
    pub title: String,
    pub address: String,
    pub group: FeedGroup,
    /// Part of the world that it reports from, e.g. `africa`; `world` for all.
    pub region: String,
    /// ISO 639-1.
    pub language: String,
}

/// A feed that was found at an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundFeed {
    pub address: String,
    pub title: Option<String>,
    pub language: Option<String>,
    pub items: usize,
}
