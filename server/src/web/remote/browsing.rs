//! The browser of a Fetch service: pages by one request, sessions over a connection of their own.
//!
//! Invariant: a session lives as long as its connection, and a step whose answer nobody waited for ends both; so no answer ever
//! passes for that of a later step.

use super::{Remote, answer, cut_off, foreign, raw, refusal, refused, too_slow, unreachable, with};
use async_trait::async_trait;
use domain::{
    SessionId,
    fetch::{
        BrowseCommand, BrowseMessage, BrowseReply, BrowseRequest, BrowseSession, FetchError, FetchFailure, RenderOptions,
        RenderRequest, RenderResponse,
    },
};
use engine::browse::{Browse, Browsed};
use futures::{SinkExt, StreamExt};
use reqwest::{
    Method, StatusCode, Upgraded,
    header::{CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE},
};
use std::{
    collections::HashMap,
    sync::{Arc, MutexGuard, PoisonError},
};
use tokio::time::timeout;
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Message,
        handshake::{client::generate_key, derive_accept_key},
        protocol::{Role, WebSocketConfig},
    },
};

type Line = WebSocketStream<Upgraded>;

/// The sessions that are open, by number.
#[derive(Default)]
pub(super) struct Sessions {
    next: u64,
    open: HashMap<u64, Arc<Session>>,
}

struct Session {
    owner: SessionId,
    /// None: the session has ended.
    line: tokio::sync::Mutex<Option<Line>>,
}

#[async_trait]
impl Browse for Remote {
    async fn render(&self, request: &BrowseRequest) -> Result<Browsed, FetchError> {
        let BrowseRequest { url, wait_for, timeout_ms } = request.clone();
        let body = RenderRequest { url, options: RenderOptions { wait_for, timeout_ms, bytes: true } };
        let rendered = answer(&self.name, with(self.request(Method::POST, "/browse"), &body)).await;
        self.browsed(rendered.map_err(refused)?)
    }

    async fn open(&self, owner: SessionId, url: &str, sites: &[String]) -> Result<(String, Browsed), FetchError> {
        let mut line = self.connect().await?;
        let open = BrowseSession::Open { url: url.to_owned(), sites: sites.to_vec(), bytes: true };
        let browsed = self.shown(self.say(&mut line, &BrowseMessage::Session(open)).await?)?;
        let session = Arc::new(Session { owner, line: tokio::sync::Mutex::new(Some(line)) });
        let mut sessions = self.sessions();
        sessions.next += 1;
        let id = sessions.next;
        sessions.open.insert(id, session);
        Ok((id.to_string(), browsed))
    }

    async fn step(&self, owner: SessionId, session: &str, command: &BrowseCommand) -> Result<Browsed, FetchError> {
        let (id, session) = self.session(owner, session)?;
        let mut place = session.line.lock().await;
        let mut line = place.take().ok_or_else(unknown)?;
        let reply = self.say(&mut line, &BrowseMessage::Step(command.clone())).await;
        let is_over = match &reply {
            Ok(BrowseReply::Page(_)) => false,
            Ok(BrowseReply::Error(error)) => error.reason == FetchFailure::Crashed,
            Ok(BrowseReply::Closed) | Err(_) => true,
        };
        match is_over {
            true => drop(self.sessions().open.remove(&id)),
            false => *place = Some(line),
        }
        self.shown(reply?)
    }

    async fn close(&self, owner: SessionId, session: &str) -> Result<(), FetchError> {
        let (id, session) = self.session(owner, session)?;
        self.sessions().open.remove(&id);
        // The end of the connection is the end of the session, and is waited for by nobody.
        drop(session.line.lock().await.take());
        Ok(())
    }

    async fn close_all(&self, owner: SessionId) {
        let left: Vec<u64> =
            self.sessions().open.iter().filter(|(_, session)| session.owner == owner).map(|(id, _)| *id).collect();
        for id in left {
            let _ = self.close(owner, &id.to_string()).await;
        }
    }
}

impl Remote {
    /// A connection for one session.
    async fn connect(&self) -> Result<Line, FetchError> {
        let key = generate_key();
        let request = self
            .request(Method::GET, "/browse/session")
            .header(CONNECTION, "Upgrade")
            .header(UPGRADE, "websocket")
            .header(SEC_WEBSOCKET_VERSION, "13")
            .header(SEC_WEBSOCKET_KEY, &key);
        let switched = raw(&self.name, request).await.map_err(unreachable)?;
        if switched.status() != StatusCode::SWITCHING_PROTOCOLS {
            return Err(refused(refusal(&self.name, switched).await));
        }
        let accepted = switched.headers().get(SEC_WEBSOCKET_ACCEPT);
        if accepted.is_none_or(|accept| accept.as_bytes() != derive_accept_key(key.as_bytes()).as_bytes()) {
            return Err(unreachable(foreign(&self.name)));
        }
        let upgraded = switched.upgrade().await.map_err(|_| unreachable(cut_off(&self.name)))?;
        // One message is one page, and the service bounds its pages.
        let whole = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        Ok(WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(whole)).await)
    }

    /// Says something and waits for what is answered.
    async fn say(&self, line: &mut Line, message: &BrowseMessage) -> Result<BrowseReply, FetchError> {
        let text = serde_json::to_string(message).map_err(|_| unreachable(foreign(&self.name)))?;
        let answered = async {
            line.send(Message::text(text)).await.ok()?;
            loop {
                match line.next().await?.ok()? {
                    Message::Text(text) => return Some(text),
                    Message::Ping(_) | Message::Pong(_) => {}
                    Message::Binary(_) | Message::Close(_) | Message::Frame(_) => return None,
                }
            }
        };
        match timeout(self.patience, answered).await {
            Ok(Some(text)) => serde_json::from_str(&text).map_err(|_| unreachable(foreign(&self.name))),
            Ok(None) => Err(unreachable(cut_off(&self.name))),
            Err(_) => Err(unreachable(too_slow(&self.name))),
        }
    }

    fn shown(&self, reply: BrowseReply) -> Result<Browsed, FetchError> {
        match reply {
            BrowseReply::Page(page) => self.browsed(*page),
            BrowseReply::Error(error) => Err(error),
            BrowseReply::Closed => Err(unreachable(cut_off(&self.name))),
        }
    }

    fn browsed(&self, RenderResponse { page, bytes }: RenderResponse) -> Result<Browsed, FetchError> {
        let bytes = self.bytes_of(&page.page, bytes)?;
        Ok(Browsed { page, bytes })
    }

    fn session(&self, owner: SessionId, session: &str) -> Result<(u64, Arc<Session>), FetchError> {
        let id: u64 = session.parse().map_err(|_| unknown())?;
        let found = self.sessions().open.get(&id).filter(|found| found.owner == owner).cloned();
        found.map(|found| (id, found)).ok_or_else(unknown)
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unknown() -> FetchError {
    FetchError::new(FetchFailure::NotPossible, "There is no such session of the browser any more: open the page again.")
}
