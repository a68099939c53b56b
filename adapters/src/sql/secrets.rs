//! Secrets in the state store, encrypted with ChaCha20-Poly1305 under a master key outside the database.
//!
//! Invariant: the name is authenticated with the secret, so that one provider's key cannot be moved to another.

mod master;

pub use master::{BadMasterKey, MasterKey, random_bytes};

use super::{Store, accounts::log_audit};
use async_trait::async_trait;
use engine::{StoreError, StoreResult, accounts::AuditEntry, models::Secret, settings::Secrets};
use master::KeyBytes;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use secrecy::ExposeSecret;
use std::collections::BTreeSet;
use zeroize::Zeroizing;

/// The secrets port on a store and a master key.
pub struct SealedSecrets {
    store: Store,
    master: MasterKey,
}

impl SealedSecrets {
    pub fn new(store: Store, master: MasterKey) -> Self {
        Self { store, master }
    }

    fn seal(&self, name: &str, secret: &Secret) -> StoreResult<Vec<u8>> {
        let key = key(&self.master.load_or_create()?)?;
        // Drawn anew for each: there are a handful of secrets, so that none comes twice.
        let nonce: [u8; NONCE_LEN] = random_bytes()?;
        let mut sealed = secret.expose_secret().as_bytes().to_vec();
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(name.as_bytes()), &mut sealed)
            .map_err(|_| StoreError::Defect("encryption of a secret failed".into()))?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    fn open(&self, name: &str, sealed: &[u8]) -> StoreResult<Secret> {
        let refused =
            || StoreError::Invalid(format!("the stored key of '{name}' was encrypted with another master key: store it again"));
        let Some(master) = self.master.load()? else { return Err(refused()) };
        let (nonce, sealed) = sealed.split_at_checked(NONCE_LEN).ok_or_else(refused)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| refused())?;
        let mut sealed = Zeroizing::new(sealed.to_vec());
        let opened = key(&master)?.open_in_place(nonce, Aad::from(name.as_bytes()), &mut sealed).map_err(|_| refused())?;
        std::str::from_utf8(opened).map(Secret::from).map_err(|_| refused())
    }
}

fn key(master: &KeyBytes) -> StoreResult<LessSafeKey> {
    let key = UnboundKey::new(&CHACHA20_POLY1305, master.as_slice());
    key.map(LessSafeKey::new).map_err(|_| StoreError::Defect("a master key has 32 bytes".into()))
}

#[async_trait]
impl Secrets for SealedSecrets {
    async fn store(&self, name: &str, secret: &Secret, entry: &AuditEntry) -> StoreResult<()> {
        let sealed = self.seal(name, secret)?;
        super::write!(self.store, conn => {
            execute!(conn, "insert into secrets (name, sealed) values ($1, $2)
                 on conflict (name) do update set sealed = excluded.sealed"; name, &sealed);
            log_audit!(conn, entry);
        })
    }

    async fn remove(&self, name: &str, entry: &AuditEntry) -> StoreResult<bool> {
        super::write!(self.store, conn => {
            let removed = execute!(conn, "delete from secrets where name = $1"; name);
            let was_there = removed.rows_affected() > 0;
            if was_there {
                log_audit!(conn, entry);
            }
            was_there
        })
    }

    async fn names(&self) -> StoreResult<BTreeSet<String>> {
        super::read!(self.store, conn => {
            let names: Vec<String> = values!(conn.fetch_all, "select name from secrets");
            names.into_iter().collect()
        })
    }

    async fn reveal(&self, name: &str) -> StoreResult<Option<Secret>> {
        let sealed: Option<Vec<u8>> = super::read!(self.store, conn => {
            values!(conn.fetch_optional, "select sealed from secrets where name = $1"; name)
        })?;
        sealed.map(|sealed| self.open(name, &sealed)).transpose()
    }
}
