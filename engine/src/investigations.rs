//! Investigations and work orders in the state store, held by leases; the use cases that start and stop them.

pub mod clarify;
mod failed_orders;
mod followed;
mod obstacles;
pub(crate) mod period;
pub mod plan;
mod reach;
mod resume;
mod start;
mod tidy;

pub use failed_orders::{discard_order, requeue_order};
pub use followed::{FollowedQuestion, followed_question};
pub(crate) use obstacles::report_obstacle;
pub use obstacles::{Obstacle, Obstacles, Suspension};
pub use reach::{Reach, ReachRequest, question_scope, reach};
pub use resume::resume;
pub(crate) use start::traceparent;
pub use start::{InvestigationRequest, ReadingProgress, StartError, check_question, over_budget, start, stop};
pub use tidy::{archive, delete, manager, unarchive};

use crate::{StoreResult, library::DependentRows};
use async_trait::async_trait;
use domain::{
    AssessmentId, CollectionId, DocumentId, HolderId, InvestigationId, QueryText, Scope, SessionId, Timestamp, UserId,
    WorkOrderId,
    event::EventKind,
    investigation::{FollowKind, Investigation, Period, Progress, ProgressSummary, Status},
    model_choice::ModelChoices,
    work_order::{PlanChange, Priority, WorkOrder, WorkOrderStatus},
};
use std::collections::{BTreeMap, BTreeSet};

/// Lease: the right to write to one investigation. Writes with an outdated attempt are `Stale`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub investigation_id: InvestigationId,
    pub holder: HolderId,
    pub attempt: u32,
}

/// Transition, stored atomically: progress, staged orders, parts and events.
#[derive(Debug, Clone)]
pub struct Transition {
    pub from: Progress,
    pub to: Progress,
    /// Reason of suspension or failure, shown to readers.
    pub reason: Option<String>,
    pub at: Timestamp,
    pub orders: StagedOrders,
    /// New investigations of question parts. They inherit a finish request.
    pub parts: Vec<Investigation>,
    pub event: EventKind,
    /// Event for the parent investigation.
    pub parent_event: Option<(InvestigationId, EventKind)>,
}

/// Handling of the work orders staged by the Analyst session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StagedOrders {
    /// Queue them in the cycle that the transition opens.
    Commit(SessionId),
    /// Discard them: the session died or ended without them.
    Discard,
    /// Discard them and fail every unresolved order (finish requested).
    CancelOpen,
    /// Keep them staged for the suspended session.
    Keep,
}

/// Role of a process on a shared store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProcessRole {
    /// Orchestrator, workers and background tasks.
    Full,
    /// Workers only.
    WorkerOnly,
}

