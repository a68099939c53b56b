//! Batch sizes of backup, restore and migration.

use super::PageSize;
use serde::Deserialize;

domain::settings! {
    /// Configuration `[transfer]`: backup, restore and migration.
    #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
    pub struct TransferConfig {
        /// Records per transaction, and per part of an archive.
        pub batch_records: u32 = 1_000,
        /// Batch size in KiB. Memory use is a few batches plus the largest file.
        pub batch_kib: usize = 4 * 1024,
    }
}

impl TransferConfig {
    pub const fn page(&self) -> PageSize {
        PageSize { records: self.batch_records, bytes: self.batch_kib * 1024 }
    }

    /// Returns the first invalid setting, with the remedy.
    pub fn problem(&self) -> Option<String> {
        let zero = [("batch_records", self.batch_records == 0), ("batch_kib", self.batch_kib == 0)];
        let (name, _) = zero.into_iter().find(|(_, is_zero)| *is_zero)?;
        Some(format!("transfer.{name} is 0: it must be at least 1"))
    }
}
