//! Queries to sources with an API: address, token, request and response.

use super::{Catalogue, DEFAULT_LANGUAGE, TOKEN_LASTS_S, TOKEN_RESERVE_MS};
use crate::sources::{
    SourceError, SourceRequest, SourceResponse,
    adapter::{Adapter, ApiRequest, ApiResponse, Body, RequestContext, ResponseFormat, SourceInfo},
    status, values,
};
use bytes::Bytes;
use domain::fetch::{KeyUse, SourcePage, SourceQuery};
use serde_json::Value;
use std::borrow::Cow;
use url::{Url, form_urlencoded};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// Longest plain-text message of a provider.
const MAX_PLAIN_BYTES: usize = 500;

impl Catalogue {
    pub(super) async fn query_api(
        &self,
        adapter: &dyn Adapter,
        query: &SourceQuery,
        key: Option<&str>,
    ) -> Result<SourcePage, SourceError> {
        let info = adapter.info();
        let pause = self.state().waits.get(info.id).copied().map(|until| until.ms_since((self.inner.now)()));
        if let Some(left_ms) = pause.filter(|left_ms| *left_ms > 0) {
            return Err(SourceError::Busy { retry_after_s: Some((left_ms as u64).div_ceil(1_000)) });
        }
        let base = self.base(&info, query)?;
        let wanted = if query.limit == 0 { self.inner.config.hits } else { query.limit };
        let limit = wanted.clamp(1, info.page_size);
        let mut access = RequestContext { base: &base, key, limit };
        let token = self.token(adapter, &info, &access).await?;
        if token.is_some() {
            access.key = token.as_deref();
        }
        let response = self.send(&info, adapter.request(query, &access)?, access.key).await?;
        let answer = self.read(&info, &response, access.key).await?;
        adapter.read(&answer, query, &access)
    }

    /// Access token for the key, cached or new.
    async fn token(
        &self,
        adapter: &dyn Adapter,
        info: &SourceInfo<'_>,
        access: &RequestContext<'_>,
    ) -> Result<Option<String>, SourceError> {
        let Some(request) = adapter.token(access) else { return Ok(None) };
        let now = (self.inner.now)();
        let token_key = (info.id.to_owned(), access.key.unwrap_or_default().to_owned());
        if let Some((token, until)) = self.state().tokens.get(&token_key).cloned()
            && until.ms_since(now) > TOKEN_RESERVE_MS
        {
            return Ok(Some(token));
        }
        let response = self.send(info, request?, access.key).await?;
        let value = parse_json(&response.body, access.key)?;
        let token = values::text(&value, &["access_token"]).ok_or(SourceError::Key)?;
        let lasts_s = values::number(&value, &["expires_in"]).unwrap_or(TOKEN_LASTS_S).min(24 * TOKEN_LASTS_S);
        let until = now.plus_ms(lasts_s as i64 * 1_000);
        self.state().tokens.insert(token_key, (token.clone(), until));
        Ok(Some(token))
    }

    /// Sends one request. Error statuses become errors, and requested pauses are observed from then on.
    async fn send(&self, info: &SourceInfo<'_>, request: ApiRequest, key: Option<&str>) -> Result<SourceResponse, SourceError> {
        let ApiRequest { url, headers, body } = request;
        let body = match body {
            Body::None => None,
            Body::Json(value) => Some(("application/json", Bytes::from(value.to_string()))),
            Body::Form(fields) => {
                let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
                Some(("application/x-www-form-urlencoded", Bytes::from(form)))
            }
        };
        let max_bytes = self.inner.config.max_answer_bytes;
        let interval = Some(info.interval).filter(|interval| !interval.is_zero());
        let request = SourceRequest { source: info.id.to_owned(), url, interval, headers, body, max_bytes };
        let response = self.inner.get.send(request).await?;
        match status::source_error(&response, key) {
            None => Ok(response),
            // A key cannot be stored for a source that takes none.
            Some(SourceError::NeedsKey) if info.key == KeyUse::None => Err(SourceError::Refused),
            Some(mut error) => {
                let mut state = self.state();
                if let SourceError::Busy { retry_after_s: Some(seconds) } = &mut error {
                    *seconds = (*seconds).min(self.inner.max_pause_s);
                    let until = (self.inner.now)().plus_ms(i64::try_from(*seconds).unwrap_or(i64::MAX).saturating_mul(1_000));
                    state.waits.insert(info.id.to_owned(), until);
                }
                // Request a new token next time.
                if error == SourceError::Key {
                    state.tokens.retain(|(source, _), _| source != info.id);
                }
                Err(error)
            }
        }
    }

    async fn read(
        &self,
        info: &SourceInfo<'_>,
        response: &SourceResponse,
        key: Option<&str>,
    ) -> Result<ApiResponse, SourceError> {
        match info.format {
            ResponseFormat::Feed => self.feed_of(response).await.map(|feed| ApiResponse::Feed(Box::new(feed))),
            ResponseFormat::Json => parse_json(&response.body, key).map(ApiResponse::Json),
        }
    }

    fn base(&self, info: &SourceInfo<'_>, query: &SourceQuery) -> Result<Url, SourceError> {
        let configured = self.inner.config.addresses.get(info.id).map(String::as_str);
        let language = query.language.as_deref().unwrap_or(DEFAULT_LANGUAGE);
        // The language becomes part of a host name.
        let is_code =
            (2..=12).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        if !is_code {
            return Err(SourceError::Query("a language is a code of ISO 639, such as `en`".to_owned()));
        }
        let mut base = configured.unwrap_or(info.base).replace("{language}", language);
        if !base.ends_with('/') {
            base.push('/');
        }
        Url::parse(&base).ok().filter(|url| matches!(url.scheme(), "http" | "https")).ok_or(SourceError::Address)
    }
}

fn parse_json(body: &[u8], key: Option<&str>) -> Result<Value, SourceError> {
    let json = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
    serde_json::from_slice(json).map_err(|_| unreadable(json, ResponseFormat::Json, key))
}

/// Error for a body in an unexpected format.
pub(super) fn unreadable(body: &[u8], format: ResponseFormat, key: Option<&str>) -> SourceError {
    let text = String::from_utf8_lossy(body);
    let is_text = matches!(text, Cow::Borrowed(_));
    let text = text.trim();
    let start: String = text.chars().take(15).collect::<String>().to_lowercase();
    match format {
        _ if text.is_empty() => SourceError::Empty,
        _ if start.starts_with("<!doctype html") || start.starts_with("<html") => SourceError::WebPage,
        ResponseFormat::Json if start.starts_with('<') => SourceError::WebPage,
        // Some providers report query errors in plain text with status 200.
        ResponseFormat::Json if is_text && text.len() < MAX_PLAIN_BYTES && !start.starts_with(['{', '[']) => {
            SourceError::Query(status::brief(text, key))
        }
        _ => SourceError::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_json_responses_are_classified() {
        let error_for = |body: &[u8]| parse_json(body, None).unwrap_err();
        assert_eq!(error_for(b"The query was too short."), SourceError::Query("The query was too short.".into()));
        assert_eq!(error_for("Zu kürz.".as_bytes()), SourceError::Query("Zu kürz.".into()));
        // Binary data is no message of the provider.
        assert_eq!(error_for(b"GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff"), SourceError::Unreadable);
        assert_eq!(error_for(b"<!DOCTYPE html><p>Log in"), SourceError::WebPage);
        assert_eq!(error_for(b"\xef\xbb\xbf \n"), SourceError::Empty);
        assert_eq!(parse_json(b"\xef\xbb\xbf[1]", None), Ok(serde_json::json!([1])));
    }
}
