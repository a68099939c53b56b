//! Configuration of the state store.

use crate::Address;
use engine::reliability::RetryConfig;
use serde::Deserialize;

domain::settings! {
    /// The `sql` part of the configuration.
    #[derive(Debug, Clone, PartialEq, Deserialize)]
    pub struct SqlConfig {
        /// `postgres://USER@HOST:PORT/DATABASE`, with pgvector in that database. `None` uses SQLite in the data directory.
        pub url: Option<Address> = None,
        /// Connections of this process (PostgreSQL); without Redis one more listens.
        pub connections: u32 = 10,
        /// Time limit of a statement (PostgreSQL).
        pub statement_timeout_ms: u64 = 60_000,
        /// Time for which a page or a step may hold a reading connection before its statement is interrupted (SQLite); 0: no limit.
        pub read_timeout_ms: u64 = 20_000,
        /// Number of reading connections; one more writes (SQLite).
        pub readers: u32 = 4,
        /// Time a statement waits for a lock.
        pub busy_timeout_ms: u64 = 10_000,
        /// Time a call waits for a free connection, and a starting process for PostgreSQL.
        pub acquire_timeout_ms: u64 = 30_000,
        pub synchronous: Synchronous = Synchronous::Normal,
        /// Page cache of each SQLite connection.
        pub cache_kib: u32 = 8 * 1024,
        /// Number of 4 KiB pages after which the write-ahead log is checkpointed (SQLite).
        pub checkpoint_pages: u32 = 4_000,
        /// Maximum size of the file; writes beyond it fail like a full disk (SQLite). `None` sets no limit.
        pub max_mib: Option<u32> = None,
        /// Interval at which a waiting process polls for writes of others, where nothing notifies it.
        pub recheck_ms: u64 = 250,
        /// Time after which `Investigations::changed` returns without a change, so that expired leases are found. It is also the interval of
        /// the check for missed events (PostgreSQL).
        pub lease_check_ms: u64 = 5_000,
        /// Silence after which every waiting process polls and renews its listening connection, which may be dead (PostgreSQL, Redis).
        pub silence_ms: u64 = 15_000,
        /// Number of events that a follower reads at once.
        pub event_page: u32 = 256,
        /// Minimum pause between two reads of a follower, and between two notifications of other processes (PostgreSQL).
        pub follow_pause_ms: u64 = 20,
        /// Retries while the database is unreachable; set by `reliability.store`.
        #[serde(skip)]
        pub retry: RetryConfig = RetryConfig::STORE,
    }
}

/// SQLite's synchronous mode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Synchronous {
    /// Syncs at checkpoints. A killed process loses nothing; a power cut may lose the last commits but never corrupts the file. The
    /// default, because lost work is repeated on restart and a sync per event would dominate small steps.
    #[default]
    Normal,
    /// Syncs at every commit, for machines that may lose power.
    Full,
}
