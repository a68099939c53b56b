//! Where the keys of providers come from: the environment, or what an administrator stored.

use async_trait::async_trait;
pub use secrecy::SecretString as Secret;

/// Finds the key of a provider. Asked before each call, so that a new key takes effect at once.
#[async_trait]
pub trait Keys: Send + Sync {
    /// `provider` is a name of `[models.providers]`. None: there is no key, which is right for a local model.
    async fn key(&self, provider: &str) -> Option<Secret>;
}
