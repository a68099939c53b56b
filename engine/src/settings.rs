//! What an administrator sets up while the program runs: keys of providers, what one person may use, trying models out, and sources.
//! Everything else is the configuration file's.
//!
//! Invariant: a stored key leaves this module only towards a provider. Pages are told whether there is one, never what it is.

mod keyring;
mod sources;
mod spending;
mod view;

pub use keyring::KeyRing;
pub use sources::{SourceTrial, source_key, source_key_variable, source_of_key};

use crate::{
    Engine, StoreResult,
    accounts::{self, AccountChange, AccountError, AuditEntry},
    models::Secret,
    reliability::breaker,
};
use async_trait::async_trait;
use domain::{
    Timestamp, UserId,
    budget::OwnCap,
    settings::{ProviderCard, RoleModels},
    user::{Action, User},
};
use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    sync::{Arc, Mutex, PoisonError},
};

/// Longest key that is stored, in characters.
const MAX_KEY_CHARS: usize = 4_096;

/// Secrets at rest, sealed. What is stored and removed goes into the audit log in the same transaction.
#[async_trait]
pub trait Secrets: Send + Sync {
    /// Seals and stores, in the place of what was there.
    async fn store(&self, name: &str, secret: &Secret, entry: &AuditEntry) -> StoreResult<()>;
    /// False, and nothing noted, when there was none.
    async fn remove(&self, name: &str, entry: &AuditEntry) -> StoreResult<bool>;
    /// The names of all.
    async fn names(&self) -> StoreResult<BTreeSet<String>>;
    /// None when there is none; `Invalid` when it cannot be opened, because the master key is another one.
    async fn reveal(&self, name: &str) -> StoreResult<Option<Secret>>;
}

/// Tries a model out.
#[async_trait]
pub trait ModelProber: Send + Sync {
    /// `model` as the configuration names it; what its calls cost is `by`'s. Takes as long as the configuration allows.
    async fn probe(&self, by: UserId, model: &str) -> ProbeResult;
}

/// What came of trying a model out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeResult {
    pub is_usable: bool,
    /// What it can do, what it cannot, and what follows.
    pub line: String,
}

/// Providers and models as they are configured.
#[derive(Debug, Clone, Default)]
pub struct ModelSetup {
    pub roles: Vec<RoleModels>,
    pub providers: Vec<ProviderCard>,
}

/// Why a setting was not changed.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    #[error("only an administrator may do that")]
    NotAllowed,
    #[error("there is no such provider, model or person")]
    Unknown,
    #[error("that is no key: it is empty, holds spaces, or is too long")]
    BadKey,
    #[error("that model is being tried out already")]
    Busy,
    /// With the reason.
    #[error("no feed was found there: {0}")]
    NoFeed(String),
    #[error("more feeds than `engine.web.max_feeds` would be followed")]
    TooManyFeeds,
    #[error(transparent)]
    Store(#[from] crate::StoreError),
}

/// The use cases. A cheap clone; `server` builds it once.
#[derive(Clone)]
pub struct Settings {
    parts: Arc<Parts>,
}

struct Parts {
    engine: Engine,
    setup: ModelSetup,
    keys: Arc<KeyRing>,
    prober: Arc<dyn ModelProber>,
    /// The last trial of each model; none while one goes on. Of this process: a restart forgets them.
    trials: Mutex<BTreeMap<String, Option<(Timestamp, ProbeResult)>>>,
}

impl Settings {
    pub fn new(engine: Engine, setup: ModelSetup, keys: Arc<KeyRing>, prober: Arc<dyn ModelProber>) -> Self {
        Self { parts: Arc::new(Parts { engine, setup, keys, prober, trials: Mutex::default() }) }
    }

    /// Stores the key of a provider. What waited for one goes on.
    pub async fn store_key(&self, by: &User, provider: &str, key: &Secret) -> Result<(), SettingError> {
        self.check(by, provider)?;
        let key = checked(key)?;
        let entry = self.entry(by, "store_key", provider);
        self.parts.keys.stored.store(provider, &key, &entry).await?;
        Ok(breaker::reset_misconfigured(&*self.parts.engine.circuits, Some(provider)).await?)
    }

