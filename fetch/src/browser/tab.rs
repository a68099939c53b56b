//! One context of the browser with one page in it: what is done on it, and how it is read.
//!
//! Invariant: our scripts run in a world of their own, which no script of the page can reach into.

mod gate;
mod traffic;

use super::{config::BrowserConfig, context::Context, proxy::Proxy, running::Running};
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
use gate::Gate;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::{
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{
    sync::OwnedSemaphorePermit,
    time::{sleep, timeout},
};
pub(super) use traffic::Main;
use traffic::Traffic;
use url::Url;

const SNAPSHOT: &str = include_str!("tab/snapshot.js");
const CLICK: &str = include_str!("tab/click.js");
const FILL: &str = include_str!("tab/fill.js");
const SCROLL: &str = include_str!("tab/scroll.js");
const PRESENT: &str = include_str!("tab/present.js");
/// No byte for so long: the page has what it wants.
const QUIET: Duration = Duration::from_millis(400);
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// A page that goes on to another while it is read is read again.
const READINGS: usize = 4;

/// A context and its page. Dropping it disposes of both.
pub(super) struct Tab {
    running: Arc<Running>,
    page: Page,
    proxy: Proxy,
    traffic: Traffic,
    gate: Gate,
    web: Web,
    config: Arc<BrowserConfig>,
    _context: Context,
}

/// How a page was read.
#[derive(Debug, Deserialize)]
pub(super) struct Snapshot {
    pub url: String,
    state: String,
    length: u64,
    pub html: String,
    pub asks_login: bool,
    pub controls: Vec<Control>,
    #[serde(skip)]
    pub main: Main,
    #[serde(skip)]
    pub is_complete: bool,
}

/// What a script says of what it was to do.
#[derive(Debug, Deserialize)]
struct Done {
    problem: Option<String>,
    refused: Option<String>,
    #[serde(default)]
    found: bool,
}

impl Tab {
    pub async fn open(
        running: Arc<Running>,
        web: Web,
        source: &str,
        config: Arc<BrowserConfig>,
        place: OwnedSemaphorePermit,
    ) -> Result<Self, FetchError> {
        let proxy = Proxy::start(web.clone(), source, &config).await.map_err(|error| {
            FetchError::new(FetchFailure::Unavailable, format!("The browser's proxy cannot listen on this machine: {error}."))
        })?;
        let opening = async {
            let context = Context::open(running.clone(), proxy.address, place).await?;
            let target =
                CreateTargetParams { browser_context_id: Some(context.id.clone()), ..CreateTargetParams::new("about:blank") };
            let page = running.browser.new_page(target).await?;
            page.execute(SetUserAgentOverrideParams::new(running.agent.clone())).await?;
            let traffic = Traffic::of(&page).await?;
            let gate = Gate::before(&page, web.clone(), source, proxy.home().clone()).await?;
            Ok((context, page, traffic, gate))
        };
        let patience = Duration::from_millis(config.step_timeout_ms);
        let (context, page, traffic, gate) = match timeout(patience, opening).await {
            Ok(opened) => opened.map_err(|error| lost(&running, &error))?,
            Err(_) => return Err(stuck(&running)),
        };
        Ok(Self { running, page, proxy, traffic, gate, web, config, _context: context })
    }

    /// Opens an address and reads what becomes of it.
    pub async fn navigate(&self, address: &str, wait_for: Option<&str>, patience: Duration) -> Result<Snapshot, FetchError> {
        let (url, turn) = self.web.admit(self.proxy.source(), address).await?;
        self.renew();
        self.proxy.home().shows(&url);
        let _passing = self.gate.pass(Some((url.clone(), turn)));
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
                Some(error) => return Err(self.unreached(&url, error)),
                None => true,
            },
            // What was held has its time yet.
            Some(Some(Err(CdpError::Timeout))) | None => !self.gate.held().is_zero(),
            Some(Some(Err(error))) if self.running.ended.is_cancelled() => return Err(lost(&self.running, &error)),
            // Given up, or the page goes on by itself, which ends the loading of the first one: it shows when it is read.
            Some(Some(Err(_)) | None) => true,
        };
        if let (Some(selector), true) = (wait_for, loaded) {
            self.wait_for(selector, deadline).await?;
        }
        self.read(deadline).await
    }

    /// Takes one step on the page and reads it again. Fields are filled on `sites` only.
    pub async fn step(&self, command: &BrowseCommand, sites: &[String]) -> Result<Snapshot, FetchError> {
        let patience = Duration::from_millis(self.config.load_timeout_ms);
        let (script, asked) = match command {
            BrowseCommand::Navigate { url } => return self.navigate(url, None, patience).await,
            BrowseCommand::Click { selector } => (CLICK, json!({"selector": selector})),
            BrowseCommand::Fill { selector, value } if value.chars().count() <= self.config.max_fill_chars => {
                (FILL, json!({"selector": selector, "value": value, "sites": sites}))
            }
            BrowseCommand::Fill { .. } => {
                let limit = self.config.max_fill_chars;
                return Err(impossible(&format!(
                    "more than {limit} characters are not filled in (`fetch.browser.max_fill_chars`)"
                )));
            }
            BrowseCommand::Scroll { direction } => (SCROLL, json!({"direction": name_of(*direction)})),
        };
        self.renew();
        let _passing = self.gate.pass(None);
        let done: Done = self.run(script, &asked).await?;
        match done {
            Done { refused: Some(why), .. } => Err(FetchError::new(FetchFailure::Refused, format!("Not filled: {why}."))),
            Done { problem: Some(why), .. } => Err(impossible(&why)),
            Done { .. } => self.read(Instant::now() + patience).await,
        }
    }

    /// Connections that were tried for this page.
    pub fn dials(&self) -> u64 {
        self.proxy.dials()
    }

    pub fn running(&self) -> &Arc<Running> {
        &self.running
    }

    fn renew(&self) {
        self.proxy.renew();
        self.traffic.renew();
    }

    async fn wait_for(&self, selector: &str, deadline: Instant) -> Result<(), FetchError> {
        loop {
            let done: Done = self.run(PRESENT, &json!({"selector": selector})).await?;
            match done {
                Done { problem: Some(why), .. } => return Err(impossible(&why)),
                Done { found: true, .. } => return Ok(()),
                Done { .. } if self.is_over(deadline) => {
                    return Err(FetchError::new(
                        FetchFailure::TimedOut,
                        format!("Nothing on the page fits '{}'.", brief(selector)),
                    ));
                }
                Done { .. } => sleep(LOOK_EVERY).await,
            }
        }
    }

    /// Waits until the page has what it wants, or time is up, and reads it.
    async fn read(&self, deadline: Instant) -> Result<Snapshot, FetchError> {
        let is_quiet = self.settle(deadline).await;
        let asked = json!({"html": self.config.max_html_bytes, "controls": self.config.max_controls});
        let mut snapshot: Snapshot = self.run(SNAPSHOT, &asked).await?;
        while snapshot.state != "complete" && !self.is_over(deadline) {
            sleep(LOOK_EVERY).await;
            snapshot = self.run(SNAPSHOT, &asked).await?;
        }
        self.check(&snapshot).await?;
        if snapshot.state != "complete" {
            // What it still waits for must not come into the next step.
            let _ = timeout(QUIET, self.page.execute(StopLoadingParams::default())).await;
        }
        Ok(Snapshot { is_complete: is_quiet && snapshot.state == "complete", main: self.traffic.main(), ..snapshot })
    }

    /// Whether bytes have ceased to come, and nothing is held, before the page's time is up.
    async fn settle(&self, deadline: Instant) -> bool {
        let settled = Instant::now() + Duration::from_millis(self.config.settle_ms);
        let deadline = deadline.min(settled.checked_sub(self.gate.held()).unwrap_or(settled));
        let (mut last, mut since) = (self.proxy.received(), Instant::now());
        while since.elapsed() < QUIET {
            if self.is_over(deadline) || self.running.ended.is_cancelled() {
                return false;
            }
            sleep(LOOK_EVERY).await;
            let received = self.proxy.received();
            if received != last || self.gate.is_holding() {
                (last, since) = (received, Instant::now());
            }
        }
        true
    }

    /// Whether a step's time is up. What its documents were held for does not count.
    fn is_over(&self, deadline: Instant) -> bool {
        !self.gate.is_holding() && Instant::now() >= deadline + self.gate.held()
    }

    /// What comes of it in the time of a step.
    async fn within<T>(&self, deadline: Instant, action: impl Future<Output = T>) -> Option<T> {
        let mut action = pin!(action);
        while !self.is_over(deadline) {
            if let Ok(done) = timeout(LOOK_EVERY, &mut action).await {
                return Some(done);
            }
        }
        None
    }

    /// Whether what the page has become may be read.
    async fn check(&self, snapshot: &Snapshot) -> Result<(), FetchError> {
        if self.proxy.is_used_up() {
            let limit = amount(self.config.max_page_bytes);
            let message = format!(
                "The page brings more than {limit} (`fetch.browser.max_page_bytes`); fetch what is needed of it alone."
            );
            return Err(FetchError::new(FetchFailure::TooLarge, message));
        }
        let url = Url::parse(&snapshot.url).map_err(|_| impossible("the page has no address"))?;
        if let Some(why) = self.gate.refusal() {
            return Err(why);
        }
        if let Some(why) = self.traffic.why_given_up() {
            return Err(self.unreached(&self.traffic.last_asked().unwrap_or(url), &why));
        }
        if url.scheme() == "chrome-error" {
            return Err(self.unreached(&url, "it was not reached"));
        }
        if let Some(refusal) =
            self.proxy.refusal_of(&url).filter(|_| self.traffic.main().status.is_none_or(|status| status >= 400))
        {
            return Err(refusal);
        }
        self.web.allows(self.proxy.source(), &url).await?;
        if snapshot.length > self.config.max_html_bytes {
            let message = format!(
                "The page has {} once its scripts have run, and the limit is {} (`fetch.browser.max_html_bytes`).",
                amount(snapshot.length),
                amount(self.config.max_html_bytes)
            );
            return Err(FetchError::new(FetchFailure::TooLarge, message));
        }
        Ok(())
    }

    /// Why there is no page, by what the gate and the proxy know before what Chromium says.
    fn unreached(&self, url: &Url, error: &str) -> FetchError {
        if let Some(why) = self.gate.refusal() {
            return why;
        }
        if let Some(why) =
            self.traffic.last_asked().and_then(|asked| self.proxy.refusal_of(&asked)).or_else(|| self.proxy.refusal_of(url))
        {
            return why;
        }
        let host = brief(url.host_str().unwrap_or("the page"));
        match error {
            "net::ERR_ABORTED" => {
                let message = format!("{host} gives a file to save, not a page: fetch the address without the browser.");
                FetchError::new(FetchFailure::Unreadable, message)
            }
            _ => FetchError::new(
                FetchFailure::Unreachable,
                format!("{host} gave no page ({}); try it again later.", brief(error)),
            ),
        }
    }

    /// Runs one of our scripts, once more where the page goes on to another meanwhile.
    async fn run<T: DeserializeOwned>(&self, script: &str, asked: &Value) -> Result<T, FetchError> {
        let patience = Duration::from_millis(self.config.step_timeout_ms);
        let mut last = CdpError::NoResponse;
        for _ in 0..READINGS {
            match timeout(patience, self.evaluate(script, asked)).await {
                Ok(Ok(value)) => return serde_json::from_value(value).map_err(|_| impossible("the page cannot be read")),
                Ok(Err(error)) => last = error,
                Err(_) => return Err(stuck(&self.running)),
            }
            if self.running.ended.is_cancelled() || matches!(last, CdpError::Timeout) {
                break;
            }
            sleep(LOOK_EVERY).await;
        }
        Err(lost(&self.running, &last))
    }

    async fn evaluate(&self, script: &str, asked: &Value) -> Result<Value, CdpError> {
        let frame = self.page.mainframe().await?.ok_or(CdpError::NotFound)?;
        let world = CreateIsolatedWorldParams { world_name: Some("autosint".into()), ..CreateIsolatedWorldParams::new(frame) };
        let context = self.page.execute(world).await?.result.execution_context_id;
        let call = EvaluateParams {
            context_id: Some(context),
            return_by_value: Some(true),
            // Nobody is there who means it: what a page does only for a person, such as opening a window, it does not do for us.
            user_gesture: Some(false),
            ..EvaluateParams::new(format!("({})({asked})", script.trim()))
        };
        let answer = self.page.execute(call).await?.result;
        match answer.exception_details {
            Some(thrown) => Err(CdpError::ChromeMessage(thrown.text)),
            None => Ok(answer.result.value.unwrap_or_default()),
        }
    }
}

