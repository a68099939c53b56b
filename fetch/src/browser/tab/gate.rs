//! Navigation gate: holds each document request of the main frame until robots.txt and the host's rate limit permit it.
//! Subresources load normally.
//!
//! Invariant: no document request of the main frame leaves the browser without a host permit, which lasts until the step ends.

use crate::{browser::proxy::ExceptionScope, rate_limit::HostPermit, web::Web};
use chromiumoxide::{
    Page,
    cdp::browser_protocol::{
        fetch::{ContinueRequestParams, EnableParams, EventRequestPaused, FailRequestParams, RequestPattern, RequestStage},
        network::{ErrorReason, ResourceType, SetBypassServiceWorkerParams},
        page::FrameId,
    },
    error::CdpError,
};
use domain::fetch::{FetchError, FetchFailure};
use futures::StreamExt;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};
use url::Url;

/// Gate of one page, active until it is dropped.
pub(super) struct NavigationGate {
    shared: Arc<GateState>,
    _task: DropGuard,
}

/// Guard of a step; dropping it releases the step's host permits.
pub(super) struct StepGuard<'a>(&'a NavigationGate);

struct GateState {
    web: Web,
    source: String,
    exceptions: Arc<ExceptionScope>,
    step: Mutex<StepState>,
}

#[derive(Default)]
struct StepState {
    /// Step number: a document held in an earlier step counts only there.
    number: u64,
    is_taken: bool,
    /// Address of the step itself with its permit, obtained before the step began.
    admitted_url: Option<(Url, HostPermit)>,
    /// Permit of the latest document.
    permit: Option<HostPermit>,
    documents: u32,
    /// Documents on hold, since when, and the total time of earlier holds.
    waiting: usize,
    since: Option<Instant>,
    held: Duration,
    refusal: Option<FetchError>,
}

impl NavigationGate {
    /// Attaches the gate. `exceptions` learns of each navigation before it is requested, so that no other host's page finds an
    /// exception open.
    pub async fn attach(page: &Page, web: Web, source: &str, exceptions: Arc<ExceptionScope>) -> Result<Self, CdpError> {
        let frame = page.mainframe().await?.ok_or(CdpError::NotFound)?;
        let paused = page.event_listener::<EventRequestPaused>().await?;
        // A service worker would answer before the gate sees the request.
        page.execute(SetBypassServiceWorkerParams::new(true)).await?;
        let documents = RequestPattern::builder().url_pattern("*").resource_type(ResourceType::Document);
        let pattern = documents.request_stage(RequestStage::Request).build();
        page.execute(EnableParams::builder().pattern(pattern).build()).await?;
        let shared = Arc::new(GateState { web, source: source.to_owned(), exceptions, step: Mutex::default() });
        let (token, handler, page) = (CancellationToken::new(), shared.clone(), page.clone());
        let task = async move {
            paused.for_each_concurrent(None, |event| handler.answer(&page, &frame, event)).await;
        };
        tokio::spawn(token.clone().run_until_cancelled_owned(task));
        Ok(Self { shared, _task: token.drop_guard() })
    }

    /// Begins a step; `admitted_url` is its address with the permit.
    pub fn begin_step(&self, admitted_url: Option<(Url, HostPermit)>) -> StepGuard<'_> {
        let mut step = self.shared.step();
        *step = StepState { number: step.number + 1, is_taken: true, admitted_url, ..StepState::default() };
        StepGuard(self)
    }

    pub fn is_holding(&self) -> bool {
        self.shared.step().waiting > 0
    }

    /// Total time for which documents of this step were held.
    pub fn holding_time(&self) -> Duration {
        let step = self.shared.step();
        step.held + step.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Refusal of a document of this step.
    pub fn refusal(&self) -> Option<FetchError> {
        self.shared.step().refusal.clone()
    }
}

impl Drop for StepGuard<'_> {
    fn drop(&mut self) {
        let mut step = self.0.shared.step();
        (step.is_taken, step.admitted_url, step.permit) = (false, None, None);
    }
}

impl GateState {
    fn step(&self) -> MutexGuard<'_, StepState> {
        self.step.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn answer(&self, page: &Page, frame: &FrameId, event: Arc<EventRequestPaused>) {
        let number = self.step().number;
        let admitted = match Url::parse(&event.request.url) {
            Ok(url) if event.frame_id == *frame && matches!(url.scheme(), "http" | "https") => self.admit(&url, number).await,
            _ => Ok(()),
        };
        let id = event.request_id.clone();
        // The page may have aborted the request meanwhile.
        let sent = match admitted {
            Ok(()) => page.execute(ContinueRequestParams::new(id)).await.map(drop),
            Err(why) => {
                self.record_refusal(number, why);
                page.execute(FailRequestParams::new(id, ErrorReason::BlockedByClient)).await.map(drop)
            }
        };
        if let Err(error) = sent {
            tracing::debug!(%error, "held document request no longer exists");
        }
    }

    fn record_refusal(&self, number: u64, why: FetchError) {
        let mut step = self.step();
        if step.number == number {
            step.refusal = Some(why);
        }
    }

    /// Admits a document. A refusal changes nothing: the current page and its exceptions stay.
    async fn admit(&self, url: &Url, number: u64) -> Result<(), FetchError> {
        if self.take_admission(url)? {
            self.exceptions.main_frame_shows(url);
            return Ok(());
        }
        // Checked before robots.txt is requested, because an exception would permit that, too.
        self.web.check_link(&self.source, self.exceptions.address().as_ref(), url)?;
        let _timer = HoldTimer::begin(self, number);
        let (_, permit) = self.web.admit(&self.source, url.as_str()).await?;
        self.exceptions.main_frame_shows(url);
        let mut step = self.step();
        if step.number == number {
            step.permit = step.is_taken.then_some(permit);
        }
        Ok(())
    }

    /// Whether the document is the step's own address, whose permit it takes over. Endless navigation is stopped.
    fn take_admission(&self, url: &Url) -> Result<bool, FetchError> {
        let (mut step, limit) = (self.step(), self.web.max_redirects());
        step.documents += 1;
        if step.documents > limit + 1 {
            let message = format!("The page navigated by itself more than {limit} times (`fetch.http.max_redirects`).");
            return Err(FetchError::new(FetchFailure::TooLarge, message));
        }
        // One permit at a time: a step waiting for the same host again would wait for itself.
        step.permit = None;
        match step.admitted_url.take() {
            Some((admitted_url, permit)) if admitted_url == *url => {
                step.permit = Some(permit);
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// Timer that counts a document of a step as held while it lives.
struct HoldTimer<'a> {
    shared: &'a GateState,
    number: u64,
}

impl<'a> HoldTimer<'a> {
    fn begin(shared: &'a GateState, number: u64) -> Self {
        let mut step = shared.step();
        if step.number == number {
            step.waiting += 1;
            step.since.get_or_insert_with(Instant::now);
        }
        drop(step);
        Self { shared, number }
    }
}

impl Drop for HoldTimer<'_> {
    fn drop(&mut self) {
        let mut step = self.shared.step();
        if step.number != self.number {
            return;
        }
        step.waiting -= 1;
        if step.waiting == 0
            && let Some(since) = step.since.take()
        {
            step.held += since.elapsed();
        }
    }
}
