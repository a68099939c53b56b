//! Responses: redirects after form posts, and errors of the API. Causes are logged here and never sent.

use super::error_pages;
use app::Notice;
pub(super) use app::store_notice;
use axum::{
    Json,
    body::Body,
    http::{Response, StatusCode},
    response::IntoResponse,
};
use engine::StoreError;
use feature::query_string;
pub(super) use feature::{redirect, redirect_with};
use serde_json::json;
use std::any::Any;

/// Redirects to a page with a notice and the submitted values.
pub(super) fn redirect_back(path: &str, notice: Notice, filled: &[(&str, &str)]) -> Response<Body> {
    let values = std::iter::once(("error", notice.code())).chain(filled.iter().copied());
    redirect(&format!("{path}?{}", query_string(values)))
}

/// Error of an API request.
#[derive(Debug)]
pub(super) enum ApiError {
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

impl IntoResponse for ApiError {
    fn into_response(self) -> Response<Body> {
        let (status, code, message) = match self {
            Self::SignedOut => (StatusCode::UNAUTHORIZED, "signed_out", "Sign in first."),
            Self::MustChangePassword => {
                let notice = Notice::MustChangePassword;
                (StatusCode::FORBIDDEN, notice.code(), notice.message())
            }
            Self::NotFound => (StatusCode::NOT_FOUND, Notice::NotFound.code(), Notice::NotFound.message()),
            Self::TooManyStreams => {
                (StatusCode::TOO_MANY_REQUESTS, "too_many_streams", "Too many live pages are open. Close some of them.")
            }
            Self::TooManyRequests => {
                let notice = Notice::TooManyRequests;
                (StatusCode::TOO_MANY_REQUESTS, notice.code(), notice.message())
            }
            Self::Store(error) => {
                let notice = store_notice(&error);
                let status = match notice {
                    Notice::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
                    Notice::DiskFull => StatusCode::INSUFFICIENT_STORAGE,
                    _ => StatusCode::INTERNAL_SERVER_ERROR,
                };
                (status, notice.code(), notice.message())
            }
        };
        (status, Json(json!({"error": {"code": code, "message": message}}))).into_response()
    }
}

/// Error page, for requests that no page of `app` answers.
pub(super) fn refuse(status: StatusCode, notice: Notice) -> Response<Body> {
    error_pages::page(status, notice)
}

/// Response to a panic in a handler.
pub(super) fn panic_response(cause: Box<dyn Any + Send + 'static>) -> Response<Body> {
    let said = cause.downcast_ref::<String>().map(String::as_str).or_else(|| cause.downcast_ref::<&str>().copied());
    tracing::error!(cause = said, "request handler panicked");
    refuse(StatusCode::INTERNAL_SERVER_ERROR, Notice::Internal)
}
