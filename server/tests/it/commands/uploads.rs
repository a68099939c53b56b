//! Tests of the memory that uploads take, in a process of its own.

use super::{
    add_user, autosint,
    serve::{serve_with_account, sign_in},
};
use crate::prelude::*;

const MIB: usize = 1024 * 1024;

/// Returns the most memory that a process has had, in bytes.
fn peak_memory(process: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

#[tokio::test]
async fn a_large_upload_stays_out_of_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (server, mut ada) = serve_with_account(folder.path()).await;
    let before = peak_memory(server.id());
    let refused = ada.ask("Who?", &[("large.bin", &"x".repeat(100 * MIB))]).await.location().to_owned();
    assert!(refused.starts_with("/investigations/new?error=nothing_readable"), "{refused}");
    let grown = peak_memory(server.id()) - before;
    assert!(grown < 40 * MIB, "{} MiB", grown / MIB);
}

/// Returns the processor time of a process and of its children that have ended, in seconds.
fn processor_seconds(process: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let times = stat.rsplit(") ").next().unwrap().split(' ').skip(11).take(4);
    times.map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

#[tokio::test]
async fn a_text_made_to_busy_the_server_takes_little_of_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let (server, mut ada) = serve_with_account(folder.path()).await;
    let text = format!("http://a{}", ")".repeat(200_000));
    let before = processor_seconds(server.id());
    let asked = ada.ask("Who closed the harbour?", &[("p.txt", &text)]).await.location().to_owned();
    assert!(asked.starts_with("/investigations/0"), "{asked}");
    // The stream ends with the investigation.
    ada.get(&format!("/api/v1{asked}/events")).await;
    let taken = processor_seconds(server.id()) - before;
    assert!(taken < 20.0, "{taken} s");
}

#[tokio::test]
async fn a_list_of_feeds_made_to_exhaust_the_server_stays_out_of_its_memory() {
    const ROLES: [(&str, &str, &str); 2] = [("reader", "eve", "not_allowed"), ("admin", "grace", "no_opml")];
    let folder = tempfile::tempdir().unwrap();
    let (server, browser) = serve_with_account(folder.path()).await;
    // Each inside the one before: 0.2 and 0.9 MiB, for which names of folders alone once took gigabytes.
    let nested = |levels: usize| (0..levels).map(|n| format!("<outline text=a xmlurl=http://a/{n}>")).collect::<String>();
    for (role, name, code) in ROLES {
        add_user(autosint(folder.path()), name, role);
        let mut browser = sign_in(&browser, name).await;
        let before = peak_memory(server.id());
        for levels in [5_000, 25_000] {
            let list = format!("<opml>{}", nested(levels));
            let answer = browser.upload("/sources/opml", "opml", "n.opml", list.as_bytes()).await;
            assert!(answer.location().contains(code), "{role}: {}", answer.location());
        }
        let grown = peak_memory(server.id()) - before;
        assert!(grown < 24 * MIB, "{role}: {} MiB", grown / MIB);
    }
}
