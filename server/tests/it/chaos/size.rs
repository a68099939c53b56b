//! Size of the chaos test.

/// Parameters of a run, which determine it completely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub investigations: u32,
    pub workers: u32,
    pub faults: u32,
    pub seed: u64,
}

impl Size {
    /// Small run of a minute, for every test run. A work order may not be running when a fault strikes. The seed spares Neo4j,
    /// whose restart takes half a minute: one worker is paused, a `serve` and PostgreSQL are killed, another worker is stopped,
    /// and Redis is killed.
    pub const SMALL: Self = Self { investigations: 3, workers: 2, faults: 5, seed: 51 };

    /// Parses `AUTOSINT_CHAOS="INVESTIGATIONS WORKERS FAULTS SEED"`. Without it: `SMALL` if backends are required, else `None`.
    #[expect(clippy::disallowed_methods, reason = "the environment sets the size of the test")]
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
