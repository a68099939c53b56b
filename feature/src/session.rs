//! Extractors for the signed-in user of a request.

use crate::{Web, redirect};
use app::session::{USER_KEY, encode};
use axum::{
    body::Body,
    extract::{FromRef, FromRequestParts},
    http::{Response, StatusCode, request::Parts},
    response::IntoResponse,
};
use domain::{UserId, user::User};
use engine::{Engine, StoreError, StoreResult};
use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr},
};
use tower_sessions::Session;

/// Signed-in user of a page request; others are redirected to sign-in, or to choose a password first.
pub struct SessionUser(pub User);

/// Signed-in user on the pages of the own account, where a password can be chosen.
pub struct AccountUser(pub User);

/// Address of the client, which the server puts into the extensions of the request.
#[derive(Debug, Clone, Copy)]
pub struct ClientAddress(pub IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<Self>().copied().unwrap_or_else(|| {
            tracing::error!(path = parts.uri.path(), "address of the client missing in the request");
            Self(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
        }))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for AccountUser
where
    Web: FromRef<S>,
{
    type Rejection = Response<Body>;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response<Body>> {
        let engine = Web::from_ref(state).engine;
        match signed_in_user(parts, &engine).await {
            Ok(Some(user)) => Ok(Self(user)),
            Ok(None) => Err(redirect(&sign_in_address(parts))),
            Err(error) => {
                tracing::error!(%error, "signed-in user not read");
                Err(StatusCode::SERVICE_UNAVAILABLE.into_response())
            }
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for SessionUser
where
    Web: FromRef<S>,
{
    type Rejection = Response<Body>;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response<Body>> {
        let AccountUser(user) = AccountUser::from_request_parts(parts, state).await?;
        if user.must_change_password {
            return Err(redirect("/account?error=must_change_password"));
        }
        Ok(Self(user))
    }
}

/// Returns the address of the sign-in page, which leads back to the page that was asked for. Only GET requests can be repeated.
pub(crate) fn sign_in_address(parts: &Parts) -> String {
    let next = parts.uri.path_and_query().filter(|_| parts.method == "GET").map_or("/", |path| path.as_str());
    format!("/sign-in?next={}", encode(next))
}

/// Returns the signed-in user of a request, if any.
pub async fn signed_in_user(parts: &mut Parts, engine: &Engine) -> StoreResult<Option<User>> {
    let Ok(session) = Session::from_request_parts(parts, &()).await else { return Ok(None) };
    let id = session.get::<UserId>(USER_KEY).await;
    match id.map_err(|error| StoreError::Unavailable(format!("browser session unreadable: {error}")))? {
        Some(id) => Ok(engine.accounts.user(id).await?.filter(|user| !user.is_disabled)),
        None => Ok(None),
    }
}
