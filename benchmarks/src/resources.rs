//! Resource usage of the process on Linux; zero elsewhere.

use std::{fs, thread};

/// Milliseconds per clock tick, fixed by the kernel interface.
const MS_PER_TICK: f64 = 10.0;

pub fn cpus() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the CPU time of this process with all threads and ended children.
pub fn cpu_ms() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The program name, in brackets, may contain spaces. User and system time are fields 14 to 17.
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields).split(' ');
    fields.skip(11).take(4).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() * MS_PER_TICK
}

/// Resets `peak_mib`.
pub fn forget_peak() {
    // Without permission, the peak stays that of the whole process.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Returns the peak resident memory since the last reset.
pub fn peak_mib() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kib.unwrap_or_default() / 1024.0
}
