//! Secrets at rest: sealed, bound to their names, noted in the audit log.

use super::prelude::*;
use adapters::sql::{MasterKey, SealedSecrets};
use engine::{accounts::Accounts, models::Secret, settings::Secrets};
use secrecy::ExposeSecret;

const KEY: &str = "sk-not-for-anybody";

fn sealed_by(backend: &TestBackend, digits: &str) -> SealedSecrets {
    SealedSecrets::new(backend.store.clone(), MasterKey::from_hex(&digits.repeat(32)).unwrap())
}

async fn acts(backend: &TestBackend) -> Vec<String> {
    backend.store.audit_log(10).await.unwrap().into_iter().map(|entry| entry.act).collect()
}

pub async fn a_secret_is_kept_replaced_and_removed_and_each_is_noted(backend: &TestBackend) {
    let secrets = sealed_by(backend, "5e");
    assert!(secrets.reveal("anthropic").await.unwrap().is_none());
    assert!(!secrets.remove("anthropic", &entry(backend, "remove")).await.unwrap());
    for key in ["sk-first", KEY] {
        secrets.store("anthropic", &Secret::from(key), &entry(backend, "store")).await.unwrap();
    }
    secrets.store("openai", &Secret::from("sk-other"), &entry(backend, "store")).await.unwrap();
    assert_eq!(secrets.reveal("anthropic").await.unwrap().unwrap().expose_secret(), KEY);
    assert_eq!(secrets.names().await.unwrap().into_iter().collect::<Vec<_>>(), ["anthropic", "openai"]);
    assert!(secrets.remove("anthropic", &entry(backend, "remove")).await.unwrap());
    assert!(secrets.reveal("anthropic").await.unwrap().is_none());
    assert_eq!(acts(backend).await, ["remove", "store", "store", "store"]);
}

pub async fn another_master_key_opens_nothing(backend: &TestBackend) {
    sealed_by(backend, "5e").store("anthropic", &Secret::from(KEY), &entry(backend, "store")).await.unwrap();
    let refused = sealed_by(backend, "5f").reveal("anthropic").await;
    assert!(matches!(&refused, Err(StoreError::Invalid(why)) if why.contains("store it again")));
}
