//! Fault injection: wrappers around the ports that count writes, crash the process before or after a chosen one, and simulate unreachable
//! stores.

use super::prelude::*;
use domain::{
    AssessmentId, MergeId, ModelCallId, QueryText, ReviewId, Word, WorkOrderId,
    agent::{InjectionFinding, SessionTally, ToolCall, ToolQuality},
    budget::{PastInvestigation, Spend},
    claim::Claim,
    document::{Document, DocumentText},
    entity::{Entity, Merge, Review, ReviewDecision},
    investigation::ProgressSummary,
    model_choice::ModelChoices,
    relationship::Relationship,
    subgraph::Subgraph,
    work_order::{PlanChange, Priority},
};
use engine::{
    StoreError,
    agents::cache::ToolCache,
    assessments::{AssessmentPage, Assessments, NearAssessment},
    budget::{CapReached, Caps, Grant, Ledger, LevelUsage, Reservation, Settlement},
    embeddings::{VectorKind, VectorText},
    events::Events,
    graph::{
        Candidate, ClaimNumber, ClaimQuery, ClaimUses, EntityProposal, Graph, GraphCandidates, GraphQuery, GraphWrite,
        KnownEntity, ListedMerges, NamedIn, Neighbour, RelationshipQuery, Resolve, SoleEvidence, Split, SplitOutcome,
        SubgraphQuery, Traversal, WriteOutcome,
    },
    investigations::{
        Addition, Contents, FailedOrder, Investigations, Lease, ManageAccess, Obstacle, OpenOrder, Suspension, ThreadEntry,
        Transition, WorkOrders,
    },
    library::{
        Capture, CreditedDocument, DependentRows, DocumentPage, DocumentWithRelatives, Documents, RejectedQuery,
        origins::{ComparedText, NearQuery},
    },
    queue::{Delivery, Queue},
    reliability::{Circuit, Circuits},
    sessions::{SessionEnd, Sessions, StoredStep},
};
use futures::stream::BoxStream;
use std::sync::atomic::AtomicBool;
use tokio::sync::watch;

/// The point of a simulated crash.
enum Fatal {
    Never,
    /// At this point, from 0.
    Point(u64),
    /// Before the first of these calls (`Port::call`).
    Call(&'static str),
}

/// A schedule of faults for one run.
pub struct FaultPoint {
    fatal: Fatal,
    passed: AtomicU64,
    pub dead: CancellationToken,
    /// Where it died.
    pub place: Mutex<String>,
    /// It only sleeps, and goes on when told.
    sleep: Option<Sleep>,
    /// The port, or the call of one, that cannot be reached.
    away: Mutex<Option<&'static str>>,
    /// Whether the port that is away answers with a defect instead.
    is_defect: AtomicBool,
    refused: watch::Sender<u64>,
}

/// A call that is held up.
#[derive(Default)]
struct Sleep {
    wake: CancellationToken,
    /// The call that was held up has come to its end.
    over: CancellationToken,
}

impl FaultPoint {
    /// At point number `fatal`, from 0.
    pub fn at(fatal: u64) -> Arc<Self> {
        Self::with(Fatal::Point(fatal), None)
    }

    /// Before the first of these calls (`Port::call`).
    pub fn before(call: &'static str) -> Arc<Self> {
        Self::with(Fatal::Call(call), None)
    }

    /// One call waits at point number `fatal` until it is woken; everything else goes on.
    pub fn sleeping_at(fatal: u64) -> Arc<Self> {
        Self::with(Fatal::Point(fatal), Some(Sleep::default()))
    }

    /// The first of these calls (`Port::call`) waits before it is made.
    pub fn sleeping_before(call: &'static str) -> Arc<Self> {
        Self::with(Fatal::Call(call), Some(Sleep::default()))
    }

    fn with(fatal: Fatal, sleep: Option<Sleep>) -> Arc<Self> {
        let (passed, dead) = (AtomicU64::new(0), CancellationToken::new());
        let (place, away, refused) = (Mutex::default(), Mutex::default(), watch::Sender::new(0));
        Arc::new(Self { fatal, passed, dead, place, sleep, away, is_defect: AtomicBool::new(false), refused })
    }

