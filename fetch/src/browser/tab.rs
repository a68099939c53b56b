//! Browser context with one page: navigation, steps and snapshots.
//!
//! Invariant: our scripts run in an isolated world that scripts of the page cannot reach.

mod gate;
mod traffic;

use super::{config::BrowserConfig, context::Context, instance::ChromiumInstance, proxy::Proxy};
use crate::{guard::brief, refusal::amount, web::Web};
use chromiumoxide::{
    Page,
    cdp::{
        browser_protocol::{
            network::SetUserAgentOverrideParams,
            page::{CreateIsolatedWorldParams, NavigateParams, StopLoadingParams},
            target::CreateTargetParams,
        },
        js_protocol::runtime::EvaluateParams,
    },
    error::CdpError,
};
use domain::fetch::{BrowseCommand, Control, FetchError, FetchFailure, ScrollDirection};
use gate::NavigationGate;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::{pin::pin, sync::Arc, time::Duration};
use tokio::{
    sync::OwnedSemaphorePermit,
    time::{Instant, sleep, timeout},
};
pub(super) use traffic::MainResponse;
use traffic::Traffic;
use url::Url;

const SNAPSHOT: &str = include_str!("tab/snapshot.js");
const CLICK: &str = include_str!("tab/click.js");
const FILL: &str = include_str!("tab/fill.js");
const SCROLL: &str = include_str!("tab/scroll.js");
const PRESENT: &str = include_str!("tab/present.js");
/// Time without traffic after which a page counts as loaded.
const QUIET: Duration = Duration::from_millis(400);
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Attempts to run a script while the page navigates.
const MAX_SCRIPT_ATTEMPTS: usize = 4;

/// A context and its page. Dropping it disposes of both.
pub(super) struct Tab {
    running: Arc<ChromiumInstance>,
    page: Page,
    proxy: Proxy,
    traffic: Traffic,
    gate: NavigationGate,
    web: Web,
    config: Arc<BrowserConfig>,
    _context: Context,
}

/// Snapshot of a page, as our script returns it.
#[derive(Debug, Deserialize)]
pub(super) struct Snapshot {
    pub url: String,
    state: String,
    length: u64,
    pub html: String,
    pub asks_login: bool,
    pub controls: Vec<Control>,
    #[serde(skip)]
    pub main: MainResponse,
    #[serde(skip)]
    pub is_complete: bool,
}

/// Result of a click, fill, scroll or wait script.
#[derive(Debug, Deserialize)]
struct ScriptResult {
    problem: Option<String>,
    refused: Option<String>,
    #[serde(default)]
    found: bool,
}

impl Tab {
    pub async fn open(
        running: Arc<ChromiumInstance>,
        web: Web,
        source: &str,
        config: Arc<BrowserConfig>,
        slot: OwnedSemaphorePermit,
    ) -> Result<Self, FetchError> {
        let proxy = Proxy::start(web.clone(), source, &config).await.map_err(|error| {
            FetchError::new(FetchFailure::Unavailable, format!("The browser's proxy cannot listen on this machine: {error}."))
        })?;
        let opening = async {
            let context = Context::open(running.clone(), proxy.address, slot).await?;
            let target =
                CreateTargetParams { browser_context_id: Some(context.id.clone()), ..CreateTargetParams::new("about:blank") };
            let page = running.browser.new_page(target).await?;
            page.execute(SetUserAgentOverrideParams::new(running.agent.clone())).await?;
            let traffic = Traffic::listen(&page).await?;
            let gate = NavigationGate::attach(&page, web.clone(), source, proxy.exceptions().clone()).await?;
            Ok((context, page, traffic, gate))
        };
        let patience = Duration::from_millis(config.step_timeout_ms);
        let (context, page, traffic, gate) = match timeout(patience, opening).await {
            Ok(opened) => opened.map_err(|error| lost(&running, &error))?,
            Err(_) => return Err(stuck(&running)),
        };
        Ok(Self { running, page, proxy, traffic, gate, web, config, _context: context })
    }

