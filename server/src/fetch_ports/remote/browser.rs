//! Browser port of a remote Fetch service: single renders over HTTP, sessions over a WebSocket each.
//!
//! Invariant: a session lives as long as its connection. A cancelled step closes both, so a late reply is never taken for that
//! of a later step.

use super::{
    RemoteFetch, bad_reply_message, connection_lost_message, into_fetch_error, read_error, timeout_message, unreachable_error,
    with_json,
};
use async_trait::async_trait;
use domain::{
    SessionId,
    fetch::{
        BrowseCommand, BrowseMessage, BrowseReply, BrowseRequest, BrowseSession, FetchError, FetchFailure, RenderOptions,
        RenderRequest, RenderResponse,
    },
};
use engine::browse::{Browse, RenderedPage};
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

type Connection = WebSocketStream<Upgraded>;

/// Open browser sessions by number.
#[derive(Default)]
pub(super) struct BrowserSessions {
    next: u64,
    open: HashMap<u64, Arc<BrowserSession>>,
}

struct BrowserSession {
    owner: SessionId,
    /// `None` once the session has ended.
    connection: tokio::sync::Mutex<Option<Connection>>,
}

#[async_trait]
impl Browse for RemoteFetch {
    async fn render(&self, request: &BrowseRequest) -> Result<RenderedPage, FetchError> {
        let BrowseRequest { url, wait_for, timeout_ms } = request.clone();
        let body = RenderRequest { url, options: RenderOptions { wait_for, timeout_ms, bytes: true } };
        let rendered = self.send(with_json(self.request(Method::POST, "/browse"), &body)).await;
        self.browsed(rendered.map_err(into_fetch_error)?)
    }

    async fn open(&self, owner: SessionId, url: &str, sites: &[String]) -> Result<(String, RenderedPage), FetchError> {
        let mut connection = self.connect().await?;
        let open = BrowseSession::Open { url: url.to_owned(), sites: sites.to_vec(), bytes: true };
        let browsed = self.reply_to_page(self.exchange(&mut connection, &BrowseMessage::Session(open)).await?)?;
        let session = Arc::new(BrowserSession { owner, connection: tokio::sync::Mutex::new(Some(connection)) });
        let mut sessions = self.sessions();
        sessions.next += 1;
        let id = sessions.next;
        sessions.open.insert(id, session);
        Ok((id.to_string(), browsed))
    }

    async fn step(&self, owner: SessionId, session: &str, command: &BrowseCommand) -> Result<RenderedPage, FetchError> {
        let (id, session) = self.session(owner, session)?;
        let mut slot = session.connection.lock().await;
        let mut connection = slot.take().ok_or_else(unknown_session)?;
        let reply = self.exchange(&mut connection, &BrowseMessage::Step(command.clone())).await;
        let is_over = match &reply {
            Ok(BrowseReply::Page(_)) => false,
            Ok(BrowseReply::Error(error)) => error.reason == FetchFailure::Crashed,
            Ok(BrowseReply::Closed) | Err(_) => true,
        };
        match is_over {
            true => drop(self.sessions().open.remove(&id)),
            false => *slot = Some(connection),
        }
        self.reply_to_page(reply?)
    }

    async fn close(&self, owner: SessionId, session: &str) -> Result<(), FetchError> {
        let (id, session) = self.session(owner, session)?;
        self.sessions().open.remove(&id);
        // Closing the connection ends the session; no reply is awaited.
        drop(session.connection.lock().await.take());
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

impl RemoteFetch {
    /// Opens a connection for one session.
    async fn connect(&self) -> Result<Connection, FetchError> {
        let key = generate_key();
        let request = self
            .request(Method::GET, "/browse/session")
            .header(CONNECTION, "Upgrade")
            .header(UPGRADE, "websocket")
            .header(SEC_WEBSOCKET_VERSION, "13")
            .header(SEC_WEBSOCKET_KEY, &key);
        let switched = self.send_raw(request).await.map_err(unreachable_error)?;
        if switched.status() != StatusCode::SWITCHING_PROTOCOLS {
            return Err(into_fetch_error(read_error(&self.name, switched).await));
        }
        let accepted = switched.headers().get(SEC_WEBSOCKET_ACCEPT);
        if accepted.is_none_or(|accept| accept.as_bytes() != derive_accept_key(key.as_bytes()).as_bytes()) {
            return Err(unreachable_error(bad_reply_message(&self.name)));
        }
        let upgraded = switched.upgrade().await.map_err(|_| unreachable_error(connection_lost_message(&self.name)))?;
        // The service limits the size of a page, which is one message.
        let unlimited = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        Ok(WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(unlimited)).await)
    }

    /// Sends a message and waits for its reply.
    async fn exchange(&self, connection: &mut Connection, message: &BrowseMessage) -> Result<BrowseReply, FetchError> {
        let text = serde_json::to_string(message).map_err(|_| unreachable_error(bad_reply_message(&self.name)))?;
        let reply = async {
            connection.send(Message::text(text)).await.ok()?;
            loop {
                match connection.next().await?.ok()? {
                    Message::Text(text) => return Some(text),
                    Message::Ping(_) | Message::Pong(_) => {}
                    Message::Binary(_) | Message::Close(_) | Message::Frame(_) => return None,
                }
            }
        };
        match timeout(self.timeout, reply).await {
            Ok(Some(text)) => serde_json::from_str(&text).map_err(|_| unreachable_error(bad_reply_message(&self.name))),
            Ok(None) => Err(unreachable_error(connection_lost_message(&self.name))),
            Err(_) => Err(unreachable_error(timeout_message(&self.name))),
        }
    }

    fn reply_to_page(&self, reply: BrowseReply) -> Result<RenderedPage, FetchError> {
        match reply {
            BrowseReply::Page(page) => self.browsed(*page),
            BrowseReply::Error(error) => Err(error),
            BrowseReply::Closed => Err(unreachable_error(connection_lost_message(&self.name))),
        }
    }

    fn browsed(&self, RenderResponse { page, bytes }: RenderResponse) -> Result<RenderedPage, FetchError> {
        let bytes = self.decode_bytes(&page.page, bytes)?;
        Ok(RenderedPage { page, bytes })
    }

    fn session(&self, owner: SessionId, session: &str) -> Result<(u64, Arc<BrowserSession>), FetchError> {
        let id: u64 = session.parse().map_err(|_| unknown_session())?;
        let found = self.sessions().open.get(&id).filter(|found| found.owner == owner).cloned();
        found.map(|found| (id, found)).ok_or_else(unknown_session)
    }

    fn sessions(&self) -> MutexGuard<'_, BrowserSessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unknown_session() -> FetchError {
    FetchError::new(FetchFailure::NotPossible, "This browser session has ended: open the page again.")
}
