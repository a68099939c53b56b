//! Error responses of providers, and their meaning for the caller.

use super::{endpoint::Endpoint, redaction::Redaction};
use protocol::model::{ModelError, Usage};
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;

/// Phrases for a conversation that is too long, in lower case. No status or type covers all servers.
const TOO_LONG: [&str; 12] = [
    "context_length_exceeded",
    "exceed_context_size",
    "context_exceeded",
    "context size has been exceeded",
    "exceeds the available context size",
    "prompt is too long",
    "maximum context length",
    "model's context length is only",
    "exceed context limit",
    "input length and `max_tokens` exceed",
    "request_too_large",
    // Ollama drops the oldest messages of a conversation that is too long, the question among them.
    "no user query found in messages",
];

/// Types and codes of permanent errors, under any status.
const PERMANENT_KINDS: [&str; 6] =
    ["insufficient_quota", "billing_error", "invalid_api_key", "authentication_error", "permission_error", "model_not_found"];

/// The same as phrases, in lower case, for services without such a type.
const PERMANENT_PHRASES: [&str; 5] =
    ["credit balance is too low", "api key not valid", "api key not found", "model not exist", "model does not exist"];

/// Markers for problems of the account, the key and the model.
const ACCOUNT: [&str; 3] = ["billing", "quota", "credit balance"];
const KEY: [&str; 4] = ["api_key", "authentication", "permission", "api key"];
const MODEL: [&str; 3] = ["model_not_found", "model not exist", "model does not exist"];

/// An error response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ErrorResponse {
    pub status: u16,
    /// Type and code, in lower case.
    kinds: String,
    pub message: String,
    retry_after_ms: Option<u64>,
}

impl ErrorResponse {
    /// Parses the formats of Anthropic, OpenAI, vLLM, Ollama and llama.cpp; other bodies count as plain text.
    pub fn read(status: u16, body: &[u8], retry_after_ms: Option<u64>, redaction: &Redaction) -> Self {
        let text = String::from_utf8_lossy(body);
        let json: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
        let error = json.get("error").filter(|error| !error.is_null()).unwrap_or(&json);
        let message = match error {
            Value::String(message) => message.clone(),
            error => error.get("message").or_else(|| json.get("detail")).map_or_else(|| unnamed(&json, &text), words),
        };
        let kinds = ["type", "code"].iter().filter_map(|key| error.get(key)).map(words).collect::<Vec<_>>().join(" ");
        Self { status, kinds: kinds.to_lowercase(), message: redaction.line(&message), retry_after_ms }
    }

    /// Whether its message contains the word, which is how a server reports an unknown field.
    pub fn mentions(&self, word: &str) -> bool {
        self.message.to_lowercase().contains(word)
    }

    /// Whether the request itself was refused.
    pub fn is_about_the_request(&self) -> bool {
        let names_it = ["grammar", "response_format", "not supported", "unsupported"].iter().any(|word| self.mentions(word));
        (matches!(self.status, 400 | 404 | 405 | 415 | 422 | 501) || (self.status == 500 && names_it)) && !self.is_too_long()
    }

    pub fn is_too_long(&self) -> bool {
        let message = self.message.to_lowercase();
        self.status == 413
            || (self.status != 429 && TOO_LONG.iter().any(|words| message.contains(words) || self.kinds.contains(words)))
    }

    /// Whether the provider's filter stopped the request.
    pub fn is_filter(&self) -> bool {
        self.status == 400 && ["content_filter", "content_policy"].iter().any(|kind| self.kinds.contains(kind))
    }

