//! Test that stored data and logs never contain a plain key.

use super::{autosint, first_line, run};
use crate::{app::files_below, client::Browser};
use std::{
    fs,
    io::{BufRead, BufReader, Read},
    net::SocketAddr,
    path::Path,
    process::{Child, Stdio},
    thread::JoinHandle,
};

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
    assert_eq!(boss.post("/settings/keys", &[("provider", "house"), ("key", KEY)]).await.location(), "/settings");
    // No server listens there, so the key is not sent; its errors must not contain it either.
    assert_eq!(boss.post("/settings/probe", &[("model", "house:m")]).await.location(), "/settings");
    let page = boss.get("/settings").await.text();
    assert!(page.contains("Key stored") && page.contains("does not answer") && !page.contains(KEY), "{page}");
    server.kill().unwrap();
    server.wait().unwrap();

    let log = log.join().unwrap();
    assert!(log.contains("/settings/keys"), "the log is there: {log}");
    assert!(!log.contains(KEY), "the key is in the log");
    let mut files = 0;
    for path in files_below(&folder.path().join("data")) {
        files += 1;
        let bytes = fs::read(&path).unwrap();
        assert!(!bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()), "{}", path.display());
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
