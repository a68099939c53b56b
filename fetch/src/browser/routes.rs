//! The browser over HTTP: `POST /browse` renders a page, `WS /browse/session` is a session that lives as long as its connection.
//!
//! Invariant: no page of the web can open a session: whatever comes with an `Origin` is turned away.

use super::{Browsed, Browser};
use crate::api::status_of;
use axum::{
    Json,
    extract::{
        State, WebSocketUpgrade,
        ws::{Message, WebSocket},
    },
    http::{HeaderMap, StatusCode, header::ORIGIN},
    response::{IntoResponse, Response},
};
use domain::fetch::{
    BrowseClose, BrowseCommand, BrowseMessage, BrowseReply, BrowseRequest, BrowsedPage, FetchError, FetchFailure,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// Longer messages are no command.
const MAX_MESSAGE_BYTES: usize = 64 * 1024;
/// Numbers the connections, each of which owns its session.
static CONNECTIONS: AtomicU64 = AtomicU64::new(0);

/// `POST /browse`: one rendered page; the bytes are not sent, only what was read of them.
pub async fn browse_page(State(browser): State<Browser>, Json(request): Json<BrowseRequest>) -> Response {
    match browser.render(&request).await {
        Ok(Browsed { page, .. }) => Json(page).into_response(),
        Err(error) => (status_of(&error), Json(error)).into_response(),
    }
}

/// `WS /browse/session`: one command in, the page as it stands then out. Fields are not filled: nobody has named a site.
pub async fn browse_session(State(browser): State<Browser>, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    if headers.contains_key(ORIGIN) {
        return (StatusCode::FORBIDDEN, "This is for programs, not for pages.").into_response();
    }
    upgrade.max_message_size(MAX_MESSAGE_BYTES).on_upgrade(move |socket| serve(browser, socket))
}

async fn serve(browser: Browser, mut socket: WebSocket) {
    let owner = format!("connection {}", CONNECTIONS.fetch_add(1, Ordering::Relaxed));
    let mut session: Option<String> = None;
    while let Some(Ok(message)) = socket.recv().await {
        let text = match &message {
            Message::Text(text) => text.as_str(),
            Message::Ping(_) | Message::Pong(_) => continue,
            Message::Binary(_) | Message::Close(_) => break,
        };
        let reply = match serde_json::from_str(text) {
            Ok(BrowseMessage::Close(BrowseClose::Close)) => BrowseReply::Closed,
            Ok(BrowseMessage::Step(command)) => match step(&browser, &owner, &mut session, command).await {
                Ok(page) => BrowseReply::Page(Box::new(page)),
                Err(error) => BrowseReply::Error(error),
            },
            Err(_) => BrowseReply::Error(super::tab::impossible("the message is no command")),
        };
        let is_last = reply == BrowseReply::Closed;
        let Ok(json) = serde_json::to_string(&reply) else { break };
        if socket.send(Message::Text(json.into())).await.is_err() || is_last {
            break;
        }
    }
    browser.close_all(&owner).await;
}

async fn step(
    browser: &Browser,
    owner: &str,
    session: &mut Option<String>,
    command: BrowseCommand,
) -> Result<BrowsedPage, FetchError> {
    match (session.as_deref(), &command) {
        (Some(open), _) => {
            let stepped = browser.step(owner, open, &command).await;
            // A session that a crash has ended is opened anew by the next address.
            if stepped.as_ref().is_err_and(|error| error.reason == FetchFailure::Crashed) {
                *session = None;
            }
            Ok(stepped?.page)
        }
        (None, BrowseCommand::Navigate { url }) => {
            let (id, opened) = browser.open(owner, url, &[]).await?;
            *session = Some(id);
            Ok(opened.page)
        }
        (None, _) => Err(super::tab::impossible("navigate to an address first")),
    }
}