#[async_trait]
pub trait Investigations: Send + Sync {
    async fn add(&self, investigation: &Investigation) -> StoreResult<()>;
    /// Adds an investigation unless its owner has `max_open` unfinished ones; returns whether there was room. Concurrent calls count each
    /// other. Repeating with the same id adds nothing.
    async fn add_within(&self, investigation: &Investigation, max_open: u32) -> StoreResult<bool>;
    /// Returns an investigation, or none when missing. The caller checks permissions; `list` filters by scope.
    async fn investigation(&self, id: InvestigationId) -> StoreResult<Option<Investigation>>;
    /// Returns the parts of a divided question, in order.
    async fn parts(&self, parent: InvestigationId) -> StoreResult<Vec<Investigation>>;
    /// Returns investigations, newest first.
    async fn list(&self, filter: &InvestigationFilter) -> StoreResult<Vec<Investigation>>;
    /// Counts the investigations of a filter by status, regardless of its limit; statuses without any are left out.
    async fn count_filtered(&self, filter: &InvestigationFilter) -> StoreResult<Vec<(Status, u64)>>;
    /// Counts investigations by status; statuses without any are left out.
    async fn count_by_status(&self) -> StoreResult<Vec<(Status, u64)>>;
    /// Records that an investigation continues another. What was recorded first stays.
    async fn join_thread(&self, id: InvestigationId, follows: InvestigationId, kind: FollowKind) -> StoreResult<()>;
    /// Returns the threads of some investigations, with at most `limit` questions each, oldest first: those that `viewer` owns, that
    /// write to a collection of `scope` and read none outside it, or whose visibility includes `viewer`. Empty threads are left out.
    async fn threads(
        &self,
        ids: &[InvestigationId],
        viewer: UserId,
        scope: &Scope,
        limit: u32,
    ) -> StoreResult<BTreeMap<InvestigationId, Vec<ThreadEntry>>>;
    /// Returns the thread of one investigation; empty where `viewer` sees none of its questions.
    async fn thread(&self, id: InvestigationId, viewer: UserId, scope: &Scope, limit: u32) -> StoreResult<Vec<ThreadEntry>> {
        Ok(self.threads(&[id], viewer, scope, limit).await?.remove(&id).unwrap_or_default())
    }
    /// Archives those of the investigations that `by` may manage, or takes them out of the archive if `at` is `None`; returns those that
    /// changed.
    async fn archive(
        &self,
        ids: &[InvestigationId],
        by: &ManageAccess,
        at: Option<Timestamp>,
    ) -> StoreResult<Vec<InvestigationId>>;
    /// Returns those of the investigations that `by` may manage, and counts what belongs to them and their parts.
    async fn contents(&self, ids: &[InvestigationId], by: &ManageAccess) -> StoreResult<(Vec<Investigation>, Contents)>;
    /// Deletes those of the investigations that have ended and that `by` may manage, with their parts, assessments, work orders, sessions
    /// and events. Documents, claims and what was spent stay. Returns the deleted ones, without parts.
    async fn delete(&self, ids: &[InvestigationId], by: &ManageAccess) -> StoreResult<Vec<InvestigationId>>;
    /// Counts the investigations of an owner that have not ended, without parts.
    async fn count_open(&self, owner: UserId) -> StoreResult<u64>;
    /// Returns whether any investigation is running: neither suspended nor terminal.
    async fn is_any_running(&self) -> StoreResult<bool>;
    /// Returns the progress of several investigations; missing ones are left out.
    async fn progress_summaries(&self, ids: &[InvestigationId]) -> StoreResult<BTreeMap<InvestigationId, ProgressSummary>>;
    /// Returns non-terminal investigations without a live lease at `now`, oldest first, at most `limit`. Those waiting for their
    /// parts are left out.
    async fn unheld(&self, now: Timestamp, limit: u32) -> StoreResult<Vec<InvestigationId>>;
    /// Waits until an investigation may need an orchestrator (added here or elsewhere), or a configured time has passed.
    async fn changed(&self);

    /// Takes the lease unless another is live; the attempt grows by one.
    async fn take(&self, id: InvestigationId, holder: HolderId, now: Timestamp, until: Timestamp)
    -> StoreResult<Option<Lease>>;
    /// Renews the lease. Returns false when it was lost.
    async fn renew(&self, lease: &Lease, until: Timestamp) -> StoreResult<bool>;
    async fn release(&self, lease: &Lease) -> StoreResult<()>;
    /// Stores a transition if the lease is current and the stored progress is `from`; else `Stale`.
    async fn advance(&self, lease: &Lease, transition: &Transition) -> StoreResult<()>;

    /// Adds an obstacle to those of the investigation; the next transition clears them, except one to suspension. Ignored once the
    /// investigation has ended.
    async fn report_obstacle(&self, id: InvestigationId, obstacle: &Obstacle) -> StoreResult<()>;
    /// Returns obstacles and start of the suspension, which begins anew once a tool call or work order has succeeded.
    async fn suspension(&self, id: InvestigationId) -> StoreResult<Suspension>;

