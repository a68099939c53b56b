//! Wiring of the program: builds it from the configuration. Adapters are chosen here only.

mod data_store;
mod rate_limit;
#[cfg(feature = "scale")]
mod services;
mod stores;

pub use data_store::DataStore;
pub(crate) use data_store::interrupted_import_source;

use crate::{
    built_in,
    config::{
        Config, ModelsConfig,
        environment::{self, ProviderKeys},
    },
    data_dir::DataDir,
    features,
    fetch_ports::{InProcessBrowser, InProcessFetch, KeyedSources, KeyringCatalogue, RemoteFetch},
    forwarding_ledger::{BillTo, ForwardingLedger},
    http::random_token,
    role_models::{ModelFactory, check_role_models},
    settings,
    system::{SystemClock, SystemIds, machine_name},
};
use adapters::{
    Address,
    embed::{self, EmbedConfig, EmbedderChoice},
    llm::Providers,
    redis::Redis,
    sql::{MasterKey, SealedSecrets, Store},
};
use engine::{
    Clock, Engine, Parts, StoreError,
    accounts::{Passwords, WebSessions},
    agents::{Agents, AgentsError},
    browse::Browse,
    budget::Ledger,
    config_files::{ConfigFiles, UnreadableConfig},
    fetch::Fetch,
    graph::resolve::Cascade,
    limits::RateLimits,
    names::{NameMatcher, WordsError},
    reliability::DependencyGuard,
    settings::{KeyRing, Settings},
};
use feature::{FeatureSettings, ToolParts};
use fetch::{Browser, Catalogue, Documents, MessageClient, ParserCommand, ParserPool, Web, WebDeps};
use secrecy::ExposeSecret;
use std::{io, path::PathBuf, sync::Arc, time::Duration};
use stores::Stores;

/// The program, wired. A cheap clone.
#[derive(Clone)]
pub struct Program {
    pub config: Arc<Config>,
    pub engine: Engine,
    pub agents: Arc<Agents>,
    pub files: Arc<ConfigFiles>,
    /// The operator's own prompts, tools and word lists, if any.
    pub config_dir: Option<PathBuf>,
    pub passwords: Passwords,
    pub web_sessions: Arc<dyn WebSessions>,
    /// Reads folders, files and uploads.
    pub documents: Documents,
    /// Remote Fetch service, if `fetch.url` is set.
    pub fetch_service: Option<RemoteFetch>,
    /// Browser of this process, which prints reports; none where Fetch is a service of its own.
    pub printer: Option<Browser>,
    /// Sender of messages such as webhooks; none where the web is switched off.
    pub messages: Option<MessageClient>,
    pub store: Store,
    /// Redis connection, if `redis.url` is set.
    pub redis: Option<Redis>,
    /// Rate limits for actions such as sign-in attempts.
    pub limits: Arc<dyn RateLimits>,
    /// Salt of this process for the names without an account in the audit log.
    pub name_salt: String,
    /// Memory that the pages and the jobs of features share.
    pub feature_memory: feature::PageCache,
    pub data_dir: DataDir,
    /// Configured model providers over HTTP.
    pub providers: Arc<Providers>,
    /// Whether the master key comes from the environment. Several processes must share one key.
    pub has_shared_master_key: bool,
    /// Provider keys, from the environment or the store.
    pub keys: Arc<KeyRing>,
    pub settings: Settings,
    pub feature_settings: FeatureSettings,
    /// Description of the active embedder and the reason for the choice.
    pub embedder_note: String,
}

/// Error that prevents the program from starting.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("cannot use the data directory {path}: {cause}; choose another with --data-dir")]
    DataDir { path: PathBuf, cause: io::Error },
    #[error("cannot open the database in {path}: {cause}")]
    Database { path: PathBuf, cause: StoreError },
    #[error("cannot use {address} ({setting}): {cause}")]
    Service { setting: &'static str, address: String, cause: StoreError },
    #[error("cannot read the data in {location}: {cause}")]
    Unreadable { location: String, cause: StoreError },
    #[error("{0}")]
    Configuration(String),
}

