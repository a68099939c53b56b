//! `[server.uploads]`: limits on uploaded files.

use serde::Deserialize;
use std::time::Duration;

const MIB: usize = 1024 * 1024;

/// Limits on uploads of the question form.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UploadConfig {
    /// Maximum size of one upload, all files together.
    pub max_bytes: usize,
    /// Uploads that are received and read at once in this process.
    pub at_once: usize,
    /// Longest wait of an upload for the others.
    pub wait_ms: u64,
    /// Bytes that one person may upload per day (UTC).
    pub day_bytes_per_person: u64,
}

impl Default for UploadConfig {
    fn default() -> Self {
        Self { max_bytes: 256 * MIB, at_once: 4, wait_ms: 60_000, day_bytes_per_person: 4096 * MIB as u64 }
    }
}

impl UploadConfig {
    pub(super) fn problem(&self) -> Option<String> {
        (self.at_once == 0).then(|| "server.uploads.at_once is 0; it must be at least 1".to_owned())
    }

    pub(crate) fn wait(&self) -> Duration {
        Duration::from_millis(self.wait_ms)
    }
}
