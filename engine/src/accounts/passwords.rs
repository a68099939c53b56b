//! Password hashing with argon2id. Hashing and verifying take the same time whether or not the account exists.
//!
//! Invariant: passwords are hashed and compared on a blocking thread, and never logged or stored in plain text.

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

domain::settings! {
    /// Password length limits and argon2id cost parameters. The costs are those that OWASP recommends.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct PasswordConfig {
        /// Minimum length in characters.
        pub min_chars: usize = 12,
        /// Maximum length in characters; bounds the cost of hashing.
        pub max_chars: usize = 1_000,
        pub memory_kib: u32 = 19 * 1024,
        pub passes: u32 = 2,
    }
}

/// Password hasher and verifier; a cheap clone.
#[derive(Clone)]
pub struct Passwords(Arc<Inner>);

struct Inner {
    config: PasswordConfig,
    argon: Argon2<'static>,
    /// Hash verified when the account does not exist, to equalise timing.
    nobody: OnceLock<String>,
}

impl Passwords {
    /// Builds the hasher, or returns why the cost parameters are invalid.
    pub fn new(config: PasswordConfig) -> Result<Self, String> {
        let params = Params::new(config.memory_kib, config.passes, 1, None).map_err(|error| error.to_string())?;
        let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        Ok(Self(Arc::new(Inner { config, argon, nobody: OnceLock::new() })))
    }

    pub fn config(&self) -> &PasswordConfig {
        &self.0.config
    }

    /// Returns the PHC string of a password; none when hashing failed for reasons unrelated to the password.
    pub async fn hash(&self, password: &str) -> Option<String> {
        let (this, password) = (self.clone(), password.to_owned());
        blocking(move || this.hash_now(&password)).await.flatten()
    }

    /// Returns whether the password matches the hash. Without a hash it returns false after the same work.
    pub async fn verify(&self, password: &str, hash: Option<String>) -> bool {
        let (this, password) = (self.clone(), password.to_owned());
        blocking(move || {
            let exists = hash.is_some();
            let hash = hash.unwrap_or_else(|| this.nobody());
            let fits =
                PasswordHash::new(&hash).is_ok_and(|hash| this.0.argon.verify_password(password.as_bytes(), &hash).is_ok());
            fits && exists
        })
        .await
        .unwrap_or(false)
    }

    /// Returns whether a hash was made with other costs than those of the configuration.
    pub fn is_outdated(&self, hash: &str) -> bool {
        let config = &self.0.config;
        let current = format!("$argon2id$v=19$m={},t={},p=1$", config.memory_kib, config.passes);
        !hash.starts_with(&current)
    }

    fn hash_now(&self, password: &str) -> Option<String> {
        let hash: Result<PasswordHash, _> = self.0.argon.hash_password(password.as_bytes());
        hash.inspect_err(|error| tracing::error!(%error, "password hashing failed")).ok().map(|hash| hash.to_string())
    }

    fn nobody(&self) -> String {
        self.0.nobody.get_or_init(|| self.hash_now("nobody").unwrap_or_default()).clone()
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.inspect_err(|error| tracing::error!(%error, "password hashing task was cancelled")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quick() -> Passwords {
        Passwords::new(PasswordConfig { memory_kib: 8, passes: 1, ..PasswordConfig::default() }).unwrap()
    }

    #[tokio::test]
    async fn a_password_fits_its_own_hash_only() {
        let passwords = quick();
        let hash = passwords.hash("correct horse battery").await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=8,t=1,p=1$"));
        assert!(passwords.verify("correct horse battery", Some(hash.clone())).await);
        assert!(!passwords.is_outdated(&hash));
        let dearer = Passwords::new(PasswordConfig { memory_kib: 16, passes: 1, ..PasswordConfig::default() }).unwrap();
        assert!(dearer.is_outdated(&hash) && dearer.verify("correct horse battery", Some(hash.clone())).await);
        assert!(!passwords.verify("correct horse batterz", Some(hash)).await);
    }

    #[tokio::test]
    async fn an_account_without_a_hash_accepts_no_password() {
        let passwords = quick();
        assert!(!passwords.verify("nobody", None).await);
        assert!(!passwords.verify("nobody", Some("not a hash".to_owned())).await);
    }

    #[test]
    fn impossible_costs_are_named() {
        assert!(Passwords::new(PasswordConfig { passes: 0, ..PasswordConfig::default() }).is_err());
    }
}
