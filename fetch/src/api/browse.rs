//! Browser endpoints: `POST /browse` renders one page, `WS /browse/session` is a session that lives as long as its connection.

use super::{encode_base64, status_of};
use crate::browser::{Browser, BrowserPage, impossible};
use axum::{
    Json,
    extract::{
        State, WebSocketUpgrade,
        ws::{Message, WebSocket},
    },
    response::{IntoResponse, Response},
};
use domain::fetch::{
    BrowseCommand, BrowseMessage, BrowseReply, BrowseRequest, BrowseSession, FetchError, RenderOptions, RenderRequest,
    RenderResponse,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// Longest accepted message; no command is longer.
const MAX_MESSAGE_BYTES: usize = 64 * 1024;
/// Connection counter; each connection owns its session.
static CONNECTIONS: AtomicU64 = AtomicU64::new(0);

/// `POST /browse`: renders one page.
pub(super) async fn render(State(browser): State<Browser>, Json(body): Json<RenderRequest>) -> Response {
    let RenderRequest { url, options: RenderOptions { wait_for, timeout_ms, bytes } } = body;
    match browser.render(&BrowseRequest { url, wait_for, timeout_ms }).await {
        Ok(browsed) => Json(answer(browsed, bytes)).into_response(),
        Err(error) => (status_of(&error), Json(error)).into_response(),
    }
}

/// `WS /browse/session`: one command in, the resulting page out.
pub(super) async fn session(State(browser): State<Browser>, upgrade: WebSocketUpgrade) -> Response {
    let owner = format!("connection {}", CONNECTIONS.fetch_add(1, Ordering::Relaxed));
    let connection = SessionConnection { browser, owner, session: None, bytes: false };
    upgrade.max_message_size(MAX_MESSAGE_BYTES).on_upgrade(move |socket| connection.serve(socket))
}

fn answer(browsed: BrowserPage, with_bytes: bool) -> RenderResponse {
    RenderResponse { page: browsed.page, bytes: with_bytes.then(|| encode_base64(&browsed.bytes)) }
}

/// WebSocket connection with its open session.
struct SessionConnection {
    browser: Browser,
    owner: String,
    session: Option<String>,
    /// Whether replies include the bytes of pages.
    bytes: bool,
}

impl SessionConnection {
    async fn serve(mut self, mut socket: WebSocket) {
        while let Some(Ok(message)) = socket.recv().await {
            let text = match &message {
                Message::Text(text) => text.as_str(),
                Message::Ping(_) | Message::Pong(_) => continue,
                Message::Binary(_) | Message::Close(_) => break,
            };
            let reply = tokio::select! {
                reply = self.reply(text) => reply,
                () = disconnected(&mut socket) => break,
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
            Ok(message) => match self.execute(message).await {
                Ok(browsed) => BrowseReply::Page(Box::new(answer(browsed, self.bytes))),
                Err(error) => BrowseReply::Error(error),
            },
            Err(_) => BrowseReply::Error(impossible("the message is not a command")),
        }
    }

    /// Executes one command. If the session has ended meanwhile (idle or crashed), the next address opens a new one.
    async fn execute(&mut self, message: BrowseMessage) -> Result<BrowserPage, FetchError> {
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
                Err(impossible("this connection already has a session: close it first"))
            }
        }
    }

    async fn open(&mut self, url: &str, sites: &[String]) -> Result<BrowserPage, FetchError> {
        let (session, browsed) = self.browser.open(&self.owner, url, sites).await?;
        self.session = Some(session);
        Ok(browsed)
    }
}

/// Returns when the peer disconnects, or sends a message before the previous one was answered.
async fn disconnected(socket: &mut WebSocket) {
    while let Some(Ok(Message::Ping(_) | Message::Pong(_))) = socket.recv().await {}
}
