//! Tests that secrets stay secret: plain keys and session ids in files and logs, memory and environment of the process.

use super::{autosint, first_line, run};
use crate::prelude::*;
use std::{io::Read, thread::JoinHandle};

const KEY: &str = "sk-marker-7f3a91c4";
const CONFIG: &str = "[models]\nanalyst = [\"house:m\", \"extractive\"]\n\n[models.providers.house]\nkind = \"openai\"\n\
    base_url = \"http://127.0.0.1:1/v1\"\nkey_env = \"HOUSE_KEY\"\n";

/// Server with full logging, collected until it ends.
fn serve(folder: &Path) -> (Child, SocketAddr, String, JoinHandle<String>) {
    let mut command = autosint(folder);
    command.args(["serve", "--listen", "127.0.0.1:0", "--config", "test.toml"]).env("AUTOSINT__LOG__LEVEL", "trace");
    let mut child = command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut log = String::new();
    let address = loop {
        let mut line = String::new();
        assert_ne!(lines.read_line(&mut line).unwrap(), 0, "the server ended: {log}");
        log.push_str(&line);
        if let Some(rest) = line.strip_prefix("autosint serves http://") {
            break rest.split(' ').next().unwrap().parse().unwrap();
        }
    };
    let printed = first_line(&mut child);
    let gathered = std::thread::spawn(move || {
        let mut rest = vec![];
        lines.read_to_end(&mut rest).unwrap();
        log + &String::from_utf8_lossy(&rest)
    });
    (child, address, printed, gathered)
}

#[tokio::test]
async fn a_stored_key_is_in_no_page_no_log_and_no_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("test.toml"), CONFIG).unwrap();
    let (mut server, address, printed, log) = serve(folder.path());
    let mut boss = Browser::new(address);
    boss.make_first_account("boss", &printed).await;
    assert_eq!(
        boss.post("/settings/keys", &[("provider", "house"), ("key", KEY)]).await.location(),
        "/settings?provider=house#key-title"
    );
    // No server listens there, so the key is not sent; its errors must not contain it either.
    assert_eq!(boss.post("/settings/probe", &[("model", "house:m")]).await.location(), "/settings?tested=house%3Am#tested");
    let page = boss.get("/settings").await.text();
    assert!(page.contains("Key stored") && page.contains("does not answer") && !page.contains(KEY), "{page}");
    server.kill().unwrap();
    server.wait().unwrap();

    let log = log.join().unwrap();
    assert!(log.contains("/settings/keys"), "the log is there: {log}");
    let value = |cookie: &str| cookie.rsplit('=').next().unwrap().to_owned();
    let (session, device) = (value(boss.cookie.as_ref().unwrap()), boss.cookies.values().next().map(|id| value(id)));
    let code = value(printed.trim());
    let mut secrets = vec![KEY, PASSWORD, &session, &code];
    secrets.extend(device.as_deref());
    assert!(secrets.len() == 5 && secrets.iter().all(|secret| secret.len() >= 16), "{secrets:?}");
    // The one-time code is logged on purpose, and of no use by now.
    for secret in secrets.iter().filter(|secret| **secret != code) {
        assert!(!log.contains(secret), "{secret} is in the log");
    }
    let mut files = 0;
    for path in files_below(&folder.path().join("data")) {
        files += 1;
        let bytes = fs::read(&path).unwrap();
        for secret in &secrets {
            assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{secret}: {}", path.display());
        }
    }
    assert!(files >= 3, "database, lock and master key");

    let doctor = run(autosint(folder.path()).args(["doctor", "--config", "test.toml"]), "");
    assert!(!doctor.stdout.contains("no key for house"), "{}", doctor.stdout);
    assert!(!doctor.stdout.contains(KEY) && !doctor.stderr.contains(KEY));
    let other =
        run(autosint(folder.path()).args(["doctor", "--config", "test.toml"]).env("AUTOSINT_SECRET_KEY", "5e".repeat(32)), "");
    assert!(other.stdout.contains("no key for house"), "{}", other.stdout);
    let broken = run(autosint(folder.path()).arg("doctor").env("AUTOSINT_SECRET_KEY", "short"), "");
    assert_eq!(broken.code, Some(78));
    assert!(broken.stderr.contains("64 hexadecimal digits") && !broken.stderr.contains("short"), "{}", broken.stderr);
}

/// An account without rights, for tests that run as root.
#[cfg(target_os = "linux")]
const NOBODY: u32 = 65_534;

#[cfg(target_os = "linux")]
#[test]
fn others_of_the_same_account_read_neither_memory_nor_environment_of_the_server() {
    use std::os::{
        fd::AsRawFd,
        unix::{
            fs::{MetadataExt, chown},
            process::CommandExt,
        },
    };
    let folder = tempfile::tempdir().unwrap();
    let own = fs::metadata(folder.path()).unwrap().uid();
    // By its descriptor, because that account may not reach the folder of the program.
    let program = fs::File::open(env!("CARGO_BIN_EXE_autosint")).unwrap();
    let mut command = std::process::Command::new(format!("/proc/self/fd/{}", program.as_raw_fd()));
    command.current_dir(folder.path()).env_clear().env("AUTOSINT__EMBED__PROVIDER", "none");
    command.args(["serve", "--listen", "127.0.0.1:0"]).stderr(Stdio::piped()).stdout(Stdio::null());
    let account = if own == 0 { NOBODY } else { own };
    if own == 0 {
        chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        command.uid(NOBODY).gid(NOBODY);
    }
    let mut server = command.spawn().unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines().map_while(Result::ok);
    let serves = lines.any(|line| line.starts_with("autosint serves http://"));
    let owner = |file: &str| fs::metadata(format!("/proc/{}/{file}", server.id())).unwrap().uid();
    // The kernel gives the files of a process that may not be inspected to root.
    let owners = [owner("environ"), owner("mem")];
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(serves, "the server ended");
    assert_ne!(account, 0);
    assert_eq!(owners, [0, 0]);
}
