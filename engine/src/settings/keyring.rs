//! Key look-up: environment first, then stored keys.

use super::Secrets;
use crate::{
    StoreError, StoreResult,
    models::{Keys, Secret},
};
use async_trait::async_trait;
use std::{collections::BTreeSet, sync::Arc};
use views::settings::KeyState;

/// Key ring of all providers.
pub struct KeyRing {
    environment: Arc<dyn Keys>,
    pub(super) stored: Arc<dyn Secrets>,
}

impl KeyRing {
    pub fn new(environment: Arc<dyn Keys>, stored: Arc<dyn Secrets>) -> Self {
        Self { environment, stored }
    }

    /// Returns the port of stored secrets.
    pub fn secrets(&self) -> Arc<dyn Secrets> {
        self.stored.clone()
    }

    /// Returns the `names` with a key, with one query; none when the store fails.
    pub async fn those_with(&self, names: &[String]) -> BTreeSet<String> {
        let stored = self.stored.names().await;
        let stored = stored.inspect_err(|error| tracing::error!(%error, "listing stored keys failed")).unwrap_or_default();
        let mut there = BTreeSet::new();
        for name in names {
            if stored.contains(name) || self.environment.key(name).await.is_some() {
                there.insert(name.clone());
            }
        }
        there
    }

    /// Returns whether and where a key exists; `stored` are the names of all stored keys.
    pub(super) async fn state(&self, provider: &str, needs_key: bool, stored: &BTreeSet<String>) -> StoreResult<KeyState> {
        if self.environment.key(provider).await.is_some() {
            return Ok(KeyState::Environment);
        }
        if stored.contains(provider) {
            return match self.stored.reveal(provider).await {
                Ok(_) => Ok(KeyState::Stored),
                Err(StoreError::Invalid(_)) => Ok(KeyState::Unreadable),
                Err(error) => Err(error),
            };
        }
        Ok(if needs_key { KeyState::Missing } else { KeyState::NotNeeded })
    }
}

#[async_trait]
impl Keys for KeyRing {
    async fn key(&self, provider: &str) -> Option<Secret> {
        if let Some(key) = self.environment.key(provider).await {
            return Some(key);
        }
        let stored = self.stored.reveal(provider).await;
        stored.inspect_err(|error| tracing::error!(provider, %error, "stored provider key unusable")).ok()?
    }
}
