//! What workers say in the events about why they cannot go on, and since when nothing got done.

use crate::{Engine, StoreError};
use domain::{
    InvestigationId, Timestamp,
    event::{Event, Happening},
    investigation::{Investigation, Status},
    work_order::WorkOrderStatus,
};
use futures::StreamExt;

/// Events read at once.
const PAGE: u32 = 500;

/// Why a worker could not go on.
#[derive(Debug, Clone)]
pub(super) enum Said {
    Down(String),
    BudgetReached(String),
}

impl Said {
    fn of(what: Happening) -> Option<Self> {
        match what {
            Happening::DependencyDown { reason, .. } => Some(Self::Down(reason)),
            Happening::BudgetReached { reason } => Some(Self::BudgetReached(reason)),
            _ => None,
        }
    }
}

/// What a worker has said since the status last changed; that a budget is used up comes before that something is down.
pub(super) async fn said_since_last_change(engine: &Engine, id: InvestigationId) -> Result<Option<Said>, StoreError> {
    let mut said = None;
    each_event(engine, id, |event| match event.what {
        Happening::StatusChanged { .. } => said = None,
        what => {
            let new = Said::of(what).filter(|_| !matches!(said, Some(Said::BudgetReached(_))));
            said = new.or(said.take());
        }
    })
    .await?;
    Ok(said)
}

/// Waits until a worker says, after event number `after`, that it cannot go on.
pub(super) async fn said_after(engine: &Engine, id: InvestigationId, after: u64) -> Result<Said, StoreError> {
    let mut events = engine.events.follow(id, after);
    while let Some(event) = events.next().await {
        if let Some(said) = Said::of(event?.what) {
            return Ok(said);
        }
    }
    Err(StoreError::Unavailable("the events of the investigation ended".into()))
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
    each_event(engine, investigation.id, |event| match event.what {
        Happening::StatusChanged { status: Status::Suspended, .. } => {
            since.get_or_insert(event.at);
        }
        Happening::StatusChanged { .. } => waits_for.clear(),
        Happening::DependencyDown { waits_for: named, .. } => waits_for.extend(named),
        // A model has answered, or work got done.
        Happening::ToolCalled { .. } | Happening::WorkOrderChanged { status: WorkOrderStatus::Completed, .. } => since = None,
        _ => {}
    })
    .await?;
    let since = since.or(investigation.suspended_at).unwrap_or(investigation.created_at);
    Ok(Suspension { since, waits_for })
}

async fn each_event(engine: &Engine, id: InvestigationId, mut see: impl FnMut(Event)) -> Result<(), StoreError> {
    let mut seen = 0;
    loop {
        let page = engine.events.after(id, seen, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        seen = last.sequence;
        page.into_iter().for_each(&mut see);
    }
}
