//! The browser over HTTP: `POST /browse` renders a page, `WS /browse/session` is a session that lives as long as its connection.

use super::{in_base64, status_of};
use crate::browser::{Browsed, Browser, impossible};
use axum::{
    Json,
    extract::{
        State, WebSocketUpgrade,
        ws::{Message, WebSocket},
    },
    response::{IntoResponse, Response},
};
use domain::fetch::{
    BrowseCommand, BrowseMessage, BrowseReply, BrowseRequest, BrowseSession, FetchError, RenderAnswer, RenderOptions,
    RenderRequest,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// Longer messages are no command.
const MAX_MESSAGE_BYTES: usize = 64 * 1024;
/// Numbers the connections, each of which owns its session.
static CONNECTIONS: AtomicU64 = AtomicU64::new(0);

/// `POST /browse`: one rendered page.
pub(super) async fn render(State(browser): State<Browser>, Json(asked): Json<RenderRequest>) -> Response {
    let RenderRequest { url, options: RenderOptions { wait_for, timeout_ms, bytes } } = asked;
    match browser.render(&BrowseRequest { url, wait_for, timeout_ms }).await {
        Ok(browsed) => Json(answer(browsed, bytes)).into_response(),
        Err(error) => (status_of(&error), Json(error)).into_response(),
    }
}

/// `WS /browse/session`: one command in, the page as it stands then out.
pub(super) async fn session(State(browser): State<Browser>, upgrade: WebSocketUpgrade) -> Response {
    let owner = format!("connection {}", CONNECTIONS.fetch_add(1, Ordering::Relaxed));
    let line = Line { browser, owner, session: None, bytes: false };
    upgrade.max_message_size(MAX_MESSAGE_BYTES).on_upgrade(move |socket| line.serve(socket))
}

fn answer(browsed: Browsed, with_bytes: bool) -> RenderAnswer {
    RenderAnswer { page: browsed.page, bytes: with_bytes.then(|| in_base64(&browsed.bytes)) }
}

/// A connection, with the session that it has open.
struct Line {
    browser: Browser,
    owner: String,
    session: Option<String>,
    /// Whether the bytes of pages are sent, too.
    bytes: bool,
}

impl Line {
    async fn serve(mut self, mut socket: WebSocket) {
        while let Some(Ok(message)) = socket.recv().await {
            let text = match &message {
                Message::Text(text) => text.as_str(),
                Message::Ping(_) | Message::Pong(_) => continue,
                Message::Binary(_) | Message::Close(_) => break,
            };
            let reply = tokio::select! {
                reply = self.reply(text) => reply,
                () = left(&mut socket) => break,
            };
            let is_last = reply == BrowseReply::Closed;
            let Ok(json) = serde_json::to_string(&reply) else { break };
            if socket.send(Message::Text(json.into())).await.is_err() || is_last {
                break;
            }
        }
        self.browser.close_all(&self.owner).await;
    }

    async fn reply(&mut self, text: &str) -> BrowseReply {
        match serde_json::from_str(text) {
            Ok(BrowseMessage::Session(BrowseSession::Close)) => BrowseReply::Closed,
            Ok(message) => match self.carry_out(message).await {
                Ok(browsed) => BrowseReply::Page(Box::new(answer(browsed, self.bytes))),
                Err(error) => BrowseReply::Error(error),
            },
            Err(_) => BrowseReply::Error(impossible("the message is no command")),
        }
    }

    /// A session that has ended meanwhile, left alone or in a crash, is opened anew by the next address.
    async fn carry_out(&mut self, message: BrowseMessage) -> Result<Browsed, FetchError> {
        let open = self.session.take().filter(|session| self.browser.has_session(&self.owner, session));
        match (open, message) {
            (Some(session), BrowseMessage::Step(command)) => {
                let stepped = self.browser.step(&self.owner, &session, &command).await;
                self.session = Some(session);
                stepped
            }
            (None, BrowseMessage::Step(BrowseCommand::Navigate { url })) => self.open(&url, &[]).await,
            (None, BrowseMessage::Session(BrowseSession::Open { url, sites, bytes })) => {
                self.bytes = bytes;
                self.open(&url, &sites).await
            }
            (None, _) => Err(impossible("no page is open: open an address first")),
            (session, BrowseMessage::Session(_)) => {
                self.session = session;
                Err(impossible("this connection has a session already: close it first"))
            }
        }
    }

    async fn open(&mut self, url: &str, sites: &[String]) -> Result<Browsed, FetchError> {
        let (session, browsed) = self.browser.open(&self.owner, url, sites).await?;
        self.session = Some(session);
        Ok(browsed)
    }
}

/// Returns when the other side leaves, or speaks before it was answered.
async fn left(socket: &mut WebSocket) {
    while let Some(Ok(Message::Ping(_) | Message::Pong(_))) = socket.recv().await {}
}
