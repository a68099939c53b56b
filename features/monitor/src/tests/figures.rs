//! Time and memory of one report against 1,000, 100,000 and 1,000,000 interests, which `docs/benchmarks.md` shows. They need a release build.

use crate::{
    index::{InterestIndex, ScoredProduct},
    interest::{InterestDraft, InterestId, tests::draft},
    score::{ProductFeatures, tests::product},
};
use domain::EntityId;
use feature::Product;
use std::{hint::black_box, time::Instant};
use uuid::Uuid;

/// Numbers of a vector, as those of `minilm`.
const DIMENSIONS: usize = 384;
/// Words and entities that the interests are made of.
const WORDS: usize = 20_000;
const ENTITIES: u128 = 50_000;
const RUNS: u32 = 10;

/// Generator of numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn draw(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.draw() % limit as u64) as usize
    }

    fn vector(&mut self) -> Vec<i8> {
        (0..DIMENSIONS).map(|_| (self.draw() % 33) as i8 - 16).collect()
    }

    fn words(&mut self, number: usize) -> String {
        (0..number).map(|_| format!("word{}", self.below(WORDS))).collect::<Vec<_>>().join(" ")
    }
}

/// Returns the resident memory of this process in MiB; 0 where the system does not say.
fn resident_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or_default() / 1_024
}

#[test]
fn figures_of_one_report_against_many_interests() {
    for interests in [1_000, 100_000, 1_000_000] {
        let (mut numbers, before) = (Numbers(0x9e37_79b9_7f4a_7c15), resident_mib());
        let mut index = InterestIndex::new(DIMENSIONS, interests);
        for n in 0..interests {
            let entities = vec![EntityId(Uuid::from_u128(numbers.draw() as u128 % ENTITIES))];
            let drafted = InterestDraft { entities, ..draft(&numbers.words(8)) };
            index.put(InterestId(Uuid::from_u128(n as u128)), &drafted, Some(&numbers.vector()));
        }
        assert_eq!(index.len(), interests);
        let entities = (0..20).map(|n| EntityId(Uuid::from_u128(n))).collect();
        let report = Product { entities, ..product(&numbers.words(300)) };
        let features = ProductFeatures::new(&report, Some(numbers.vector()));
        let scored = ScoredProduct { source: "report", features: &features, outlet: None };
        let began = Instant::now();
        for _ in 0..RUNS {
            black_box(index.candidates(black_box(scored), 10));
        }
        let each = began.elapsed() / RUNS;
        println!("{interests} interests: {each:?} for a report, {} MiB", resident_mib().saturating_sub(before));
    }
}
