//! Process metrics under Prometheus's standard names, read from Linux's `/proc`. Empty on other systems.
//!
//! Own code, because `metrics-process` counts CPU time in whole seconds.

use std::{fmt::Write, fs};

/// Clock ticks per second (`USER_HZ`), fixed by the kernel interface.
const TICKS_PER_SECOND: f64 = 100.0;

/// Renders the process metrics in the Prometheus text format.
pub(super) fn render() -> String {
    let mut text = String::new();
    let mut show = |name: &str, kind: &str, help: &str, value: Option<f64>| {
        if let Some(value) = value {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\n# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}");
        }
    };
    let (stat, status) = (Stat::read(), fs::read_to_string("/proc/self/status").unwrap_or_default());
    let kib = |key: &str| number(&status, key).map(|kib| kib * 1024.0);
    let stat = stat.as_ref();
    show("process_cpu_seconds_total", "counter", "CPU time of all threads.", stat.map(|stat| stat.cpu_seconds));
    show("process_resident_memory_bytes", "gauge", "Resident memory.", kib("VmRSS:"));
    show("process_virtual_memory_bytes", "gauge", "Virtual memory.", kib("VmSize:"));
    show("process_threads", "gauge", "Threads.", number(&status, "Threads:"));
    show("process_open_fds", "gauge", "Open files and connections.", open_files());
    show("process_max_fds", "gauge", "Limit of open files and connections.", max_files());
    show("process_start_time_seconds", "gauge", "Start time in seconds since 1970.", stat.and_then(Stat::started));
    text
}

/// Values from `/proc/self/stat`.
struct Stat {
    cpu_seconds: f64,
    /// Seconds since boot.
    start_seconds: f64,
}

impl Stat {
    fn read() -> Option<Self> {
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        // The name of the program, in brackets, may hold spaces. After it, user and system time are the 12th and 13th field, the
        // start is the 20th.
        let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
        let seconds = |n: usize| Some(fields.get(n)?.parse::<f64>().ok()? / TICKS_PER_SECOND);
        Some(Self { cpu_seconds: seconds(11)? + seconds(12)?, start_seconds: seconds(19)? })
    }

    /// Returns the start time in seconds since 1970.
    fn started(&self) -> Option<f64> {
        let stat = fs::read_to_string("/proc/stat").ok()?;
        Some(number(&stat, "btime ")? + self.start_seconds)
    }
}

/// Returns the number after `key` at the start of a line.
fn number(text: &str, key: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

fn open_files() -> Option<f64> {
    // Minus the descriptor of the listing itself.
    Some((fs::read_dir("/proc/self/fd").ok()?.count() as f64 - 1.0).max(0.0))
}

fn max_files() -> Option<f64> {
    number(&fs::read_to_string("/proc/self/limits").ok()?, "Max open files")
}
