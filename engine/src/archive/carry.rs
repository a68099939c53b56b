//! Where records come from, batch by batch: the picture of a store here, an archive in `file`.

use super::{Digests, Kind, MoveError, PageSize, Record, Snapshot};
use async_trait::async_trait;
use std::collections::{BTreeSet, VecDeque};

/// Records of one kind that are written together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    pub kind: Kind,
    pub records: Vec<Record>,
}

/// Something to be written to a store, kind by kind in the order in which it can be.
#[async_trait]
pub trait Source: Send {
    /// Names it, so that who goes on with a half filled store goes on with the same.
    fn id(&self) -> String;
    /// How many records there are of each kind.
    fn counts(&self) -> Vec<(Kind, u64)>;
    /// Goes through everything once; `next` begins at the beginning again.
    async fn digests(&mut self) -> Result<Digests, MoveError>;
    /// The next batch of a kind that is not skipped; none at the end.
    async fn next(&mut self, skip: &BTreeSet<Kind>) -> Result<Option<Batch>, MoveError>;
}

/// The picture of a store, page by page.
pub struct Pages {
    id: String,
    snapshot: Box<dyn Snapshot>,
    size: PageSize,
    counts: Vec<(Kind, u64)>,
    left: VecDeque<Kind>,
    after: Option<String>,
}

impl Pages {
    pub async fn new(id: String, kinds: Vec<Kind>, mut snapshot: Box<dyn Snapshot>, size: PageSize) -> Result<Self, MoveError> {
        let mut counts = Vec::with_capacity(kinds.len());
        for kind in &kinds {
            counts.push((*kind, snapshot.count(*kind).await?));
        }
        Ok(Self { id, snapshot, size, counts, left: kinds.into(), after: None })
    }
}

#[async_trait]
impl Source for Pages {
    fn id(&self) -> String {
        self.id.clone()
    }

    fn counts(&self) -> Vec<(Kind, u64)> {
        self.counts.clone()
    }

    async fn digests(&mut self) -> Result<Digests, MoveError> {
        let mut digests = Digests::default();
        while let Some(batch) = self.next(&BTreeSet::new()).await? {
            batch.records.iter().for_each(|record| digests.add(batch.kind, &record.line));
        }
        self.left = self.counts.iter().map(|(kind, _)| *kind).collect();
        Ok(digests)
    }

    async fn next(&mut self, skip: &BTreeSet<Kind>) -> Result<Option<Batch>, MoveError> {
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
