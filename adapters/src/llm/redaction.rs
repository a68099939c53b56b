//! Redaction of provider messages: removal of the secrets that were sent.
//!
//! Invariant: text of a provider reaches an error, a log, the ledger or a page only through `Redaction::line`.

use super::config::ProviderConfig;
use engine::models::Secret;
use secrecy::ExposeSecret;
use std::sync::Arc;
use zeroize::Zeroizing;

/// Maximum length of a provider's message, in characters.
const MAX_MESSAGE_CHARS: usize = 300;

/// Minimum length of a header value that counts as a secret: shorter ones are switches such as `true`.
const MIN_HEADER_CHARS: usize = 8;

/// The secrets of a call: its key, and those of the configuration.
#[derive(Clone, Default)]
pub(super) struct Redaction {
    configured: Arc<[Zeroizing<String>]>,
    key: Option<Arc<Zeroizing<String>>>,
}

impl Redaction {
    /// Collects the values of configured headers, and passwords in addresses.
    pub fn for_provider(config: &ProviderConfig) -> Self {
        let mut secrets: Vec<String> = vec![];
        for value in config.headers.values() {
            // `Bearer X`: a server may tell X alone.
            let parts = std::iter::once(value.as_str()).chain(value.split_whitespace());
            secrets.extend(parts.filter(|part| part.chars().count() >= MIN_HEADER_CHARS).map(str::to_owned));
        }
        for address in config.base_url.iter().chain(&config.proxy) {
            let Ok(url) = reqwest::Url::parse(address) else { continue };
            secrets.extend(url.password().map(str::to_owned));
        }
        secrets.retain(|secret| !secret.trim().is_empty());
        // The longest first: one may hold another.
        secrets.sort_unstable_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self { configured: secrets.into_iter().map(Zeroizing::new).collect(), key: None }
    }

    /// Adds the key of a call.
    pub fn with_key(&self, key: Option<&Secret>) -> Self {
        let key = key.map(|key| key.expose_secret().trim()).filter(|key| !key.is_empty());
        Self { key: key.map(|key| Arc::new(Zeroizing::new(key.to_owned()))), ..self.clone() }
    }

    /// Returns one line of bounded length without control characters and secrets. Secrets go before the cut, so that no half remains.
    pub fn line(&self, text: &str) -> String {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut line: String = line.chars().filter(|char| !char.is_control()).collect();
        if let Some(key) = &self.key {
            line = line.replace(key.as_str(), "[key]");
        }
        for secret in self.configured.iter() {
            line = line.replace(secret.as_str(), "[secret]");
        }
        line.chars().take(MAX_MESSAGE_CHARS).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::ApiKind;

    #[test]
    fn a_secret_is_redacted_whole_and_in_part() {
        let mut config = ProviderConfig::new(ApiKind::Openai);
        config.base_url = Some("https://me:pass-of-mine@models.example/v1".into());
        config.headers.insert("x-gateway".into(), "Token gate-way-token".into());
        config.headers.insert("x-switch".into(), "true".into());
        let redaction = Redaction::for_provider(&config).with_key(Some(&Secret::from(" sk-secret\n")));
        let said = "no: sk-secret,\u{7} Token gate-way-token,\n gate-way-token, pass-of-mine: it is true";
        assert_eq!(redaction.line(said), "no: [key], [secret], [secret], [secret]: it is true");
        let long = format!("{}sk-secret", "x".repeat(MAX_MESSAGE_CHARS - 4));
        assert!(redaction.line(&long).ends_with("x[key"), "{}", redaction.line(&long));
    }
}
