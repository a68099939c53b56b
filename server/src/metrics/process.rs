//! The process itself, under the names that Prometheus gives them everywhere. As Linux tells it; nothing elsewhere.

use std::{fmt::Write, fs};

/// The kernel counts processor time in hundredths of a second for everybody (`USER_HZ`).
const TICKS_PER_SECOND: f64 = 100.0;

/// Everything that can be found out, as text for Prometheus.
pub(super) fn render() -> String {
    let mut text = String::new();
    let mut show = |name: &str, kind: &str, help: &str, value: Option<f64>| {
        if let Some(value) = value {
            // A string takes whatever is written to it.
            let _ = writeln!(text, "\n# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}");
        }
    };
    let (stat, status) = (Stat::read(), fs::read_to_string("/proc/self/status").unwrap_or_default());
    let kib = |key: &str| number(&status, key).map(|kib| kib * 1024.0);
    let stat = stat.as_ref();
    show("process_cpu_seconds_total", "counter", "Processor time of all threads.", stat.map(|stat| stat.cpu_seconds));
    show("process_resident_memory_bytes", "gauge", "Memory that is resident.", kib("VmRSS:"));
    show("process_virtual_memory_bytes", "gauge", "Memory that is mapped.", kib("VmSize:"));
    show("process_threads", "gauge", "Threads.", number(&status, "Threads:"));
    show("process_open_fds", "gauge", "Open files and connections.", open_files());
    show("process_max_fds", "gauge", "Most files and connections that may be open.", max_files());
    show("process_start_time_seconds", "gauge", "When it started, since 1970.", stat.and_then(Stat::started));
    text
}

/// What `/proc/self/stat` says.
struct Stat {
    cpu_seconds: f64,
    /// After the start of the machine.
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

    /// Since 1970.
    fn started(&self) -> Option<f64> {
        let stat = fs::read_to_string("/proc/stat").ok()?;
        Some(number(&stat, "btime ")? + self.start_seconds)
    }
}

/// The number after `key` at the start of a line.
fn number(text: &str, key: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

fn open_files() -> Option<f64> {
    // One of them is the listing itself.
    Some((fs::read_dir("/proc/self/fd").ok()?.count() as f64 - 1.0).max(0.0))
}

fn max_files() -> Option<f64> {
    number(&fs::read_to_string("/proc/self/limits").ok()?, "Max open files")
}
