//! The form posts of the pages before sign-in: sign in, sign out, first account.

use super::{
    Web,
    answer::{back, see_other, store_notice},
    limits,
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
pub(super) struct SignIn {
    #[serde(default)]
    username: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    next: String,
}

#[derive(Deserialize)]
pub(super) struct FirstAccount {
    #[serde(default)]
    username: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    password_again: String,
}

pub(super) async fn sign_in(
    State(web): State<Web>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    session: Session,
    Form(form): Form<SignIn>,
) -> Response<Body> {
    let next = local_path(&form.next);
    let refused = |notice| {
        let next = if next == "/" { "" } else { next };
        back("/sign-in", notice, &[("username", form.username.trim()), ("next", next)])
    };
    let from = limits::origin(peer.ip(), &headers, &web.program.config.server.trusted_proxies);
    let program = &web.program;
    match limits::may_try(program, &form.username, from).await {
        Ok(true) => {}
        Ok(false) => {
            tracing::warn!(address = %from, "too many attempts to sign in");
            return refused(Notice::TooManyAttempts);
        }
        Err(error) => return refused(store_notice(&error)),
    }
    match accounts::sign_in(&program.engine, &program.passwords, &form.username, &form.password).await {
        Ok(user) => enter(&session, &user).await.map_or_else(refused, |()| see_other(next)),
        Err(error) => refused(notice_of(&error)),
    }
}

pub(super) async fn sign_out(session: Session) -> Response<Body> {
    if let Err(error) = session.flush().await {
        tracing::error!(%error, "a browser session could not be ended");
        return back("/", Notice::Unavailable, &[]);
    }
    see_other("/sign-in")
}

pub(super) async fn first_account(State(web): State<Web>, session: Session, Form(form): Form<FirstAccount>) -> Response<Body> {
    let refused = |notice| match notice {
        Notice::AlreadySetUp => back("/sign-in", notice, &[]),
        notice => back("/first-account", notice, &[("username", form.username.as_str())]),
    };
    if form.password != form.password_again {
        return refused(Notice::PasswordsDiffer);
    }
    let program = &web.program;
    match accounts::create_first(&program.engine, &program.passwords, &form.username, &form.password).await {
        Ok(user) => enter(&session, &user).await.map_or_else(refused, |()| see_other("/")),
        Err(error) => refused(notice_of(&error)),
    }
}

/// Signs in, under a session id that nobody can have planted.
async fn enter(session: &Session, user: &User) -> Result<(), Notice> {
    let entered = async {
        session.cycle_id().await?;
        session.insert(USER_KEY, user.id).await
    };
    entered.await.map_err(|error| {
        tracing::error!(%error, "a browser session could not be stored");
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

/// A path of this server; anything that could lead elsewhere becomes the dashboard.
fn local_path(next: &str) -> &str {
    let is_local =
        next.starts_with('/') && !next.starts_with("//") && !next.contains('\\') && !next.chars().any(char::is_control);
    if is_local { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_to_another_site() {
        assert_eq!(local_path("/assessments/1?x=y"), "/assessments/1?x=y");
        for foreign in ["", "https://b.example", "//b.example", "/\\b.example", "javascript:alert(1)", "/a\nb", "\\/b"] {
            assert_eq!(local_path(foreign), "/");
        }
    }
}