impl OpenError {
    /// Returns whether the disk is full.
    pub fn is_full(&self) -> bool {
        match self {
            Self::DataDir { cause, .. } => cause.kind() == io::ErrorKind::StorageFull,
            Self::Database { cause, .. } | Self::Service { cause, .. } | Self::Unreadable { cause, .. } => {
                matches!(cause, StoreError::Full)
            }
            Self::Configuration(_) => false,
        }
    }
}

impl Program {
    /// Opens the data directory (creates and migrates it as needed) and wires everything. `config_dir` holds the operator's
    /// own prompts, tools and word lists; the rest is built in.
    pub async fn open(config: Config, config_dir: Option<PathBuf>) -> Result<Self, OpenError> {
        Self::open_internal(config, config_dir, parser_command()?, None).await
    }

    /// Like `open`, with model calls also charged to another program's budgets.
    pub async fn open_billed_to(config: Config, config_dir: Option<PathBuf>, bill_to: BillTo) -> Result<Self, OpenError> {
        Self::open_internal(config, config_dir, parser_command()?, Some(bill_to)).await
    }

    /// Like `open`, with another command as parser. Tests need it because the test binary is not `autosint`.
    pub async fn open_with(config: Config, config_dir: Option<PathBuf>, parser: ParserCommand) -> Result<Self, OpenError> {
        Self::open_internal(config, config_dir, parser, None).await
    }

    async fn open_internal(
        config: Config,
        config_dir: Option<PathBuf>,
        parser: ParserCommand,
        bill_to: Option<BillTo>,
    ) -> Result<Self, OpenError> {
        let files = Arc::new(built_in::config_files(config_dir.as_deref())?);
        let names = Arc::new(NameMatcher::new(files.get("locale/names.toml"), config.names.clone())?);
        let passwords = passwords(&config)?;
        let master_key_from_environment = master_key_from_environment()?;

        // Checked before anything is written. The providers get their keys after the store is open.
        check_role_models(&config.models, &config.budget.currency)?;
        let data_dir = open_folder(&config)?;
        let clock = Arc::new(SystemClock);
        let Stores { store, graph, redis, queue, tool_cache, limits } =
            Stores::open(&config, &data_dir, clock.clone(), names.clone()).await?;
        let feature_settings = FeatureSettings::read(features::FEATURES, &config.features).map_err(OpenError::Configuration)?;
        let tool_parts = ToolParts { store: store.clone(), settings: feature_settings.clone() };
        let added = feature::added_roles(features::FEATURES, &tool_parts);
        let agents = Agents::load_with(&files, &config.engine.locale, &added)?;
        let has_shared_master_key = master_key_from_environment.is_some();
        data_store::refuse_interrupted_import(&store, data_store::describe_location(&config, &data_dir)).await?;
        let master = master_key_from_environment.unwrap_or_else(|| MasterKey::from_file(data_dir.secret_key()));
        let own = || Arc::new(key_ring(&config.models, &store, master));
        let keys = bill_to.as_ref().map_or_else(own, |bill_to| bill_to.keys.clone());
        let providers = Arc::new(Providers::new(config.models.llm(), keys.clone()));
        let chosen = embed::choose(&with_model_dir(&config.embed), &providers, clock.clone());
        let EmbedderChoice { embedder, why: embedder_note } =
            chosen.map_err(|problem| OpenError::Configuration(format!("embed.model: {problem}")))?;
        let models = ModelFactory::new(providers.clone(), files.clone(), &config.budget.currency);
        let models = Arc::new(models.with_replays_in_order(config.models.replays_in_order));
        let role_models = models.role_models(&config.models)?;
        let port = Arc::new(store.clone());
        let documents = Documents::new(config.fetch.clone(), ParserPool::new(parser, &config.fetch));
        let guard = |dependency: &str| stores::guard(dependency, &port, clock.clone(), config.reliability.breaker.clone());
        let fetch_service =
            fetch_service(&config)?.map(|remote| remote.guarded_by(guard("fetch service")).retrying(config.reliability.module));
        let WebPorts { fetch, browse, sources, printer } = match &fetch_service {
            Some(remote) => WebPorts::remote(remote),
            None => {
                let web = web(&config, &documents, clock.clone(), data_dir.cache(), redis.as_ref())?;
                // A browser runs on each machine that needs one.
                let browser = guard(&format!("browser {}", machine_name()));
                WebPorts::in_process(&config, &documents, clock.clone(), web, browser, data_dir.cache())
            }
        };
        let is_on_web = config.engine.web.enabled;
        let engine = Engine::new(Parts {
            accounts: port.clone(),
            annotations: port.clone(),
            assessments: port.clone(),
            captures: port.clone(),
            documents: port.clone(),
            events: port.clone(),
            graph,
            investigations: port.clone(),
            work_orders: port.clone(),
            queue,
            sessions: port.clone(),
            teams: port.clone(),
            tool_cache,
            circuits: port.clone(),
            ledger: ledger(&port, bill_to),
            fetch: is_on_web.then_some(fetch),
            browse: is_on_web.then_some(browse),
            catalogue: is_on_web.then(|| Arc::new(KeyringCatalogue { sources, keys: keys.clone() }) as Arc<_>),
            chosen_models: port.clone(),
            source_log: port.clone(),
            resolve: Arc::new(Cascade::new(names, config.resolve.clone())),
            embedder,
            role_models,
            named_models: Arc::new(move |name: &str| models.model_named(name)),
            clock,
            ids: Arc::new(SystemIds),
            config: config.engine.clone(),
            reliability: config.reliability.clone(),
            budget: config.budget.clone(),
            search: config.search.clone(),
        });
        let messages = is_on_web.then(|| message_client(&config)).flatten();
        let settings = settings::build(&config, &engine, &agents, &providers, keys.clone());
        Ok(Self {
            config: Arc::new(config),
            engine,
            agents: Arc::new(agents),
            files,
            config_dir,
            passwords,
            web_sessions: port,
            documents,
            fetch_service,
            printer,
            messages,
            store,
            redis,
            limits,
            name_salt: random_token(),
            feature_memory: feature::PageCache::default(),
            data_dir,
            providers,
            has_shared_master_key,
            keys,
            settings,
            feature_settings,
            embedder_note,
        })
    }
}

