//! Redirects after form posts.

use app::session::encode;
use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode, header},
    response::IntoResponse,
};

/// Longest submitted value that a redirect repeats, in characters: it travels in an address.
const MAX_REPEATED_CHARS: usize = 1_500;

/// Redirects (303) to a local path.
pub fn redirect(path: &str) -> Response<Body> {
    match HeaderValue::from_str(path) {
        Ok(location) => (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response(),
        Err(_) => redirect("/"),
    }
}

/// Redirects to a page with values in its address; empty ones are left out.
pub fn redirect_with(path: &str, values: &[(&'static str, String)]) -> Response<Body> {
    redirect(&format!("{path}?{}", query_string(values.iter().map(|(name, value)| (*name, value.as_str())))))
}

/// Returns the query string of values without the empty ones, each cut to the length that an address can carry.
pub fn query_string<'a>(values: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let pair = |(name, value): (&str, &str)| {
        let repeated: String = value.chars().take(MAX_REPEATED_CHARS).collect();
        format!("{name}={}", encode(&repeated))
    };
    values.filter(|(_, value)| !value.is_empty()).map(pair).collect::<Vec<_>>().join("&")
}
