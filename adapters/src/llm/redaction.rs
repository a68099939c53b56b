//! What a provider says, fit to be shown: without what it was sent in secret.
//!
//! Invariant: no words of a provider get into an error, a log, the ledger or a page but through `Redaction::line`.

use super::config::ProviderConfig;
use engine::models::Secret;
use secrecy::ExposeSecret;
use std::sync::Arc;
use zeroize::Zeroizing;

/// Longest message that is kept of what a provider says.
const MAX_MESSAGE_CHARS: usize = 300;

/// A header's value is taken for a secret from this length on: shorter ones are switches such as `true`.
const MIN_HEADER_CHARS: usize = 8;

/// What must not be shown: the key of this call, and the secrets of the configuration.
#[derive(Clone, Default)]
pub(super) struct Redaction {
    configured: Arc<[Zeroizing<String>]>,
    key: Option<Arc<Zeroizing<String>>>,
}

impl Redaction {
    /// Values of configured headers, and passwords in addresses.
    pub fn of(config: &ProviderConfig) -> Self {
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

    /// The same with the key that a call is made with.
    pub fn with_key(&self, key: Option<&Secret>) -> Self {
        let key = key.map(|key| key.expose_secret().trim()).filter(|key| !key.is_empty());
        Self { key: key.map(|key| Arc::new(Zeroizing::new(key.to_owned()))), ..self.clone() }
    }

    /// One line of bounded length without control characters and secrets. They go before it is cut, so that no half is left.
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
    use crate::llm::Kind;

    #[test]
    fn what_was_sent_in_secret_is_not_shown_nor_is_half_of_it() {
        let mut config = ProviderConfig::new(Kind::Openai);
        config.base_url = Some("https://me:pass-of-mine@models.example/v1".into());
        config.headers.insert("x-gateway".into(), "Token gate-way-token".into());
        config.headers.insert("x-switch".into(), "true".into());
        let redaction = Redaction::of(&config).with_key(Some(&Secret::from(" sk-secret\n")));
        let said = "no: sk-secret,\u{7} Token gate-way-token,\n gate-way-token, pass-of-mine: it is true";
        assert_eq!(redaction.line(said), "no: [key], [secret], [secret], [secret]: it is true");
        let long = format!("{}sk-secret", "x".repeat(MAX_MESSAGE_CHARS - 4));
        assert!(redaction.line(&long).ends_with("x[key"), "{}", redaction.line(&long));
    }
}