fn passwords(config: &Config) -> Result<Passwords, OpenError> {
    Passwords::new(config.auth.passwords.clone())
        .map_err(|problem| OpenError::Configuration(format!("auth.passwords cannot be used: {problem}")))
}

pub(crate) fn open_folder(config: &Config) -> Result<DataDir, OpenError> {
    let path = &config.server.data_dir;
    DataDir::open(path).map_err(|cause| OpenError::DataDir { path: path.clone(), cause })
}

/// Web client with its cache in the data directory. Per-host rate limits are shared through `redis`.
pub(crate) fn web(
    config: &Config,
    documents: &Documents,
    clock: Arc<SystemClock>,
    cache: PathBuf,
    redis: Option<&Redis>,
) -> Result<Web, OpenError> {
    let mut deps = WebDeps::new(&config.fetch, Arc::new(move || clock.now()), Some(cache.join("pages")));
    if let Some(redis) = redis {
        deps.rate_limiter = rate_limit::shared(redis, &config.fetch);
    }
    Web::new(&config.fetch, documents.clone(), deps).map_err(|error| OpenError::Configuration(error.message))
}

/// Ports for fetching pages, rendering them and querying sources.
struct WebPorts {
    fetch: Arc<dyn Fetch>,
    browse: Arc<dyn Browse>,
    sources: Arc<dyn KeyedSources>,
    printer: Option<Browser>,
}

impl WebPorts {
    /// Runs Fetch in this process.
    fn in_process(
        config: &Config,
        documents: &Documents,
        clock: Arc<SystemClock>,
        web: Web,
        guard: DependencyGuard,
        cache: PathBuf,
    ) -> Self {
        let sources = Arc::new(catalogue(config, documents, &web, clock));
        let browser = browser(config, &web, cache.join("browser"));
        let browse = Arc::new(InProcessBrowser { browser: browser.clone(), guard });
        Self { fetch: Arc::new(InProcessFetch(web)), browse, sources, printer: Some(browser) }
    }

    fn remote(remote: &RemoteFetch) -> Self {
        let remote = Arc::new(remote.clone());
        Self { fetch: remote.clone(), browse: remote.clone(), sources: remote, printer: None }
    }
}

