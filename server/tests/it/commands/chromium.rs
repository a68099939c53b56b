//! Whatever ends the program ends the browser that it has started.

use super::autosint;
use crate::routes::sources::site;
use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{sleep, timeout},
};

/// Asks the service for a rendered page; its answer, or nothing where nobody listens yet.
async fn rendered(listen: &str, page: &str) -> Option<String> {
    let body = format!("{{\"url\": \"{page}\"}}");
    let request = format!(
        "POST /browse HTTP/1.1\r\nhost: {listen}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(listen).await.ok()?;
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.ok()?;
    Some(answer)
}

/// The processes whose command line names a folder, but for `except`.
fn users_of(folder: &Path, except: u32) -> Vec<u32> {
    let name = folder.to_string_lossy().into_owned();
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()).filter(|id| *id != except);
    ids.filter(|id| fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).contains(&name)))
        .collect()
}

/// A service that has rendered a page. None where this machine cannot.
async fn service_with_browser(folder: &Path) -> Option<Child> {
    if let Err(why) = fetch::find_browser(&fetch::BrowserConfig::default()) {
        println!("skipped: {why}");
        return None;
    }
    let site = site().await;
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let config = format!(
        "[fetch.http]\nexceptions = [{{ source = \"web\", host = \"127.0.0.1\", port = {site} }}]\n\
         [fetch.browser]\nlaunch_timeout_ms = 120000\nload_timeout_ms = 60000\nstep_timeout_ms = 60000\n"
    );
    fs::write(folder.join("service.toml"), config).unwrap();
    let listen = format!("127.0.0.1:{free}");
    let mut command = autosint(folder);
    command.args(["module", "fetch", "--listen", &listen, "--config", "service.toml"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    for _ in 0..400 {
        if let Some(answer) = rendered(&listen, &format!("http://127.0.0.1:{site}/fire")).await {
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
            return Some(child);
        }
        sleep(Duration::from_millis(50)).await;
    }
    child.kill().unwrap();
    panic!("the service does not listen: {}", child.wait().unwrap());
}

async fn ends_with_its_program(signal: &str) {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut child) = service_with_browser(folder.path()).await else { return };
    assert!(!users_of(folder.path(), child.id()).is_empty(), "no browser runs: there is nothing to see");
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    child.wait().unwrap();
    let all_gone = async {
        while !users_of(folder.path(), child.id()).is_empty() {
            sleep(Duration::from_millis(50)).await;
        }
    };
    let gone = timeout(Duration::from_secs(30), all_gone).await;
    assert!(gone.is_ok(), "these outlive the program after {signal}: {:?}", users_of(folder.path(), child.id()));
}

#[tokio::test]
async fn the_browser_ends_with_a_program_that_is_told_to_stop() {
    ends_with_its_program("-TERM").await;
}

#[tokio::test]
async fn the_browser_ends_with_a_program_that_is_killed() {
    ends_with_its_program("-KILL").await;
}
