//! Suspension state from events: why workers are blocked, and since when.

use crate::{Engine, StoreError};
use domain::{
    InvestigationId, Timestamp,
    event::{Event, EventKind},
    investigation::{Investigation, Status},
    work_order::WorkOrderStatus,
};
use futures::StreamExt;
use std::ops::ControlFlow;

/// Error of an ended event stream: it ends only with the investigation.
pub(super) const INVESTIGATION_ENDED: StoreError = StoreError::Stale("investigation ended or was removed");
/// Events per read.
const PAGE: u32 = 100;

/// Reason that blocked a worker.
#[derive(Debug, Clone)]
pub(super) enum WorkerBlocked {
    Down(String),
    BudgetReached(String),
}

impl WorkerBlocked {
    fn from_event(what: EventKind) -> Option<Self> {
        match what {
            EventKind::DependencyDown { reason, .. } => Some(Self::Down(reason)),
            EventKind::BudgetReached { reason } => Some(Self::BudgetReached(reason)),
            _ => None,
        }
    }
}

/// Returns the reason since the last status change; a reached budget takes precedence over an outage.
pub(super) async fn blocked_since_last_change(
    engine: &Engine,
    id: InvestigationId,
) -> Result<Option<WorkerBlocked>, StoreError> {
    let mut blocked = None;
    scan_backwards(engine, id, |event| {
        if matches!(event.kind, EventKind::StatusChanged { .. }) {
            return ControlFlow::Break(());
        }
        // The first budget event counts, and the last outage.
        if let Some(earlier) = WorkerBlocked::from_event(event.kind)
            && (blocked.is_none() || matches!(earlier, WorkerBlocked::BudgetReached(_)))
        {
            blocked = Some(earlier);
        }
        ControlFlow::Continue(())
    })
    .await?;
    Ok(blocked)
}

/// Waits for a blocking event after event number `after`.
pub(super) async fn wait_until_blocked(engine: &Engine, id: InvestigationId, after: u64) -> Result<WorkerBlocked, StoreError> {
    let mut events = engine.events.follow(id, after);
    while let Some(event) = events.next().await {
        if let Some(blocked) = WorkerBlocked::from_event(event?.kind) {
            return Ok(blocked);
        }
    }
    Err(INVESTIGATION_ENDED)
}

/// Suspension of an investigation.
pub(super) struct Suspension {
    /// Start, across failed attempts to resume: otherwise it would never time out.
    pub since: Timestamp,
    /// Circuits named by the agents; none: any of its models.
    pub waits_for: Vec<String>,
}

pub(super) async fn suspension(engine: &Engine, investigation: &Investigation) -> Result<Suspension, StoreError> {
    let (mut since, mut waits_for) = (None, vec![]);
    // Events before completed work, or before the suspended work began, no longer matter.
    let (mut got_done, mut was_begun) = (false, false);
    scan_backwards(engine, investigation.id, |event| {
        match event.kind {
            EventKind::StatusChanged { status: Status::Suspended, .. } if got_done => {}
            EventKind::StatusChanged { status: Status::Suspended, .. } => since = Some(event.at),
            EventKind::StatusChanged { .. } => was_begun = true,
            EventKind::DependencyDown { waits_for: named, .. } if !was_begun => waits_for.extend(named),
            // A model answered, or work was completed.
            EventKind::ToolCalled { .. } | EventKind::WorkOrderChanged { status: WorkOrderStatus::Completed, .. } => {
                got_done = true;
            }
            _ => {}
        }
        if got_done && was_begun { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .await?;
    let since = since.or(investigation.suspended_at).unwrap_or(investigation.created_at);
    Ok(Suspension { since, waits_for })
}

/// Visits events newest first until told to stop; most of a long investigation are never read.
async fn scan_backwards(
    engine: &Engine,
    id: InvestigationId,
    mut see: impl FnMut(Event) -> ControlFlow<()>,
) -> Result<(), StoreError> {
    let mut before = u64::MAX;
    loop {
        let page = engine.events.before(id, before, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        before = last.sequence;
        if page.into_iter().try_for_each(&mut see).is_break() {
            return Ok(());
        }
    }
}