    /// Requests an end with the present evidence. Idempotent, and harmless when too late.
    async fn request_finish(&self, id: InvestigationId, at: Timestamp) -> StoreResult<()>;
    async fn finish_requested(&self, id: InvestigationId) -> StoreResult<bool>;
    /// Changes the models of a suspended investigation; none named: those of the roles. Returns false unless it is suspended.
    async fn change_models(&self, id: InvestigationId, model: Option<&str>, models: &ModelChoices) -> StoreResult<bool>;
    /// Registers a process as alive until then.
    async fn register_holder(&self, holder: HolderId, does: ProcessRole, until: Timestamp) -> StoreResult<()>;
    /// Returns live processes, oldest first: those with a lease or registration later than `now`.
    async fn live_holders(&self, now: Timestamp) -> StoreResult<Vec<(HolderId, ProcessRole)>>;
    /// Ends every lease and registration. Only for a process with exclusive use of the store.
    async fn forget_holders(&self) -> StoreResult<()>;
}

/// Question of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadEntry {
    pub id: InvestigationId,
    pub question: String,
    pub status: Status,
    pub created_at: Timestamp,
    /// The question that it continues, and how; none: the first.
    pub follows: Option<(InvestigationId, FollowKind)>,
    /// Its assessment, complete or partial.
    pub assessment: Option<AssessmentId>,
}

/// Choice between archived investigations and the others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ArchiveFilter {
    /// Both.
    #[default]
    All,
    Current,
    Archived,
}

impl ArchiveFilter {
    /// Returns the wanted state; none: both.
    pub const fn wants_archived(self) -> Option<bool> {
        match self {
            Self::All => None,
            Self::Current => Some(false),
            Self::Archived => Some(true),
        }
    }
}

/// Person who archives or deletes: manages their own investigations, those that write to a collection of `scope`, and those whose visibility
/// includes its reader.
#[derive(Debug, Clone)]
pub struct ManageAccess {
    pub user: UserId,
    /// Empty unless the person is an administrator.
    pub scope: Scope,
}

/// Numbers of what belongs to an investigation and its parts, and goes with them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    pub parts: u64,
    pub assessments: u64,
    pub work_orders: u64,
    pub sessions: u64,
    pub model_calls: u64,
    pub events: u64,
    /// Rows of features on the assessments.
    pub added: Vec<DependentRows>,
}

#[derive(Debug, Clone, Default)]
pub struct InvestigationFilter {
    /// Owned by this user, or  …
    pub owner: Option<UserId>,
    /// … writing to a collection in this scope, and reading none outside it, or with a visibility that includes its reader. Without both:
    /// all.
    pub scope: Option<Scope>,
    pub statuses: Vec<Status>,
    /// Only investigations without an assessment, complete or partial.
    pub without_assessment: bool,
    /// Only questions that contain these characters, in either case.
    pub text: Option<QueryText>,
    pub archived: ArchiveFilter,
    /// Days of completion, or of the start while it runs.
    pub period: Period,
    pub order: InvestigationOrder,
    pub limit: u32,
}

/// Order of a list of investigations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum InvestigationOrder {
    #[default]
    NewestFirst,
    /// The shortest question first: the words are the greatest part of it.
    Relevance,
}

/// Unresolved work order, as a queue needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenOrder {
    pub id: WorkOrderId,
    pub priority: Priority,
    /// Worker that holds it; none while queued.
    pub holder: Option<HolderId>,
}

/// Work order that failed for good, with what people need to decide on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedOrder {
    pub order: WorkOrder,
    pub question: String,
    pub owner: UserId,
    pub collection_id: CollectionId,
    /// Whether its investigation goes on, so that it can be queued again.
    pub is_open: bool,
}

/// Result of adding a work order to the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addition {
    Added,
    /// The cycle has a work order with this objective.
    Known,
    /// The cycle has as many work orders as it may.
    Full,
    /// No work order of the cycle is open: nothing is being read.
    Closed,
}