    /// Converts it to an error that names the endpoint and a remedy.
    pub fn into_error(self, endpoint: &Endpoint) -> ModelError {
        if self.is_too_long() {
            return ModelError::ContextTooLong { used: Usage::default() };
        }
        let says = format!("says ({}): {}", self.status, self.message);
        let needs_a_person = PERMANENT_KINDS.iter().any(|kind| self.kinds.contains(kind))
            || PERMANENT_PHRASES.iter().any(|words| self.mentions(words));
        match self.status {
            _ if needs_a_person => ModelError::Configuration(format!("{says}; {}", self.advice(endpoint))),
            408 | 409 | 425 | 429 | 500.. => ModelError::Unavailable { message: says, retry_after_ms: self.retry_after_ms },
            _ if self.kinds.contains("overloaded") => {
                ModelError::Unavailable { message: says, retry_after_ms: self.retry_after_ms }
            }
            // An address, a key, a payment or a model that is not right.
            300..=399 | 401..=405 | 407 | 410 => ModelError::Configuration(format!("{says}; {}", self.advice(endpoint))),
            // The others are about this one request.
            _ => ModelError::Rejected(says),
        }
    }

    /// Returns the remedy for a person.
    fn advice(&self, endpoint: &Endpoint) -> String {
        let is_about = |words: &[&str]| words.iter().any(|word| self.kinds.contains(word) || self.mentions(word));
        match self.status {
            status if status == 402 || is_about(&ACCOUNT) => endpoint.account_advice(),
            status if status == 404 || is_about(&MODEL) => endpoint.model_advice(),
            401 | 403 => endpoint.key_advice(),
            407 => format!("correct {}", endpoint.setting("proxy")),
            _ if is_about(&KEY) => endpoint.key_advice(),
            _ => endpoint.address_advice(),
        }
    }
}

fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns the whole body when it has no message field. JSON is serialised again, because a secret may have been escaped.
fn unnamed(json: &Value, text: &str) -> String {
    if json.is_null() { text.to_owned() } else { json.to_string() }
}

