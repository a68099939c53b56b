//! Configuration of page lengths.

use domain::visibility::VisibilityKind;
use serde::{Deserialize, Serialize};

domain::settings! {
    /// Configuration of list lengths.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct PagesConfig {
        /// Newest assessments on the home page.
        pub home_assessments: u32 = 8,
        /// Hits of one kind in a search.
        pub search_hits: u32 = 8,
        /// Characters of text around a hit.
        pub snippet_chars: usize = 200,
        /// Assessments on one page of their list.
        pub dashboard_assessments: u32 = 24,
        /// Newest investigations in progress on the home page, and as many that have failed.
        pub dashboard_investigations: u32 = 24,
        /// Collections that the question form offers, newest first.
        pub collection_choices: u32 = 40,
        /// Documents on one page of the library.
        pub documents_per_page: u32 = 50,
        /// Entries on one page of the audit log.
        pub audit_per_page: u32 = 100,
        /// Failed work orders on one page.
        pub failed_orders_per_page: u32 = 50,
        /// Files that could not be read, on one page.
        pub rejected_per_page: u32 = 50,
        /// Duplicates among uploaded documents that are listed by name.
        pub duplicates_named: usize = 50,
        /// Newest events in the log of an investigation.
        pub log_events: u32 = 120,
        /// Claims listed beside a document.
        pub document_claims: u32 = 400,
        /// Entities on their list.
        pub entities: usize = 100,
        /// Relationships, claims on one page, and assessments shown with an entity.
        pub entity_relationships: u32 = 200,
        pub entity_claims: u32 = 200,
        pub entity_assessments: u32 = 20,
        /// Latest claims counted in the record of an outlet.
        pub outlet_claims: u32 = 500,
        /// Owners, with their own owners, about whom the claims of an outlet are searched.
        pub outlet_owners: usize = 20,
        /// Outlets whose record a report shows.
        pub report_outlets: usize = 20,
        /// Questions of a thread on a report.
        pub thread_questions: u32 = 30,
        /// Pairs of entities awaiting a decision, and past merges, on their pages.
        pub reviews: u32 = 50,
        /// Entities whose relationships the explorer shows, and the relationships that it shows at once.
        pub explorer_seeds: usize = 50,
        /// Entities with which the explorer starts from a search, an assessment or an investigation.
        pub explorer_start: usize = 8,
        pub explorer_edges: u32 = 1_500,
        /// Entities that the explorer shows at once, and relationships that its filters are applied to.
        pub explorer_nodes: usize = 1_500,
        pub explorer_read_edges: u32 = 10_000,
        /// Longest path between two entities, in relationships; paths shown; relationships read per step of the search.
        pub path_hops: u32 = 4,
        pub paths: usize = 5,
        pub path_edges: u32 = 5_000,
        /// Longest part of a text that a page shows, in bytes and in paragraphs.
        pub document_part_bytes: usize = 200_000,
        pub document_part_paragraphs: usize = 2_000,
        /// Cells of the tables shown with a document.
        pub document_table_cells: usize = 2_000,
        /// Investigations whose live state is kept between views.
        pub live_states: u64 = 1_000,
        /// Events per read from the store.
        pub events_per_read: u32 = 1_000,
        /// Agent sessions on one page.
        pub sessions_per_page: u32 = 50,
        /// Steps of a session on one page.
        pub steps_per_page: u32 = 20,
        /// Visibility chosen at first in the question form: `private` or `workspace`.
        pub visibility: VisibilityKind = VisibilityKind::Private,
        /// Selectable periods of tool statistics, in days; the first is the default.
        pub tool_days: Vec<u32> = vec![7, 1, 30],
        /// Maximum excerpt of a long text before a link to the whole, in characters.
        pub excerpt_chars: usize = 4_000,
    }
}
