//! Investigations and their work orders in the state store, held by leases from the first day.

use crate::StoreResult;
use async_trait::async_trait;
use domain::{
    DocumentId, HolderId, InvestigationId, Scope, SessionId, Timestamp, UserId, WorkOrderId,
    event::EventKind,
    investigation::{Investigation, Progress, ProgressSummary, Status},
    work_order::{Priority, WorkOrder, WorkOrderStatus},
};
use std::collections::{BTreeMap, BTreeSet};

/// The right to write to one investigation. A write with an attempt that is no longer current is refused as `Stale`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub investigation_id: InvestigationId,
    pub holder: HolderId,
    pub attempt: u32,
}

/// One transition, stored as a whole: progress, staged orders, parts and events.
#[derive(Debug, Clone)]
pub struct Transition {
    pub from: Progress,
    pub to: Progress,
    /// Shown to readers: why it is suspended or failed.
    pub reason: Option<String>,
    pub at: Timestamp,
    pub orders: StagedOrders,
    /// Investigations that it adds: the parts of the question. They inherit a wish to finish.
    pub parts: Vec<Investigation>,
    pub event: EventKind,
    /// The event for the investigation that this one is a part of.
    pub parent_event: Option<(InvestigationId, EventKind)>,
}

/// What a transition does with the orders that the Analyst session staged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StagedOrders {
    /// They become queued, in the cycle that the transition opens.
    Commit(SessionId),
    /// The session ended without them, or died: they never were.
    Discard,
    /// Also fails every order that is not resolved (finish requested).
    CancelOpen,
    /// The session waits, and goes on later: they stay staged.
    Keep,
}

/// What a process does on a store that it shares with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Does {
    /// Whatever there is to do.
    All,
    /// Carries out work orders, and nothing else.
    Orders,
}

#[async_trait]
pub trait Investigations: Send + Sync {
    async fn add(&self, investigation: &Investigation) -> StoreResult<()>;
    /// None when missing. Who may see it is the caller's question: `list` answers it for many.
    async fn investigation(&self, id: InvestigationId) -> StoreResult<Option<Investigation>>;
    /// The parts of a question that was decomposed, in the order in which they were named.
    async fn parts(&self, parent: InvestigationId) -> StoreResult<Vec<Investigation>>;
    /// Newest first.
    async fn list(&self, filter: &InvestigationFilter) -> StoreResult<Vec<Investigation>>;
    /// How many there are of each status; a status that none has is left out.
    async fn count_by_status(&self) -> StoreResult<Vec<(Status, u64)>>;
    /// Whether one is under way: neither suspended nor over.
    async fn is_any_under_way(&self) -> StoreResult<bool>;
    /// How far several have come, for a list of them; one that is missing is left out.
    async fn progress_summaries(&self, ids: &[InvestigationId]) -> StoreResult<BTreeMap<InvestigationId, ProgressSummary>>;
    /// Non-terminal investigations whose lease is missing or expired at `now`, oldest first, at most `limit`. One that waits for its
    /// parts is left out: it takes no room while they are at work.
    async fn unheld(&self, now: Timestamp, limit: u32) -> StoreResult<Vec<InvestigationId>>;
    /// Waits until an investigation may need taking up (added here or by another process), or some configured time has passed.
    async fn changed(&self);

    /// Takes the investigation unless somebody holds a live lease; the attempt grows by one.
    async fn take(&self, id: InvestigationId, holder: HolderId, now: Timestamp, until: Timestamp)
    -> StoreResult<Option<Lease>>;
    /// False when the lease was lost.
    async fn renew(&self, lease: &Lease, until: Timestamp) -> StoreResult<bool>;
    async fn release(&self, lease: &Lease) -> StoreResult<()>;
    /// Stores a transition when the lease is current and the stored progress is `from`; else `Stale`.
    async fn advance(&self, lease: &Lease, transition: &Transition) -> StoreResult<()>;

