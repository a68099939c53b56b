//! Memory use of a process tree. Zero where the system does not report it.

use std::{collections::HashMap, fs};

/// Private memory of `root` and its descendants, in bytes.
#[cfg(target_os = "linux")]
pub(super) fn process_tree_bytes(root: u32) -> u64 {
    let Ok(entries) = fs::read_dir("/proc") else { return 0 };
    let ids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let mut children: HashMap<u32, Vec<(u32, u64)>> = HashMap::new();
    let mut total = 0;
    for (id, status) in ids.filter_map(|id| Some((id, fs::read_to_string(format!("/proc/{id}/status")).ok()?))) {
        let used = field(&status, "RssAnon:").unwrap_or(0) * 1_024;
        if id == root {
            total += used;
        } else if let Some(parent) = field(&status, "PPid:") {
            children.entry(parent as u32).or_default().push((id, used));
        }
    }
    let mut open = vec![root];
    while let Some(parent) = open.pop() {
        for (child, used) in children.remove(&parent).unwrap_or_default() {
            total += used;
            open.push(child);
        }
    }
    total
}

#[cfg(not(target_os = "linux"))]
pub(super) fn process_tree_bytes(_: u32) -> u64 {
    0
}

/// Numeric field of `/proc/PID/status`.
#[cfg(target_os = "linux")]
fn field(status: &str, name: &str) -> Option<u64> {
    status.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_counts_its_own_memory() {
        let held = vec![1_u8; 32 * 1024 * 1024];
        assert!(process_tree_bytes(std::process::id()) > held.len() as u64);
        assert_eq!(field("PPid:\t12\nRssAnon:\t  34 kB\n", "RssAnon:"), Some(34));
    }
}
