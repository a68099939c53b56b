//! Requests and responses of a page's main frame, and dismissal of dialogs.

use chromiumoxide::{
    Page,
    cdp::browser_protocol::{
        network::{EventLoadingFailed, EventRequestWillBeSent, EventResponseReceived, RequestId, ResourceType, Response},
        page::{EventJavascriptDialogOpening, FrameId, HandleJavaScriptDialogParams},
    },
    error::CdpError,
};
use domain::fetch::Hop;
use futures::{StreamExt, stream};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::Notify;
use tokio_util::sync::{CancellationToken, DropGuard};
use url::Url;

/// Recorded hops per step.
const MAX_HOPS: usize = 32;

/// Response of the main frame.
#[derive(Debug, Clone, Default)]
pub(in crate::browser) struct MainResponse {
    pub status: Option<u16>,
    /// Names in lower case.
    pub headers: BTreeMap<String, String>,
    /// Redirects and client-side navigations.
    pub hops: Vec<Hop>,
}

/// Recorded state of the main frame.
#[derive(Debug, Default)]
struct FrameState {
    main: MainResponse,
    /// Address of the last response.
    url: String,
    /// Last document requested in this step.
    requested: Option<Url>,
    request: Option<RequestId>,
    /// Reason why the load was aborted, such as a download.
    given_up: Option<String>,
}

/// Event listener of one page, until it is dropped.
#[derive(Debug)]
pub(super) struct Traffic {
    state: Arc<Mutex<FrameState>>,
    given_up: Arc<Notify>,
    _task: DropGuard,
}

enum TrafficEvent {
    Request(Arc<EventRequestWillBeSent>),
    Response(Arc<EventResponseReceived>),
    Failed(Arc<EventLoadingFailed>),
    Dialog,
}

impl Traffic {
    pub async fn listen(page: &Page) -> Result<Self, CdpError> {
        let frame = page.mainframe().await?.ok_or(CdpError::NotFound)?;
        let requests = page.event_listener::<EventRequestWillBeSent>().await?.map(TrafficEvent::Request);
        let responses = page.event_listener::<EventResponseReceived>().await?.map(TrafficEvent::Response);
        let dialogs = page.event_listener::<EventJavascriptDialogOpening>().await?.map(|_| TrafficEvent::Dialog);
        let failed = page.event_listener::<EventLoadingFailed>().await?.map(TrafficEvent::Failed);
        let mut events = stream::select(stream::select(requests, responses), stream::select(failed, dialogs));
        let given_up = Arc::new(Notify::new());
        let shared = Arc::new(Mutex::new(FrameState::default()));
        let (token, state, page, notified) = (CancellationToken::new(), shared.clone(), page.clone(), given_up.clone());
        let task = async move {
            while let Some(event) = events.next().await {
                match event {
                    TrafficEvent::Dialog => {
                        let _ = page.execute(HandleJavaScriptDialogParams::new(false)).await;
                    }
                    TrafficEvent::Request(event) => record_request(&mut lock(&state), &event, &frame),
                    TrafficEvent::Failed(failed) => {
                        if lock(&state).record_failure(&failed) {
                            notified.notify_waiters();
                        }
                    }
                    TrafficEvent::Response(answered) => record_response(&mut lock(&state), &answered, &frame),
                }
            }
        };
        tokio::spawn(token.clone().run_until_cancelled_owned(task));
        Ok(Self { state: shared, given_up, _task: token.drop_guard() })
    }

    /// Starts a new step. The response of the current page is kept.
    pub fn renew(&self) {
        let mut state = lock(&self.state);
        state.main.hops.clear();
        state.requested = None;
        state.given_up = None;
    }

    /// Waits until the main frame's load is aborted.
    pub async fn given_up(&self) {
        let notified = self.given_up.notified();
        if self.why_given_up().is_none() {
            notified.await;
        }
    }

    pub fn why_given_up(&self) -> Option<String> {
        lock(&self.state).given_up.clone()
    }

    pub fn main(&self) -> MainResponse {
        lock(&self.state).main.clone()
    }

    /// Last document requested by the main frame in this step.
    pub fn last_requested(&self) -> Option<Url> {
        lock(&self.state).requested.clone()
    }
}

fn lock(state: &Mutex<FrameState>) -> std::sync::MutexGuard<'_, FrameState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn record_request(state: &mut FrameState, event: &EventRequestWillBeSent, frame: &FrameId) {
    if event.r#type != Some(ResourceType::Document) || event.frame_id.as_ref() != Some(frame) {
        return;
    }
    if let Some(from) = &event.redirect_response {
        state.hop(from.url.clone(), status_of(from));
    } else if let (true, Some(status)) = (state.requested.is_some(), state.main.status) {
        state.hop(state.url.clone(), status);
    }
    state.requested = Url::parse(&event.request.url).ok();
    state.main.status = None;
    state.request = Some(event.request_id.clone());
    state.given_up = None;
}

fn record_response(state: &mut FrameState, event: &EventResponseReceived, frame: &FrameId) {
    if event.r#type != ResourceType::Document || event.frame_id.as_ref() != Some(frame) {
        return;
    }
    let response = &event.response;
    state.url.clone_from(&response.url);
    state.main.status = Some(status_of(response));
    let headers = response.headers.inner().as_object().into_iter().flatten();
    state.main.headers =
        headers.filter_map(|(name, value)| Some((name.to_ascii_lowercase(), value.as_str()?.to_owned()))).collect();
}

impl FrameState {
    /// Whether a failed request is the one that the main frame is loading.
    fn record_failure(&mut self, failed: &EventLoadingFailed) -> bool {
        let is_ours = self.request.as_ref() == Some(&failed.request_id) && self.requested.is_some();
        if is_ours {
            self.given_up = Some(failed.error_text.clone());
        }
        is_ours
    }

    fn hop(&mut self, url: String, status: u16) {
        if self.main.hops.len() < MAX_HOPS {
            self.main.hops.push(Hop { url, status });
        }
    }
}

fn status_of(response: &Response) -> u16 {
    u16::try_from(response.status).unwrap_or_default()
}
