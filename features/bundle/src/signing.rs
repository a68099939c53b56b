//! Ed25519 key of the installation, and its signatures.
//!
//! Invariant: the private key is stored encrypted, among the secrets of the kernel, and never leaves this module.

use engine::{
    StoreError, StoreResult,
    accounts::{self, Actor},
    models::Secret,
};
use feature::Web;
use ring::{
    digest::{SHA256, digest},
    rand::{SecureRandom, SystemRandom},
    signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey},
};
use secrecy::ExposeSecret;

/// Name of the secret.
const KEY: &str = "bundle:signing";
const SEED_BYTES: usize = 32;

/// Key pair of the installation.
pub struct SigningKey(Ed25519KeyPair);

impl SigningKey {
    /// Loads the key. It is made when it is first needed, and anew where the stored one cannot be decrypted.
    pub async fn load(web: &Web) -> StoreResult<Self> {
        if let Some(key) = stored(web).await? {
            return Ok(key);
        }
        let mut seed = [0; SEED_BYTES];
        SystemRandom::new().fill(&mut seed).map_err(|_| StoreError::Unavailable("no random bytes".into()))?;
        let entry = accounts::entry(&web.engine, Actor::default(), "create_signing_key", KEY);
        web.secrets.store(KEY, &Secret::from(hex::encode(seed)), &entry).await?;
        // Another process may have stored one meanwhile: both use the last.
        stored(web).await?.ok_or_else(|| StoreError::Defect("the signing key is missing".into()))
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

async fn stored(web: &Web) -> StoreResult<Option<SigningKey>> {
    match web.secrets.reveal(KEY).await {
        Ok(secret) => Ok(secret.and_then(|secret| SigningKey::from_seed(&hex::decode(secret.expose_secret()).ok()?))),
        Err(StoreError::Invalid(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns whether a signature of a message is that of a public key; both as hexadecimal digits.
pub fn is_signed(public_key: &str, message: &[u8], signature: &str) -> bool {
    let (Ok(key), Ok(signature)) = (hex::decode(public_key), hex::decode(signature)) else { return false };
    UnparsedPublicKey::new(&ED25519, key).verify(message, &signature).is_ok()
}

/// Returns the SHA-256 of bytes, as hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(digest(&SHA256, bytes).as_ref())
}
