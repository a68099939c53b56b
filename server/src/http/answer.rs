//! Responses: redirects after form posts, error pages, and the answer to a panic.

use super::{error_pages, prelude::*};
pub(super) use app::store_notice;
use feature::query_string;
pub(super) use feature::{ApiError, redirect, redirect_with};
use std::any::Any;

/// Redirects to a page with a notice and the submitted values.
pub(super) fn redirect_back(path: &str, notice: Notice, filled: &[(&str, &str)]) -> Response<Body> {
    let values = std::iter::once(("error", notice.code())).chain(filled.iter().copied());
    redirect(&format!("{path}?{}", query_string(values)))
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
