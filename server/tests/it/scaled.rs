//! Tests of the scaled-out size: several processes on PostgreSQL, Neo4j and Redis.

mod incomplete_config;
mod migration;
mod multi_process;
mod redis_unavailable;
mod restart;
mod same_assessments;

use crate::{
    commands::{CommandOutput, autosint, run, signal},
    prelude::*,
};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::sync::atomic::AtomicU32;
use testkit::backend;

const REPORTS: [(&str, &str); 2] = [POLICE_REPORT, DENIAL_REPORT];

/// Services of a test, with its own database and Redis prefix. All tests share the graph, separated by collections.
pub struct Services {
    postgres: String,
    settings: Vec<(&'static str, String)>,
    folder: TempDir,
    _graph: File,
}

impl Services {
    /// Returns the services; `None` if one is missing and not required.
    pub async fn new() -> Option<Self> {
        Self::on(&backend("AUTOSINT_TEST_POSTGRES")?).await
    }

    /// Returns the services on another PostgreSQL server, named without a database.
    async fn on(postgres: &str) -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let (redis, neo4j) = (backend("AUTOSINT_TEST_REDIS")?, backend("AUTOSINT_TEST_NEO4J")?);
        let name = format!("scaled_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::SeqCst));
        let mut admin = PgConnection::connect(&format!("{postgres}/postgres")).await.unwrap();
        sqlx::query(AssertSqlSafe(format!("create database {name}"))).execute(&mut admin).await.unwrap();
        let postgres = format!("{postgres}/{name}");
        let settings = vec![
            ("AUTOSINT__SQL__URL", postgres.clone()),
            ("AUTOSINT__SQL__CONNECTIONS", "6".to_owned()),
            ("AUTOSINT__REDIS__URL", redis),
            ("AUTOSINT__REDIS__PREFIX", format!("{name}:")),
            ("AUTOSINT__GRAPH__NEO4J__URL", neo4j),
            ("AUTOSINT_SECRET_KEY", "5".repeat(64)),
            ("AUTOSINT__ENGINE__HEARTBEAT_MS", "3000".to_owned()),
            ("AUTOSINT__ENGINE__LEASE_MS", "2000".to_owned()),
            ("AUTOSINT__SQL__LEASE_CHECK_MS", "500".to_owned()),
        ];
        // The conformance suite of `adapters` empties the graph and holds this lock exclusively.
        let lock = tokio::task::spawn_blocking(|| {
            let file = File::create(std::env::temp_dir().join("autosint-test-neo4j.lock")).unwrap();
            file.lock_shared().unwrap();
            file
        });
        Some(Self { postgres, settings, folder: tempfile::tempdir().unwrap(), _graph: lock.await.unwrap() })
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Uses another Redis.
    fn use_redis(&mut self, url: String) {
        self.settings.retain(|(name, _)| *name != "AUTOSINT__REDIS__URL");
        self.settings.push(("AUTOSINT__REDIS__URL", url));
    }

    /// Configures a command for these services.
    pub fn apply(&self, command: &mut Command) {
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
    }

    fn run(&self, arguments: &[&str], input: &str) -> CommandOutput {
        let mut command = autosint(self.folder());
        self.apply(&mut command);
        run(command.args(arguments), input)
    }

    /// Starts a web server without workers, as if on its own machine.
    fn serve(&self, machine: &str) -> RunningProgram {
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--data-dir", machine];
        self.start(&arguments, "autosint serves http://")
    }

    fn worker(&self, machine: &str) -> RunningProgram {
        self.start(&["worker", "--workers", "2", "--data-dir", machine], "autosint processes ")
    }

    fn start(&self, arguments: &[&str], ready: &str) -> RunningProgram {
        let mut command = autosint(self.folder());
        self.apply(&mut command);
        RunningProgram::start(command.args(arguments).env("AUTOSINT__ENGINE__WORKERS", "0"), ready)
    }

    fn add_user(&self, name: &str) {
        let added = self.run(&["user", "add", name, "--role", "analyst", "--password-stdin"], PASSWORD);
        assert_eq!(added.code, Some(0), "{}", added.stderr);
    }

    /// Waits until that many processes are registered.
    async fn registered(&self, processes: i64) {
        let mut connection = PgConnection::connect(&self.postgres).await.unwrap();
        let alive = "select count(*) from holders where alive_until > now()";
        let are_alive = async || sqlx::query_scalar::<_, i64>(alive).fetch_one(&mut connection).await.unwrap() >= processes;
        assert!(eventually(are_alive).await, "{processes} processes are not registered");
    }

    /// Returns how often the investigation of a page was taken over.
    async fn attempts(&self, address: &str) -> i64 {
        let id: uuid::Uuid = address.rsplit('/').next().unwrap().parse().unwrap();
        let mut connection = PgConnection::connect(&self.postgres).await.unwrap();
        let attempts = sqlx::query_scalar("select attempt from investigations where id = $1").bind(id);
        attempts.fetch_one(&mut connection).await.unwrap()
    }
}

/// Running program. Dropping it stops it.
struct RunningProgram {
    child: Child,
    /// Text after the ready message.
    said: String,
}

impl RunningProgram {
    fn start(command: &mut Command, ready: &str) -> Self {
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut all = vec![];
        let said = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let said = line.strip_prefix(ready).and_then(|rest| rest.split(' ').next()).map(str::to_owned);
            all.push(line);
            said
        });
        // A program with a full output pipe stops.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(|line| println!("{line}")));
        Self { child, said: said.unwrap_or_else(|| panic!("not ready: {all:#?}")) }
    }

    async fn signed_in(&self, name: &str) -> Browser {
        let mut browser = Browser::new(self.said.parse().unwrap());
        let answer = browser.post("/sign-in", &[("username", name), ("password", PASSWORD)]).await;
        assert_eq!(answer.location(), "/");
        browser
    }

    /// Moves a signed-in browser to this server.
    fn visited_by(&self, browser: &Browser) -> Browser {
        let mut here = Browser::new(self.said.parse().unwrap());
        here.cookie = browser.cookie.clone();
        here
    }

    /// Stops the program; returns duration and exit code.
    fn stop(mut self) -> (Duration, Option<i32>) {
        let began = Instant::now();
        signal(&self.child, "-TERM");
        let status = self.child.wait().unwrap();
        (began.elapsed(), status.code())
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until an investigation has this status.
async fn stands(browser: &mut Browser, address: &str, is_wanted: impl Fn(&Value) -> bool) {
    let line = format!("/api/v1{address}");
    assert!(eventually(async || is_wanted(&browser.get(&line).await.json()["status"])).await, "{address} stays as it is");
}

/// Waits for the end of an investigation; returns it as JSON.
async fn ended(browser: &mut Browser, address: &str) -> Value {
    let mut line = Value::Null;
    let has_ended = eventually(async || {
        browser.get(&format!("/api/v1{address}/events")).await;
        line = browser.get(&format!("/api/v1{address}")).await.json();
        line["status"] == "completed" || line["status"] == "failed"
    });
    assert!(has_ended.await, "{address} does not end");
    line
}
