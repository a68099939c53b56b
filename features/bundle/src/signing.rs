//! Ed25519 key of the installation, and its signatures.
//!
//! Invariant: the private key is stored encrypted, among the secrets of the kernel, and never leaves this module.

use crate::store::BundleStore;
use adapters::sql::random_bytes;
use domain::ObjectId;
use engine::{
    StoreError, StoreResult,
    accounts::{self, Actor},
    models::Secret,
};
use feature::Web;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use secrecy::ExposeSecret;

/// Error of a key that cannot be decrypted.
pub const UNREADABLE_KEY: &str = "The signing key cannot be read: it was encrypted with another master key, or is gone. Restore the master \
     key, or make a new signing key: autosint export signing-key --new. Recipients then need the new public key.";

/// Beginning of the name of the secret, before its id.
const KEY: &str = "bundle:signing:";
const SEED_BYTES: usize = 32;

/// Key pair of the installation.
pub struct SigningKey(Ed25519KeyPair);

impl SigningKey {
    /// Loads the key; `Invalid` for one that cannot be decrypted. It is made when it is first needed, and never replaced here.
    pub async fn load(web: &Web) -> StoreResult<Self> {
        if let Some(key) = find(web).await? {
            return Ok(key);
        }
        let id = store_key(web).await?;
        if !BundleStore::new(web).add_key(id).await? {
            // Another process made the first key: both use that one.
            let name = secret_name(id);
            web.secrets.remove(&name, &accounts::entry(&web.engine, Actor::default(), "remove_signing_key", &name)).await?;
        }
        find(web).await?.ok_or_else(|| StoreError::Defect("the signing key is missing".into()))
    }

    /// Replaces the key. The secret of the earlier one stays, so that a backup with its master key still reads it.
    pub async fn replace(web: &Web) -> StoreResult<Self> {
        BundleStore::new(web).put_key(store_key(web).await?).await?;
        Self::load(web).await
    }

    /// Makes the key pair of a seed of 32 bytes; none for other lengths.
    pub fn from_seed(seed: &[u8]) -> Option<Self> {
        Ed25519KeyPair::from_seed_unchecked(seed).ok().map(Self)
    }

    /// Returns the public key, as hexadecimal digits.
    pub fn public_key(&self) -> String {
        hex::encode(self.0.public_key().as_ref())
    }

    /// Signs a message; returns the signature as hexadecimal digits.
    pub fn sign(&self, message: &[u8]) -> String {
        hex::encode(self.0.sign(message).as_ref())
    }
}

fn secret_name(id: ObjectId) -> String {
    format!("{KEY}{id}")
}

/// Stores a new key, which is not used before its id is noted.
async fn store_key(web: &Web) -> StoreResult<ObjectId> {
    let seed: [u8; SEED_BYTES] = random_bytes()?;
    let id = ObjectId(web.engine.ids.next());
    let name = secret_name(id);
    let entry = accounts::entry(&web.engine, Actor::default(), "create_signing_key", &name);
    web.secrets.store(&name, &Secret::from(hex::encode(seed)), &entry).await?;
    Ok(id)
}

/// Returns the key that is noted, if there is one.
async fn find(web: &Web) -> StoreResult<Option<SigningKey>> {
    let Some(id) = BundleStore::new(web).key().await? else { return Ok(None) };
    let secret = match web.secrets.reveal(&secret_name(id)).await {
        Err(StoreError::Invalid(_)) => None,
        revealed => revealed?,
    };
    let key = secret.and_then(|secret| SigningKey::from_seed(&hex::decode(secret.expose_secret()).ok()?));
    key.map(Some).ok_or_else(|| StoreError::Invalid(UNREADABLE_KEY.to_owned()))
}

/// Returns whether a signature of a message is that of a public key; both as hexadecimal digits.
pub fn is_signed(public_key: &str, message: &[u8], signature: &str) -> bool {
    let (Ok(key), Ok(signature)) = (hex::decode(public_key), hex::decode(signature)) else { return false };
    UnparsedPublicKey::new(&ED25519, key).verify(message, &signature).is_ok()
}
