//! Holds each document that the page itself asks for, by whatever way it is led there, until the rules of its site and the pace of its host let
//! it go. What belongs to a page (images, scripts, frames) is loaded as any browser does.
//!
//! Invariant: no request for a document of the main frame leaves the browser before its turn, which lasts until the step ends.

use crate::{browser::proxy::Home, pace::Turn, web::Web};
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
    time::{Duration, Instant},
};
use tokio_util::sync::{CancellationToken, DropGuard};
use url::Url;

/// Stands before one page until it is dropped.
pub(super) struct Gate {
    shared: Arc<Shared>,
    _standing: DropGuard,
}

/// A step that is taken; what it waited for is free when this is dropped.
pub(super) struct Passing<'a>(&'a Gate);

struct Shared {
    web: Web,
    source: String,
    home: Arc<Home>,
    step: Mutex<Step>,
}

#[derive(Default)]
struct Step {
    /// A document that was held in an earlier step counts in that one alone.
    number: u64,
    is_taken: bool,
    /// What the step itself leads to has had its turn before it begins.
    paid: Option<(Url, Turn)>,
    /// Of the document that came last.
    turn: Option<Turn>,
    documents: u32,
    /// Documents that wait, since when one does, and how long others have waited.
    waiting: usize,
    since: Option<Instant>,
    held: Duration,
    refusal: Option<FetchError>,
}

impl Gate {
    /// `home` is told what the main frame is to show before that is asked for, so that no page of another host finds an exception open.
    pub async fn before(page: &Page, web: Web, source: &str, home: Arc<Home>) -> Result<Self, CdpError> {
        let frame = page.mainframe().await?.ok_or(CdpError::NotFound)?;
        let paused = page.event_listener::<EventRequestPaused>().await?;
        // A worker of the page would answer before the gate is asked.
        page.execute(SetBypassServiceWorkerParams::new(true)).await?;
        let documents = RequestPattern::builder().url_pattern("*").resource_type(ResourceType::Document);
        let pattern = documents.request_stage(RequestStage::Request).build();
        page.execute(EnableParams::builder().pattern(pattern).build()).await?;
        let shared = Arc::new(Shared { web, source: source.to_owned(), home, step: Mutex::default() });
        let (token, stands, page) = (CancellationToken::new(), shared.clone(), page.clone());
        let standing = async move {
            paused.for_each_concurrent(None, |event| stands.answer(&page, &frame, event)).await;
        };
        tokio::spawn(token.clone().run_until_cancelled_owned(standing));
        Ok(Self { shared, _standing: token.drop_guard() })
    }

    /// A new step begins; `paid` is where it leads, with its turn.
    pub fn pass(&self, paid: Option<(Url, Turn)>) -> Passing<'_> {
        let mut step = self.shared.step();
        *step = Step { number: step.number + 1, is_taken: true, paid, ..Step::default() };
        Passing(self)
    }

    pub fn is_holding(&self) -> bool {
        self.shared.step().waiting > 0
    }

    /// How long documents of this step were held.
    pub fn held(&self) -> Duration {
        let step = self.shared.step();
        step.held + step.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Why a document of this step was not let go.
    pub fn refusal(&self) -> Option<FetchError> {
        self.shared.step().refusal.clone()
    }
}

impl Drop for Passing<'_> {
    fn drop(&mut self) {
        let mut step = self.0.shared.step();
        (step.is_taken, step.paid, step.turn) = (false, None, None);
    }
}

impl Shared {
    fn step(&self) -> MutexGuard<'_, Step> {
        self.step.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn answer(&self, page: &Page, frame: &FrameId, event: Arc<EventRequestPaused>) {
        let number = self.step().number;
        let admitted = match Url::parse(&event.request.url) {
            Ok(url) if event.frame_id == *frame && matches!(url.scheme(), "http" | "https") => self.admit(&url, number).await,
            _ => Ok(()),
        };
        let id = event.request_id.clone();
        // A request that the page has given up meanwhile is not there any more.
        let told = match admitted {
            Ok(()) => page.execute(ContinueRequestParams::new(id)).await.map(drop),
            Err(why) => {
                self.refuses(number, why);
                page.execute(FailRequestParams::new(id, ErrorReason::BlockedByClient)).await.map(drop)
            }
        };
        if let Err(error) = told {
            tracing::debug!(%error, "a document that was held is not wanted any more");
        }
    }

    fn refuses(&self, number: u64, why: FetchError) {
        let mut step = self.step();
        if step.number == number {
            step.refusal = Some(why);
        }
    }

    /// What is not let go changes nothing: the page that is there stays, and is at home.
    async fn admit(&self, url: &Url, number: u64) -> Result<(), FetchError> {
        if self.has_paid(url)? {
            self.home.shows(url);
            return Ok(());
        }
        // Before its robots.txt is asked for, which an exception would open as well.
        self.web.leads(&self.source, self.home.address().as_ref(), url)?;
        let _waiting = Waiting::begin(self, number);
        let (_, turn) = self.web.admit(&self.source, url.as_str()).await?;
        self.home.shows(url);
        let mut step = self.step();
        if step.number == number {
            step.turn = step.is_taken.then_some(turn);
        }
        Ok(())
    }

    /// Whether the document is what the step led to; its turn is the step's. One that goes on for ever is stopped.
    fn has_paid(&self, url: &Url) -> Result<bool, FetchError> {
        let (mut step, limit) = (self.step(), self.web.max_redirects());
        step.documents += 1;
        if step.documents > limit + 1 {
            let message = format!("The page led on more than {limit} times (`fetch.http.max_redirects`) without an end.");
            return Err(FetchError::new(FetchFailure::TooLarge, message));
        }
        // One turn at a time: whoever waits for the next one of the same host would wait for itself.
        step.turn = None;
        match step.paid.take() {
            Some((paid, turn)) if paid == *url => {
                step.turn = Some(turn);
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// While it lives, a document of a step is held.
struct Waiting<'a> {
    shared: &'a Shared,
    number: u64,
}

impl<'a> Waiting<'a> {
    fn begin(shared: &'a Shared, number: u64) -> Self {
        let mut step = shared.step();
        if step.number == number {
            step.waiting += 1;
            step.since.get_or_insert_with(Instant::now);
        }
        drop(step);
        Self { shared, number }
    }
}

impl Drop for Waiting<'_> {
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
