//! Settings changed at run time: provider keys, personal caps, model trials, and sources. All else is in the configuration file.
//!
//! Invariant: a stored key leaves this module only towards its provider. Pages show whether it exists, never its value.

mod keyring;
mod sources;
mod spending;
mod view;

pub use keyring::KeyRing;
pub use sources::{SourceTrial, source_key, source_key_variable, source_of_key};

use crate::{
    Engine, StoreResult,
    accounts::{self, AccountChange, AccountError, Actor, AuditEntry},
    models::Secret,
    reliability::breaker,
};
use async_trait::async_trait;
use domain::{
    Timestamp, UserId,
    budget::OwnCap,
    model_choice::ModelRole,
    user::{Action, User},
};
use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};
use views::settings::{BUILT_IN_MODEL, FeatureRole, ListedModels, ProviderCard, RoleModels};

/// Maximum length of the name of a model, in characters.
const MAX_MODEL_CHARS: usize = 200;
/// Maximum length of a stored key, in characters.
const MAX_KEY_CHARS: usize = 4_096;

/// Port of encrypted secrets. Changes are written to the audit log in the same transaction.
#[async_trait]
pub trait Secrets: Send + Sync {
    /// Encrypts and stores a secret, replacing an earlier one.
    async fn store(&self, name: &str, secret: &Secret, entry: &AuditEntry) -> StoreResult<()>;
    /// Removes a secret. Returns false, without an audit entry, when missing.
    async fn remove(&self, name: &str, entry: &AuditEntry) -> StoreResult<bool>;
    /// Returns the names of all secrets.
    async fn names(&self) -> StoreResult<BTreeSet<String>>;
    /// Decrypts a secret; none when missing, `Invalid` with another master key.
    async fn reveal(&self, name: &str) -> StoreResult<Option<Secret>>;
}

/// Port of model trials.
#[async_trait]
pub trait Prober: Send + Sync {
    /// Tries a model, at the cost of `by`. Takes as long as the configuration allows.
    async fn probe(&self, by: UserId, model: &str) -> ProbeResult;
    /// Returns why no role can use a model of that name, if so.
    fn problem(&self, _model: &str) -> Option<String> {
        None
    }
    /// Returns the names of the models that a provider lists, or why it lists none.
    async fn models(&self, _provider: &str) -> Result<Vec<String>, String> {
        Ok(vec![])
    }
}

/// Result of a model trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeResult {
    pub is_usable: bool,
    /// Summary of abilities and limitations.
    pub line: String,
}

/// Configured providers and models.
#[derive(Debug, Clone, Default)]
pub struct ModelSetup {
    pub roles: Vec<RoleModels>,
    /// Roles that features add.
    pub features: Vec<FeatureRole>,
    pub providers: Vec<ProviderCard>,
}

/// Errors of changing a setting.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    #[error("only administrators can do that")]
    NotAllowed,
    #[error("provider, model or user not found")]
    Unknown,
    #[error("invalid key: it is empty, contains spaces, or is too long")]
    BadKey,
    #[error("no such model: name a known provider and its model, such as ollama:qwen3:8b")]
    BadModel,
    #[error("a trial of this model is already running")]
    Busy,
    /// No feed found, with the reason.
    #[error("no feed found: {0}")]
    NoFeed(String),
    #[error("feed limit reached (`engine.web.max_feeds`)")]
    TooManyFeeds,
    #[error(transparent)]
    Store(#[from] crate::StoreError),
}

/// Use cases of settings. A cheap clone; `server` builds it once.
#[derive(Clone)]
pub struct Settings {
    parts: Arc<Parts>,
    /// Address of the client, for the audit log.
    client: Option<IpAddr>,
}

struct Parts {
    engine: Engine,
    setup: ModelSetup,
    keys: Arc<KeyRing>,
    prober: Arc<dyn Prober>,
    /// Last trial of each model; none while running. Kept in memory only.
    trials: Mutex<BTreeMap<String, Option<(Timestamp, ProbeResult)>>>,
    /// Models that each provider listed last. Kept in memory only.
    lists: Mutex<BTreeMap<String, ListedModels>>,
}

impl Settings {
    pub fn new(engine: Engine, setup: ModelSetup, keys: Arc<KeyRing>, prober: Arc<dyn Prober>) -> Self {
        Self {
            parts: Arc::new(Parts { engine, setup, keys, prober, trials: Mutex::default(), lists: Mutex::default() }),
            client: None,
        }
    }

    /// Returns the same settings for a client, whose address stands in the audit log.
    pub fn of_client(&self, client: Option<IpAddr>) -> Self {
        Self { client, ..self.clone() }
    }

    /// Returns whether a question may name this model: one of a role of the kernel, or the built-in one. Roles of features have models for
    /// their own work.
    pub async fn offers(&self, model: &str) -> StoreResult<bool> {
        if model == BUILT_IN_MODEL || self.is_configured(model) {
            return Ok(true);
        }
        let choices = self.parts.engine.model_choices().await?;
        Ok(ModelRole::ALL.into_iter().any(|role| choices.get(role) == Some(model)))
    }

    fn is_configured(&self, model: &str) -> bool {
        self.parts.setup.roles.iter().any(|role| role.models.iter().any(|known| known == model))
    }

    /// Returns the role of this name, of the kernel or of a feature. Words of requests are not kept.
    pub fn model_role(&self, name: &str) -> Option<ModelRole> {
        let added = || self.parts.setup.features.iter().find(|added| added.models.role == name);
        let kernel = ModelRole::ALL.into_iter().find(|role| role.as_str() == name);
        kernel.or_else(|| ModelRole::parse(&added()?.models.role))
    }

