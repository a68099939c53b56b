//! Settings of the browser.

use serde::Deserialize;
use std::path::PathBuf;

const MIB: u64 = 1024 * 1024;

/// The `fetch.browser` part of the configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BrowserConfig {
    /// Whether pages may be rendered.
    pub enabled: bool,
    /// Chromium executable; empty: the first one found in the usual paths.
    pub program: PathBuf,
    /// Whether Chromium may be started by root, where it has no sandbox.
    pub allow_root: bool,
    pub launch_timeout_ms: u64,
    /// Concurrent pages and sessions; further requests wait.
    pub max_contexts: usize,
    /// Open sessions per owner, so that one owner cannot take all slots.
    pub max_sessions_per_owner: usize,
    /// Longest wait for a free slot.
    pub queue_timeout_ms: u64,
    /// Time until a page must have loaded; then it is read as it is.
    pub load_timeout_ms: u64,
    /// Time after loading during which a page may still fetch before it is read.
    pub settle_ms: u64,
    /// Time limit of one session step, without loading.
    pub step_timeout_ms: u64,
    /// Idle time after which a session is closed.
    pub session_idle_ms: u64,
    /// Age at which a session is closed, even if in use.
    pub session_max_ms: u64,
    /// Network bytes per step, counted as transferred.
    pub max_page_bytes: u64,
    /// Length of a page's HTML after its scripts have run.
    pub max_html_bytes: u64,
    /// Memory of the whole browser; when exceeded, the browser is killed and its pages fail.
    pub max_memory_bytes: u64,
    /// JavaScript heap of one page.
    pub max_script_memory_mib: u64,
    /// Concurrent connections of one page.
    pub max_connections: usize,
    /// Links, buttons and fields listed with a page.
    pub max_controls: usize,
    /// Characters that may be typed into a field.
    pub max_fill_chars: usize,
}

impl Default for BrowserConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            program: PathBuf::new(),
            allow_root: false,
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
