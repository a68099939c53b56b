//! Tools with which the Analyst reads tensions. Their results are within the scope of the session.

mod get;
mod search;

use domain::agent::AgentRole;
use engine::agents::ToolEntry;
use feature::ToolParts;
use get::GetTensionTool;
use search::SearchTensionsTool;

/// Returns the tools of the feature.
pub fn all(parts: &ToolParts) -> Vec<ToolEntry> {
    vec![
        ToolEntry::new(SearchTensionsTool::from(parts)).given_to(&[AgentRole::Analyst]),
        ToolEntry::new(GetTensionTool::from(parts)).given_to(&[AgentRole::Analyst]),
    ]
}
