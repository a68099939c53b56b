//! Provider keys, from the environment or stored by an administrator.

use async_trait::async_trait;
pub use secrecy::SecretString as Secret;

/// Port of provider keys. Called before each call, so that a new key takes effect at once.
#[async_trait]
pub trait Keys: Send + Sync {
    /// Returns the key of a provider of `[models.providers]`; none is normal for local models.
    async fn key(&self, provider: &str) -> Option<Secret>;
}
