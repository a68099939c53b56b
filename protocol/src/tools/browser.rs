//! Arguments and results of the tools of the browser.

use super::DocumentEntry;
use domain::fetch::{Control, Link, ScrollDirection};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BrowseUrl {
    pub url: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BrowserOpen {
    pub url: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BrowserClick {
    pub session_id: String,
    pub selector: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BrowserFill {
    pub session_id: String,
    pub selector: String,
    pub value: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BrowserScroll {
    pub session_id: String,
    pub direction: Option<ScrollDirection>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BrowserSession {
    pub session_id: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BrowserClosed {
    pub closed: bool,
}

/// A page as it stands in the browser.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PageView {
    /// For the next step; none where the page was rendered once.
    pub session_id: Option<String>,
    /// Where the page is now.
    pub final_url: String,
    /// The beginning of its text, in sessions.
    pub rendered_content: Option<String>,
    /// What can be clicked on or filled, in sessions.
    pub controls: Vec<Control>,
    pub documents: Vec<DocumentEntry>,
    /// Links that may be opened from here.
    pub links: Vec<Link>,
    /// Whether it had finished loading.
    pub is_complete: bool,
    /// Whether it asks for a password: what is behind it is not read.
    pub asks_login: bool,
}
