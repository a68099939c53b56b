//! Sizes and time-outs of the state store.

use crate::Address;
use engine::reliability::RetryConfig;
use serde::Deserialize;

/// The `sql` part of the configuration.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SqlConfig {
    /// `postgres://USER@HOST:PORT/DATABASE`, with pgvector in that database. None: SQLite in the data directory.
    pub url: Option<Address>,
    /// Connections of this process (PostgreSQL); where there is no Redis, one more listens.
    pub connections: u32,
    /// How long a statement may take (PostgreSQL).
    pub statement_timeout_ms: u64,
    /// Connections that read at the same time; one more writes (SQLite).
    pub readers: u32,
    /// How long a statement waits for another that is writing the same.
    pub busy_timeout_ms: u64,
    /// How long a call waits for a free connection, and how long a process that starts tries to reach PostgreSQL.
    pub acquire_timeout_ms: u64,
    pub synchronous: Synchronous,
    /// Page cache of each SQLite connection.
    pub cache_kib: u32,
    /// After so many pages of four KiB the write-ahead log is folded into the file (SQLite).
    pub checkpoint_pages: u32,
    /// The file may not grow beyond this (SQLite); more is refused like a full disk. None: as the disk allows.
    pub max_mib: Option<u32>,
    /// How often a waiting process looks whether another process has written, where nothing tells it.
    pub recheck_ms: u64,
    /// After this long without news `Investigations::changed` returns all the same, so that expired leases are found. As often one look
    /// finds the events that nobody was told of (PostgreSQL).
    pub lease_check_ms: u64,
    /// After this long without a word from other processes everybody who waits looks all the same, and the connection that listens is
    /// made anew: its wire may be gone without a word (PostgreSQL, Redis).
    pub silence_ms: u64,
    /// How many events a follower reads at once.
    pub event_page: u32,
    /// A follower reads no sooner after it has read, and other processes are told no sooner after they were told (PostgreSQL).
    pub follow_pause_ms: u64,
    /// How often and how long it is tried to reach the database; set by `reliability.store`.
    #[serde(skip)]
    pub retry: RetryConfig,
}

impl Default for SqlConfig {
    fn default() -> Self {
        Self {
            url: None,
            connections: 10,
            statement_timeout_ms: 60_000,
            readers: 4,
            busy_timeout_ms: 10_000,
            acquire_timeout_ms: 30_000,
            synchronous: Synchronous::Normal,
            cache_kib: 8 * 1024,
            checkpoint_pages: 4_000,
            max_mib: None,
            recheck_ms: 250,
            lease_check_ms: 5_000,
            silence_ms: 15_000,
            event_page: 256,
            follow_pause_ms: 20,
            retry: RetryConfig::STORE,
        }
    }
}

/// When SQLite waits for the disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Synchronous {
    /// At checkpoints. A killed process loses nothing, a power cut may lose the last commits but never tears the file. The
    /// default: a lost commit is done again on restart, and a sync for every event and step would dominate small steps.
    #[default]
    Normal,
    /// At every commit, for machines whose power may go.
    Full,
}
