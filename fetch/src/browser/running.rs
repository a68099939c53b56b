//! A Chromium that runs: the line to it, and who watches that it stays within its memory.
//!
//! Invariant: when it has ended, for whatever reason, `ended` says so, and the next page gets a new one. Every process that was started is reaped.

use super::{
    config::BrowserConfig,
    memory,
    program::{LaunchError, Process},
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

/// How often the memory is looked at.
const WATCH_EVERY: Duration = Duration::from_millis(500);
/// How long a killed process may take to be gone.
const END_PATIENCE: Duration = Duration::from_secs(10);
const VIEWPORT: (u32, u32) = (1_280, 1_600);

#[derive(Debug)]
pub(super) struct Running {
    pub browser: Browser,
    /// How its pages name themselves.
    pub agent: String,
    /// With one request to it.
    pub patience: Duration,
    pub ended: CancellationToken,
    /// Its process has been reaped.
    gone: CancellationToken,
    id: Option<u32>,
}

impl Running {
    /// Starts one, with `folder` for its files. `name` is added to the name that Chromium gives itself.
    pub async fn start(config: &BrowserConfig, folder: PathBuf, name: &str) -> Result<Self, LaunchError> {
        let (process, line, agent) = Process::start(config, folder).await?;
        let (program, id) = (config.program.clone(), process.id());
        let endpoint = line.open().await.map_err(|error| LaunchError::Start(program.clone(), error))?;
        let lost = |error: CdpError| LaunchError::Start(program.clone(), std::io::Error::other(error));
        let patience = Duration::from_millis(config.load_timeout_ms.max(config.step_timeout_ms));
        let handling = HandlerConfig {
            ignore_https_errors: false,
            viewport: Some(Viewport { width: VIEWPORT.0, height: VIEWPORT.1, ..Viewport::default() }),
            request_timeout: patience,
            ..HandlerConfig::default()
        };
        let (browser, mut line) = Browser::connect_with_config(endpoint, handling).await.map_err(lost)?;
        let (ended, gone) = (CancellationToken::new(), CancellationToken::new());
        let guard = ended.clone().drop_guard();
        tokio::spawn(async move {
            let _guard = guard;
            while let Some(Ok(())) = line.next().await {}
        });
        tokio::spawn(watch(process, ended.clone(), gone.clone(), config.max_memory_bytes));
        let agent = format!("{} {name}", agent.replace("HeadlessChrome", "Chrome"));
        Ok(Self { browser, agent, patience, ended, gone, id })
    }

    /// Ends it, and waits until its process is gone, but not for ever.
    pub async fn stop(&self) {
        self.ended.cancel();
        if timeout(END_PATIENCE, self.gone.cancelled()).await.is_err() {
            tracing::warn!("the browser was told to end and has not yet");
        }
    }

    /// Its process id, for diagnosis and tests.
    pub fn id(&self) -> Option<u32> {
        self.id
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.ended.cancel();
    }
}

/// Holds the process until it has ended, is not wanted any more, or has grown too large; then it is killed, and `gone` says so.
async fn watch(mut process: Process, ended: CancellationToken, gone: CancellationToken, max_bytes: u64) {
    let (_gone, guard) = (gone.drop_guard(), ended.clone().drop_guard());
    while ended.run_until_cancelled(tokio::time::sleep(WATCH_EVERY)).await.is_some() {
        if process.has_ended() {
            tracing::warn!("the browser has ended by itself");
            break;
        }
        let used = process.id().map_or(0, memory::of_tree);
        metrics::gauge!("autosint_browser_memory_bytes").set(used as f64);
        if used > max_bytes {
            tracing::warn!(used, max_bytes, "the browser is ended: it uses more memory than it may");
            break;
        }
    }
    drop(guard);
    process.end().await;
}