    /// From now on `Port`, or `Port::call`, cannot be reached.
    pub fn cut(&self, away: &'static str) {
        *self.away.lock().unwrap() = Some(away);
    }

    /// From now on `Port::call` answers with a defect.
    pub fn spoil(&self, call: &'static str) {
        self.is_defect.store(true, Ordering::SeqCst);
        self.cut(call);
    }

    /// Calls refused so far.
    pub fn refused(&self) -> u64 {
        *self.refused.borrow()
    }

    pub fn mend(&self) {
        *self.away.lock().unwrap() = None;
    }

    /// Waits until so many calls more could not reach what is away.
    pub fn until_refused(&self, times: u64) -> impl Future<Output = ()> + use<> {
        let mut refused = self.refused.subscribe();
        let enough = *refused.borrow() + times;
        async move {
            let refused = tokio::time::timeout(Duration::from_secs(60), refused.wait_for(|count| *count >= enough)).await;
            refused.expect("somebody reaches for what is away").unwrap();
        }
    }

    fn reach(&self, name: &str) -> StoreResult<()> {
        let is_away = |away: &&str| name.strip_prefix(*away).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
        if !self.away.lock().unwrap().as_ref().is_some_and(is_away) {
            return Ok(());
        }
        self.refused.send_modify(|count| *count += 1);
        match self.is_defect.load(Ordering::SeqCst) {
            true => Err(StoreError::Defect(format!("{name} is broken"))),
            false => Err(StoreError::Unavailable(format!("{name} is away"))),
        }
    }

    /// No call sleeps from now on.
    pub fn let_be(&self) {
        self.sleep.as_ref().expect("made to sleep").wake.cancel();
    }

    /// Wakes the call that sleeps, and waits until it has come to its end.
    pub async fn wake(&self) {
        self.let_be();
        self.sleep.as_ref().expect("made to sleep").over.cancelled().await;
    }

    pub fn never() -> Arc<Self> {
        Self::with(Fatal::Never, None)
    }

    /// Points passed so far.
    pub fn passed(&self) -> u64 {
        self.passed.load(Ordering::SeqCst)
    }