    /// Asks the orchestrator to end it with what there is. Harmless when repeated or too late.
    async fn request_finish(&self, id: InvestigationId, at: Timestamp) -> StoreResult<()>;
    async fn finish_requested(&self, id: InvestigationId) -> StoreResult<bool>;
    /// Says that a process is alive until then.
    async fn register_holder(&self, holder: HolderId, does: Does, until: Timestamp) -> StoreResult<()>;
    /// Holders that are alive, by age: any process whose lease or registration is later than `now`.
    async fn live_holders(&self, now: Timestamp) -> StoreResult<Vec<(HolderId, Does)>>;
    /// Ends every lease and registration. Only for a process that has made sure that no other works on this store.
    async fn forget_holders(&self) -> StoreResult<()>;
}

#[derive(Debug, Clone, Default)]
pub struct InvestigationFilter {
    /// Owned by this user, or …
    pub owner: Option<UserId>,
    /// … writing to a collection that this scope sees, and reading none that it does not see. Both none: all.
    pub scope: Option<Scope>,
    pub statuses: Vec<Status>,
    /// Only those that no assessment was written on, complete or partial.
    pub without_assessment: bool,
    pub limit: u32,
}

/// What a queue must know of an order that is not resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenOrder {
    pub id: WorkOrderId,
    pub priority: Priority,
    /// Who carries it out; none: it waits.
    pub holder: Option<HolderId>,
}

/// Work orders in the state store. The queue that hands them out is `queue::Queue`.
#[async_trait]
pub trait WorkOrders: Send + Sync {
    /// Stages an order for the next cycle. Unique by (investigation, cycle, normalised objective): a second one gives the first one's id and false.
    async fn stage(&self, session: SessionId, order: &WorkOrder) -> StoreResult<(WorkOrderId, bool)>;
    async fn work_order(&self, id: WorkOrderId) -> StoreResult<Option<WorkOrder>>;
    /// How many there are of each status; a status that none has is left out.
    async fn count_orders_by_status(&self) -> StoreResult<Vec<(WorkOrderStatus, u64)>>;
    /// By cycle, then creation.
    async fn work_orders(&self, investigation: InvestigationId) -> StoreResult<Vec<WorkOrder>>;
    /// Every order that waits or is carried out, of all investigations, oldest first: what a queue is made of.
    async fn open(&self) -> StoreResult<Vec<OpenOrder>>;
    /// queued -> assigned with attempt + 1, also where its worker died and the queue gave it out again. None when it is resolved, or when
    /// it is not at attempt number `seen` any more: somebody else was given it meanwhile.
    async fn assign(&self, id: WorkOrderId, seen: u32, holder: HolderId, at: Timestamp) -> StoreResult<Option<WorkOrder>>;
    /// assigned -> completed; `Stale` with an old attempt.
    async fn complete(&self, id: WorkOrderId, attempt: u32, at: Timestamp) -> StoreResult<()>;
    /// assigned -> queued while it has failed less often than `max_failures`, else failed for good; gives the order as it is then. Only
    /// what was reported here counts as a failure, not the death of a worker. `Stale` with an old attempt.
    async fn fail(
        &self,
        id: WorkOrderId,
        attempt: u32,
        reason: &str,
        max_failures: u32,
        at: Timestamp,
    ) -> StoreResult<WorkOrder>;
    /// assigned -> queued, and the attempt does not count: something that it needs is down. Gives the order as it is then. `Stale`
    /// with an old attempt.
    async fn give_back(&self, id: WorkOrderId, attempt: u32, reason: &str) -> StoreResult<WorkOrder>;
    /// Holds documents for an order, unless another order of the same investigation that is being carried out holds them: each document
    /// is read, and paid for, once. Gives those that this order holds. Natural key: (order, document).
    async fn hold_documents(&self, id: WorkOrderId, documents: &[DocumentId]) -> StoreResult<BTreeSet<DocumentId>>;
    /// The documents that the orders of an investigation hold or have read, orders as they were created.
    async fn documents_read(&self, investigation: InvestigationId) -> StoreResult<Vec<(WorkOrderId, DocumentId)>>;
}
