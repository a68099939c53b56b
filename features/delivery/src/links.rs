//! Signed links, which act for a person without sign-in.
//!
//! Invariant: each signature covers its purpose, the person and every value that the link carries.

use crate::{mail::LinkKeyId, outbox::DAY_MS, settings::DeliverySettings, store::DeliveryStore};
use adapters::sql::random_bytes;
use domain::{Timestamp, UserId};
use engine::{StoreError, StoreResult, accounts, accounts::Actor, models::Secret};
use feature::{Web, query_string};
use ring::hmac;
use secrecy::ExposeSecret;

/// Beginning of the name of the secret with a key of the links, before its id.
const KEY: &str = "delivery:links:";
const KEY_BYTES: usize = 32;
/// Error of a key that cannot be decrypted. Another one is made only where an administrator says so.
const UNREADABLE_KEY: &str = "The key of feeds, mail links and webhooks cannot be read: it was encrypted with another master key, or is gone. \
     Restore the master key, or let an administrator make a new link key on the page Mail server.";

/// Signer of links.
#[derive(Clone)]
pub struct LinkSigner(hmac::Key);

impl LinkSigner {
    /// Returns the signer of the installation, if it has one; `Invalid` for a key that cannot be decrypted. The open addresses check with
    /// it: a stranger makes no key.
    pub async fn find(web: &Web) -> StoreResult<Option<Self>> {
        let Some(id) = DeliveryStore::new(web).link_key().await? else { return Ok(None) };
        let key = match web.secrets.reveal(&secret_name(id)).await {
            Err(StoreError::Invalid(_)) => None,
            revealed => revealed?,
        };
        let signer = key.as_ref().and_then(Self::from_secret);
        signer.map(Some).ok_or_else(|| StoreError::Invalid(UNREADABLE_KEY.to_owned()))
    }

    /// Returns the signer of the installation. Its key is made when it is first needed, and never replaced here.
    pub async fn load(web: &Web) -> StoreResult<Self> {
        if let Some(signer) = Self::find(web).await? {
            return Ok(signer);
        }
        let id = store_key(web, Actor::default()).await?;
        if !DeliveryStore::new(web).add_link_key(id).await? {
            // Another process made the first key: both use that one.
            remove_key(web, Actor::default(), id).await?;
        }
        Self::find(web).await?.ok_or_else(|| StoreError::Defect("the key of links is missing".into()))
    }

    /// Replaces the key: every feed address, link of a mail and secret of a webhook ends.
    pub async fn replace(web: &Web, by: Actor) -> StoreResult<()> {
        let store = DeliveryStore::new(web);
        let old = store.link_key().await?;
        store.put_link_key(store_key(web, by).await?).await?;
        match old {
            Some(old) => remove_key(web, by, old).await,
            None => Ok(()),
        }
    }

    /// Returns why the key cannot be used, if so, in words for people.
    pub async fn find_problem(web: &Web) -> StoreResult<Option<String>> {
        match Self::find(web).await {
            Ok(_) => Ok(None),
            Err(StoreError::Invalid(problem)) => Ok(Some(problem)),
            Err(error) => Err(error),
        }
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

/// Returns the name of the secret with a key.
fn secret_name(id: LinkKeyId) -> String {
    format!("{KEY}{id}")
}

/// Stores a new key, which is not used before its id is noted.
async fn store_key(web: &Web, by: Actor) -> StoreResult<LinkKeyId> {
    let bytes: [u8; KEY_BYTES] = random_bytes()?;
    let id = LinkKeyId(web.engine.ids.next());
    let name = secret_name(id);
    let entry = accounts::entry(&web.engine, by, "create_link_key", &name);
    web.secrets.store(&name, &Secret::from(hex::encode(bytes)), &entry).await?;
    Ok(id)
}

async fn remove_key(web: &Web, by: Actor, id: LinkKeyId) -> StoreResult<()> {
    let name = secret_name(id);
    web.secrets.remove(&name, &accounts::entry(&web.engine, by, "remove_link_key", &name)).await?;
    Ok(())
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

/// Times until which the links of a digest work.
#[derive(Debug, Clone, Copy)]
pub struct LinkEnds {
    /// Answers to items.
    pub answers: Timestamp,
    /// Changes of the mail, such as its end.
    pub changes: Timestamp,
}

impl LinkEnds {
    /// Ends for a mail that was made at a time.
    pub fn new(made_at: Timestamp, settings: &DeliverySettings) -> Self {
        let after_days = |days: u32| made_at.plus_ms(DAY_MS * i64::from(days));
        Self { answers: after_days(settings.link_days), changes: after_days(settings.change_link_days) }
    }
}

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

    /// Returns the link that changes the mail to an address until a time in microseconds: `off`, `weekly` or `pause`. The signature covers
    /// the address, which the link does not carry.
    pub fn change(&self, action: &str, address: &str, until: i64) -> String {
        self.link_for(CHANGE, &[("action", action), ("until", &until.to_string())], Some(address))
    }

    /// Returns the link that answers to a topic until a time in microseconds.
    pub fn answer(&self, topic: &str, answer: &str, until: i64) -> String {
        self.link(ANSWER, &[("topic", topic), ("answer", answer), ("until", &until.to_string())])
    }

    fn link(&self, path: &str, fields: &[(&str, &str)]) -> String {
        self.link_for(path, fields, None)
    }

    /// Returns a link whose signature covers one more value after its fields.
    fn link_for(&self, path: &str, fields: &[(&str, &str)], hidden: Option<&str>) -> String {
        let person = self.person.to_string();
        let mut values = vec![person.as_str()];
        values.extend(fields.iter().map(|(_, value)| *value).chain(hidden));
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