    /// A dead process makes no further calls: this future then waits for ever.
    async fn point(&self, side: &str, name: &str) {
        if self.dead.is_cancelled() && self.sleep.is_none() {
            return std::future::pending().await;
        }
        let number = self.passed.fetch_add(1, Ordering::SeqCst);
        let is_fatal = match self.fatal {
            Fatal::Never => false,
            Fatal::Point(fatal) => number == fatal,
            Fatal::Call(call) => call == name && side == "before" && !self.dead.is_cancelled(),
        };
        if is_fatal {
            *self.place.lock().unwrap() = format!("{side} {name}");
            self.dead.cancel();
            match &self.sleep {
                Some(sleep) => sleep.wake.cancelled().await,
                None => std::future::pending().await,
            }
        }
        if let Some(sleep) = self.sleep.as_ref().filter(|sleep| sleep.wake.is_cancelled())
            && side == "after"
            && self.place.lock().unwrap().ends_with(name)
        {
            sleep.over.cancel();
        }
    }
}

/// Wraps every port that an investigation writes through in fault injection.
pub fn guard(parts: &mut Parts, fault_point: &Arc<FaultPoint>) {
    parts.assessments = Arc::new(FaultPort { inner: parts.assessments.clone(), fault_point: fault_point.clone() });
    parts.documents = Arc::new(FaultPort { inner: parts.documents.clone(), fault_point: fault_point.clone() });
    parts.events = Arc::new(FaultPort { inner: parts.events.clone(), fault_point: fault_point.clone() });
    parts.graph = Arc::new(FaultPort { inner: parts.graph.clone(), fault_point: fault_point.clone() });
    parts.investigations = Arc::new(FaultPort { inner: parts.investigations.clone(), fault_point: fault_point.clone() });
    parts.work_orders = Arc::new(FaultPort { inner: parts.work_orders.clone(), fault_point: fault_point.clone() });
    parts.queue = Arc::new(FaultPort { inner: parts.queue.clone(), fault_point: fault_point.clone() });
    parts.circuits = Arc::new(FaultPort { inner: parts.circuits.clone(), fault_point: fault_point.clone() });
    parts.ledger = Arc::new(FaultPort { inner: parts.ledger.clone(), fault_point: fault_point.clone() });
    parts.sessions = Arc::new(FaultPort { inner: parts.sessions.clone(), fault_point: fault_point.clone() });
    parts.tool_cache = Arc::new(FaultPort { inner: parts.tool_cache.clone(), fault_point: fault_point.clone() });
}

struct FaultPort<P: ?Sized> {
    inner: Arc<P>,
    fault_point: Arc<FaultPoint>,
}

/// One port: `read` goes through, `write` has a point before and one after; what stands in braces is taken as it is.
macro_rules! fault_port {
    ($port:ident { $($kind:ident $name:ident($($arg:ident: $type:ty),*) $(-> $out:ty)?;)* } $({ $($as_it_is:item)* })?) => {
        #[async_trait]
        impl $port for FaultPort<dyn $port> {
            $(async fn $name(&self, $($arg: $type),*) $(-> $out)? {
                fault_port!(@$kind self.fault_point, concat!(stringify!($port), "::", stringify!($name)), self.inner.$name($($arg),*).await)
            })*
            $($($as_it_is)*)?
        }
    };
    (@read $fault_point:expr, $name:expr, $call:expr) => {{
        $fault_point.reach($name)?;
        $call
    }};
    (@write $fault_point:expr, $name:expr, $call:expr) => {{
        $fault_point.reach($name)?;
        $fault_point.point("before", $name).await;
        let done = $call;
        $fault_point.point("after", $name).await;
        done
    }};
}

fault_port!(Assessments {
    write put(assessment: &StoredAssessment) -> StoreResult<AssessmentId>;
    write update(assessment: &Assessment) -> StoreResult<()>;
    read assessment(scope: &Scope, id: AssessmentId) -> StoreResult<Option<StoredAssessment>>;
    read assessments(scope: &Scope, ids: &[AssessmentId]) -> StoreResult<Vec<StoredAssessment>>;
    read of_investigation(scope: &Scope, id: InvestigationId) -> StoreResult<Option<StoredAssessment>>;
    read ids_of(scope: &Scope, investigations: &[InvestigationId]) -> StoreResult<BTreeMap<InvestigationId, AssessmentId>>;
    read latest(scope: &Scope, query: &AssessmentQuery) -> StoreResult<AssessmentPage>;
    read search(scope: &Scope, text: &QueryText, limit: u32) -> StoreResult<Vec<StoredAssessment>>;
    read about(scope: &Scope, entities: &[EntityId], limit: u32) -> StoreResult<Vec<StoredAssessment>>;
    read citing(scope: &Scope, documents: &[DocumentId], limit: u32) -> StoreResult<Vec<StoredAssessment>>;
    read count_citing(documents: &[DocumentId]) -> StoreResult<u64>;
    read citing_claims(scope: &Scope, documents: &[DocumentId], claims: &[ClaimId], limit: u32) -> StoreResult<Vec<StoredAssessment>>;
    write remove_collection(collection: CollectionId) -> StoreResult<()>;
    read near(scope: &Scope, model: &str, vector: &[f32], limit: u32) -> StoreResult<Vec<NearAssessment>>;
    read vector_progress(model: &str) -> StoreResult<(u64, u64)>;
    read without_vector(model: &str, limit: u32) -> StoreResult<Vec<VectorText>>;
    write put_vectors(model: &str, vectors: &[(Uuid, Vec<f32>)]) -> StoreResult<()>;
});

fault_port!(Documents {
    write add_documents(captures: &[Capture]) -> StoreResult<(Vec<Document>, u64)>;
    read known_texts(scope: &Scope, text_sha256: &[&str]) -> StoreResult<BTreeSet<String>>;
    write add_rejected(collection: CollectionId, investigation: Option<InvestigationId>, files: &[RejectedFile]) -> StoreResult<()>;
    write dismiss_rejected(scope: &Scope, entry: &AuditEntry) -> StoreResult<bool>;
    read rejected(scope: &Scope, query: &RejectedQuery) -> StoreResult<(Vec<RejectedFile>, u64)>;
    read document(scope: &Scope, id: DocumentId) -> StoreResult<Option<Document>>;
    read documents(scope: &Scope, ids: &[DocumentId]) -> StoreResult<Vec<Document>>;
    read read_for(scope: &Scope, investigation: InvestigationId) -> StoreResult<Vec<Document>>;
    read extracted(ids: &[DocumentId]) -> StoreResult<BTreeSet<DocumentId>>;
    read extracted_for(ids: &[DocumentId], question: Option<&str>) -> StoreResult<BTreeSet<DocumentId>>;
    read texts(scope: &Scope, ids: &[DocumentId]) -> StoreResult<Vec<DocumentText>>;
    read documents_with_texts(scope: &Scope, ids: &[DocumentId], texts: &[DocumentId]) -> StoreResult<Vec<(Document, Option<String>)>>;
    read bytes(scope: &Scope, id: DocumentId) -> StoreResult<Option<Bytes>>;
    read list(scope: &Scope, query: &DocumentQuery) -> StoreResult<DocumentPage>;
    read has_files(scope: &Scope) -> StoreResult<bool>;
    read with_relatives(scope: &Scope, id: DocumentId) -> StoreResult<Option<DocumentWithRelatives>>;
    write add_credits(credits: &[CreditedDocument]) -> StoreResult<()>;
    read near_texts(scope: &Scope, texts: &[String], query: NearQuery) -> StoreResult<Vec<ComparedText>>;
    write sketch_texts(limit: u32) -> StoreResult<u64>;
    write archive_documents(documents: &[DocumentId], by: UserId, at: Timestamp) -> StoreResult<Vec<DocumentId>>;
    write unarchive_documents(documents: &[DocumentId]) -> StoreResult<Vec<DocumentId>>;
    read dependents(viewer: UserId, documents: &[DocumentId]) -> StoreResult<Vec<DependentRows>>;
    write remove_documents(documents: &[DocumentId], entry: &AuditEntry) -> StoreResult<u64>;
    write remove_collection(collection: CollectionId) -> StoreResult<()>;
});

fault_port!(Events {
    write append(investigation: InvestigationId, at: Timestamp, what: EventKind) -> StoreResult<Event>;
    write append_all(investigation: InvestigationId, at: Timestamp, what: Vec<EventKind>) -> StoreResult<()>;
    read after(investigation: InvestigationId, after: u64, limit: u32) -> StoreResult<Vec<Event>>;
    read before(investigation: InvestigationId, before: u64, limit: u32) -> StoreResult<Vec<Event>>;
    read last(investigation: InvestigationId) -> StoreResult<u64>;
} {
    fn follow(&self, investigation: InvestigationId, after: u64) -> BoxStream<'static, StoreResult<Event>> {
        let fault_point = self.fault_point.clone();
        let events = self.inner.follow(investigation, after);
        events.map(move |event| fault_point.reach("Events::follow").and(event)).boxed()
    }
});

