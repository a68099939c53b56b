//! Test of the memory that a large upload takes, in a process of its own.

use super::serve::serve_with_account;
use std::fs;

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
