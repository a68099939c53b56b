//! Configuration of page lengths.

use domain::visibility::VisibilityKind;
use serde::{Deserialize, Serialize};

/// Configuration of list lengths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PagesConfig {
    /// Newest assessments on the home page.
    pub home_assessments: u32,
    /// Hits of one kind in a search.
    pub search_hits: u32,
    /// Characters of text around a hit.
    pub snippet_chars: usize,
    /// Assessments on one page of their list.
    pub dashboard_assessments: u32,
    /// Newest investigations in progress on the home page, and as many that have failed.
    pub dashboard_investigations: u32,
    /// Collections that the question form offers, newest first.
    pub collection_choices: u32,
    /// Documents on one page of the library.
    pub documents_per_page: u32,
    /// Entries on one page of the audit log.
    pub audit_per_page: u32,
    /// Failed work orders on one page.
    pub failed_orders_per_page: u32,
    /// Files that could not be read, on one page.
    pub rejected_per_page: u32,
    /// Duplicates among uploaded documents that are listed by name.
    pub duplicates_named: usize,
    /// Newest events in the log of an investigation.
    pub log_events: u32,
    /// Claims listed beside a document.
    pub document_claims: u32,
    /// Entities on their list.
    pub entities: usize,
    /// Relationships, claims on one page, and assessments shown with an entity.
    pub entity_relationships: u32,
    pub entity_claims: u32,
    pub entity_assessments: u32,
    /// Latest claims counted in the record of an outlet.
    pub outlet_claims: u32,
    /// Owners, with their own owners, about whom the claims of an outlet are searched.
    pub outlet_owners: usize,
    /// Outlets whose record a report shows.
    pub report_outlets: usize,
    /// Questions of a thread on a report.
    pub thread_questions: u32,
    /// Pairs of entities awaiting a decision, and past merges, on their pages.
    pub reviews: u32,
    /// Entities whose relationships the explorer shows, and the relationships that it shows at once.
    pub explorer_seeds: usize,
    /// Entities with which the explorer starts from a search, an assessment or an investigation.
    pub explorer_start: usize,
    pub explorer_edges: u32,
    /// Entities that the explorer shows at once, and relationships that its filters are applied to.
    pub explorer_nodes: usize,
    pub explorer_read_edges: u32,
    /// Longest path between two entities, in relationships; paths shown; relationships read per step of the search.
    pub path_hops: u32,
    pub paths: usize,
    pub path_edges: u32,
    /// Longest part of a text that a page shows, in bytes and in paragraphs.
    pub document_part_bytes: usize,
    pub document_part_paragraphs: usize,
    /// Cells of the tables shown with a document.
    pub document_table_cells: usize,
    /// Investigations whose live state is kept between views.
    pub live_states: u64,
    /// Events per read from the store.
    pub events_per_read: u32,
    /// Agent sessions on one page.
    pub sessions_per_page: u32,
    /// Steps of a session on one page.
    pub steps_per_page: u32,
    /// Visibility chosen at first in the question form: `private` or `workspace`.
    pub visibility: VisibilityKind,
    /// Selectable periods of tool statistics, in days; the first is the default.
    pub tool_days: Vec<u32>,
    /// Maximum excerpt of a long text before a link to the whole, in characters.
    pub excerpt_chars: usize,
}

impl Default for PagesConfig {
    fn default() -> Self {
        Self {
            home_assessments: 8,
            search_hits: 8,
            snippet_chars: 200,
            dashboard_assessments: 24,
            dashboard_investigations: 24,
            collection_choices: 40,
            documents_per_page: 50,
            audit_per_page: 100,
            failed_orders_per_page: 50,
            rejected_per_page: 50,
            duplicates_named: 50,
            log_events: 120,
            document_claims: 400,
            entities: 100,
            entity_relationships: 200,
            entity_claims: 200,
            entity_assessments: 20,
            outlet_claims: 500,
            outlet_owners: 20,
            report_outlets: 20,
            thread_questions: 30,
            reviews: 50,
            explorer_seeds: 50,
            explorer_start: 8,
            explorer_edges: 1_500,
            explorer_nodes: 1_500,
            explorer_read_edges: 10_000,
            path_hops: 4,
            paths: 5,
            path_edges: 5_000,
            document_part_bytes: 200_000,
            document_part_paragraphs: 2_000,
            document_table_cells: 2_000,
            live_states: 1_000,
            events_per_read: 1_000,
            sessions_per_page: 50,
            steps_per_page: 20,
            visibility: VisibilityKind::Private,
            tool_days: vec![7, 1, 30],
            excerpt_chars: 4_000,
        }
    }
}