const fn name_of(direction: ScrollDirection) -> &'static str {
    match direction {
        ScrollDirection::Down => "down",
        ScrollDirection::Up => "up",
        ScrollDirection::Top => "top",
        ScrollDirection::Bottom => "bottom",
    }
}

pub(crate) fn impossible(why: &str) -> FetchError {
    FetchError::new(FetchFailure::NotPossible, format!("This cannot be done on the page: {}.", brief(why)))
}

/// A step that got no answer: the page hangs.
fn stuck(running: &Running) -> FetchError {
    match running.ended.is_cancelled() {
        true => crashed(),
        false => FetchError::new(FetchFailure::TimedOut, "The page does not answer: its scripts run without end; leave it."),
    }
}

fn lost(running: &Running, error: &CdpError) -> FetchError {
    let is_line = matches!(error, CdpError::Ws(_) | CdpError::Io(_) | CdpError::ChannelSendError(_) | CdpError::NoResponse);
    tracing::debug!(%error, "the browser did not do what it was told");
    match (running.ended.is_cancelled() || is_line, error) {
        (true, _) => crashed(),
        (false, CdpError::Timeout) => stuck(running),
        (false, _) => {
            FetchError::new(FetchFailure::NotPossible, "The page could not be read: it changes all the time; try it again.")
        }
    }
}

fn crashed() -> FetchError {
    FetchError::new(FetchFailure::Crashed, "The browser broke off; the next page gets a new one, so try it again.")
}
