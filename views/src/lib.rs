//! View models of the web pages: loaded by `engine::pages`, rendered by `app`.

mod asking;
pub mod graph;
mod library;
mod plan;
mod search;
mod sessions;
pub mod settings;
pub mod sources;
pub mod teams;
mod text_window;
mod versions;
mod visit_changes;

pub use asking::{ClarifyView, CollectionChoice, EarlierQuestion, NewInvestigationView, PeriodChoice, SourceChoice};
pub use library::{
    CollectionReaders, DocumentFilter, DocumentLine, DocumentRemovalView, DocumentsView, LibraryTab, RejectedPage,
};
pub use plan::{PlanTask, PlanView};
pub use search::{
    AddedGroup, FacetKind, FacetValue, SearchFacet, SearchGroup, SearchHit, SearchKind, SearchOrder, SearchQuery, SearchView,
    Snippet,
};
pub use sessions::{
    BadPart, CallRecord, Excerpt, SessionLine, SessionView, SessionsView, StepContent, StepPart, StepView, ToolCallView,
    ToolResultView,
};
pub use text_window::{TextPlace, TextWindow};
pub use versions::{
    ComparedSide, ComparisonView, FollowedReport, HistoryVersion, HistoryView, OneSidedCitation, ThreadLine, followed_question,
    previous_version,
};
pub use visit_changes::{VisitChange, VisitChangeKind, VisitChanges};

use domain::{
    AssessmentId, CollectionId, DocumentId, EntityId, InvestigationId, Timestamp, WorkOrderId,
    agent::{InjectionFinding, ToolQuality},
    annotation::{Annotations, Note, Tag},
    assessment::{AnalyticConfidence, AnsweredParts, Assessment, AssessmentKind, AssessmentState, Judgement, QuestionScope},
    budget::{Estimate, Spend},
    claim::Claim,
    document::{Document, DocumentDetails},
    event::Event,
    fetch::{PageFinding, WebCapture},
    investigation::{Period, ProgressSummary, Status, WebAccess},
    live::LiveState,
    outlet::OutletRecord,
    user::User,
    visibility::VisibilityKind,
};
use serde::{Deserialize, Serialize};
use settings::{RoleModels, SilentModel};
use std::collections::BTreeSet;
use teams::{Access, VisibilityForm};

/// The home page: running, finished and failed investigations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dashboard {
    /// The newest ones that match the filter.
    pub assessments: Vec<AssessmentCard>,
    /// Number of all that match it.
    pub total: u64,
    pub filter: ListFilter,
    /// Collections to filter by, with their names.
    pub collections: Vec<(CollectionId, String)>,
    /// The newest that have not ended.
    pub running: Vec<InvestigationCard>,
    /// Number of all that have not ended.
    pub running_total: u64,
    /// The newest that failed without an assessment.
    pub failed: Vec<InvestigationCard>,
    /// Number of all that failed without one.
    pub failed_total: u64,
    /// None during the first visit.
    pub since_visit: Option<VisitChanges>,
    /// The sample's documents are there.
    pub has_sample: bool,
    /// Steps of the first start; none once they are done or dismissed.
    pub setup: Option<SetupSteps>,
    /// Number of documents beside the sample's.
    pub documents: u64,
    pub now: Timestamp,
}

/// Steps of the first start, checked off by the system.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupSteps {
    /// A language model of the Analyst has answered: a connection test, or a question.
    pub has_model: bool,
    /// At least one source is on.
    pub has_sources: bool,
    /// The library holds more than the sample.
    pub has_documents: bool,
    /// The viewer has opened a report of the sample.
    pub has_read_sample: bool,
    /// Report of the sample to read; one that a language model wrote comes first.
    pub sample: Option<AssessmentId>,
}

impl SetupSteps {
    pub const fn is_complete(self) -> bool {
        self.has_model && self.has_sources && self.has_documents && self.has_read_sample
    }
}

/// A page of the list of assessments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssessmentList {
    pub assessments: Vec<AssessmentCard>,
    /// Number of all that match the filter.
    pub total: u64,
    /// From 1.
    pub page: u64,
    pub per_page: u64,
    pub filter: ListFilter,
    /// Collections to filter by, with their names.
    pub collections: Vec<(CollectionId, String)>,
    pub has_sample: bool,
    pub now: Timestamp,
}