    /// Chooses the model of a role for the next investigations; an empty name: as configured. Only known providers can be named, so no
    /// address is chosen here.
    pub async fn choose_model(&self, by: &User, role: ModelRole, model: &str) -> Result<(), SettingError> {
        if !by.role.may(Action::Configure) {
            return Err(SettingError::NotAllowed);
        }
        let model = Some(model.trim()).filter(|model| !model.is_empty());
        if model.is_some_and(|model| model.chars().count() > MAX_MODEL_CHARS || self.parts.prober.problem(model).is_some()) {
            return Err(SettingError::BadModel);
        }
        let object = format!("{}: {}", role.as_str(), model.unwrap_or("as configured"));
        let engine = &self.parts.engine;
        engine.chosen_models.choose_model(role, model, &self.entry(by, "choose_model", &object)).await?;
        engine.model_choices().await?;
        Ok(())
    }

    /// Stores the key of a provider and resumes work waiting for one.
    pub async fn store_key(&self, by: &User, provider: &str, key: &Secret) -> Result<(), SettingError> {
        self.check(by, provider)?;
        let key = checked(key)?;
        let entry = self.entry(by, "store_key", provider);
        self.parts.keys.stored.store(provider, &key, &entry).await?;
        Ok(breaker::reset_misconfigured(&*self.parts.engine.circuits, Some(provider)).await?)
    }

    /// Removes the stored key of a provider; no effect without one.
    pub async fn remove_key(&self, by: &User, provider: &str) -> Result<(), SettingError> {
        self.check(by, provider)?;
        let entry = self.entry(by, "remove_key", provider);
        self.parts.keys.stored.remove(provider, &entry).await?;
        Ok(())
    }

    /// Sets a personal daily cap, which overrides the configured one.
    pub async fn set_cap(&self, by: &User, id: UserId, cap: OwnCap) -> Result<(), SettingError> {
        if !by.role.may(Action::Configure) {
            return Err(SettingError::NotAllowed);
        }
        match accounts::change(&self.parts.engine, by.id.into(), id, AccountChange::Cap(cap)).await {
            Ok(()) => Ok(()),
            Err(AccountError::Store(error)) => Err(error.into()),
            Err(_) => Err(SettingError::Unknown),
        }
    }

    /// Tries a configured model and keeps the result for the page.
    pub async fn probe(&self, by: &User, model: &str) -> Result<(), SettingError> {
        if !by.role.may(Action::Configure) {
            return Err(SettingError::NotAllowed);
        }
        let model = model.trim();
        if model.chars().count() > MAX_MODEL_CHARS || self.parts.prober.problem(model).is_some() {
            return Err(SettingError::BadModel);
        }
        let mut trial = RunningTrial::start(self, model).ok_or(SettingError::Busy)?;
        self.parts.engine.accounts.audit(&self.entry(by, "probe_model", model)).await?;
        let started = self.parts.engine.clock.now();
        let mut probed = self.parts.prober.probe(by.id, model).await;
        let ended = self.parts.engine.clock.now();
        probed.line = format!("{} (took {:.1} s)", probed.line, ended.ms_since(started) as f64 / 1_000.0);
        self.parts.engine.chosen_models.store_trial(model, ended, probed.is_usable).await?;
        trial.came = Some((ended, probed));
        Ok(())
    }

    /// Asks a provider for its models and keeps the list for the page.
    pub async fn list_models(&self, by: &User, provider: &str) -> Result<(), SettingError> {
        self.check(by, provider)?;
        self.parts.engine.accounts.audit(&self.entry(by, "list_models", provider)).await?;
        let listed = match self.parts.prober.models(provider).await {
            Ok(names) if names.is_empty() => ListedModels::Problem("It lists no models.".to_owned()),
            Ok(names) => ListedModels::Names(names),
            Err(problem) => ListedModels::Problem(problem),
        };
        self.lists().insert(provider.to_owned(), listed);
        Ok(())
    }

    fn lists(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, ListedModels>> {
        self.parts.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check(&self, by: &User, provider: &str) -> Result<(), SettingError> {
        if !by.role.may(Action::Configure) {
            return Err(SettingError::NotAllowed);
        }
        let is_known = self.parts.setup.providers.iter().any(|card| card.name == provider);
        is_known.then_some(()).ok_or(SettingError::Unknown)
    }

    fn entry(&self, by: &User, act: &str, object: &str) -> AuditEntry {
        accounts::entry(&self.parts.engine, Actor { user: Some(by.id), address: self.client }, act, object)
    }

    fn trials(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Option<(Timestamp, ProbeResult)>>> {
        self.parts.trials.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Guard of a running trial. Dropped without a result, it restores the previous one.
struct RunningTrial<'a> {
    settings: &'a Settings,
    model: &'a str,
    came: Option<(Timestamp, ProbeResult)>,
}

impl<'a> RunningTrial<'a> {
    /// Starts a trial atomically; none while one runs.
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

/// Trims and validates a key.
fn checked(key: &Secret) -> Result<Secret, SettingError> {
    use secrecy::ExposeSecret;
    let key = key.expose_secret().trim();
    let fits = !key.is_empty() && key.chars().count() <= MAX_KEY_CHARS && key.bytes().all(|byte| byte.is_ascii_graphic());
    if fits { Ok(Secret::from(key)) } else { Err(SettingError::BadKey) }
}