/// Client of the Fetch service named by `fetch.url`.
fn fetch_service(config: &Config) -> Result<Option<RemoteFetch>, OpenError> {
    let Some(url) = &config.fetch.url else { return Ok(None) };
    let timeout = Duration::from_millis(config.fetch.url_timeout_ms);
    let address = Address::try_from(url.clone());
    let remote = address.and_then(|address| RemoteFetch::new(&address, environment::fetch_token(), timeout));
    remote.map(Some).map_err(|why| OpenError::Configuration(format!("fetch.url cannot be used: {why}")))
}

/// Sender of messages; none where it cannot be built, which stops nothing else.
fn message_client(config: &Config) -> Option<MessageClient> {
    MessageClient::new(&config.fetch).inspect_err(|error| tracing::error!(%error, "webhooks disabled: no client")).ok()
}

/// Browser with its files in `folder`, started on first use.
pub(crate) fn browser(config: &Config, web: &Web, folder: PathBuf) -> Browser {
    Browser::new(config.fetch.browser.clone(), &config.fetch.contact, web.clone(), folder)
}

/// Source catalogue that uses the given web client.
pub(crate) fn catalogue(config: &Config, documents: &Documents, web: &Web, clock: Arc<SystemClock>) -> Catalogue {
    Catalogue::new(&config.fetch, documents.clone(), Arc::new(web.clone()), Arc::new(move || clock.now()))
}

/// Key ring over the environment and the stored keys.
fn key_ring(models: &ModelsConfig, store: &Store, master: MasterKey) -> KeyRing {
    KeyRing::new(Arc::new(ProviderKeys::new(models)), Arc::new(SealedSecrets::new(store.clone(), master)))
}

fn ledger(store: &Arc<Store>, bill_to: Option<BillTo>) -> Arc<dyn Ledger> {
    match bill_to {
        Some(bill_to) => Arc::new(ForwardingLedger::new(store.clone(), bill_to)),
        None => store.clone(),
    }
}

impl Program {
    /// Returns the browser that prints reports, where one is installed and may be started.
    pub fn available_printer(&self) -> Option<&Browser> {
        self.printer.as_ref().filter(|printer| printer.unavailable().is_none())
    }

    /// Stops the browser and waits, for at most `server.shutdown_ms`, until cancelled model calls are settled in the ledger.
    pub async fn drain(&self) {
        if let Some(browse) = &self.engine.browse {
            browse.stop().await;
        }
        if let Some(printer) = &self.printer {
            printer.stop().await;
        }
        let timeout = Duration::from_millis(self.config.server.shutdown_ms);
        if tokio::time::timeout(timeout, self.engine.drain()).await.is_err() {
            tracing::warn!("cancelled model calls not settled, their reservations expire later");
        }
    }
}

/// Master key from the environment, if set.
fn master_key_from_environment() -> Result<Option<MasterKey>, OpenError> {
    let Some(text) = environment::secret_key() else { return Ok(None) };
    let master = MasterKey::from_hex(text.expose_secret());
    let name = environment::SECRET_KEY;
    master.map(Some).map_err(|problem| OpenError::Configuration(format!("{name} cannot be used: {problem}")))
}

/// Fills in the model directory of the setup scripts if none is configured.
fn with_model_dir(config: &EmbedConfig) -> EmbedConfig {
    let mut config = config.clone();
    if config.model_dir.as_os_str().is_empty()
        && let Some(cache) = environment::cache_folder()
    {
        config.model_dir = cache.join("models/all-MiniLM-L6-v2");
    }
    config
}

/// Command line of a parser child, which is this binary.
pub(crate) fn parser_command() -> Result<ParserCommand, OpenError> {
    let program = std::env::current_exe()
        .map_err(|error| OpenError::Configuration(format!("cannot locate the autosint binary for parser children: {error}")))?;
    Ok(ParserCommand { program, args: vec!["parse-child".into()] })
}

impl From<UnreadableConfig> for OpenError {
    fn from(error: UnreadableConfig) -> Self {
        Self::Configuration(error.to_string())
    }
}

impl From<AgentsError> for OpenError {
    fn from(error: AgentsError) -> Self {
        Self::Configuration(error.to_string())
    }
}

impl From<WordsError> for OpenError {
    fn from(error: WordsError) -> Self {
        Self::Configuration(error.to_string())
    }
}
