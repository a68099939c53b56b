//! Sign-in state of a request: the user behind it, and redirects of pages.

mod kept_form;

pub use crate::format::percent_encoded as encode;
pub use kept_form::{KeptForm, TakenForm};

use crate::AppError;
use axum::{
    extract::FromRequestParts,
    http::{
        HeaderValue, Method, StatusCode,
        header::{COOKIE, LOCATION},
        request::Parts,
    },
};
use domain::{UserId, user::User};
use engine::{
    Engine, StoreError, StoreResult,
    accounts::{WebSessions, active_user, hash_token},
    settings::Settings,
};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, sync::Arc};
use tower_sessions::Session;
use views::sources::SourceNotice;

/// Key of the user id in the browser session.
pub const USER_KEY: &str = "user_id";

/// Key of the notice of the sources page in the browser session.
pub const SOURCE_NOTICE_KEY: &str = "source_notice";

/// Key of the refused question in the browser session.
pub const DRAFT_KEY: &str = "draft";

/// Key in the address of a form whose values are in the session.
pub const KEPT: &str = "kept";

/// Long values of a question form that was refused, or asks back: they do not travel in an address.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionDraft {
    pub question: String,
    pub addresses: String,
    /// Ids of the chosen collections with commas between them.
    pub collections: String,
}

/// Returns the question that was refused last in this session.
pub async fn question_draft() -> Option<QuestionDraft> {
    let session = leptos_axum::extract::<Session>().await.ok()?;
    session.get::<QuestionDraft>(DRAFT_KEY).await.ok().flatten()
}

/// Cookie with the user name of a refused form, percent-encoded.
pub const TYPED_NAME_COOKIE: &str = "autosint-name";

/// Returns the user name that was typed into the form that was refused just now.
pub fn typed_name() -> Option<String> {
    let parts = use_context::<Parts>()?;
    let lines = parts.headers.get_all(COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(name, _)| *name == TYPED_NAME_COOKIE)?;
    percent_decode_str(value).decode_utf8().ok().map(Cow::into_owned)
}

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

/// Names of the folders on the server from which questions may take documents.
#[derive(Debug, Clone, Default)]
pub struct ServerFolders(pub Vec<String>);

/// Least characters of a password (`auth.passwords.min_chars`).
#[derive(Debug, Clone, Copy, Default)]
pub struct MinPasswordChars(pub usize);

/// Whether this server can print pages as PDF.
#[derive(Debug, Clone, Copy, Default)]
pub struct CanPrint(pub bool);

/// Returns whether this server can print pages as PDF.
pub fn can_print() -> bool {
    use_context::<CanPrint>().unwrap_or_default().0
}

/// Returns the least characters of a password.
pub fn min_password_chars() -> usize {
    use_context::<MinPasswordChars>().unwrap_or_default().0
}

/// Returns the names of the folders on the server.
pub fn server_folders() -> Vec<String> {
    use_context::<ServerFolders>().unwrap_or_default().0
}

/// Returns the settings from the context of the request.
pub fn settings() -> Result<Settings, AppError> {
    use_context::<Settings>().ok_or_else(|| {
        tracing::error!("settings missing in the request context");
        AppError::internal()
    })
}

/// Returns the signed-in user of a request, if any.
pub async fn signed_in_user(parts: &mut Parts, engine: &Engine) -> StoreResult<Option<User>> {
    let Ok(session) = Session::from_request_parts(parts, &()).await else { return Ok(None) };
    let id = session.get::<UserId>(USER_KEY).await;
    match id.map_err(|error| StoreError::Unavailable(format!("browser session unreadable: {error}")))? {
        Some(id) => active_user(engine, id).await,
        None => Ok(None),
    }
}

/// Returns the signed-in user of a request, or the address to send others to: to sign in, or to create the first account.
pub async fn account_user(parts: &mut Parts, engine: &Engine) -> StoreResult<Result<User, String>> {
    if let Some(user) = signed_in_user(parts, engine).await? {
        return Ok(Ok(user));
    }
    Ok(Err(match engine.accounts.has_people().await? {
        true => with_next(parts, "/sign-in"),
        false => "/first-account".to_owned(),
    }))
}

/// Returns the signed-in user of a request, or the address to send others to, as also those who must choose a password first.
pub async fn session_user(parts: &mut Parts, engine: &Engine) -> StoreResult<Result<User, String>> {
    let user = account_user(parts, engine).await?;
    Ok(user.and_then(|user| match user.must_change_password {
        true => Err(with_next(parts, "/account?error=must_change_password")),
        false => Ok(user),
    }))
}

/// Returns an address that leads on to the requested page. A form post cannot be repeated, and Home is the default.
fn with_next(parts: &Parts, address: &str) -> String {
    let next = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    if parts.method != Method::GET || next == "/" {
        return address.to_owned();
    }
    let separator = if address.contains('?') { '&' } else { '?' };
    format!("{address}{separator}next={}", encode(next))
}

/// Returns the signed-in user of the page that is rendered, if any.
pub async fn visitor(engine: &Engine) -> Result<Option<User>, AppError> {
    match use_context::<Parts>() {
        Some(mut parts) => Ok(signed_in_user(&mut parts, engine).await?),
        None => Ok(None),
    }
}

/// Browser sessions from the context of the request.
pub fn web_sessions() -> Result<Arc<dyn WebSessions>, AppError> {
    use_context::<Arc<dyn WebSessions>>().ok_or_else(|| {
        tracing::error!("browser sessions missing in the request context");
        AppError::internal()
    })
}

/// Key of the session of this request; empty without one.
pub async fn session_key() -> String {
    let id = leptos_axum::extract::<Session>().await.ok().and_then(|session| session.id());
    id.map(|id| hash_token(&id.to_string())).unwrap_or_default()
}

/// Returns the viewer of the page that is rendered; redirects others as `session_user` says.
pub async fn viewer() -> Result<(Engine, User), AppError> {
    let (engine, mut parts) = (engine()?, page_parts()?);
    let user = session_user(&mut parts, &engine).await?;
    Ok((engine, or_elsewhere(user)?))
}

/// Like `viewer`, for the page on which the password is chosen.
pub async fn account_viewer() -> Result<(Engine, User), AppError> {
    let (engine, mut parts) = (engine()?, page_parts()?);
    let user = account_user(&mut parts, &engine).await?;
    Ok((engine, or_elsewhere(user)?))
}

fn page_parts() -> Result<Parts, AppError> {
    use_context().ok_or_else(|| {
        tracing::error!("request missing in its context");
        AppError::internal()
    })
}

fn or_elsewhere(user: Result<User, String>) -> Result<User, AppError> {
    user.map_err(|address| {
        see_other(&address);
        AppError::signed_out()
    })
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

/// Returns `next` if it is a path of this server, else `/`. Browsers drop tabs and line ends from addresses and read `\\` as `/`, so
/// that `/<tab>/host` would lead to another server.
pub fn local_path(next: &str) -> &str {
    let is_local =
        next.starts_with('/') && !next.starts_with("//") && !next.contains('\\') && !next.chars().any(char::is_control);
    if is_local { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_stay_local() {
        assert_eq!(local_path("/assessments/1?x=y"), "/assessments/1?x=y");
        for foreign in [
            "",
            "https://b.example",
            "//b.example",
            "/\\b.example",
            "javascript:alert(1)",
            "/a\nb",
            "\\/b",
            "/\t/b.example",
            "\t//b.example",
            "/\u{0}/b",
            "/\u{85}/b",
        ] {
            assert_eq!(local_path(foreign), "/", "{foreign:?}");
        }
    }
}