fault_port!(Graph {
    write write(writes: &[GraphWrite], resolve: &dyn Resolve) -> StoreResult<Vec<WriteOutcome>>;
    read match_candidates(within: &Scope, proposals: &[EntityProposal], resolve: &dyn Resolve) -> StoreResult<Vec<Vec<KnownEntity>>>;
    read entities(scope: &Scope, ids: &[EntityId]) -> StoreResult<Vec<Entity>>;
    read claims(scope: &Scope, ids: &[ClaimId]) -> StoreResult<Vec<Claim>>;
    read relationships(scope: &Scope, ids: &[RelationshipId]) -> StoreResult<Vec<Relationship>>;
    read find_entities(scope: &Scope, query: &EntityQuery) -> StoreResult<Vec<Candidate<Entity>>>;
    read find_claims(scope: &Scope, query: &ClaimQuery) -> StoreResult<Vec<Candidate<Claim>>>;
    read find_relationships(scope: &Scope, query: &RelationshipQuery) -> StoreResult<Vec<Candidate<Relationship>>>;
    read find_all(scope: &Scope, query: &GraphQuery) -> StoreResult<GraphCandidates>;
    read newest_claims(scope: &Scope, entities: &[EntityId], each: u32) -> StoreResult<Vec<(EntityId, Claim)>>;
    read traverse(scope: &Scope, traversal: &Traversal) -> StoreResult<Vec<Neighbour>>;
    read subgraph(scope: &Scope, query: &SubgraphQuery) -> StoreResult<Subgraph>;
    read counts(scope: &Scope) -> StoreResult<(u64, u64, u64)>;
    read claim_counts(scope: &Scope, documents: &[DocumentId]) -> StoreResult<Vec<u64>>;
    read claim_numbers(scope: &Scope, entity: EntityId, is_outlet: bool) -> StoreResult<Vec<ClaimNumber>>;
    read claim_uses(scope: &Scope, claim: ClaimId, limit: u32) -> StoreResult<ClaimUses>;
    read stating_documents(scope: &Scope, claims: &[ClaimId]) -> StoreResult<Vec<Vec<DocumentId>>>;
    read sole_evidence(documents: &[DocumentId]) -> StoreResult<SoleEvidence>;
    write remove_documents(documents: &[DocumentId]) -> StoreResult<()>;
    write merge(id: MergeId, survivor: EntityId, merged: EntityId, by: Option<UserId>, at: Timestamp) -> StoreResult<()>;
    write undo_merge(id: MergeId) -> StoreResult<()>;
    write split(scope: &Scope, split: &Split) -> StoreResult<SplitOutcome>;
    read merges(scope: &Scope, listed: ListedMerges, limit: u32) -> StoreResult<Vec<Merge>>;
    read named_in(entity: EntityId) -> StoreResult<NamedIn>;
    read reviews(scope: &Scope, skip: u64, limit: u32) -> StoreResult<Vec<Review>>;
    read open_reviews(scope: &Scope) -> StoreResult<u64>;
    read kept_apart(scope: &Scope, limit: u32) -> StoreResult<Vec<Review>>;
    write decide_review(scope: &Scope, id: ReviewId, decision: ReviewDecision, by: Option<UserId>, at: Timestamp) -> StoreResult<bool>;
    read without_vector(model: &str, kind: VectorKind, limit: u32) -> StoreResult<Vec<VectorText>>;
    write put_vectors(model: &str, kind: VectorKind, vectors: &[(Uuid, Vec<f32>)]) -> StoreResult<()>;
    read vector_progress(model: &str) -> StoreResult<(u64, u64)>;
    read describe() -> StoreResult<String>;
    write remove_collection(collection: CollectionId) -> StoreResult<()>;
});

