//! Copy of a source into a store, with verification.
//!
//! Invariant: the target is empty, or half filled from the same source. Until verified it counts as half filled, and no process
//! works on it. Workers register before checking the import state; an import is recorded before checking for workers.

use super::{ArchiveStore, Digests, ImportState, RecordKind, RecordSource, SnapshotPages, Tally, TransferConfig};
use crate::{Clock, StoreError};
use std::{collections::BTreeSet, fmt};

/// Errors of export and import.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the target already holds {records} {kind}: choose an empty target")]
    NotEmpty { kind: RecordKind, records: u64 },
    #[error("{workers} autosint processes are using the target: stop them first")]
    InUse { workers: usize },
    #[error(
        "the target holds a partial import from another source ({source_id}): resume that import, or choose an empty target"
    )]
    HalfFilled { source_id: String },
    #[error("verification failed: {}; the target stays locked: empty it and start again", list(.0))]
    Differs(Vec<TallyDifference>),
    #[error("{part} is damaged ({why}): use another copy of this archive")]
    Damaged { part: String, why: String },
    #[error("the archive is truncated after {after}: use another copy")]
    Truncated { after: String },
    #[error("not an autosint archive: {0}")]
    NotAnArchive(String),
    #[error("the archive has format {format}, but this version reads up to {known}: update autosint")]
    Newer { format: u32, known: u32 },
    #[error("the archive cannot be {doing}: {cause}")]
    Io { doing: &'static str, cause: std::io::Error },
}

/// Record kind that differs between source and target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TallyDifference {
    pub kind: RecordKind,
    pub source: Tally,
    pub target: Tally,
}

impl fmt::Display for TallyDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, source, target } = self;
        if source.records == target.records {
            return write!(f, "{kind}: {} on both sides, with different content", source.records);
        }
        write!(f, "{kind}: {} at the source, {} at the target", source.records, target.records)
    }
}

fn list(differences: &[TallyDifference]) -> String {
    differences.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Progress event of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransferStep {
    /// Records already present in a half filled target.
    Skipped(RecordKind, u64),
    Written(RecordKind, u64),
    Compared(RecordKind, u64),
}

/// Result of a copy: equal tallies on both sides, by kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransferReport {
    pub tallies: Vec<(RecordKind, Tally)>,
    /// Whether it resumed an earlier attempt.
    pub resumed: bool,
}

/// Copies `source` into `target` and verifies it. Safe to interrupt and repeat.
pub async fn copy(
    source: &mut dyn RecordSource,
    target: &dyn ArchiveStore,
    import_state: &dyn ImportState,
    clock: &dyn Clock,
    config: &TransferConfig,
    on_step: &mut (dyn FnMut(TransferStep) + Send),
) -> Result<TransferReport, TransferError> {
    let id = source.id();
    nobody_works(import_state, clock).await?;
    let resumed = may_fill(&id, target, import_state, config).await?;
    import_state.begin_import(&id, clock.now()).await?;
    if let Err(error) = nobody_works(import_state, clock).await {
        if !resumed {
            import_state.cancel_import(&id).await?;
        }
        return Err(error);
    }

    let mut sent = Digests::default();
    let mut there = BTreeSet::new();
    if resumed {
        let (ours, theirs) = (source.digests().await?, digests_of(target, config, &mut |_| {}).await?);
        for kind in target.kinds().into_iter().filter(|kind| ours.tally(*kind) == theirs.tally(*kind)) {
            sent.set(kind, ours.tally(kind));
            there.insert(kind);
            on_step(TransferStep::Skipped(kind, ours.tally(kind).records));
        }
    }
    while let Some(batch) = source.next(&there).await? {
        target.import(batch.kind, &batch.records).await?;
        batch.records.iter().for_each(|record| sent.add(batch.kind, &record.line));
        on_step(TransferStep::Written(batch.kind, batch.records.len() as u64));
    }
    let arrived = digests_of(target, config, on_step).await?;
    let tallies = compared(&target.kinds(), &sent, &arrived)?;
    import_state.end_import(&id, clock.now()).await?;
    Ok(TransferReport { tallies, resumed })
}

async fn nobody_works(import_state: &dyn ImportState, clock: &dyn Clock) -> Result<(), TransferError> {
    match import_state.workers(clock.now()).await? {
        0 => Ok(()),
        workers => Err(TransferError::InUse { workers }),
    }
}

/// Returns whether the target is half filled from this source; fails unless so or empty.
async fn may_fill(
    id: &str,
    target: &dyn ArchiveStore,
    import_state: &dyn ImportState,
    config: &TransferConfig,
) -> Result<bool, TransferError> {
    match import_state.last_import().await? {
        Some(arrival) if arrival.ended_at.is_none() && arrival.source == id => return Ok(true),
        Some(arrival) if arrival.ended_at.is_none() => return Err(TransferError::HalfFilled { source_id: arrival.source }),
        _ => {}
    }
    match count_all(target, config).await?.into_iter().find(|(_, records)| *records > 0) {
        Some((kind, records)) => Err(TransferError::NotEmpty { kind, records }),
        None => Ok(false),
    }
}

/// Counts the records of a store, by kind.
pub async fn count_all(store: &dyn ArchiveStore, config: &TransferConfig) -> Result<Vec<(RecordKind, u64)>, TransferError> {
    let pages = SnapshotPages::new(String::new(), store.kinds(), store.snapshot().await?, config.page()).await?;
    Ok(pages.counts())
}

async fn digests_of(
    store: &dyn ArchiveStore,
    config: &TransferConfig,
    on_step: &mut (dyn FnMut(TransferStep) + Send),
) -> Result<Digests, TransferError> {
    let mut pages = SnapshotPages::new(String::new(), store.kinds(), store.snapshot().await?, config.page()).await?;
    let mut digests = Digests::default();
    while let Some(batch) = pages.next(&BTreeSet::new()).await? {
        batch.records.iter().for_each(|record| digests.add(batch.kind, &record.line));
        on_step(TransferStep::Compared(batch.kind, batch.records.len() as u64));
    }
    Ok(digests)
}

fn compared(kinds: &[RecordKind], sent: &Digests, arrived: &Digests) -> Result<Vec<(RecordKind, Tally)>, TransferError> {
    let pairs =
        kinds.iter().map(|kind| TallyDifference { kind: *kind, source: sent.tally(*kind), target: arrived.tally(*kind) });
    let differences: Vec<TallyDifference> = pairs.filter(|pair| pair.source != pair.target).collect();
    if differences.is_empty() {
        return Ok(kinds.iter().map(|kind| (*kind, sent.tally(*kind))).collect());
    }
    Err(TransferError::Differs(differences))
}
