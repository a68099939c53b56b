//! Errors from HTTP statuses.

use super::{SourceError, transport::SourceResponse, values};
use serde_json::Value;

/// Longest message of a provider.
const MAX_WORDS_CHARS: usize = 200;
/// Paths of error messages in providers' responses.
const WORDS: [&[&str]; 8] = [
    &["message"],
    &["error", "message"],
    &["error", "detail"],
    &["detail", "error"],
    &["detail"],
    &["error", "info"],
    &["error"],
    &["errors", "0", "message"],
];

/// Error of a response; `None` for a success. `key` is removed from the provider's message.
pub(super) fn source_error(response: &SourceResponse, key: Option<&str>) -> Option<SourceError> {
    let wait = || wait_s(response);
    let is_spent = || response.header("x-ratelimit-remaining") == Some("0");
    Some(match response.status {
        200..=299 => return None,
        401 | 407 if key.is_some() => SourceError::Key,
        401 => SourceError::NeedsKey,
        403 if response.header("retry-after").is_some() || is_spent() => SourceError::Busy { retry_after_s: wait() },
        403 if key.is_some() => SourceError::Key,
        403 => SourceError::Refused,
        429 | 432 | 433 | 503 => SourceError::Busy { retry_after_s: wait() },
        status @ (404 | 405 | 410) => words(response, key).map_or(SourceError::Gone(status), SourceError::Query),
        status @ (400 | 413 | 414 | 422 | 426) => {
            SourceError::Query(words(response, key).unwrap_or_else(|| format!("status {status}")))
        }
        status => SourceError::Broken(status),
    })
}

/// Pause that a source requests. `x-ratelimit-reset` holds seconds (the first value is the nearest limit) or a Unix time,
/// relative to the response's `date`.
fn wait_s(response: &SourceResponse) -> Option<u64> {
    const NO_SPAN_S: u64 = 1_000_000_000;
    let seconds = |name: &str| response.header(name)?.split(',').next()?.trim().parse::<f64>().ok().map(|s| s.max(0.0) as u64);
    if let Some(wait) = seconds("retry-after") {
        return Some(wait);
    }
    let reset = seconds("x-ratelimit-reset")?;
    if reset < NO_SPAN_S {
        return Some(reset);
    }
    let date = httpdate::parse_http_date(response.header("date")?).ok()?;
    Some(reset.saturating_sub(date.duration_since(std::time::UNIX_EPOCH).ok()?.as_secs()))
}

/// Error message of the provider.
fn words(response: &SourceResponse, key: Option<&str>) -> Option<String> {
    let value: Value = serde_json::from_slice(&response.body).unwrap_or_default();
    let found = WORDS.iter().find_map(|path| values::text(&value, path));
    found.map(|words| brief(&words, key))
}

/// Provider's message, safe to show.
pub(super) fn brief(words: &str, key: Option<&str>) -> String {
    let words = values::snippet(words).unwrap_or_default();
    let words = match key.filter(|key| !key.is_empty()) {
        Some(key) => words.replace(key, "…"),
        None => words,
    };
    words.chars().take(MAX_WORDS_CHARS).collect()
}
