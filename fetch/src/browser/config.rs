//! Settings of the browser.

use serde::Deserialize;
use std::path::PathBuf;

const MIB: u64 = 1024 * 1024;

domain::settings! {
    /// The `fetch.browser` part of the configuration.
    #[derive(Debug, Clone, Deserialize)]
    pub struct BrowserConfig {
        /// Whether pages may be rendered.
        pub enabled: bool = true,
        /// Chromium executable; empty: the first one found in the usual paths.
        pub program: PathBuf = PathBuf::new(),
        /// Whether Chromium may be started by root, where it has no sandbox.
        pub allow_root: bool = false,
        pub launch_timeout_ms: u64 = 30_000,
        /// Concurrent pages and sessions; further requests wait.
        pub max_contexts: usize = 4,
        /// Open sessions per owner, so that one owner cannot take all slots.
        pub max_sessions_per_owner: usize = 2,
        /// Longest wait for a free slot.
        pub queue_timeout_ms: u64 = 60_000,
        /// Time until a page must have loaded; then it is read as it is.
        pub load_timeout_ms: u64 = 20_000,
        /// Time after loading during which a page may still fetch before it is read.
        pub settle_ms: u64 = 3_000,
        /// Time limit of one session step, without loading.
        pub step_timeout_ms: u64 = 10_000,
        /// Idle time after which a session is closed.
        pub session_idle_ms: u64 = 120_000,
        /// Age at which a session is closed, even if in use.
        pub session_max_ms: u64 = 900_000,
        /// Network bytes per step, counted as transferred.
        pub max_page_bytes: u64 = 32 * MIB,
        /// Length of a page's HTML after its scripts have run.
        pub max_html_bytes: u64 = 8 * MIB,
        /// Memory of the whole browser; when exceeded, the browser is killed and its pages fail.
        pub max_memory_bytes: u64 = 2_048 * MIB,
        /// JavaScript heap of one page.
        pub max_script_memory_mib: u64 = 256,
        /// Concurrent connections of one page.
        pub max_connections: usize = 48,
        /// Links, buttons and fields listed with a page.
        pub max_controls: usize = 60,
        /// Characters that may be typed into a field.
        pub max_fill_chars: usize = 500,
    }
}
