//! Extractors for the signed-in user of a request.

use super::{
    WebState,
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

/// Signed-in user of an API request; others get 401 as JSON.
pub(super) struct ApiUser(pub User);

/// Signed-in user of a page request; others are redirected to sign-in.
pub(super) struct SessionUser(pub User);

impl FromRequestParts<WebState> for ApiUser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, web: &WebState) -> Result<Self, ApiError> {
        auth(parts, web).await?.map(Self).ok_or(ApiError::SignedOut)
    }
}

impl FromRequestParts<WebState> for SessionUser {
    type Rejection = Response<Body>;

    async fn from_request_parts(parts: &mut Parts, web: &WebState) -> Result<Self, Response<Body>> {
        use axum::response::IntoResponse;
        match auth(parts, web).await {
            Ok(Some(user)) => Ok(Self(user)),
            Ok(None) => {
                // Only GET requests can be repeated after sign-in.
                let next = parts.uri.path_and_query().filter(|_| parts.method == "GET").map_or("/", |path| path.as_str());
                Err(answer::redirect(&format!("/sign-in?next={}", encode(next))))
            }
            Err(error) => Err(error.into_response()),
        }
    }
}

async fn auth(parts: &mut Parts, web: &WebState) -> Result<Option<User>, ApiError> {
    let Ok(session) = Session::from_request_parts(parts, web).await else { return Ok(None) };
    let id = session
        .get::<UserId>(USER_KEY)
        .await
        .map_err(|error| ApiError::Store(engine::StoreError::Unavailable(format!("browser session unreadable: {error}"))))?;
    match id {
        Some(id) => Ok(web.program.engine.accounts.user(id).await?.filter(|user| !user.is_disabled)),
        None => Ok(None),
    }
}
