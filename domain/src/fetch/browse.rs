//! Browser commands and the pages that they lead to.

use super::FetchedPage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A page to render: its scripts run, then its text is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowseRequest {
    pub url: String,
    /// A CSS selector of something that must be there before the page is read.
    pub wait_for: Option<String>,
    /// Timeout in milliseconds, where it is shorter than `fetch.browser.load_timeout_ms`.
    pub timeout_ms: Option<u64>,
}

impl BrowseRequest {
    pub fn page(url: impl Into<String>) -> Self {
        Self { url: url.into(), wait_for: None, timeout_ms: None }
    }
}

/// One step of a session in a browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum BrowseCommand {
    /// Opens an address in the same session, with its cookies.
    Navigate { url: String },
    /// Clicks on the first element that a CSS selector finds.
    Click { selector: String },
    /// Writes into a field. Only on the sites that the session was opened for, and never a password.
    Fill { selector: String, value: String },
    Scroll {
        #[serde(default)]
        direction: ScrollDirection,
    },
}

/// Where to scroll to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScrollDirection {
    /// One screen.
    #[default]
    Down,
    /// One screen.
    Up,
    Top,
    Bottom,
}

/// Kind of an interactive element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ControlKind {
    Link,
    Button,
    Field,
    Choice,
}

/// Something on a page that can be clicked on or filled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Control {
    /// A CSS selector that finds it.
    pub selector: String,
    pub kind: ControlKind,
    /// Visible label.
    pub label: String,
}

/// A page in its current state in the browser.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BrowsedPage {
    #[serde(flatten)]
    pub page: FetchedPage,
    /// Whether it had finished loading; else it was stopped, and this is what there was.
    pub is_complete: bool,
    /// Whether it asks for a password: what is behind it is not read.
    pub asks_login: bool,
    /// The first of those that a person sees, in the order of the page.
    pub controls: Vec<Control>,
}