fault_port!(Investigations {
    write add(investigation: &Investigation) -> StoreResult<()>;
    write add_within(investigation: &Investigation, max_open: u32) -> StoreResult<bool>;
    read investigation(id: InvestigationId) -> StoreResult<Option<Investigation>>;
    read count_filtered(filter: &InvestigationFilter) -> StoreResult<Vec<(Status, u64)>>;
    read count_by_status() -> StoreResult<Vec<(Status, u64)>>;
    read parts(parent: InvestigationId) -> StoreResult<Vec<Investigation>>;
    read list(filter: &InvestigationFilter) -> StoreResult<Vec<Investigation>>;
    write join_thread(id: InvestigationId, follows: InvestigationId, kind: FollowKind) -> StoreResult<()>;
    read threads(ids: &[InvestigationId], viewer: UserId, scope: &Scope, limit: u32) -> StoreResult<BTreeMap<InvestigationId, Vec<ThreadEntry>>>;
    write archive(ids: &[InvestigationId], by: &ManageAccess, at: Option<Timestamp>) -> StoreResult<Vec<InvestigationId>>;
    read contents(ids: &[InvestigationId], by: &ManageAccess) -> StoreResult<(Vec<Investigation>, Contents)>;
    write delete(ids: &[InvestigationId], by: &ManageAccess) -> StoreResult<Vec<InvestigationId>>;
    read count_open(owner: UserId) -> StoreResult<u64>;
    read is_any_running() -> StoreResult<bool>;
    read progress_summaries(ids: &[InvestigationId]) -> StoreResult<BTreeMap<InvestigationId, ProgressSummary>>;
    read unheld(now: Timestamp, limit: u32) -> StoreResult<Vec<InvestigationId>>;
    write take(id: InvestigationId, holder: HolderId, now: Timestamp, until: Timestamp) -> StoreResult<Option<Lease>>;
    write renew(lease: &Lease, until: Timestamp) -> StoreResult<bool>;
    write release(lease: &Lease) -> StoreResult<()>;
    write advance(lease: &Lease, transition: &Transition) -> StoreResult<()>;
    write report_obstacle(id: InvestigationId, obstacle: &Obstacle) -> StoreResult<()>;
    read suspension(id: InvestigationId) -> StoreResult<Suspension>;
    write request_finish(id: InvestigationId, at: Timestamp) -> StoreResult<()>;
    read finish_requested(id: InvestigationId) -> StoreResult<bool>;
    write change_models(id: InvestigationId, model: Option<&str>, models: &ModelChoices) -> StoreResult<bool>;
    write register_holder(holder: HolderId, does: ProcessRole, until: Timestamp) -> StoreResult<()>;
    read live_holders(now: Timestamp) -> StoreResult<Vec<(HolderId, ProcessRole)>>;
    write forget_holders() -> StoreResult<()>;
} {
    async fn changed(&self) {
        self.inner.changed().await;
    }
});

