//! Form posts for sign-in, sign-out and the first account.

use super::{
    WebState,
    answer::{redirect, redirect_back, store_notice},
    sign_in_limits,
};
use app::{Notice, session::USER_KEY};
use axum::{
    Form,
    body::Body,
    extract::{ConnectInfo, State},
    http::{HeaderMap, Response},
};
use domain::user::User;
use engine::accounts::{self, AccountError};
use serde::Deserialize;
use std::net::SocketAddr;
use tower_sessions::Session;

#[derive(Deserialize)]
pub(super) struct SignInForm {
    #[serde(default)]
    username: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    next: String,
}

#[derive(Deserialize)]
pub(super) struct FirstAccountForm {
    #[serde(default)]
    username: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    password_again: String,
}

pub(super) async fn sign_in(
    State(web): State<WebState>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    session: Session,
    Form(form): Form<SignInForm>,
) -> Response<Body> {
    let next = local_path(&form.next);
    let refused = |notice| {
        let next = if next == "/" { "" } else { next };
        redirect_back("/sign-in", notice, &[("username", form.username.trim()), ("next", next)])
    };
    let from = sign_in_limits::client_address(peer.ip(), &headers, &web.program.config.server.trusted_proxies);
    let program = &web.program;
    match sign_in_limits::allow_attempt(program, &form.username, from).await {
        Ok(true) => {}
        Ok(false) => {
            tracing::warn!(address = %from, "sign-in attempts limited");
            return refused(Notice::TooManyAttempts);
        }
        Err(error) => return refused(store_notice(&error)),
    }
    match accounts::sign_in(&program.engine, &program.passwords, &form.username, &form.password).await {
        Ok(user) => start_session(&session, &user).await.map_or_else(refused, |()| redirect(next)),
        Err(error) => refused(notice_of(&error)),
    }
}

pub(super) async fn sign_out(session: Session) -> Response<Body> {
    if let Err(error) = session.flush().await {
        tracing::error!(%error, "sign-out failed");
        return redirect_back("/", Notice::Unavailable, &[]);
    }
    redirect("/sign-in")
}

pub(super) async fn first_account(
    State(web): State<WebState>,
    session: Session,
    Form(form): Form<FirstAccountForm>,
) -> Response<Body> {
    let refused = |notice| match notice {
        Notice::AlreadySetUp => redirect_back("/sign-in", notice, &[]),
        notice => redirect_back("/first-account", notice, &[("username", form.username.as_str())]),
    };
    if form.password != form.password_again {
        return refused(Notice::PasswordsDiffer);
    }
    let program = &web.program;
    match accounts::create_first(&program.engine, &program.passwords, &form.username, &form.password).await {
        Ok(user) => start_session(&session, &user).await.map_or_else(refused, |()| redirect("/")),
        Err(error) => refused(notice_of(&error)),
    }
}

/// Signs the user in under a fresh session id, against session fixation.
async fn start_session(session: &Session, user: &User) -> Result<(), Notice> {
    let started = async {
        session.cycle_id().await?;
        session.insert(USER_KEY, user.id).await
    };
    started.await.map_err(|error| {
        tracing::error!(%error, "session not stored");
        Notice::Unavailable
    })
}

pub(super) fn notice_of(error: &AccountError) -> Notice {
    match error {
        AccountError::BadName => Notice::BadName,
        AccountError::NameTaken => Notice::NameTaken,
        AccountError::PasswordShort { .. } | AccountError::PasswordLong { .. } => Notice::PasswordShort,
        AccountError::NotTheFirst => Notice::AlreadySetUp,
        AccountError::Missing => Notice::NotFound,
        AccountError::LastAdmin => Notice::LastAdmin,
        AccountError::Refused => Notice::WrongPassword,
        AccountError::Hashing => Notice::Internal,
        AccountError::Store(error) => store_notice(error),
    }
}

/// Returns `next` if it is a local path, else `/`.
fn local_path(next: &str) -> &str {
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
        for foreign in ["", "https://b.example", "//b.example", "/\\b.example", "javascript:alert(1)", "/a\nb", "\\/b"] {
            assert_eq!(local_path(foreign), "/");
        }
    }
}
