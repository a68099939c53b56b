//! Who is asking, for handlers that are not pages.

use super::{
    Web,
    answer::{self, ApiError, encode},
};
use app::session::USER_KEY;
use axum::{
    body::Body,
    extract::FromRequestParts,
    http::{Response, request::Parts},
};
use domain::{UserId, user::User};
use tower_sessions::Session;

/// Somebody who is signed in; anybody else gets 401 as JSON.
pub(super) struct ApiVisitor(pub User);

/// Somebody who is signed in; anybody else is sent to sign in.
pub(super) struct Visitor(pub User);

impl FromRequestParts<Web> for ApiVisitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, ApiError> {
        visitor(parts, web).await?.map(Self).ok_or(ApiError::SignedOut)
    }
}

impl FromRequestParts<Web> for Visitor {
    type Rejection = Response<Body>;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Response<Body>> {
        use axum::response::IntoResponse;
        match visitor(parts, web).await {
            Ok(Some(user)) => Ok(Self(user)),
            Ok(None) => {
                // A form cannot be sent again by a link: only what is read is come back to.
                let next = parts.uri.path_and_query().filter(|_| parts.method == "GET").map_or("/", |path| path.as_str());
                Err(answer::see_other(&format!("/sign-in?next={}", encode(next))))
            }
            Err(error) => Err(error.into_response()),
        }
    }
}

async fn visitor(parts: &mut Parts, web: &Web) -> Result<Option<User>, ApiError> {
    let Ok(session) = Session::from_request_parts(parts, web).await else { return Ok(None) };
    let id = session.get::<UserId>(USER_KEY).await.map_err(|error| {
        ApiError::Store(engine::StoreError::Unavailable(format!("a browser session could not be read: {error}")))
    })?;
    match id {
        Some(id) => Ok(web.program.engine.accounts.user(id).await?.filter(|user| !user.is_disabled)),
        None => Ok(None),
    }
}
