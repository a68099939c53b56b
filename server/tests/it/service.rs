//! Service process of a test, started by `scripts/setup/service.sh`, which the test may kill.

use crate::{eventually::within, prelude::*};
use std::{net::TcpListener, os::unix::fs::PermissionsExt, sync::atomic::AtomicU32};
use tokio::runtime::Handle;

/// Startup timeout.
const PATIENCE: Duration = Duration::from_secs(180);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Postgres,
    Neo4j,
    /// Loses its data when it ends.
    Redis,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::Postgres, Self::Neo4j, Self::Redis];

    pub fn name(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Neo4j => "neo4j",
            Self::Redis => "redis",
        }
    }
}

/// PostgreSQL refuses to run as root, so it gets another user.
pub fn open_to_all(folder: &Path) {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
}

pub struct Service {
    pub kind: Kind,
    pub port: u16,
    folder: PathBuf,
    log: PathBuf,
    child: Child,
}

impl Service {
    /// Starts the service on a free port; `wait` waits until it answers.
    pub fn start(kind: Kind, folder: &Path) -> Self {
        let port = free_port();
        let (folder, log) = (folder.join(kind.name()), folder.join(format!("{}.log", kind.name())));
        let child = spawn(kind, &folder, port, &log);
        Self { kind, port, folder, log, child }
    }

    pub fn wait(&mut self) {
        let answers = async || {
            let (ended, log) = (self.child.try_wait().unwrap(), fs::read_to_string(&self.log).unwrap());
            assert!(ended.is_none(), "{ended:?}: {log}");
            log.lines().any(|line| line == "ready")
        };
        let answers = tokio::task::block_in_place(|| Handle::current().block_on(within(PATIENCE, answers)));
        assert!(answers, "{}", fs::read_to_string(&self.log).unwrap());
    }

    /// Kills the service with SIGKILL.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        self.child.wait().unwrap();
    }

    /// Restarts it on the same port with its data.
    pub fn start_again(&mut self) {
        self.child = spawn(self.kind, &self.folder, self.port, &self.log);
        self.wait();
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Returns a port below the ephemeral range, so that it stays free while the service is down.
pub fn free_port() -> u16 {
    const FIRST: u16 = 20_000;
    const COUNT: u32 = 12_000;
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let of_process = std::process::id().wrapping_mul(97);
    let next = || FIRST + (of_process.wrapping_add(NEXT.fetch_add(1, Ordering::SeqCst)) % COUNT) as u16;
    let mut ports = std::iter::repeat_with(next).take(COUNT as usize);
    ports.find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).expect("a port is free")
}

fn spawn(kind: Kind, folder: &Path, port: u16, log: &Path) -> Child {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/setup/service.sh");
    let out = File::create(log).unwrap();
    let mut command = Command::new(script);
    command.arg(kind.name()).arg(folder).arg(port.to_string()).stdin(Stdio::null());
    command.stdout(out.try_clone().unwrap()).stderr(out).spawn().unwrap()
}
