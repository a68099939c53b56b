//! How much is carried at once.

use super::PageSize;
use serde::Deserialize;

/// The `moving` part of the configuration: backup, restore and migration.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TransferConfig {
    /// Records of one transaction, and of one part of an archive.
    pub batch_records: u32,
    /// The same in KiB: memory is bounded by a few of these and the largest single file.
    pub batch_kib: usize,
}

impl Default for TransferConfig {
    fn default() -> Self {
        Self { batch_records: 1_000, batch_kib: 4 * 1024 }
    }
}

impl TransferConfig {
    pub const fn page(&self) -> PageSize {
        PageSize { records: self.batch_records, bytes: self.batch_kib * 1024 }
    }

    /// The setting that cannot work, with what to do.
    pub fn problem(&self) -> Option<String> {
        let zero = [("batch_records", self.batch_records == 0), ("batch_kib", self.batch_kib == 0)];
        let (name, _) = zero.into_iter().find(|(_, is_zero)| *is_zero)?;
        Some(format!("transfer.{name} is 0: it must be at least 1"))
    }
}
