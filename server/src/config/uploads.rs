//! `[server.uploads]`: limits on uploaded files.

use serde::Deserialize;
use std::time::Duration;

const MIB: usize = 1024 * 1024;

domain::settings! {
    /// Limits on uploads of the question form.
    #[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
    pub struct UploadConfig {
        /// Maximum size of one upload, all files together.
        pub max_bytes: usize = 256 * MIB,
        /// Uploads that are received and read at once in this process.
        pub at_once: usize = 4,
        /// Longest wait of an upload for the others.
        pub wait_ms: u64 = 60_000,
        /// Bytes that one person may upload per day (UTC).
        pub day_bytes_per_person: u64 = 4096 * MIB as u64,
        /// Uploads of one person at once in this process.
        pub per_person: usize = 1,
        /// Rate below which an upload is ended after its first seconds.
        pub min_bytes_per_s: u64 = 256,
        /// All text fields together, without question and addresses.
        pub text_bytes: usize = 64 * 1024,
        /// Collections that a form may name.
        pub collections: usize = 200,
    }
}

impl UploadConfig {
    pub(super) fn problem(&self) -> Option<String> {
        let at_least_one = [("at_once", self.at_once), ("per_person", self.per_person)];
        let (name, _) = at_least_one.into_iter().find(|(_, value)| *value == 0)?;
        Some(format!("server.uploads.{name} is 0; it must be at least 1"))
    }

    pub(crate) fn wait(&self) -> Duration {
        Duration::from_millis(self.wait_ms)
    }
}
