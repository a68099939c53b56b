//! Saved views: named states of a page.

use domain::UserId;
use serde::Deserialize;

/// Maximum length of the name of a saved view, in characters.
pub const MAX_VIEW_NAME: usize = 60;
/// Maximum length of the notes of a saved view, in characters.
pub const MAX_VIEW_NOTES: usize = 2_000;

domain::ids! {
    /// One named state of a page.
    SavedViewId = "saved view";
}

domain::words! {
    /// Page of which views are saved, by its path without the slash.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ViewPage {
        #[default]
        Assessments = "assessments",
        Graph = "graph",
    }
}

/// A named state of a page: a filter of the list of assessments, or a picture of the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedView {
    pub id: SavedViewId,
    pub owner: UserId,
    /// User name of its owner.
    pub owner_name: String,
    pub name: String,
    pub notes: String,
    /// Whether everybody with an account sees it. What it shows is still what each of them may see.
    pub is_shared: bool,
    /// Query of the address, without a question mark.
    pub query: String,
}