    /// Opens an address and returns a snapshot of the result.
    pub async fn navigate(&self, address: &str, wait_for: Option<&str>, patience: Duration) -> Result<Snapshot, FetchError> {
        let (url, permit) = self.web.admit(self.proxy.source(), address).await?;
        self.renew();
        self.proxy.exceptions().main_frame_shows(&url);
        let _step = self.gate.begin_step(Some((url.clone(), permit)));
        let deadline = Instant::now() + patience;
        let navigation = async {
            tokio::select! {
                biased;
                answer = self.page.execute(NavigateParams::new(url.as_str())) => Some(answer),
                () = self.traffic.given_up() => None,
            }
        };
        let loaded = match self.within(deadline, navigation).await {
            Some(Some(Ok(answer))) => match &answer.result.error_text {
                Some(error) => return Err(self.unreachable(&url, error)),
                None => true,
            },
            // A held navigation still has its time.
            Some(Some(Err(CdpError::Timeout))) | None => !self.gate.holding_time().is_zero(),
            Some(Some(Err(error))) if self.running.ended.is_cancelled() => return Err(lost(&self.running, &error)),
            // The load was aborted, or the page navigated by itself. The snapshot shows which.
            Some(Some(Err(_)) | None) => true,
        };
        if let (Some(selector), true) = (wait_for, loaded) {
            self.wait_for(selector, deadline).await?;
        }
        self.read(deadline).await
    }

    /// Executes one step and returns a snapshot. Fields are filled on `sites` only.
    pub async fn step(&self, command: &BrowseCommand, sites: &[String]) -> Result<Snapshot, FetchError> {
        let patience = Duration::from_millis(self.config.load_timeout_ms);
        let (script, arguments) = match command {
            BrowseCommand::Navigate { url } => return self.navigate(url, None, patience).await,
            BrowseCommand::Click { selector } => (CLICK, json!({"selector": selector})),
            BrowseCommand::Fill { selector, value } if value.chars().count() <= self.config.max_fill_chars => {
                (FILL, json!({"selector": selector, "value": value, "sites": sites}))
            }
            BrowseCommand::Fill { .. } => {
                let limit = self.config.max_fill_chars;
                return Err(impossible(&format!("the text has more than {limit} characters (`fetch.browser.max_fill_chars`)")));
            }
            BrowseCommand::Scroll { direction } => (SCROLL, json!({"direction": direction_name(*direction)})),
        };
        self.renew();
        let _step = self.gate.begin_step(None);
        let result: ScriptResult = self.run(script, &arguments).await?;
        match result {
            ScriptResult { refused: Some(why), .. } => {
                Err(FetchError::new(FetchFailure::Refused, format!("Not filled: {why}.")))
            }
            ScriptResult { problem: Some(why), .. } => Err(impossible(&why)),
            ScriptResult { .. } => self.read(Instant::now() + patience).await,
        }
    }

    /// Connections attempted for this page.
    pub fn dials(&self) -> u64 {
        self.proxy.dials()
    }

    pub fn running(&self) -> &Arc<ChromiumInstance> {
        &self.running
    }

    fn renew(&self) {
        self.proxy.renew();
        self.traffic.renew();
    }

    async fn wait_for(&self, selector: &str, deadline: Instant) -> Result<(), FetchError> {
        loop {
            let result: ScriptResult = self.run(PRESENT, &json!({"selector": selector})).await?;
            match result {
                ScriptResult { problem: Some(why), .. } => return Err(impossible(&why)),
                ScriptResult { found: true, .. } => return Ok(()),
                ScriptResult { .. } if self.is_over(deadline) => {
                    return Err(FetchError::new(
                        FetchFailure::TimedOut,
                        format!("No element of the page matches '{}'.", brief(selector)),
                    ));
                }
                ScriptResult { .. } => sleep(POLL_INTERVAL).await,
            }
        }
    }

