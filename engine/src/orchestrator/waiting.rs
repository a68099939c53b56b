//! What workers say in the events about why they cannot go on, and since when nothing got done.

use crate::{Engine, StoreError};
use domain::{
    InvestigationId, Timestamp,
    event::{Event, EventKind},
    investigation::{Investigation, Status},
    work_order::WorkOrderStatus,
};
use futures::StreamExt;
use std::ops::ControlFlow;

/// Its events end only with it.
pub(super) const OVER: StoreError = StoreError::Stale("the investigation has ended, or is gone");
/// Events read at once.
const PAGE: u32 = 100;

/// Why a worker could not go on.
#[derive(Debug, Clone)]
pub(super) enum Said {
    Down(String),
    BudgetReached(String),
}

impl Said {
    fn of(what: EventKind) -> Option<Self> {
        match what {
            EventKind::DependencyDown { reason, .. } => Some(Self::Down(reason)),
            EventKind::BudgetReached { reason } => Some(Self::BudgetReached(reason)),
            _ => None,
        }
    }
}

/// What a worker has said since the status last changed; that a budget is used up comes before that something is down.
pub(super) async fn said_since_last_change(engine: &Engine, id: InvestigationId) -> Result<Option<Said>, StoreError> {
    let mut said = None;
    back_from_the_newest(engine, id, |event| {
        if matches!(event.kind, EventKind::StatusChanged { .. }) {
            return ControlFlow::Break(());
        }
        // The first word about a budget counts, and the last one about something that is down.
        if let Some(earlier) = Said::of(event.kind)
            && (said.is_none() || matches!(earlier, Said::BudgetReached(_)))
        {
            said = Some(earlier);
        }
        ControlFlow::Continue(())
    })
    .await?;
    Ok(said)
}

/// Waits until a worker says, after event number `after`, that it cannot go on.
pub(super) async fn said_after(engine: &Engine, id: InvestigationId, after: u64) -> Result<Said, StoreError> {
    let mut events = engine.events.follow(id, after);
    while let Some(event) = events.next().await {
        if let Some(said) = Said::of(event?.kind) {
            return Ok(said);
        }
    }
    Err(OVER)
}

/// What a suspended investigation waits for.
pub(super) struct Suspension {
    /// Counting tries that came to nothing as one suspension: else it would never grow old.
    pub since: Timestamp,
    /// The circuits that agents named; none: any of its models.
    pub waits_for: Vec<String>,
}

pub(super) async fn suspension(engine: &Engine, investigation: &Investigation) -> Result<Suspension, StoreError> {
    let (mut since, mut waits_for) = (None, vec![]);
    // What was before something got done, and what was before the work that was suspended, says nothing any more.
    let (mut got_done, mut was_begun) = (false, false);
    back_from_the_newest(engine, investigation.id, |event| {
        match event.kind {
            EventKind::StatusChanged { status: Status::Suspended, .. } if got_done => {}
            EventKind::StatusChanged { status: Status::Suspended, .. } => since = Some(event.at),
            EventKind::StatusChanged { .. } => was_begun = true,
            EventKind::DependencyDown { waits_for: named, .. } if !was_begun => waits_for.extend(named),
            // A model has answered, or work got done.
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

/// Looks at one event after another, the newest first, until it has seen enough: of a long investigation most are never read.
async fn back_from_the_newest(
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
