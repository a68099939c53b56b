//! Test server on its own port, with a temporary data directory.

use crate::prelude::*;
use engine::{
    Parts,
    accounts::{self, Actor, NewAccount},
    models::RoleModels,
};
use fetch::ParserCommand;
use protocol::model::Model;
use server::{Config, Runner, http, setup_code};
use tokio::{net::TcpListener, sync::Mutex};

/// Password of all test users.
pub const PASSWORD: &str = "correct horse battery";

/// Lock for tests that read metrics, because the process has one recorder.
pub static METRICS_LOCK: Mutex<()> = Mutex::const_new(());

/// Running server. Dropping it stops it.
pub struct App {
    pub program: Program,
    pub address: SocketAddr,
    shutdown: CancellationToken,
    _runner: Runner,
    _folder: TempDir,
}

impl Drop for App {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

/// Returns the command that reads documents in a process of its own.
pub fn parser() -> ParserCommand {
    ParserCommand { program: env!("CARGO_BIN_EXE_autosint").into(), args: vec!["parse-child".into()] }
}

/// Opens the program on the data that a command left in its folder.
pub async fn open_folder(folder: &Path) -> Program {
    let mut config = Config::default();
    config.server.data_dir = folder.join("data");
    config.embed.provider = adapters::embed::Provider::None;
    Program::open_with(config, None, parser()).await.unwrap()
}

/// Starts a server with background work.
pub async fn spawn_app() -> App {
    spawn_with(|_| {}).await
}

/// Starts a server, and signs a person in.
pub async fn spawn_for(name: &str, role: Role) -> (App, Browser) {
    let app = spawn_app().await;
    let browser = app.signed_in(name, role).await;
    (app, browser)
}

/// Starts a server with this configuration.
pub async fn spawn_with(change: impl FnOnce(&mut Config)) -> App {
    spawn(change, None).await
}

/// Starts a server with models played by the test.
pub async fn spawn_playing(
    analyst: impl Model + 'static,
    processor: impl Model + 'static,
    change: impl FnOnce(&mut Config),
) -> App {
    let models = RoleModels::single(Arc::new(analyst).into());
    let models = RoleModels { processor: Arc::new(processor).into(), judge: None, dissenter: None, ..models };
    spawn(change, Some(models)).await
}

async fn spawn(change: impl FnOnce(&mut Config), cast: Option<RoleModels>) -> App {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::default();
    config.server.data_dir = folder.path().join("data");
    config.server.site_root = Some(folder.path().join("site"));
    config.auth.passwords.memory_kib = 8;
    config.auth.passwords.passes = 1;
    config.embed.provider = adapters::embed::Provider::None;
    // Tests may run as root, in a container of their own.
    config.fetch.browser.allow_root = true;
    change(&mut config);
    let mut program = Program::open_with(config, None, parser()).await.unwrap();
    if let Some(cast) = cast {
        program.engine = Engine::new(Parts { role_models: cast, ..(*program.engine).clone() });
    }
    let runner = Runner::start(&program, 2).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = CancellationToken::new();
    let (served, token) = (program.clone(), shutdown.clone());
    tokio::spawn(async move { http::serve(&served, listener, token).await });
    App { program, address, shutdown, _runner: runner, _folder: folder }
}

impl App {
    /// Returns a browser without a session.
    pub fn browser(&self) -> Browser {
        Browser::new(self.address)
    }

    /// Returns a code for the first account.
    pub async fn setup_code(&self) -> String {
        setup_code::create(&self.program).await.unwrap().expect("there is no account yet")
    }

    /// Returns the actions of the audit log, oldest first.
    pub async fn acts(&self) -> Vec<String> {
        let log = self.program.engine.accounts.audit_log(100).await.unwrap();
        log.into_iter().rev().map(|entry| entry.act).collect()
    }

    /// Returns a browser signed in with that role.
    pub async fn signed_in(&self, name: &str, role: Role) -> Browser {
        let new = NewAccount { name, password: PASSWORD, role, must_change_password: false };
        accounts::create(&self.program.engine, &self.program.passwords, new, Actor::default()).await.unwrap();
        let mut browser = self.browser();
        let answer = browser.post("/sign-in", &[("username", name), ("password", PASSWORD)]).await;
        assert_eq!(answer.location(), "/");
        browser
    }
}

/// Starts a server on this machine; returns its port.
pub async fn serve(router: Router) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, router).await });
    port
}

/// Returns every file below a folder.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}
