//! Who is asking: the one place where a request becomes a person, and where a page turns somebody away.

use crate::AppError;
use axum::http::{HeaderValue, Method, StatusCode, header::LOCATION, request::Parts};
use domain::{UserId, sources::SourceNotice, user::User};
use engine::{Engine, settings::Settings};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use tower_sessions::Session;

/// The key in the browser session that holds the id of who signed in.
pub const USER_KEY: &str = "user_id";

/// The key in the browser session that holds what the page of sources says once.
pub const SOURCE_NOTICE_KEY: &str = "told";

/// What the page of sources is to say, which it says once.
pub async fn take_source_notice() -> Option<SourceNotice> {
    let session = leptos_axum::extract::<Session>().await.ok()?;
    // A session is stored again when it was changed: most visits change nothing.
    session.get::<SourceNotice>(SOURCE_NOTICE_KEY).await.ok().flatten()?;
    session.remove::<SourceNotice>(SOURCE_NOTICE_KEY).await.ok().flatten()
}

/// The engine that `server` put into the context of the request.
pub fn engine() -> Result<Engine, AppError> {
    use_context::<Engine>().ok_or_else(|| {
        tracing::error!("no engine in the context: the routes were set up without it");
        AppError::internal()
    })
}

/// What administrators set up, from the context of the request.
pub fn settings() -> Result<Settings, AppError> {
    use_context::<Settings>().ok_or_else(|| {
        tracing::error!("no settings in the context: the routes were set up without them");
        AppError::internal()
    })
}

/// Who is signed in, if anybody.
pub async fn visitor(engine: &Engine) -> Result<Option<User>, AppError> {
    let Ok(session) = leptos_axum::extract::<Session>().await else { return Ok(None) };
    let id = session.get::<UserId>(USER_KEY).await.map_err(|error| {
        tracing::error!(%error, "a browser session could not be read");
        AppError::internal()
    })?;
    match id {
        Some(id) => Ok(engine.accounts.user(id).await?.filter(|user| !user.is_disabled)),
        None => Ok(None),
    }
}

/// Who is signed in; anybody else is sent to sign in, or to make the first account where there is none yet.
pub async fn viewer() -> Result<(Engine, User), AppError> {
    let engine = engine()?;
    if let Some(user) = visitor(&engine).await? {
        return Ok((engine, user));
    }
    if engine.accounts.has_people().await? {
        let next = use_context::<Parts>().map(|parts| parts.uri.to_string()).filter(|next| next != "/");
        see_other(&next.map_or_else(|| "/sign-in".to_owned(), |next| format!("/sign-in?next={}", encode(&next))));
    } else {
        see_other("/first-account");
    }
    Err(AppError::signed_out())
}

/// Sends a reader of a page elsewhere.
pub fn see_other(path: &str) {
    let is_page = use_context::<Parts>().is_none_or(|parts| parts.method == Method::GET);
    if let (true, Some(response), Ok(location)) = (is_page, use_context::<ResponseOptions>(), HeaderValue::from_str(path)) {
        response.insert_header(LOCATION, location);
        response.set_status(StatusCode::SEE_OTHER);
    }
}

/// Gives the page its status, unless it was sent elsewhere already.
pub fn set_status(error: &AppError) {
    if error.fault == crate::Fault::SignedOut {
        return;
    }
    if let (Some(response), Ok(status)) = (use_context::<ResponseOptions>(), StatusCode::from_u16(error.fault.status())) {
        response.set_status(status);
    }
}

/// Percent-encodes a value of a query.
fn encode(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
        out
    })
}
