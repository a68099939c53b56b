//! Extractors for the signed-in user of a request.

use crate::{Web, page::show_problem, redirect};
use app::session::{account_user, session_user};
use axum::{
    body::Body,
    extract::{FromRef, FromRequestParts},
    http::{Response, request::Parts},
};
use domain::user::User;
use engine::StoreResult;
use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr},
};

/// Signed-in user of a page request; others are redirected as `app::session::session_user` says.
pub struct SessionUser(pub User);

/// Signed-in user on the pages of the own account, where a password can be chosen.
pub struct AccountUser(pub User);

/// Address of the client, which the server puts into the extensions of the request.
#[derive(Debug, Clone, Copy)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// Returns the network of the client: /24 or /64, which one person usually controls.
    pub fn network(self) -> String {
        match self.0.to_canonical() {
            IpAddr::V4(address) => {
                let [a, b, c, _] = address.octets();
                format!("{a}.{b}.{c}.0/24")
            }
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        }
    }
}

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
        let web = Web::from_ref(state);
        let user = account_user(parts, &web.engine).await;
        admit(&web, parts, user).await.map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for SessionUser
where
    Web: FromRef<S>,
{
    type Rejection = Response<Body>;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response<Body>> {
        let web = Web::from_ref(state);
        let user = session_user(parts, &web.engine).await;
        admit(&web, parts, user).await.map(Self)
    }
}

/// Returns the user; others get a redirect, or the page of the error.
async fn admit(web: &Web, parts: &Parts, user: StoreResult<Result<User, String>>) -> Result<User, Response<Body>> {
    match user {
        Ok(Ok(user)) => Ok(user),
        Ok(Err(address)) => Err(redirect(&address)),
        Err(error) => Err(show_problem(web, parts.clone(), error.into(), None).await),
    }
}