    /// Removes the stored key of a provider; harmless when there is none.
    pub async fn remove_key(&self, by: &User, provider: &str) -> Result<(), SettingError> {
        self.check(by, provider)?;
        let entry = self.entry(by, "remove_key", provider);
        self.parts.keys.stored.remove(provider, &entry).await?;
        Ok(())
    }

    /// Sets what somebody may use on one day, in the place of what is configured.
    pub async fn set_cap(&self, by: &User, id: UserId, cap: OwnCap) -> Result<(), SettingError> {
        if !by.role.may(Action::Configure) {
            return Err(SettingError::NotAllowed);
        }
        match accounts::change(&self.parts.engine, by, id, AccountChange::Cap(cap)).await {
            Ok(()) => Ok(()),
            Err(AccountError::Store(error)) => Err(error.into()),
            Err(_) => Err(SettingError::Unknown),
        }
    }

    /// Tries a configured model out and keeps what came of it for the page.
    pub async fn probe(&self, by: &User, model: &str) -> Result<(), SettingError> {
        if !by.role.may(Action::Configure) {
            return Err(SettingError::NotAllowed);
        }
        if !self.parts.setup.roles.iter().any(|role| role.models.iter().any(|known| known == model)) {
            return Err(SettingError::Unknown);
        }
        let mut trial = RunningTrial::start(self, model).ok_or(SettingError::Busy)?;
        self.parts.engine.accounts.audit(&self.entry(by, "probe_model", model)).await?;
        let probed = self.parts.prober.probe(by.id, model).await;
        trial.came = Some((self.parts.engine.clock.now(), probed));
        Ok(())
    }

    fn check(&self, by: &User, provider: &str) -> Result<(), SettingError> {
        if !by.role.may(Action::Configure) {
            return Err(SettingError::NotAllowed);
        }
        let is_known = self.parts.setup.providers.iter().any(|card| card.name == provider);
        is_known.then_some(()).ok_or(SettingError::Unknown)
    }

    fn entry(&self, by: &User, act: &str, object: &str) -> AuditEntry {
        let at = self.parts.engine.clock.now();
        AuditEntry { at, user: Some(by.id), act: act.to_owned(), object: object.to_owned() }
    }

    fn trials(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Option<(Timestamp, ProbeResult)>>> {
        self.parts.trials.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A trial that goes on; what is noted of it when it ends, also when nobody waits for it any more: then what was known before.
struct RunningTrial<'a> {
    settings: &'a Settings,
    model: &'a str,
    came: Option<(Timestamp, ProbeResult)>,
}

impl<'a> RunningTrial<'a> {
    /// Looks and begins in one step, so that of several who ask at once one begins; none while one goes on.
    fn start(settings: &'a Settings, model: &'a str) -> Option<Self> {
        let came = match settings.trials().entry(model.to_owned()) {
            Entry::Vacant(new) => {
                new.insert(None);
                None
            }
            Entry::Occupied(mut known) => Some(known.insert(None)?),
        };
        Some(Self { settings, model, came })
    }
}

impl Drop for RunningTrial<'_> {
    fn drop(&mut self) {
        let mut trials = self.settings.trials();
        match self.came.take() {
            Some(came) => trials.insert(self.model.to_owned(), Some(came)),
            None => trials.remove(self.model),
        };
    }
}

/// Without the white space that copying adds.
fn checked(key: &Secret) -> Result<Secret, SettingError> {
    use secrecy::ExposeSecret;
    let key = key.expose_secret().trim();
    let fits = !key.is_empty() && key.chars().count() <= MAX_KEY_CHARS && key.bytes().all(|byte| byte.is_ascii_graphic());
    if fits { Ok(Secret::from(key)) } else { Err(SettingError::BadKey) }
}
