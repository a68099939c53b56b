//! Schedule of faults: processes killed, paused or stopped, drawn from a seed.

use super::{
    processes::{HEARTBEAT, SERVERS},
    questions::Progress,
    size::Size,
};
use crate::{prelude::*, service};
use std::fmt;

#[derive(Debug, Clone, Copy)]
pub enum Kind {
    Worker(u32),
    /// Paused for longer than a heartbeat, then continued.
    Pause(u32),
    /// Stopped with SIGTERM, as in a rolling update.
    Stop(u32),
    Serve(u32),
    Service(service::Kind),
}

#[derive(Debug, Clone, Copy)]
pub struct Fault {
    pub kind: Kind,
    /// Time since the previous fault.
    pub after: Duration,
    /// Time until the restart.
    pub down: Duration,
}

/// Draws that many faults, every kind before any repeats, at times that depend on the seed alone.
pub fn schedule(size: &Size) -> Vec<Fault> {
    let mut chance = SeededRandom(size.seed);
    let mut kinds: Vec<Kind> = vec![];
    while kinds.len() < size.faults as usize {
        let mut worker = || chance.below(u64::from(size.workers)) as u32;
        let mut round = vec![Kind::Worker(worker()), Kind::Pause(worker()), Kind::Stop(worker())];
        round.push(Kind::Serve(chance.below(SERVERS) as u32));
        round.extend(service::Kind::ALL.map(Kind::Service));
        while !round.is_empty() {
            kinds.push(round.swap_remove(chance.below(round.len() as u64) as usize));
        }
    }
    kinds.truncate(size.faults as usize);
    let mut ms = |from: u64, to: u64| Duration::from_millis(from + chance.below(to - from));
    let fault = |kind| match kind {
        Kind::Pause(_) => Fault { kind, after: ms(500, 4000), down: HEARTBEAT + ms(500, 2000) },
        _ => Fault { kind, after: ms(500, 4000), down: ms(200, 3000) },
    };
    kinds.into_iter().map(fault).collect()
}

/// SplitMix64.
pub struct SeededRandom(pub u64);

impl SeededRandom {
    /// Returns a number from 0 up to, but without, `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % end
    }
}

/// Row of the table of faults.
pub struct FaultRow {
    killed: String,
    at: Duration,
    down: Duration,
    before: Progress,
}

impl FaultRow {
    pub fn new(fault: &Fault, at: Duration, down: Duration, before: Progress) -> Self {
        let killed = match fault.kind {
            Kind::Worker(number) => format!("worker {number}"),
            Kind::Pause(number) => format!("worker {number}, paused"),
            Kind::Stop(number) => format!("worker {number}, stopped"),
            Kind::Serve(number) => format!("serve {number}"),
            Kind::Service(service::Kind::Redis) => "redis, its data gone".to_owned(),
            Kind::Service(kind) => kind.name().to_owned(),
        };
        Self { killed, at, down, before }
    }

    /// Whether an investigation was still running.
    pub fn had_running_work(&self) -> bool {
        self.before.at_work + self.before.suspended > 0
    }
}

impl fmt::Display for FaultRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, down, before) = (self.at.as_secs_f64(), self.down.as_secs_f64(), &self.before);
        let Progress { completed, at_work, suspended } = before;
        write!(f, "{at:>5.1} s  {:24} {down:>7.1} s  {completed:>9} {at_work:>9} {suspended:>9}", self.killed)
    }
}
