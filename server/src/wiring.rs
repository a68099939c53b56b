//! Builds the program out of its configuration: the one place where adapters are chosen.

mod place;
mod rate_limit;
mod stores;

pub use place::Place;
pub(crate) use place::half_filled_from;

use crate::{
    cast::{NamedModels, check_roles},
    charged::{Charge, Charged},
    config::{
        Config, ModelsConfig,
        environment::{self, ProviderKeys},
    },
    data_dir::DataDir,
    settings,
    system::{SystemClock, SystemIds},
    web::{InBrowser, InProcess, KeyedSources, OwnCatalogue, Remote},
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
    names::{Names, WordsError},
    settings::{KeyRing, Settings},
};
use fetch::{Browser, Catalogue, Documents, ParserCommand, ParserPool, Web, WebDeps};
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
    /// The operator's own prompts, tools and word lists, where there are any.
    pub config_dir: Option<PathBuf>,
    pub passwords: Passwords,
    pub web_sessions: Arc<dyn WebSessions>,
    /// Reads folders, files and uploads.
    pub documents: Documents,
    /// The service that fetches instead of this process, where one is named.
    pub fetch_service: Option<Remote>,
    pub store: Store,
    /// What processes meet at, where that is not the database.
    pub redis: Option<Redis>,
    /// How often something may be done, by anybody.
    pub limits: Arc<dyn RateLimits>,
    pub data_dir: DataDir,
    /// Models over HTTP, as they are configured.
    pub providers: Arc<Providers>,
    /// Whether the key that seals stored keys came with the environment, as every process of several must have the same.
    pub has_given_master: bool,
    /// The keys of providers: from the environment, or stored.
    pub keys: Arc<KeyRing>,
    pub settings: Settings,
    /// Which embedder is in use, and why.
    pub embedder_note: String,
}

/// Why the program cannot start.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("cannot use the data directory {path}: {cause}; choose another with --data-dir")]
    DataDir { path: PathBuf, cause: io::Error },
    #[error("cannot open the database in {path}: {cause}")]
    Database { path: PathBuf, cause: StoreError },
    #[error("cannot use {address} ({setting}): {cause}")]
    Service { setting: &'static str, address: String, cause: StoreError },
    #[error("cannot read what is in {place}: {cause}")]
    Unread { place: String, cause: StoreError },
    #[error("{0}")]
    Configuration(String),
}

impl OpenError {
    /// No space left.
    pub fn is_full(&self) -> bool {
        match self {
            Self::DataDir { cause, .. } => cause.kind() == io::ErrorKind::StorageFull,
            Self::Database { cause, .. } | Self::Service { cause, .. } | Self::Unread { cause, .. } => {
                matches!(cause, StoreError::Full)
            }
            Self::Configuration(_) => false,
        }
    }
}

impl Program {
    /// Opens the data directory, making and migrating it as needed, and wires everything. `config_dir` holds the operator's own
    /// prompts, tools and word lists, where there are any; the binary carries the others.
    pub async fn open(config: Config, config_dir: Option<PathBuf>) -> Result<Self, OpenError> {
        Self::open_as(config, config_dir, parser_command()?, None).await
    }

    /// The same on a folder of its own, where the calls of models count in another program's budgets too.
    pub async fn open_charging(config: Config, config_dir: Option<PathBuf>, charge: Charge) -> Result<Self, OpenError> {
        Self::open_as(config, config_dir, parser_command()?, Some(charge)).await
    }

    /// The same with another program to parse files: a test is not `autosint`.
    pub async fn open_with(config: Config, config_dir: Option<PathBuf>, parser: ParserCommand) -> Result<Self, OpenError> {
        Self::open_as(config, config_dir, parser, None).await
    }