    /// Waits until the page is quiet or its time is up, and takes a snapshot.
    async fn read(&self, deadline: Instant) -> Result<Snapshot, FetchError> {
        let is_quiet = self.settle(deadline).await;
        let arguments = json!({"html": self.config.max_html_bytes, "controls": self.config.max_controls});
        let mut snapshot: Snapshot = self.run(SNAPSHOT, &arguments).await?;
        while snapshot.state != "complete" && !self.is_over(deadline) {
            sleep(POLL_INTERVAL).await;
            snapshot = self.run(SNAPSHOT, &arguments).await?;
        }
        self.check(&snapshot).await?;
        if snapshot.state != "complete" {
            // Pending loads must not leak into the next step.
            let _ = timeout(QUIET, self.page.execute(StopLoadingParams::default())).await;
        }
        Ok(Snapshot { is_complete: is_quiet && snapshot.state == "complete", main: self.traffic.main(), ..snapshot })
    }

    /// Whether traffic has stopped and no navigation is held before the deadline.
    async fn settle(&self, deadline: Instant) -> bool {
        let settled = Instant::now() + Duration::from_millis(self.config.settle_ms);
        let deadline = deadline.min(settled.checked_sub(self.gate.holding_time()).unwrap_or(settled));
        let (mut last, mut since) = (self.proxy.received(), Instant::now());
        while since.elapsed() < QUIET {
            if self.is_over(deadline) || self.running.ended.is_cancelled() {
                return false;
            }
            sleep(POLL_INTERVAL).await;
            let received = self.proxy.received();
            if received != last || self.gate.is_holding() {
                (last, since) = (received, Instant::now());
            }
        }
        true
    }

    /// Whether the step's time is up. Time spent on hold does not count.
    fn is_over(&self, deadline: Instant) -> bool {
        !self.gate.is_holding() && Instant::now() >= deadline + self.gate.holding_time()
    }

    /// The action's result, if it completes within the step's time.
    async fn within<T>(&self, deadline: Instant, action: impl Future<Output = T>) -> Option<T> {
        let mut action = pin!(action);
        while !self.is_over(deadline) {
            if let Ok(result) = timeout(POLL_INTERVAL, &mut action).await {
                return Some(result);
            }
        }
        None
    }

    /// Whether the page in its present state may be read.
    async fn check(&self, snapshot: &Snapshot) -> Result<(), FetchError> {
        if self.proxy.is_exhausted() {
            let limit = amount(self.config.max_page_bytes);
            let message =
                format!("The page transfers more than {limit} (`fetch.browser.max_page_bytes`); fetch the part that you need.");
            return Err(FetchError::new(FetchFailure::TooLarge, message));
        }
        let url = Url::parse(&snapshot.url).map_err(|_| impossible("the page has no address"))?;
        if let Some(why) = self.gate.refusal() {
            return Err(why);
        }
        if let Some(why) = self.traffic.why_given_up() {
            return Err(self.unreachable(&self.traffic.last_requested().unwrap_or(url), &why));
        }
        if url.scheme() == "chrome-error" {
            return Err(self.unreachable(&url, "not reached"));
        }
        if let Some(refusal) =
            self.proxy.refusal_for(&url).filter(|_| self.traffic.main().status.is_none_or(|status| status >= 400))
        {
            return Err(refusal);
        }
        self.web.check_robots(self.proxy.source(), &url).await?;
        if snapshot.length > self.config.max_html_bytes {
            let message = format!(
                "The rendered page has {} and the limit is {} (`fetch.browser.max_html_bytes`).",
                amount(snapshot.length),
                amount(self.config.max_html_bytes)
            );
            return Err(FetchError::new(FetchFailure::TooLarge, message));
        }
        Ok(())
    }

