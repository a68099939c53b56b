//! What the main frame of a page asked for and was answered, and dialogues that are answered with no.

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

/// Hops that are kept of one step.
const MAX_HOPS: usize = 32;

/// How the page of the main frame came.
#[derive(Debug, Clone, Default)]
pub(in crate::browser) struct Main {
    pub status: Option<u16>,
    /// In lower case.
    pub headers: BTreeMap<String, String>,
    /// Redirects, and pages that went on to another by themselves.
    pub hops: Vec<Hop>,
}

/// The same while it is noted.
#[derive(Debug, Default)]
struct Noted {
    main: Main,
    /// Of the page that was answered.
    url: String,
    /// What was wanted last in this step.
    asked: Option<Url>,
    request: Option<RequestId>,
    /// Why it was given up, as when a file comes and is not taken.
    given_up: Option<String>,
}

/// Listens to one page until it is dropped.
#[derive(Debug)]
pub(super) struct Traffic {
    noted: Arc<Mutex<Noted>>,
    given_up: Arc<Notify>,
    _listening: DropGuard,
}

enum Seen {
    Asked(Arc<EventRequestWillBeSent>),
    Answered(Arc<EventResponseReceived>),
    Failed(Arc<EventLoadingFailed>),
    Dialogue,
}

impl Traffic {
    pub async fn of(page: &Page) -> Result<Self, CdpError> {
        let frame = page.mainframe().await?.ok_or(CdpError::NotFound)?;
        let asked = page.event_listener::<EventRequestWillBeSent>().await?.map(Seen::Asked);
        let answered = page.event_listener::<EventResponseReceived>().await?.map(Seen::Answered);
        let dialogues = page.event_listener::<EventJavascriptDialogOpening>().await?.map(|_| Seen::Dialogue);
        let failed = page.event_listener::<EventLoadingFailed>().await?.map(Seen::Failed);
        let mut events = stream::select(stream::select(asked, answered), stream::select(failed, dialogues));
        let given_up = Arc::new(Notify::new());
        let kept = Arc::new(Mutex::new(Noted::default()));
        let (token, noted, page, told) = (CancellationToken::new(), kept.clone(), page.clone(), given_up.clone());
        let listening = async move {
            while let Some(event) = events.next().await {
                match event {
                    Seen::Dialogue => {
                        let _ = page.execute(HandleJavaScriptDialogParams::new(false)).await;
                    }
                    Seen::Asked(asked) => note_asked(&mut lock(&noted), &asked, &frame),
                    Seen::Failed(failed) => {
                        if lock(&noted).gives_up(&failed) {
                            told.notify_waiters();
                        }
                    }
                    Seen::Answered(answered) => note_answered(&mut lock(&noted), &answered, &frame),
                }
            }
        };
        tokio::spawn(token.clone().run_until_cancelled_owned(listening));
        Ok(Self { noted: kept, given_up, _listening: token.drop_guard() })
    }

    /// A new step begins: what comes now is its own. The answer of a page that stays is kept.
    pub fn renew(&self) {
        let mut noted = lock(&self.noted);
        noted.main.hops.clear();
        noted.asked = None;
        noted.given_up = None;
    }

    /// Waits until what the main frame wants is given up.
    pub async fn given_up(&self) {
        let told = self.given_up.notified();
        if self.why_given_up().is_none() {
            told.await;
        }
    }

    pub fn why_given_up(&self) -> Option<String> {
        lock(&self.noted).given_up.clone()
    }

    pub fn main(&self) -> Main {
        lock(&self.noted).main.clone()
    }

    /// What the main frame wanted last in this step.
    pub fn last_asked(&self) -> Option<Url> {
        lock(&self.noted).asked.clone()
    }
}

fn lock(noted: &Mutex<Noted>) -> std::sync::MutexGuard<'_, Noted> {
    noted.lock().unwrap_or_else(PoisonError::into_inner)
}

fn note_asked(noted: &mut Noted, event: &EventRequestWillBeSent, frame: &FrameId) {
    if event.r#type != Some(ResourceType::Document) || event.frame_id.as_ref() != Some(frame) {
        return;
    }
    if let Some(from) = &event.redirect_response {
        noted.hop(from.url.clone(), status_of(from));
    } else if let (true, Some(status)) = (noted.asked.is_some(), noted.main.status) {
        noted.hop(noted.url.clone(), status);
    }
    noted.asked = Url::parse(&event.request.url).ok();
    noted.main.status = None;
    noted.request = Some(event.request_id.clone());
    noted.given_up = None;
}

fn note_answered(noted: &mut Noted, event: &EventResponseReceived, frame: &FrameId) {
    if event.r#type != ResourceType::Document || event.frame_id.as_ref() != Some(frame) {
        return;
    }
    let response = &event.response;
    noted.url.clone_from(&response.url);
    noted.main.status = Some(status_of(response));
    let headers = response.headers.inner().as_object().into_iter().flatten();
    noted.main.headers =
        headers.filter_map(|(name, value)| Some((name.to_ascii_lowercase(), value.as_str()?.to_owned()))).collect();
}

impl Noted {
    /// Whether a request that failed is the one that the main frame waits for.
    fn gives_up(&mut self, failed: &EventLoadingFailed) -> bool {
        let is_ours = self.request.as_ref() == Some(&failed.request_id) && self.asked.is_some();
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
