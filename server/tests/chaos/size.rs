//! How much dies, and how much is asked meanwhile.

/// Everything follows from these.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    pub investigations: u32,
    pub workers: u32,
    pub faults: u32,
    pub seed: u64,
}

impl Size {
    /// `AUTOSINT_CHAOS="INVESTIGATIONS WORKERS FAULTS SEED"`; none: nothing is to die.
    #[expect(clippy::disallowed_methods, reason = "how much is to die is told to the test by the environment")]
    pub fn given() -> Option<Self> {
        let text = std::env::var("AUTOSINT_CHAOS").ok()?;
        let numbers: Vec<u64> = text.split_whitespace().map(|number| number.parse().unwrap()).collect();
        let [investigations, workers, faults, seed] = numbers[..] else { panic!("AUTOSINT_CHAOS has four numbers: {text}") };
        let small = |number: u64| u32::try_from(number).unwrap();
        Some(Self { investigations: small(investigations), workers: small(workers), faults: small(faults), seed })
    }
}
