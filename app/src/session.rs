//! Sign-in state of a request: the user behind it, and redirects of pages.

use crate::AppError;
use axum::http::{HeaderValue, Method, StatusCode, header::LOCATION, request::Parts};
use domain::{UserId, sources::SourceNotice, user::User};
use engine::{Engine, settings::Settings};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use tower_sessions::Session;

/// Key of the user id in the browser session.
pub const USER_KEY: &str = "user_id";

/// Key of the notice of the sources page in the browser session.
pub const SOURCE_NOTICE_KEY: &str = "source_notice";

/// Removes the notice of the sources page from the session and returns it.
pub async fn take_source_notice() -> Option<SourceNotice> {
    let session = leptos_axum::extract::<Session>().await.ok()?;
    // A session is stored again when it was changed: most visits change nothing.
    session.get::<SourceNotice>(SOURCE_NOTICE_KEY).await.ok().flatten()?;
    session.remove::<SourceNotice>(SOURCE_NOTICE_KEY).await.ok().flatten()
}

/// The engine that `server` put into the context of the request.
pub fn engine() -> Result<Engine, AppError> {
    use_context::<Engine>().ok_or_else(|| {
        tracing::error!("engine missing in the request context");
        AppError::internal()
    })
}

/// Returns the settings from the context of the request.
pub fn settings() -> Result<Settings, AppError> {
    use_context::<Settings>().ok_or_else(|| {
        tracing::error!("settings missing in the request context");
        AppError::internal()
    })
}

/// Returns the signed-in user, if any.
pub async fn visitor(engine: &Engine) -> Result<Option<User>, AppError> {
    let Ok(session) = leptos_axum::extract::<Session>().await else { return Ok(None) };
    let id = session.get::<UserId>(USER_KEY).await.map_err(|error| {
        tracing::error!(%error, "browser session read failed");
        AppError::internal()
    })?;
    match id {
        Some(id) => Ok(engine.accounts.user(id).await?.filter(|user| !user.is_disabled)),
        None => Ok(None),
    }
}

/// Returns the signed-in user; redirects others to sign in, or to create the first account.
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