    /// Reason why there is no page: first from the gate and the proxy, then from Chromium.
    fn unreachable(&self, url: &Url, error: &str) -> FetchError {
        if let Some(why) = self.gate.refusal() {
            return why;
        }
        if let Some(why) = self
            .traffic
            .last_requested()
            .and_then(|requested| self.proxy.refusal_for(&requested))
            .or_else(|| self.proxy.refusal_for(url))
        {
            return why;
        }
        let host = brief(url.host_str().unwrap_or("the page"));
        match error {
            "net::ERR_ABORTED" => {
                let message = format!("{host} returned a download, not a page: fetch the address without the browser.");
                FetchError::new(FetchFailure::Unreadable, message)
            }
            _ => FetchError::new(
                FetchFailure::Unreachable,
                format!("{host} returned no page ({}); try again later.", brief(error)),
            ),
        }
    }

    /// Runs one of our scripts, with retries while the page navigates.
    async fn run<T: DeserializeOwned>(&self, script: &str, arguments: &Value) -> Result<T, FetchError> {
        let patience = Duration::from_millis(self.config.step_timeout_ms);
        let mut last = CdpError::NoResponse;
        for _ in 0..MAX_SCRIPT_ATTEMPTS {
            match timeout(patience, self.evaluate(script, arguments)).await {
                Ok(Ok(value)) => return serde_json::from_value(value).map_err(|_| impossible("the page cannot be read")),
                Ok(Err(error)) => last = error,
                Err(_) => return Err(stuck(&self.running)),
            }
            if self.running.ended.is_cancelled() || matches!(last, CdpError::Timeout) {
                break;
            }
            sleep(POLL_INTERVAL).await;
        }
        Err(lost(&self.running, &last))
    }

    async fn evaluate(&self, script: &str, arguments: &Value) -> Result<Value, CdpError> {
        let frame = self.page.mainframe().await?.ok_or(CdpError::NotFound)?;
        let world = CreateIsolatedWorldParams { world_name: Some("autosint".into()), ..CreateIsolatedWorldParams::new(frame) };
        let context = self.page.execute(world).await?.result.execution_context_id;
        let call = EvaluateParams {
            context_id: Some(context),
            return_by_value: Some(true),
            // No user gesture: actions reserved for people, such as opening a window, do not happen.
            user_gesture: Some(false),
            ..EvaluateParams::new(format!("({})({arguments})", script.trim()))
        };
        let answer = self.page.execute(call).await?.result;
        match answer.exception_details {
            Some(thrown) => Err(CdpError::ChromeMessage(thrown.text)),
            None => Ok(answer.result.value.unwrap_or_default()),
        }
    }
}

const fn direction_name(direction: ScrollDirection) -> &'static str {
    match direction {
        ScrollDirection::Down => "down",
        ScrollDirection::Up => "up",
        ScrollDirection::Top => "top",
        ScrollDirection::Bottom => "bottom",
    }
}

pub(crate) fn impossible(why: &str) -> FetchError {
    FetchError::new(FetchFailure::NotPossible, format!("This is not possible on the page: {}.", brief(why)))
}

/// Error for a step without a reply: the page hangs.
fn stuck(running: &ChromiumInstance) -> FetchError {
    match running.ended.is_cancelled() {
        true => crashed(),
        false => {
            FetchError::new(FetchFailure::TimedOut, "The page does not respond, because its scripts run endlessly; skip it.")
        }
    }
}

fn lost(running: &ChromiumInstance, error: &CdpError) -> FetchError {
    let is_line = matches!(error, CdpError::Ws(_) | CdpError::Io(_) | CdpError::ChannelSendError(_) | CdpError::NoResponse);
    tracing::debug!(%error, "browser command failed");
    match (running.ended.is_cancelled() || is_line, error) {
        (true, _) => crashed(),
        (false, CdpError::Timeout) => stuck(running),
        (false, _) => {
            FetchError::new(FetchFailure::NotPossible, "The page could not be read, because it keeps changing; try again.")
        }
    }
}

fn crashed() -> FetchError {
    FetchError::new(FetchFailure::Crashed, "The browser crashed; the next request starts a new one, so try again.")
}
