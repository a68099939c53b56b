//! A feed: what an outlet announces, item by item, whatever dialect it was written in.

use crate::Published;
use serde::{Deserialize, Serialize};

/// A feed as it was read. Texts are plain, without markup.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
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
