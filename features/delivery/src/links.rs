//! Signed links, which act for a person without sign-in.
//!
//! Invariant: each signature covers its purpose, the person and every value that the link carries.

use domain::UserId;
use engine::{StoreError, StoreResult, accounts, accounts::Actor, models::Secret};
use feature::{Web, query_string};
use ring::{
    hmac,
    rand::{SecureRandom, SystemRandom},
};
use secrecy::ExposeSecret;

/// Name of the secret with the key of the links.
const KEY: &str = "delivery:links";
const KEY_BYTES: usize = 32;

/// Signer of links.
#[derive(Clone)]
pub struct LinkSigner(hmac::Key);

impl LinkSigner {
    /// Returns the signer of the installation, if it has one. The open addresses check with it: a stranger makes no key.
    pub async fn find(web: &Web) -> StoreResult<Option<Self>> {
        match web.secrets.reveal(KEY).await {
            Ok(key) => Ok(key.as_ref().and_then(Self::from_secret)),
            Err(StoreError::Invalid(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the signer of the installation. Its key is made when it is first needed, and anew where the stored one cannot be decrypted.
    pub async fn load(web: &Web) -> StoreResult<Self> {
        if let Some(key) = Self::find(web).await? {
            return Ok(key);
        }
        let mut bytes = [0; KEY_BYTES];
        SystemRandom::new().fill(&mut bytes).map_err(|_| StoreError::Unavailable("no random bytes".into()))?;
        let entry = accounts::entry(&web.engine, Actor::default(), "create_link_key", KEY);
        web.secrets.store(KEY, &Secret::from(hex::encode(bytes)), &entry).await?;
        // Another process may have stored one meanwhile: both use the last.
        Self::find(web).await?.ok_or_else(|| StoreError::Defect("the key of links is missing".into()))
    }

    /// Signer with a key.
    fn from_secret(key: &Secret) -> Option<Self> {
        let bytes = hex::decode(key.expose_secret()).ok().filter(|bytes| bytes.len() == KEY_BYTES)?;
        Some(Self(hmac::Key::new(hmac::HMAC_SHA256, &bytes)))
    }

    /// Returns the signature of a purpose and its values, as hexadecimal digits.
    pub fn sign(&self, purpose: &str, values: &[&str]) -> String {
        hex::encode(hmac::sign(&self.0, &message(purpose, values)))
    }

    /// Returns whether a signature is that of a purpose and its values, in constant time.
    pub fn verify(&self, purpose: &str, values: &[&str], signature: &str) -> bool {
        let signature = hex::decode(signature).unwrap_or_default();
        hmac::verify(&self.0, &message(purpose, values), &signature).is_ok()
    }
}

/// Returns the signed bytes, in which no value can run into the next.
fn message(purpose: &str, values: &[&str]) -> Vec<u8> {
    let mut message = vec![];
    for part in std::iter::once(&purpose).chain(values) {
        message.extend_from_slice(&(part.len() as u64).to_be_bytes());
        message.extend_from_slice(part.as_bytes());
    }
    message
}

/// Paths of the signed links.
pub const CONFIRM: &str = "/mail/confirm";
pub const CHANGE: &str = "/mail/change";
pub const ANSWER: &str = "/mail/answer";

/// Links of one person on one site.
pub struct PersonLinks<'a> {
    pub signer: &'a LinkSigner,
    pub site: &'a str,
    pub person: UserId,
}

impl PersonLinks<'_> {
    /// Returns the link that confirms an address until a time in microseconds.
    pub fn confirm(&self, address: &str, until: i64) -> String {
        self.link(CONFIRM, &[("address", address), ("until", &until.to_string())])
    }

    /// Returns the link that changes the mail: `off`, `weekly` or `pause`.
    pub fn change(&self, action: &str) -> String {
        self.link(CHANGE, &[("action", action)])
    }

    /// Returns the link that answers to a topic until a time in microseconds.
    pub fn answer(&self, topic: &str, answer: &str, until: i64) -> String {
        self.link(ANSWER, &[("topic", topic), ("answer", answer), ("until", &until.to_string())])
    }

    fn link(&self, path: &str, fields: &[(&str, &str)]) -> String {
        let person = self.person.to_string();
        let mut values = vec![person.as_str()];
        values.extend(fields.iter().map(|(_, value)| *value));
        let signature = self.signer.sign(path, &values);
        let all = std::iter::once(("person", person.as_str())).chain(fields.iter().copied());
        format!("{}{path}?{}", self.site, query_string(all.chain([("signature", signature.as_str())])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_holds_for_its_purpose_and_values_alone() {
        let signer = LinkSigner(hmac::Key::new(hmac::HMAC_SHA256, b"a key of a test"));
        let signature = signer.sign(ANSWER, &["ada", "topic", "hide"]);
        assert!(signer.verify(ANSWER, &["ada", "topic", "hide"], &signature));
        let others: [(&str, &[&str]); 4] = [
            (CHANGE, &["ada", "topic", "hide"]),
            (ANSWER, &["eve", "topic", "hide"]),
            (ANSWER, &["ada", "topich", "ide"]),
            (ANSWER, &["ada", "topic"]),
        ];
        for (purpose, values) in others {
            assert!(!signer.verify(purpose, values, &signature), "{purpose} {values:?}");
        }
        assert!(!signer.verify(ANSWER, &["ada", "topic", "hide"], "00"));
    }
}
