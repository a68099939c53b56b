//! Asking a source that has an interface: address, token, request, answer.

use super::{Catalogue, DEFAULT_LANGUAGE, TOKEN_LASTS_S, TOKEN_RESERVE_MS};
use crate::sources::{
    SourceError, SourceRequest, SourceResponse,
    adapter::{Access, Adapter, Answer, Ask, Body, Card, Form},
    status, values,
};
use bytes::Bytes;
use domain::fetch::{KeyUse, SourcePage, SourceQuery};
use serde_json::Value;
use std::borrow::Cow;
use url::{Url, form_urlencoded};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// Words of a provider are no longer.
const MAX_PLAIN_BYTES: usize = 500;

impl Catalogue {
    pub(super) async fn ask(
        &self,
        adapter: &dyn Adapter,
        query: &SourceQuery,
        key: Option<&str>,
    ) -> Result<SourcePage, SourceError> {
        let card = adapter.card();
        let waited = self.state().waits.get(card.id).copied().map(|until| until.ms_since((self.inner.now)()));
        if let Some(left_ms) = waited.filter(|left_ms| *left_ms > 0) {
            return Err(SourceError::Busy { retry_after_s: Some((left_ms as u64).div_ceil(1_000)) });
        }
        let base = self.base(&card, query)?;
        let wanted = if query.limit == 0 { self.inner.config.hits } else { query.limit };
        let limit = wanted.clamp(1, card.page_size);
        let mut access = Access { base: &base, key, limit };
        let token = self.token(adapter, &card, &access).await?;
        if token.is_some() {
            access.key = token.as_deref();
        }
        let response = self.send(&card, adapter.ask(query, &access)?, access.key).await?;
        let answer = self.read(&card, &response, access.key).await?;
        adapter.read(&answer, query, &access)
    }

    /// The token that stands for the key, from the store or got anew.
    async fn token(&self, adapter: &dyn Adapter, card: &Card<'_>, access: &Access<'_>) -> Result<Option<String>, SourceError> {
        let Some(ask) = adapter.token(access) else { return Ok(None) };
        let now = (self.inner.now)();
        let of = (card.id.to_owned(), access.key.unwrap_or_default().to_owned());
        if let Some((token, until)) = self.state().tokens.get(&of).cloned()
            && until.ms_since(now) > TOKEN_RESERVE_MS
        {
            return Ok(Some(token));
        }
        let response = self.send(card, ask?, access.key).await?;
        let value = json_of(&response.body, access.key)?;
        let token = values::text(&value, &["access_token"]).ok_or(SourceError::Key)?;
        let lasts_s = values::number(&value, &["expires_in"]).unwrap_or(TOKEN_LASTS_S).min(24 * TOKEN_LASTS_S);
        let until = now.plus_ms(lasts_s as i64 * 1_000);
        self.state().tokens.insert(of, (token.clone(), until));
        Ok(Some(token))
    }

    /// Sends one request; a status that is no success is an error, and one that asks to wait is heeded from then on.
    async fn send(&self, card: &Card<'_>, ask: Ask, key: Option<&str>) -> Result<SourceResponse, SourceError> {
        let Ask { url, headers, body } = ask;
        let body = match body {
            Body::None => None,
            Body::Json(value) => Some(("application/json", Bytes::from(value.to_string()))),
            Body::Form(fields) => {
                let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
                Some(("application/x-www-form-urlencoded", Bytes::from(form)))
            }
        };
        let max_bytes = self.inner.config.max_answer_bytes;
        let interval = Some(card.interval).filter(|interval| !interval.is_zero());
        let request = SourceRequest { source: card.id.to_owned(), url, interval, headers, body, max_bytes };
        let response = self.inner.get.send(request).await?;
        match status::error_of(&response, key) {
            None => Ok(response),
            // Nobody can store a key for a source that takes none.
            Some(SourceError::NeedsKey) if card.key == KeyUse::None => Err(SourceError::Refused),
            Some(mut error) => {
                let mut state = self.state();
                if let SourceError::Busy { retry_after_s: Some(seconds) } = &mut error {
                    *seconds = (*seconds).min(self.inner.max_pause_s);
                    let until = (self.inner.now)().plus_ms(i64::try_from(*seconds).unwrap_or(i64::MAX).saturating_mul(1_000));
                    state.waits.insert(card.id.to_owned(), until);
                }
                // A token that is refused is got anew the next time.
                if error == SourceError::Key {
                    state.tokens.retain(|(source, _), _| source != card.id);
                }
                Err(error)
            }
        }
    }

    async fn read(&self, card: &Card<'_>, response: &SourceResponse, key: Option<&str>) -> Result<Answer, SourceError> {
        match card.form {
            Form::Feed => self.feed_of(response).await.map(|feed| Answer::Feed(Box::new(feed))),
            Form::Json => json_of(&response.body, key).map(Answer::Json),
        }
    }

    fn base(&self, card: &Card<'_>, query: &SourceQuery) -> Result<Url, SourceError> {
        let configured = self.inner.config.addresses.get(card.id).map(String::as_str);
        let language = query.language.as_deref().unwrap_or(DEFAULT_LANGUAGE);
        // It becomes part of a host's name.
        let is_code =
            (2..=12).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        if !is_code {
            return Err(SourceError::Query("a language is a code of ISO 639, such as `en`".to_owned()));
        }
        let mut base = configured.unwrap_or(card.base).replace("{language}", language);
        if !base.ends_with('/') {
            base.push('/');
        }
        Url::parse(&base).ok().filter(|url| matches!(url.scheme(), "http" | "https")).ok_or(SourceError::Address)
    }
}

fn json_of(body: &[u8], key: Option<&str>) -> Result<Value, SourceError> {
    let json = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
    serde_json::from_slice(json).map_err(|_| unreadable(json, Form::Json, key))
}

/// What is wrong with a body that is not of the form that the source answers in.
pub(super) fn unreadable(body: &[u8], form: Form, key: Option<&str>) -> SourceError {
    let text = String::from_utf8_lossy(body);
    let is_text = matches!(text, Cow::Borrowed(_));
    let text = text.trim();
    let start: String = text.chars().take(15).collect::<String>().to_lowercase();
    match form {
        _ if text.is_empty() => SourceError::Empty,
        _ if start.starts_with("<!doctype html") || start.starts_with("<html") => SourceError::WebPage,
        Form::Json if start.starts_with('<') => SourceError::WebPage,
        // Some say in plain words, with status 200, what is wrong with the query.
        Form::Json if is_text && text.len() < MAX_PLAIN_BYTES && !start.starts_with(['{', '[']) => {
            SourceError::Query(status::brief(text, key))
        }
        _ => SourceError::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_json_is_told_apart() {
        let said = |body: &[u8]| json_of(body, None).unwrap_err();
        assert_eq!(said(b"The query was too short."), SourceError::Query("The query was too short.".into()));
        assert_eq!(said("Zu kürz.".as_bytes()), SourceError::Query("Zu kürz.".into()));
        // A picture has no words, and the query is not to be mended for it.
        assert_eq!(said(b"GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff"), SourceError::Unreadable);
        assert_eq!(said(b"<!DOCTYPE html><p>Log in"), SourceError::WebPage);
        assert_eq!(said(b"\xef\xbb\xbf \n"), SourceError::Empty);
        assert_eq!(json_of(b"\xef\xbb\xbf[1]", None), Ok(serde_json::json!([1])));
    }
}
