//! What the process has used, as Linux tells it; zero elsewhere.

use std::{fs, thread};

/// Clock ticks in a millisecond: the kernel counts in hundredths of a second for everybody.
const MS_PER_TICK: f64 = 10.0;

pub(super) fn cpus() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// CPU time of this process with all its threads, and of its children that have ended.
pub(super) fn cpu_ms() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, may hold spaces; user and system time are fields 14 to 17 of the line.
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields).split(' ');
    fields.skip(11).take(4).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() * MS_PER_TICK
}

/// Begins a new count of `peak_mib`.
pub(super) fn forget_peak() {
    // Where this is not allowed, the peak is that of the whole process.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Most memory that was resident since.
pub(super) fn peak_mib() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kib.unwrap_or_default() / 1024.0
}
