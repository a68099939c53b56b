//! Record sources, read batch by batch: here a store snapshot, in `file` an archive.

use super::{ArchiveRecord, Digests, PageSize, RecordKind, Snapshot, TransferError};
use async_trait::async_trait;
use std::collections::{BTreeSet, VecDeque};

/// Records of one kind, written together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    pub kind: RecordKind,
    pub records: Vec<ArchiveRecord>,
}

/// Source of records, by kind in import order.
#[async_trait]
pub trait RecordSource: Send {
    /// Returns the identifier of the source; a resumed import must use the same.
    fn id(&self) -> String;
    /// Returns the number of records of each kind.
    fn counts(&self) -> Vec<(RecordKind, u64)>;
    /// Reads every record and returns the digests; `next` then starts again.
    async fn digests(&mut self) -> Result<Digests, TransferError>;
    /// Returns the next batch of the kinds not skipped; none at the end.
    async fn next(&mut self, skip: &BTreeSet<RecordKind>) -> Result<Option<Batch>, TransferError>;
}

/// Store snapshot as a source, read by page.
pub struct SnapshotPages {
    id: String,
    snapshot: Box<dyn Snapshot>,
    size: PageSize,
    counts: Vec<(RecordKind, u64)>,
    left: VecDeque<RecordKind>,
    after: Option<String>,
}

impl SnapshotPages {
    pub async fn new(
        id: String,
        kinds: Vec<RecordKind>,
        mut snapshot: Box<dyn Snapshot>,
        size: PageSize,
    ) -> Result<Self, TransferError> {
        let mut counts = Vec::with_capacity(kinds.len());
        for kind in &kinds {
            counts.push((*kind, snapshot.count(*kind).await?));
        }
        Ok(Self { id, snapshot, size, counts, left: kinds.into(), after: None })
    }
}

#[async_trait]
impl RecordSource for SnapshotPages {
    fn id(&self) -> String {
        self.id.clone()
    }

    fn counts(&self) -> Vec<(RecordKind, u64)> {
        self.counts.clone()
    }

    async fn digests(&mut self) -> Result<Digests, TransferError> {
        let mut digests = Digests::default();
        while let Some(batch) = self.next(&BTreeSet::new()).await? {
            batch.records.iter().for_each(|record| digests.add(batch.kind, &record.line));
        }
        self.left = self.counts.iter().map(|(kind, _)| *kind).collect();
        Ok(digests)
    }

    async fn next(&mut self, skip: &BTreeSet<RecordKind>) -> Result<Option<Batch>, TransferError> {
        while let Some(kind) = self.left.front().copied() {
            if !skip.contains(&kind) {
                let records = self.snapshot.page(kind, self.after.as_deref(), self.size).await?;
                if let Some(last) = records.last() {
                    self.after = Some(last.place.clone());
                    return Ok(Some(Batch { kind, records }));
                }
            }
            self.left.pop_front();
            self.after = None;
        }
        Ok(None)
    }
}
