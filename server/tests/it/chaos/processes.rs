//! Process fleet of the chaos test: two `serve` processes without workers, and workers, on one configuration.

use super::services::Services;
use crate::{prelude::*, service::Kind};

/// Number of `serve` processes.
pub const SERVERS: u64 = 2;
/// Lease time: a process silent for longer counts as dead.
pub const HEARTBEAT: Duration = Duration::from_secs(2);

/// Configuration of all processes: the three services.
pub fn configuration(folder: &Path, services: &Services) -> PathBuf {
    let port = |kind| services.port(kind);
    let text = format!(
        r#"
[server]
data_dir = "{data}"
listen = "127.0.0.1:0"

[sql]
url = "postgres://autosint@127.0.0.1:{postgres}/postgres"
lease_check_ms = 200

[redis]
url = "redis://127.0.0.1:{redis}"

[graph.neo4j]
url = "bolt://127.0.0.1:{neo4j}"

[engine]
workers = 0
lease_ms = {heartbeat_ms}
heartbeat_ms = {heartbeat_ms}
worker_pause_ms = 100
embedding_backfill = false

[auth.passwords]
memory_kib = 8
passes = 1

[embed]
provider = "none"
"#,
        data = folder.join("data").display(),
        postgres = port(Kind::Postgres),
        redis = port(Kind::Redis),
        neo4j = port(Kind::Neo4j),
        heartbeat_ms = HEARTBEAT.as_millis(),
    );
    let file = folder.join("chaos.toml");
    fs::write(&file, text).unwrap();
    file
}

/// Process of the program; killed on drop.
pub struct Autosint {
    args: Vec<String>,
    log: PathBuf,
    child: Child,
}

impl Autosint {
    fn new(name: &str, args: &[&str], config: &Path, folder: &Path) -> Self {
        let mut args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        args.extend(["--config".to_owned(), config.display().to_string()]);
        let log = folder.join(format!("{name}.log"));
        let child = spawn(&args, &log);
        Self { args, log, child }
    }

    pub fn start(&mut self) {
        self.child = spawn(&self.args, &self.log);
    }

    /// Sends a signal by name.
    pub fn signal(&self, name: &str) {
        let told = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(told.success(), "{name}");
    }

    /// Waits for a graceful exit.
    pub fn stopped(&mut self) {
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }

    /// Kills the process with SIGKILL; harmless if it has ended.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        self.child.wait().unwrap();
    }
}

impl Drop for Autosint {
    fn drop(&mut self) {
        self.kill();
    }
}

fn spawn(args: &[String], log: &Path) -> Child {
    let out = File::options().create(true).append(true).open(log).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_autosint"));
    command.env_clear().args(args).stdin(Stdio::null());
    command.stdout(out.try_clone().unwrap()).stderr(out).spawn().unwrap()
}

pub struct Fleet {
    servers: Vec<Autosint>,
    workers: Vec<Autosint>,
}

impl Fleet {
    pub fn start(config: &Path, folder: &Path, workers: u32) -> Self {
        let worker = |number| Autosint::new(&format!("worker-{number}"), &["worker", "--workers", "1"], config, folder);
        let server = |number| Autosint::new(&format!("serve-{number}"), &["serve"], config, folder);
        Self { servers: (0..SERVERS).map(server).collect(), workers: (0..workers).map(worker).collect() }
    }

    pub fn server(&mut self, number: u32) -> &mut Autosint {
        &mut self.servers[number as usize]
    }

    pub fn worker(&mut self, number: u32) -> &mut Autosint {
        &mut self.workers[number as usize]
    }
}