/// Filter and order of the list of assessments, as the address holds them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListFilter {
    /// Words of question, title or bottom line; empty: all.
    pub query: String,
    /// Only the viewer's own.
    pub is_mine: bool,
    pub hides_sample: bool,
    pub is_oldest_first: bool,
    /// Archived ones instead of the others.
    pub is_archived: bool,
    /// Only those with this visibility.
    pub visibility: Option<VisibilityKind>,
    /// Only those with this tag; empty: all.
    pub tag: String,
    /// Only those in this state.
    pub state: Option<AssessmentState>,
    /// Only those of this kind.
    pub kind: Option<AssessmentKind>,
    /// Only those that draw on this collection.
    pub collection: Option<CollectionId>,
    /// Days of completion.
    pub period: Period,
    /// Fields of the chosen filters of features.
    pub added: Vec<String>,
}

/// Preview of deleting investigations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeletePreview {
    /// Id and question of those that would go.
    pub going: Vec<(InvestigationId, String)>,
    /// Questions of those that still run and must be stopped first.
    pub running: Vec<String>,
    pub parts: u64,
    pub assessments: u64,
    pub work_orders: u64,
    pub sessions: u64,
    pub model_calls: u64,
    pub events: u64,
    /// Number and label of what features keep on the assessments.
    pub added: Vec<(u64, String)>,
}

/// An assessment in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssessmentCard {
    pub id: AssessmentId,
    pub investigation_id: InvestigationId,
    pub question: String,
    pub title: String,
    pub bottom_line: String,
    pub kind: AssessmentKind,
    pub state: AssessmentState,
    /// Answered parts of the question, where not all are.
    pub answered_parts: Option<AnsweredParts>,
    /// The first key judgement; none of an evidence brief.
    pub judgement: Option<Judgement>,
    /// None of an evidence brief.
    pub confidence: Option<AnalyticConfidence>,
    pub citations: usize,
    /// Number of cited documents.
    pub documents: usize,
    /// Number of cited pages that have changed since.
    pub found_later: usize,
    /// Time of the last such finding.
    pub changed_at: Option<Timestamp>,
    pub is_partial: bool,
    pub is_sample: bool,
    /// Whether recorded replies of a model wrote it.
    pub is_recorded: bool,
    /// Owner and visibility; none once its investigation is gone.
    pub access: Option<Access>,
    /// Shown in the list of assessments alone.
    pub tags: Vec<Tag>,
    /// Next day (`YYYY-MM-DD`) by which one of its indicators resolves.
    pub due: Option<String>,
    pub created_at: Timestamp,
}

/// An investigation in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InvestigationCard {
    pub id: InvestigationId,
    pub question: String,
    pub status: Status,
    pub reason: Option<String>,
    /// Progress of an unfinished one.
    pub progress: Option<ProgressSummary>,
    /// The viewer may end its reading.
    pub may_stop: bool,
    /// Name of its owner, where that is another person.
    pub owner: Option<String>,
    pub is_sample: bool,
    pub created_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

/// One investigation, followed live.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InvestigationView {
    pub id: InvestigationId,
    pub question: String,
    pub is_sample: bool,
    /// The investigation that it is a part of, with its question.
    pub parent: Option<(InvestigationId, String)>,
    /// The viewer may end it.
    pub may_stop: bool,
    /// Models that it may go on with while it is suspended, besides the built-in engine; empty for those who may not choose.
    pub models: Vec<String>,
    /// The viewer sees its collection, so that the page follows its events and leads to the records of its agents. Others, to whom it was
    /// made visible, see how far it is.
    pub sees_records: bool,
    pub access: Option<Access>,
    /// None where the viewer may not change the visibility.
    pub visibility_form: Option<VisibilityForm>,
    pub live: LiveState,
    /// The newest events, oldest first.
    pub log: Vec<Event>,
    pub rejected: RejectedPage,
    /// The assessment, or the partial report of a failed one.
    pub assessment: Option<AssessmentId>,
    /// Of what was spent.
    pub currency: String,
    /// Whether every model has a price; once there is an assessment, whether its cost is known.
    pub prices_known: bool,
    /// Scope that its owner set; none for the whole library at any time and standard depth.
    pub scope: Option<QuestionScope>,
    /// Web access of its agents.
    pub web: WebAccess,
    pub created_at: Timestamp,
    pub now: Timestamp,
}

/// One assessment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssessmentView {
    pub assessment: Assessment,
    /// Findings about cited pages that have changed.
    pub findings: Vec<PageFinding>,
    /// Records of the evaluated outlets, of those that the viewer may see.
    pub outlet_records: Vec<(EntityId, OutletRecord)>,
    /// Exclusions, contests and the viewer's watches.
    pub annotations: Annotations,
    pub is_partial: bool,
    pub is_sample: bool,
    /// Spend of its investigation, from the ledger.
    /// None where it is not shown.
    pub spent: Option<Spend>,
    pub currency: String,
    pub created_at: Timestamp,
    /// Questions of its thread that the viewer may see, oldest first; empty when it stands alone.
    pub thread: Vec<ThreadLine>,
    /// Whether the viewer may archive and delete its investigation.
    pub may_manage: bool,
    pub access: Option<Access>,
    /// None where the viewer may not change the visibility.
    pub visibility_form: Option<VisibilityForm>,
    /// The viewer may open the records of its agents.
    pub sees_records: bool,
    /// Cited documents that the viewer may not open: others made the report visible to them, not its documents.
    pub closed: BTreeSet<DocumentId>,
    pub is_archived: bool,
}

