//! How much dies, and how much is asked meanwhile.

/// Everything follows from these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub investigations: u32,
    pub workers: u32,
    pub faults: u32,
    pub seed: u64,
}

impl Size {
    /// A minute of it, for every test run: so little that no order may be under way when it strikes. The seed spares Neo4j, which takes
    /// half of that to start again: a worker is held up, a `serve` and PostgreSQL are killed, another worker is told to stop, and Redis is
    /// killed.
    pub const SMALL: Self = Self { investigations: 3, workers: 2, faults: 5, seed: 51 };

    /// `AUTOSINT_CHAOS="INVESTIGATIONS WORKERS FAULTS SEED"`; without it `SMALL` where backends are required. None: nothing is to die.
    #[expect(clippy::disallowed_methods, reason = "how much is to die is told to the test by the environment")]
    pub fn given() -> Option<Self> {
        let Ok(text) = std::env::var("AUTOSINT_CHAOS") else {
            return std::env::var("REQUIRE_BACKENDS").is_ok().then_some(Self::SMALL);
        };
        let numbers: Vec<u64> = text.split_whitespace().map(|number| number.parse().unwrap()).collect();
        let [investigations, workers, faults, seed] = numbers[..] else { panic!("AUTOSINT_CHAOS has four numbers: {text}") };
        let small = |number: u64| u32::try_from(number).unwrap();
        Some(Self { investigations: small(investigations), workers: small(workers), faults: small(faults), seed })
    }
}
