//! Tools of the agents: typed arguments, port calls, JSON results.

mod analyst;
mod browser;
mod decompose;
mod draft;
mod explore;
mod extract;
mod find;
mod graph_write;
mod history;
mod likeness;
mod products;
mod search;
mod sources;
mod web;

pub(super) use analyst::CreateWorkOrderTool;
pub(super) use extract::read_entry;
pub(super) use products::{ProduceAssessmentTool, ProduceEvidenceBriefTool};

use super::{
    added_field::AddedField,
    context::{ToolContext, ToolError, ToolReply},
    gateway::token::GatewayToken,
    offer::ToolOffer,
    registry::{BadToolFile, Registry, Tool, ToolEntry},
    spec::AgentSpec,
    specs,
};
use crate::config_files::ConfigFiles;

/// Builds the registry of the kernel. The roles name their tools (`specs`).
pub fn registry(files: &ConfigFiles) -> Result<Registry, BadToolFile> {
    registry_with(files, &specs::KERNEL, &[], &[])
}

/// Builds the registry of `roles`, with tools of features and their fields of extracts.
pub fn registry_with(
    files: &ConfigFiles,
    roles: &[&'static AgentSpec],
    added: &[ToolEntry],
    fields: &[AddedField],
) -> Result<Registry, BadToolFile> {
    let registry = Registry::builder(files, roles)
        .with(find::SearchEntitiesTool)?
        .with(find::GetEntityTool)?
        .with(find::TraverseRelationshipsTool)?
        .with(find::SearchRelationshipsTool)?
        .with(explore::FindPathsTool)?
        .with(explore::GetNeighbourhoodTool)?
        .with(explore::GetEntityTimelineTool)?
        .with(find::SearchClaimsTool)?
        .with(find::ReadPassageTool)?
        .with(likeness::MeasureLikenessTool)?
        .with(products::SearchAssessmentsTool)?
        .with(products::GetAssessmentTool)?
        .with(analyst::CreateWorkOrderTool)?
        .with(decompose::DecomposeQuestionTool)?
        .with(products::ProduceAssessmentTool)?
        .with(products::AmendAssessmentTool)?
        .with(products::ProduceEvidenceBriefTool)?
        .with(history::GetInvestigationHistoryTool)?
        .with(sources::ListFetchSourcesTool)?
        .with(graph_write::CreateEntityTool)?
        .with(graph_write::UpdateEntityTool)?
        .with(graph_write::CreateClaimTool)?
        .with(graph_write::CreateRelationshipTool)?
        .with(graph_write::UpdateRelationshipTool)?
        .with(sources::FetchSourceCatalogTool)?
        .with(sources::FetchSourceQueryTool)?
        .with(web::FetchUrlTool)?
        .with(browser::BrowseUrlTool)?
        .with(browser::BrowserOpenTool)?
        .with(browser::BrowserClickTool)?
        .with(browser::BrowserFillTool)?
        .with(browser::BrowserScrollTool)?
        .with(browser::BrowserCloseTool)?
        .with(extract::BatchExtractTool::new(fields))?
        .with(search::WebSearchTool)?
        .with(search::ReadPageTool)?;
    added.iter().try_fold(registry, |registry, entry| registry.with_added(entry))?.build()
}
