//! Limits of the browser.

use serde::Deserialize;
use std::path::PathBuf;

const MIB: u64 = 1024 * 1024;

/// The `fetch.browser` part of the configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BrowserConfig {
    /// Whether pages may be rendered at all.
    pub enabled: bool,
    /// The Chromium to run; empty: the first of the usual places that has one.
    pub program: PathBuf,
    pub launch_timeout_ms: u64,
    /// Pages and sessions at once; whoever comes later waits.
    pub max_contexts: usize,
    /// Sessions that one owner may have open, so that nobody has all the places.
    pub max_sessions_per_owner: usize,
    /// How long somebody waits for a place.
    pub queue_timeout_ms: u64,
    /// Until a page has loaded; what has not by then is read as it stands.
    pub load_timeout_ms: u64,
    /// After loading, how long a page may go on fetching before it is read.
    pub settle_ms: u64,
    /// Of one step of a session, loading not counted.
    pub step_timeout_ms: u64,
    /// A session that nobody uses for so long is closed.
    pub session_idle_ms: u64,
    /// The same, used or not.
    pub session_max_ms: u64,
    /// What one step may bring over the network, in bytes as they are sent.
    pub max_page_bytes: u64,
    /// Length of a page's HTML once its scripts have run.
    pub max_html_bytes: u64,
    /// Memory of the whole browser; beyond it, it is ended and the pages in it fail.
    pub max_memory_bytes: u64,
    /// Memory of the scripts of one page.
    pub max_script_memory_mib: u64,
    /// Connections of one page at once.
    pub max_connections: usize,
    /// Links, buttons and fields that are named with a page.
    pub max_controls: usize,
    /// Characters of what is written into a field.
    pub max_fill_chars: usize,
}

impl Default for BrowserConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            program: PathBuf::new(),
            launch_timeout_ms: 30_000,
            max_contexts: 4,
            max_sessions_per_owner: 2,
            queue_timeout_ms: 60_000,
            load_timeout_ms: 20_000,
            settle_ms: 3_000,
            step_timeout_ms: 10_000,
            session_idle_ms: 120_000,
            session_max_ms: 900_000,
            max_page_bytes: 32 * MIB,
            max_html_bytes: 8 * MIB,
            max_memory_bytes: 2_048 * MIB,
            max_script_memory_mib: 256,
            max_connections: 48,
            max_controls: 60,
            max_fill_chars: 500,
        }
    }
}