/// Returns the requested wait: given in milliseconds, in seconds, or as a date by the provider's clock.
pub(super) fn retry_after_ms(headers: &HeaderMap) -> Option<u64> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    if let Some(ms) = text("retry-after-ms").and_then(number) {
        return Some(ms.ceil() as u64);
    }
    let after = text(RETRY_AFTER.as_str())?;
    if let Some(seconds) = number(after) {
        return Some((seconds * 1000.0).ceil() as u64);
    }
    let date = |text: &str| chrono::DateTime::parse_from_rfc2822(text).ok();
    let wait = date(after)?.signed_duration_since(date(text(DATE.as_str())?)?);
    Some(wait.num_milliseconds().max(0).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            config::{ApiKind, ProviderConfig},
            http::Failure,
        },
        *,
    };
    use reqwest::header::HeaderValue;

    fn response(status: u16, body: &str) -> ErrorResponse {
        let redaction = Redaction::default().with_key(Some(&"sk-secret".into()));
        ErrorResponse::read(status, body.as_bytes(), Some(7), &redaction)
    }

    fn endpoint() -> Endpoint {
        let base_url = Some("https://me:pw-secret@models.example/v1/?key=sk-secret".to_owned());
        let key_env = Some("HOUSE_KEY".to_owned());
        Endpoint::new("house", "small", &ProviderConfig { base_url, key_env, ..ProviderConfig::new(ApiKind::Openai) })
    }

    #[test]
    fn an_error_names_the_remedy_the_model_and_the_address() {
        let endpoint = endpoint();
        for (status, body, advice) in [
            (401, "no", "set a valid key in HOUSE_KEY, or add one under /settings"),
            (403, "no", "set a valid key in HOUSE_KEY"),
            (404, r#"{"error":{"message":"model 'small' not found"}}"#, "choose an available model under [models]"),
            (400, r#"{"error":{"message":"Model Not Exist"}}"#, "choose an available model under [models]"),
            (429, r#"{"error":{"message":"over","type":"insufficient_quota"}}"#, "check your account there"),
            (402, "pay", "check your account there"),
            (407, "proxy", "correct models.providers.house.proxy"),
            (302, "", "correct models.providers.house.base_url"),
        ] {
            let told = endpoint.explain(Failure::Response(response(status, body))).to_string();
            assert!(told.starts_with(&format!("house:small at https://models.example/v1 says ({status})")), "{told}");
            assert!(told.contains(advice) && !told.contains("secret") && !told.contains('\n'), "{told}");
        }
    }

    #[test]
    fn a_context_overflow_is_recognised_in_the_words_of_every_server() {
        for (status, body) in [
            (
                400,
                r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
            ),
            (
                400,
                r#"{"object":"error","message":"This model's maximum context length is 6048 tokens.","type":"BadRequestError","code":400}"#,
            ),
            (
                400,
                r#"{"error":{"message":"You passed 25 input tokens. However, the model's context length is only 24 tokens","type":"BadRequestError","code":400}}"#,
            ),
            (
                500,
                r#"{"error":{"code":500,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_ctx":256}}"#,
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
            ),
            (413, r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#),
            (500, r#"{"error":{"message":"no user query found in messages"}}"#),
        ] {
            assert!(matches!(response(status, body).into_error(&endpoint()), ModelError::ContextTooLong { .. }), "{body}");
        }
    }

    #[test]
    fn an_error_that_needs_a_person_is_not_retried() {
        for (status, body) in [
            (401, r#"{"error":{"message":"Incorrect API key provided: sk-secret","code":"invalid_api_key"}}"#),
            (429, r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}"#),
            (404, r#"{"error":{"message":"model 'x' not found","type":"not_found_error"}}"#),
            (402, r#"{"type":"error","error":{"type":"billing_error","message":"no credit"}}"#),
            (400, r#"{"error":{"message":"Your credit balance is too low to access the API","type":"invalid_request_error"}}"#),
            (400, r#"{"error":{"message":"no such model","code":"model_not_found"}}"#),
            (403, "<html>forbidden</html>"),
            (302, ""),
        ] {
            let error = response(status, body).into_error(&endpoint());
            assert!(matches!(&error, ModelError::Configuration(text) if !text.contains("sk-secret")), "{error:?}");
        }
    }

    #[test]
    fn an_invalid_request_is_rejected_without_its_secrets() {
        for (status, body) in [
            (400, r#"{"error":{"message":"messages.3: roles must alternate, sk-secret","type":"invalid_request_error"}}"#),
            (422, r#"{"detail":[{"loc":["body","messages"],"msg":"field required","input":"sk-secret"}]}"#),
            (418, "sk-secret"),
        ] {
            let error = response(status, body).into_error(&endpoint());
            assert!(matches!(&error, ModelError::Rejected(text) if text.contains("[key]")), "{error:?}");
            assert!(!error.to_string().contains("sk-secret"), "{error}");
        }
    }

    #[test]
    fn a_transient_error_is_unavailable_with_the_requested_wait() {
        for (status, body) in [
            (429, r#"{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}"#),
            (529, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#),
            (500, "<html>bad gateway</html>"),
            (503, ""),
        ] {
            let error = response(status, body).into_error(&endpoint());
            assert!(matches!(error, ModelError::Unavailable { retry_after_ms: Some(7), .. }), "{error:?}");
        }
    }

    #[test]
    fn a_wait_is_read_in_every_form() {
        let of = |headers: &[(&'static str, &'static str)]| {
            retry_after_ms(&headers.iter().map(|(k, v)| (k.parse().unwrap(), HeaderValue::from_static(v))).collect())
        };
        assert_eq!(of(&[("retry-after", "2")]), Some(2000));
        assert_eq!(of(&[("retry-after", "0.5")]), Some(500));
        assert_eq!(of(&[("retry-after-ms", "120"), ("retry-after", "9")]), Some(120));
        let dates = [("date", "Sat, 21 Nov 2026 13:00:00 GMT"), ("retry-after", "Sat, 21 Nov 2026 13:00:30 GMT")];
        assert_eq!(of(&dates), Some(30_000));
        assert_eq!(of(&[("retry-after", "soon")]), None);
    }
}
