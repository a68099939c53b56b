//! JSON API: the signed-in user of a request, and errors. Causes are logged here and never sent.

use crate::Web;
use app::{Fault, Notice, session::signed_in_user, store_notice};
use axum::{
    Json,
    body::Body,
    extract::{FromRef, FromRequestParts},
    http::{Response, StatusCode, request::Parts},
    response::IntoResponse,
};
use domain::user::User;
use engine::StoreError;
use schemars::JsonSchema;
use serde::Serialize;

/// Signed-in user of an API request; others get 401 as JSON.
pub struct ApiUser(pub User);

impl<S: Send + Sync> FromRequestParts<S> for ApiUser
where
    Web: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match signed_in_user(parts, &Web::from_ref(state).engine).await? {
            Some(user) if user.must_change_password => Err(ApiError::MustChangePassword),
            Some(user) => Ok(Self(user)),
            None => Err(ApiError::SignedOut),
        }
    }
}

/// Error of an API request.
#[derive(Debug)]
pub enum ApiError {
    SignedOut,
    MustChangePassword,
    NotFound,
    /// The person has `server.connections.streams_per_person` event streams open.
    TooManyStreams,
    /// The person has `server.requests.per_person` requests at work.
    TooManyRequests,
    Store(StoreError),
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Body of an error.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ErrorBody {
    error: ErrorDetail,
}

#[derive(Serialize, JsonSchema)]
struct ErrorDetail {
    code: &'static str,
    message: &'static str,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response<Body> {
        let of_notice = |status, notice: Notice| (status, notice.code(), notice.message());
        let (status, code, message) = match self {
            Self::SignedOut => (StatusCode::UNAUTHORIZED, "signed_out", "Sign in first."),
            Self::MustChangePassword => of_notice(StatusCode::FORBIDDEN, Notice::MustChangePassword),
            Self::NotFound => of_notice(StatusCode::NOT_FOUND, Notice::NotFound),
            Self::TooManyStreams => {
                (StatusCode::TOO_MANY_REQUESTS, "too_many_streams", "Too many live pages are open. Close some of them.")
            }
            Self::TooManyRequests => of_notice(StatusCode::TOO_MANY_REQUESTS, Notice::TooManyRequests),
            Self::Store(error) => {
                let notice = store_notice(&error);
                let status = StatusCode::from_u16(Fault::from_store(notice).status());
                of_notice(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), notice)
            }
        };
        (status, Json(ErrorBody { error: ErrorDetail { code, message } })).into_response()
    }
}