fault_port!(WorkOrders {
    write stage(session: SessionId, order: &WorkOrder) -> StoreResult<(WorkOrderId, bool)>;
    read work_order(id: WorkOrderId) -> StoreResult<Option<WorkOrder>>;
    read count_orders_by_status() -> StoreResult<Vec<(WorkOrderStatus, u64)>>;
    read work_orders(investigation: InvestigationId) -> StoreResult<Vec<WorkOrder>>;
    read open() -> StoreResult<Vec<OpenOrder>>;
    write assign(id: WorkOrderId, seen: u32, holder: HolderId, at: Timestamp) -> StoreResult<Option<WorkOrder>>;
    write complete(id: WorkOrderId, attempt: u32, at: Timestamp) -> StoreResult<()>;
    write fail(id: WorkOrderId, attempt: u32, reason: &str, max_failures: u32, at: Timestamp) -> StoreResult<WorkOrder>;
    write return_to_queue(id: WorkOrderId, attempt: u32, reason: &str) -> StoreResult<WorkOrder>;
    read failed_orders(offset: u64, limit: u32) -> StoreResult<(Vec<FailedOrder>, u64)>;
    write requeue(id: WorkOrderId) -> StoreResult<Option<WorkOrder>>;
    write discard(id: WorkOrderId, at: Timestamp) -> StoreResult<bool>;
    write cancel(id: WorkOrderId, by: UserId, at: Timestamp) -> StoreResult<Option<WorkOrder>>;
    write raise(id: WorkOrderId, by: UserId, at: Timestamp) -> StoreResult<Option<WorkOrder>>;
    write add_to_plan(order: &WorkOrder, max_orders: u32, by: UserId) -> StoreResult<Addition>;
    read plan_changes(investigation: InvestigationId) -> StoreResult<Vec<PlanChange>>;
    write hold_documents(id: WorkOrderId, documents: &[DocumentId]) -> StoreResult<BTreeSet<DocumentId>>;
    read documents_read(investigation: InvestigationId) -> StoreResult<Vec<(WorkOrderId, DocumentId)>>;
});

