//! Running Chromium: its driver, and a watcher that enforces the memory limit.
//!
//! Invariant: `ended` is cancelled whenever Chromium has ended, so that the next page starts a new one. Every started process
//! is reaped.

use super::{
    config::BrowserConfig,
    launch::{ChromiumProcess, LaunchError},
    memory,
};
use chromiumoxide::{
    Browser,
    error::CdpError,
    handler::{HandlerConfig, viewport::Viewport},
};
use futures::StreamExt;
use std::{path::PathBuf, time::Duration};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// Interval of the memory check.
const MEMORY_CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Longest wait for a killed process to disappear.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);
const VIEWPORT: (u32, u32) = (1_280, 1_600);

#[derive(Debug)]
pub(super) struct ChromiumInstance {
    pub browser: Browser,
    /// User agent of its pages.
    pub agent: String,
    /// Timeout of one DevTools request.
    pub patience: Duration,
    pub ended: CancellationToken,
    /// Cancelled when the process has been reaped.
    gone: CancellationToken,
    id: Option<u32>,
}

impl ChromiumInstance {
    /// Starts Chromium with its profile in `folder`. `name` is appended to its user agent.
    pub async fn start(config: &BrowserConfig, folder: PathBuf, name: &str) -> Result<Self, LaunchError> {
        let (process, pipe, agent) = ChromiumProcess::start(config, folder).await?;
        let (program, id) = (config.program.clone(), process.id());
        let endpoint = pipe.open().await.map_err(|error| LaunchError::Start(program.clone(), error))?;
        let lost = |error: CdpError| LaunchError::Start(program.clone(), std::io::Error::other(error));
        let patience = Duration::from_millis(config.load_timeout_ms.max(config.step_timeout_ms));
        let handling = HandlerConfig {
            ignore_https_errors: false,
            viewport: Some(Viewport { width: VIEWPORT.0, height: VIEWPORT.1, ..Viewport::default() }),
            request_timeout: patience,
            ..HandlerConfig::default()
        };
        let (browser, mut handler) = Browser::connect_with_config(endpoint, handling).await.map_err(lost)?;
        let (ended, gone) = (CancellationToken::new(), CancellationToken::new());
        let guard = ended.clone().drop_guard();
        tokio::spawn(async move {
            let _guard = guard;
            while let Some(Ok(())) = handler.next().await {}
        });
        tokio::spawn(watch(process, ended.clone(), gone.clone(), config.max_memory_bytes));
        let agent = format!("{} {name}", agent.replace("HeadlessChrome", "Chrome"));
        Ok(Self { browser, agent, patience, ended, gone, id })
    }

    /// Ends Chromium and waits, within a time limit, until its process is gone.
    pub async fn stop(&self) {
        self.ended.cancel();
        if timeout(EXIT_TIMEOUT, self.gone.cancelled()).await.is_err() {
            tracing::warn!("browser has not exited in time");
        }
    }

    /// Process id, for diagnosis and tests.
    pub fn id(&self) -> Option<u32> {
        self.id
    }
}

impl Drop for ChromiumInstance {
    fn drop(&mut self) {
        self.ended.cancel();
    }
}

/// Owns the process until it exits, is stopped or exceeds its memory; then kills it and cancels `gone`.
async fn watch(mut process: ChromiumProcess, ended: CancellationToken, gone: CancellationToken, max_bytes: u64) {
    let (_gone, guard) = (gone.drop_guard(), ended.clone().drop_guard());
    while ended.run_until_cancelled(tokio::time::sleep(MEMORY_CHECK_INTERVAL)).await.is_some() {
        if process.has_ended() {
            tracing::warn!("browser exited unexpectedly");
            break;
        }
        let used = process.id().map_or(0, memory::process_tree_bytes);
        metrics::gauge!("autosint_browser_memory_bytes").set(used as f64);
        if used > max_bytes {
            tracing::warn!(used, max_bytes, "browser exceeds its memory limit, killing it");
            break;
        }
    }
    drop(guard);
    process.end().await;
}
