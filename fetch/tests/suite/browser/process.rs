//! Chromium's process: it is unreachable for others, and gone after a stop.

use super::{browser_fixture, config, fine, text, until};
use crate::{prelude::*, web::local_web::page};
use std::{collections::HashSet, path::Path};

/// A process and its descendants.
pub fn tree(root: u32) -> HashSet<u32> {
    let parent_of = |id: u32| {
        let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse::<u32>().ok()
    };
    let all: Vec<u32> =
        fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    let mut found = HashSet::from([root]);
    while let Some(child) =
        all.iter().find(|id| !found.contains(id) && parent_of(**id).is_some_and(|parent| found.contains(&parent)))
    {
        found.insert(*child);
    }
    found
}

/// Listening TCP sockets, as the kernel numbers them.
fn listening() -> HashSet<String> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| fs::read_to_string(table).unwrap_or_default());
    let lines = tables.iter().flat_map(|table| table.lines());
    let columns = lines.map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
    columns
        .filter(|columns| columns.get(3) == Some(&"0A"))
        .filter_map(|columns| Some(format!("socket:[{}]", columns.get(9)?)))
        .collect()
}

fn open_files(id: u32) -> Vec<String> {
    let files = fs::read_dir(format!("/proc/{id}/fd")).into_iter().flatten().flatten();
    files.filter_map(|file| Some(fs::read_link(file.path()).ok()?.to_string_lossy().into_owned())).collect()
}

#[tokio::test]
async fn chromium_listens_on_no_port_and_is_gone_after_a_stop() {
    let port = fine().await;
    let Some(fixture) = browser_fixture(config(&[("127.0.0.1", port)])) else { return };
    if !Path::new("/proc/self/fd").exists() {
        return println!("skipped: this system does not list the files of a process");
    }
    let address = format!("http://127.0.0.1:{port}/");
    let (_, _) = fixture.browser.open("me", &address, &[]).await.unwrap();
    let id = fixture.browser.process_id().await.unwrap();
    let family = tree(id);
    assert!(family.len() > 2, "{family:?}");
    let sockets = listening();
    assert!(
        open_files(std::process::id()).iter().any(|file| sockets.contains(file)),
        "this process listens: the table is understood"
    );
    for member in &family {
        assert!(!open_files(*member).iter().any(|file| sockets.contains(file)), "{member} of Chromium listens");
    }
    fixture.browser.stop().await;
    assert!(!Path::new(&format!("/proc/{id}")).exists(), "it was said to be gone");
    let is_there = |member: &u32| Path::new(&format!("/proc/{member}/fd/0")).exists();
    until("its helpers end with it", async || !family.iter().any(is_there)).await;
    assert!(fixture.render(&address).await.is_ok(), "the next page gets a new one");
    fixture.browser.stop().await;
}

/// A new window is invisible, so it may request nothing.
#[tokio::test]
async fn a_window_that_a_page_opens_asks_for_nothing() {
    let asked = Arc::new(AtomicU64::new(0));
    let counted = asked.clone();
    let opener = "<button id=b onclick=\"window.open('/window'); document.querySelector('#p').textContent = 'A window was opened by this page, as it was told to.'\">Open</button><p id=p>x</p>";
    let router = Router::new().route("/", get(move || async move { Html(opener) })).route(
        "/window",
        get(move || async move {
            counted.fetch_add(1, Ordering::SeqCst);
            page("Window")
        }),
    );
    let port = serve(router).await;
    let Some(fixture) = browser_fixture(config(&[("127.0.0.1", port)])) else { return };
    let (session, _) = fixture.browser.open("me", &format!("http://127.0.0.1:{port}/"), &[]).await.unwrap();
    let click = BrowseCommand::Click { selector: "#b".into() };
    let after = fixture.browser.step("me", &session, &click).await.unwrap();
    assert!(text(&after).contains("A window was opened"), "{}", text(&after));
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    fixture.browser.stop().await;
}