fault_port!(Queue {
    write push(id: WorkOrderId, priority: Priority) -> StoreResult<()>;
    write take(worker: HolderId, heartbeat_ms: u64) -> StoreResult<Delivery>;
    write beat(delivery: &Delivery, until: Timestamp) -> StoreResult<bool>;
    write acknowledge(delivery: &Delivery) -> StoreResult<()>;
    write forget_workers() -> StoreResult<()>;
    write remove(id: WorkOrderId) -> StoreResult<()>;
    read depth() -> StoreResult<[u64; 3]>;
});

fault_port!(ToolCache {
    read cached(key: &str, now: Timestamp) -> StoreResult<Option<String>>;
    write keep(key: &str, result: &str, expires_at: Timestamp) -> StoreResult<()>;
});

fault_port!(Sessions {
    write start(session: &AgentSession, setup: &str) -> StoreResult<()>;
    read setup(session: SessionId) -> StoreResult<Option<String>>;
    write append_step(session: SessionId, step: &StoredStep) -> StoreResult<()>;
    read steps(session: SessionId) -> StoreResult<Vec<StoredStep>>;
    read steps_from(session: SessionId, first: u32, limit: u32) -> StoreResult<Vec<StoredStep>>;
    write end(session: SessionId, end: &SessionEnd) -> StoreResult<()>;
    read unfinished(owner: SessionOwner, role: AgentRole) -> StoreResult<Option<AgentSession>>;
    read completed(owner: SessionOwner, role: AgentRole) -> StoreResult<Option<AgentSession>>;
    write abandon(investigation: InvestigationId, role: AgentRole, at: Timestamp) -> StoreResult<()>;
    write remove_of_object(kind: Word, id: Uuid) -> StoreResult<()>;
    read sessions(investigation: InvestigationId) -> StoreResult<Vec<AgentSession>>;
    read session(id: SessionId) -> StoreResult<Option<AgentSession>>;
    read tallies(investigation: InvestigationId) -> StoreResult<BTreeMap<SessionId, SessionTally>>;
    write record_call(call: &ToolCall) -> StoreResult<()>;
    read calls(session: SessionId) -> StoreResult<Vec<ToolCall>>;
    read notable_calls(investigation: InvestigationId, tool: &str) -> StoreResult<Vec<ToolCall>>;
    read calls_between(session: SessionId, from: Timestamp, to: Timestamp) -> StoreResult<Vec<ToolCall>>;
    read injections(session: SessionId) -> StoreResult<Vec<InjectionFinding>>;
    read injections_of(document: DocumentId, viewer: UserId, scope: &Scope) -> StoreResult<Vec<InjectionFinding>>;
    read tool_quality(since: Timestamp) -> StoreResult<Vec<ToolQuality>>;
});

fault_port!(Circuits {
    read circuit(dependency: &str) -> StoreResult<Circuit>;
    write put_circuit(circuit: &Circuit) -> StoreResult<bool>;
    read circuits() -> StoreResult<Vec<Circuit>>;
    read circuit_changed(seen: &[Circuit]) -> StoreResult<()>;
});

fault_port!(Ledger {
    write reserve(reservation: &Reservation, caps: &Caps) -> StoreResult<Result<Grant, CapReached>>;
    write reserve_elsewhere(reservation: &Reservation, caps: &Caps) -> StoreResult<Result<Grant, CapReached>>;
    write settle_elsewhere(reservation: &Reservation, used: LevelUsage) -> StoreResult<()>;
    write settle(id: ModelCallId, settlement: &Settlement) -> StoreResult<()>;
    read used_by_key(level: BudgetLevel, keys: &[&str]) -> StoreResult<BTreeMap<String, LevelUsage>>;
    read spent(investigation: InvestigationId) -> StoreResult<Spend>;
    read spent_by_session(investigation: InvestigationId) -> StoreResult<BTreeMap<SessionId, (Spend, u32)>>;
    read model_calls(session: SessionId) -> StoreResult<Vec<ModelCall>>;
    read last_answer(investigation: InvestigationId, role: AgentRole) -> StoreResult<Option<ModelCall>>;
    read past_investigations(models: &[(String, String)], limit: u32) -> StoreResult<Vec<PastInvestigation>>;
});