/// Preview of a run: models, estimated spend and budget.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunPreview {
    pub roles: Vec<RoleModels>,
    /// One of each depth.
    pub estimates: Vec<Estimate>,
    /// The exhausted cap, with advice on how to raise it.
    pub over_budget: Option<String>,
    /// Models of the roles that do not answer.
    #[serde(default)]
    pub silent: Vec<SilentModel>,
}

/// One document with a part of its text, and its claims.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentView {
    pub document: Document,
    pub details: DocumentDetails,
    /// Number of tables that are not in `details`, because the page has no room for them.
    pub more_tables: u64,
    /// Capture of its page; none for a file.
    pub capture: Option<WebCapture>,
    /// Finding about the page that the document was captured from.
    pub finding: Option<PageFinding>,
    /// Injection findings about the document.
    pub injections: Vec<InjectionFinding>,
    pub text: TextWindow,
    /// Other captures of the same text.
    pub copies: Vec<Document>,
    /// Captures of the same path or address with another text, newest first.
    pub captures: Vec<Document>,
    /// Assessments that cite it, newest first, with their questions.
    pub cited_in: Vec<(AssessmentId, String)>,
    /// As they stand in the text.
    pub claims: Vec<Claim>,
    /// In the order of the alphabet.
    pub tags: Vec<Tag>,
    /// Those of them that the viewer added.
    pub own_tags: Vec<Tag>,
    /// Oldest first.
    pub notes: Vec<Note>,
    pub is_sample: bool,
    pub is_archived: bool,
    /// Whether it was read only in view of a question, with the rest left out.
    pub is_in_view_only: bool,
    /// Whether the viewer may archive and delete it.
    pub may_edit: bool,
}

/// The people with an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeopleView {
    pub people: Vec<User>,
    /// Least characters of a password.
    pub min_password_chars: usize,
}

/// One's own account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountView {
    /// Browsers that are signed in, last used first.
    pub sessions: Vec<DeviceLine>,
    /// Least characters of a password.
    pub min_password_chars: usize,
}

/// A browser that is signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceLine {
    /// Hash of the session id, by which its owner ends it.
    pub key: String,
    /// Browser and system, in words.
    pub device: String,
    pub started_at: Timestamp,
    pub used_at: Timestamp,
    /// Whether it is the browser of this request.
    pub is_current: bool,
}

/// A page of the audit log, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditView {
    pub lines: Vec<AuditLine>,
    /// Number of all entries.
    pub total: u64,
    /// From 1.
    pub page: u64,
    pub per_page: u64,
}

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditLine {
    pub at: Timestamp,
    /// Name of the actor; none for the command line and for attempts without an account.
    pub actor: Option<String>,
    /// Action name, such as `sign_in`.
    pub act: String,
    pub object: String,
    /// Address of the client; none for the command line.
    pub address: Option<String>,
}

/// A page of the work orders that failed for good, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedOrdersView {
    pub lines: Vec<FailedOrderLine>,
    /// Number of all of them.
    pub total: u64,
    /// From 1.
    pub page: u64,
    pub per_page: u64,
}

/// A work order that failed for good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedOrderLine {
    pub id: WorkOrderId,
    pub investigation_id: InvestigationId,
    /// Question and objective; none where they are private to another person.
    pub words: Option<OrderWords>,
    pub reason: String,
    pub attempts: u32,
    pub failed_at: Option<Timestamp>,
    /// Whether its investigation goes on, so that it can be queued again.
    pub is_open: bool,
}

/// The words of a work order and of its question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderWords {
    pub question: String,
    pub objective: String,
}

/// Tool statistics over some days.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolsView {
    /// Period in days, back from now.
    pub days: u32,
    /// Other periods to choose from.
    pub choices: Vec<u32>,
    pub total: ToolQuality,
    /// By tool and source, the most called first.
    pub lines: Vec<ToolQuality>,
    /// Provider and model that judges results; `None`: fixed rules.
    pub reflector: Option<String>,
}

/// Ownership of a document, as its reader sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ownership {
    /// The reader's alone.
    Yours,
    /// Everybody's with an account.
    Shared,
    /// Another person's, opened to a team of the reader.
    Team,
    /// The sample's.
    Sample,
}