/// Port of work orders in the state store. `queue::Queue` delivers them.
#[async_trait]
pub trait WorkOrders: Send + Sync {
    /// Stages a work order for the next cycle. Unique by (investigation, cycle, normalised objective): a duplicate returns the
    /// first one's id and false.
    async fn stage(&self, session: SessionId, order: &WorkOrder) -> StoreResult<(WorkOrderId, bool)>;
    async fn work_order(&self, id: WorkOrderId) -> StoreResult<Option<WorkOrder>>;
    /// Returns the number of work orders of each status; a status without any is left out.
    async fn count_orders_by_status(&self) -> StoreResult<Vec<(WorkOrderStatus, u64)>>;
    /// Returns the work orders of an investigation, by cycle, then creation.
    async fn work_orders(&self, investigation: InvestigationId) -> StoreResult<Vec<WorkOrder>>;
    /// Returns every unresolved work order of all investigations, oldest first, to rebuild a queue.
    async fn open(&self) -> StoreResult<Vec<OpenOrder>>;
    /// queued -> assigned with attempt + 1, also on redelivery after a worker's death. None when it is resolved, or when its
    /// attempt is no longer `seen`, because another worker got it.
    async fn assign(&self, id: WorkOrderId, seen: u32, holder: HolderId, at: Timestamp) -> StoreResult<Option<WorkOrder>>;
    /// assigned -> completed; `Stale` with an old attempt.
    async fn complete(&self, id: WorkOrderId, attempt: u32, at: Timestamp) -> StoreResult<()>;
    /// assigned -> queued below `max_failures` failures, else failed for good; returns the stored order. Only reported failures
    /// count, not a worker's death. `Stale` with an old attempt.
    async fn fail(
        &self,
        id: WorkOrderId,
        attempt: u32,
        reason: &str,
        max_failures: u32,
        at: Timestamp,
    ) -> StoreResult<WorkOrder>;
    /// assigned -> queued without counting the attempt, when a dependency is down. Returns the stored order. `Stale` with an old
    /// attempt.
    async fn return_to_queue(&self, id: WorkOrderId, attempt: u32, reason: &str) -> StoreResult<WorkOrder>;
    /// Returns failed work orders, newest first, and their number; without discarded and cancelled ones.
    async fn failed_orders(&self, offset: u64, limit: u32) -> StoreResult<(Vec<FailedOrder>, u64)>;
    /// failed -> queued, with all its attempts again, while its investigation goes on. None in any other case. A queued order is
    /// returned as it is.
    async fn requeue(&self, id: WorkOrderId) -> StoreResult<Option<WorkOrder>>;
    /// Takes a failed work order off the list. Returns false when it is not on it.
    async fn discard(&self, id: WorkOrderId, at: Timestamp) -> StoreResult<bool>;
    /// queued -> cancelled, while it was never assigned, and records who removed it. None in any other case. A cancelled order is returned
    /// as it is.
    async fn cancel(&self, id: WorkOrderId, by: UserId, at: Timestamp) -> StoreResult<Option<WorkOrder>>;
    /// Gives a queued order that was never assigned high priority, and records who raised it. None in any other case.
    async fn raise(&self, id: WorkOrderId, by: UserId, at: Timestamp) -> StoreResult<Option<WorkOrder>>;
    /// Adds a queued work order to its cycle, while another of that cycle is open and there are fewer than `max_orders`, and records who
    /// added it. An order that is seen resolved last therefore closes the cycle for good.
    async fn add_to_plan(&self, order: &WorkOrder, max_orders: u32, by: UserId) -> StoreResult<Addition>;
    /// Returns the changes of the plan, oldest first.
    async fn plan_changes(&self, investigation: InvestigationId) -> StoreResult<Vec<PlanChange>>;
    /// Reserves documents for a work order, unless a running order of the same investigation holds them: each document is read
    /// and paid for once. Returns those held by this order. Natural key: (order, document).
    async fn hold_documents(&self, id: WorkOrderId, documents: &[DocumentId]) -> StoreResult<BTreeSet<DocumentId>>;
    /// Returns the documents held or read by the orders of an investigation, by order creation.
    async fn documents_read(&self, investigation: InvestigationId) -> StoreResult<Vec<(WorkOrderId, DocumentId)>>;
}
