//! System clock and random ids, the only sources of time and randomness; and the protection of this process.

use domain::Timestamp;
use engine::{Clock, Ids};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use uuid::Uuid;

/// System clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the only place that reads the clock")]
    fn now(&self) -> Timestamp {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Timestamp::from_micros(i64::try_from(elapsed.as_micros()).unwrap_or(i64::MAX))
    }
}

/// UUIDv7 generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemIds;

impl Ids for SystemIds {
    #[expect(clippy::disallowed_methods, reason = "the only place that generates ids")]
    fn next(&self) -> Uuid {
        Uuid::now_v7()
    }
}

/// Forbids other processes of this user to read the memory and environment of this one, which hold keys. Core dumps end, too.
pub fn forbid_inspection() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable) {
        tracing::warn!(%error, "process not protected from others of this user");
    }
}

/// Gives files that this process creates to its own account alone.
pub fn create_private_files() {
    #[cfg(target_os = "linux")]
    rustix::process::umask(rustix::fs::Mode::from_bits_truncate(0o077));
}

/// Returns the name of this machine, or of its container.
pub fn machine_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    if name.trim().is_empty() { "unnamed".to_owned() } else { name.trim().to_owned() }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::process::{DumpableBehavior, dumpable_behavior};

    #[test]
    fn others_of_this_user_cannot_inspect_the_process() {
        forbid_inspection();
        assert_eq!(dumpable_behavior().unwrap(), DumpableBehavior::NotDumpable);
    }
}