    async fn open_as(
        config: Config,
        config_dir: Option<PathBuf>,
        parser: ParserCommand,
        charge: Option<Charge>,
    ) -> Result<Self, OpenError> {
        let files = Arc::new(match &config_dir {
            Some(folder) => ConfigFiles::with_folder(folder)?,
            None => ConfigFiles::embedded(),
        });
        let agents = Agents::load(&files, &config.engine.locale)?;
        let names = Arc::new(Names::new(files.get("locale/names.toml"), config.names.clone())?);
        let passwords = passwords(&config)?;
        let given_master = given_master()?;
        let EmbedderChoice { embedder, why: embedder_note } = embed::choose(&with_model_dir(&config.embed));

        // Before anything is written: the keys come to it once the store is open.
        check_roles(&config.models, &config.budget.currency)?;
        let data_dir = open_folder(&config)?;
        let clock = Arc::new(SystemClock);
        let Stores { store, graph, redis, queue, tool_cache, limits } =
            Stores::open(&config, &data_dir, clock.clone(), names.clone()).await?;
        let has_given_master = given_master.is_some();
        place::refuse_half_filled(&store, place::name(&config, &data_dir)).await?;
        let master = given_master.unwrap_or_else(|| MasterKey::from_file(data_dir.secret_key()));
        let own = || Arc::new(key_ring(&config.models, &store, master));
        let keys = charge.as_ref().map_or_else(own, |charge| charge.keys.clone());
        let providers = Arc::new(Providers::new(config.models.llm(), keys.clone()));
        let models = Arc::new(NamedModels::new(providers.clone(), files.clone(), &config.budget.currency));
        let cast = models.cast(&config.models)?;
        let port = Arc::new(store.clone());
        let documents = Documents::new(config.fetch.clone(), ParserPool::new(parser, &config.fetch));
        let fetch_service = fetch_service(&config)?;
        let Ways { fetch, browse, sources } = match &fetch_service {
            Some(remote) => Ways::through(remote),
            None => Ways::own(&config, &documents, clock.clone(), data_dir.cache(), redis.as_ref())?,
        };
        let engine = Engine::new(Parts {
            accounts: port.clone(),
            assessments: port.clone(),
            captures: port.clone(),
            documents: port.clone(),
            events: port.clone(),
            graph,
            investigations: port.clone(),
            work_orders: port.clone(),
            queue,
            sessions: port.clone(),
            tool_cache,
            circuits: port.clone(),
            ledger: ledger(&port, charge),
            fetch: Some(fetch),
            browse: Some(browse),
            catalogue: Some(Arc::new(OwnCatalogue { sources, keys: keys.clone() })),
            source_log: port.clone(),
            resolve: Arc::new(Cascade::new(names, config.resolve.clone())),
            embedder,
            cast,
            named_models: Arc::new(move |name: &str| models.named(name)),
            clock,
            ids: Arc::new(SystemIds),
            config: config.engine.clone(),
            reliability: config.reliability.clone(),
            budget: config.budget.clone(),
            search: config.search.clone(),
        });
        let settings = settings::wire(&config.models, &engine, &agents, &providers, keys.clone());
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
            store,
            redis,
            limits,
            data_dir,
            providers,
            has_given_master,
            keys,
            settings,
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

/// The door to the web, with its cache in the data directory. Turns at hosts are shared through `redis`.
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

/// What gets pages, renders them and finds them.
struct Ways {
    fetch: Arc<dyn Fetch>,
    browse: Arc<dyn Browse>,
    sources: Arc<dyn KeyedSources>,
}

impl Ways {
    /// Through the door of this process.
    fn own(
        config: &Config,
        documents: &Documents,
        clock: Arc<SystemClock>,
        cache: PathBuf,
        redis: Option<&Redis>,
    ) -> Result<Self, OpenError> {
        let web = web(config, documents, clock.clone(), cache.clone(), redis)?;
        let sources = Arc::new(catalogue(config, documents, &web, clock));
        let browse = Arc::new(InBrowser(browser(config, &web, cache.join("browser"))));
        Ok(Self { fetch: Arc::new(InProcess(web)), browse, sources })
    }

    fn through(remote: &Remote) -> Self {
        let remote = Arc::new(remote.clone());
        Self { fetch: remote.clone(), browse: remote.clone(), sources: remote }
    }
}

/// The service that the configuration names.
fn fetch_service(config: &Config) -> Result<Option<Remote>, OpenError> {
    let Some(url) = &config.fetch.url else { return Ok(None) };
    let patience = Duration::from_millis(config.fetch.url_timeout_ms);
    let address = Address::try_from(url.clone());
    let remote = address.and_then(|address| Remote::new(&address, environment::fetch_token(), patience));
    remote.map(Some).map_err(|why| OpenError::Configuration(format!("fetch.url cannot be used: {why}")))
}

/// The browser behind the door, with its files in `folder`; started when it is first needed.
pub(crate) fn browser(config: &Config, web: &Web, folder: PathBuf) -> Browser {
    Browser::new(config.fetch.browser.clone(), &config.fetch.contact, web.clone(), folder)
}

/// The sources, reached through the door.
pub(crate) fn catalogue(config: &Config, documents: &Documents, web: &Web, clock: Arc<SystemClock>) -> Catalogue {
    Catalogue::new(&config.fetch, documents.clone(), Arc::new(web.clone()), Arc::new(move || clock.now()))
}

/// Keys of the environment, and those that were stored.
fn key_ring(models: &ModelsConfig, store: &Store, master: MasterKey) -> KeyRing {
    KeyRing::new(Arc::new(ProviderKeys::new(models)), Arc::new(SealedSecrets::new(store.clone(), master)))
}

fn ledger(store: &Arc<Store>, charge: Option<Charge>) -> Arc<dyn Ledger> {
    match charge {
        Some(charge) => Arc::new(Charged::new(store.clone(), charge)),
        None => store.clone(),
    }
}

impl Program {
    /// Ends the browser, and waits until the ledger knows of every call that was stopped, but not for ever.
    pub async fn settle(&self) {
        if let Some(browse) = &self.engine.browse {
            browse.stop().await;
        }
        let patience = Duration::from_millis(self.config.server.shutdown_ms);
        if tokio::time::timeout(patience, self.engine.settled()).await.is_err() {
            tracing::warn!("not every call that was stopped is settled; what they reserved is released in time");
        }
    }
}

/// The master key, when it is not to be a file of ours.
fn given_master() -> Result<Option<MasterKey>, OpenError> {
    let Some(text) = environment::secret_key() else { return Ok(None) };
    let master = MasterKey::from_hex(text.expose_secret());
    let name = environment::SECRET_KEY;
    master.map(Some).map_err(|problem| OpenError::Configuration(format!("{name} cannot be used: {problem}")))
}

/// Where no folder is named, the model is where set-up puts it.
fn with_model_dir(config: &EmbedConfig) -> EmbedConfig {
    let mut config = config.clone();
    if config.model_dir.as_os_str().is_empty()
        && let Some(cache) = environment::cache_folder()
    {
        config.model_dir = cache.join("models/all-MiniLM-L6-v2");
    }
    config
}

/// A parser child is this program again.
pub(crate) fn parser_command() -> Result<ParserCommand, OpenError> {
    let program = std::env::current_exe()
        .map_err(|error| OpenError::Configuration(format!("cannot find the program itself to parse files with: {error}")))?;
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
