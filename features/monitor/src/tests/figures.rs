//! Time and memory of one report against 1,000, 100,000 and 1,000,000 interests, which `docs/benchmarks.md` shows. They need a release
//! build. What is measured is the search of the index on one core, without the database: neither the loading of the interests nor the
//! storing of matches.

use crate::{
    index::{InterestIndex, ScoredProduct},
    interest::{InterestDraft, InterestId, tests::draft},
    score::{ProductFeatures, tests::product},
};
use domain::EntityId;
use feature::Product;
use std::{
    hint::black_box,
    time::{Duration, Instant},
};
use tokio::sync::Mutex;
use uuid::Uuid;

/// Lock that each test of figures holds, so that it has the machine for itself.
pub static ALONE: Mutex<()> = Mutex::const_new(());

/// Numbers of a vector, as those of `minilm`.
const DIMENSIONS: usize = 384;
/// Words and entities that the interests are made of.
const WORDS: f64 = 20_000.0;
/// Most common words, which are in every text and which no interest is matched by.
const COMMON_WORDS: f64 = 200.0;
const ENTITIES: u128 = 50_000;
/// Words of an interest and of a report.
const INTEREST_WORDS: usize = 8;
const REPORT_WORDS: usize = 300;
/// Reports that are scored, each once.
const RUNS: usize = 100;

/// Generator of numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn draw(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number from 0 to below 1.
    fn share(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn vector(&mut self) -> Vec<i8> {
        (0..DIMENSIONS).map(|_| (self.draw() % 33) as i8 - 16).collect()
    }

    /// Returns words from a rank on, of which few are common and most are rare, by the law of Zipf.
    fn words(&mut self, number: usize, first: f64) -> String {
        let mut word = || format!("word{}", (first * (WORDS / first).powf(self.share())) as u64);
        (0..number).map(|_| word()).collect::<Vec<_>>().join(" ")
    }

    fn entity(&mut self) -> EntityId {
        EntityId(Uuid::from_u128(u128::from(self.draw()) % ENTITIES))
    }
}

/// Returns a figure of the memory of this process in bytes, such as `VmRSS:`; 0 where the system does not say.
fn memory_bytes(key: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or_default() * 1_024
}

/// Returns an index of random interests.
fn index_of(interests: usize, numbers: &mut Numbers) -> InterestIndex {
    let mut index = InterestIndex::new(DIMENSIONS, interests);
    for n in 0..interests {
        let drafted = InterestDraft { entities: vec![numbers.entity()], ..draft(&numbers.words(INTEREST_WORDS, COMMON_WORDS)) };
        index.put(InterestId(Uuid::from_u128(n as u128)), &drafted, Some(&numbers.vector()));
    }
    index
}

#[test]
fn figures_of_one_report_against_many_interests() {
    let _alone = ALONE.blocking_lock();
    println!(
        "| interests | index built in | p50 of {RUNS} reports | p95 | candidates of a report | bytes | peak of the process |"
    );
    println!("|---|---|---|---|---|---|---|");
    for interests in [1_000, 100_000, 1_000_000] {
        let (mut numbers, before) = (Numbers(0x9e37_79b9_7f4a_7c15), memory_bytes("VmRSS:"));
        let began = Instant::now();
        let index = index_of(interests, &mut numbers);
        let built = began.elapsed();
        assert_eq!(index.len(), interests);
        let bytes = memory_bytes("VmRSS:").saturating_sub(before);
        let (mut times, mut candidates): (Vec<Duration>, usize) = (vec![], 0);
        for _ in 0..RUNS {
            let entities = (0..20).map(|_| numbers.entity()).collect();
            let report = Product { entities, ..product(&numbers.words(REPORT_WORDS, 1.0)) };
            let features = ProductFeatures::new(&report, Some(numbers.vector()));
            let scored = ScoredProduct { source: "report", features: &features, outlet: None };
            let began = Instant::now();
            let found = black_box(index.candidates(black_box(scored), 0));
            times.push(began.elapsed());
            candidates += found.len();
        }
        times.sort_unstable();
        let (median, p95) = (times[RUNS / 2], times[RUNS * 95 / 100]);
        let (each, peak) = (candidates / RUNS, memory_bytes("VmHWM:"));
        println!("| {interests} | {built:.1?} | {median:.2?} | {p95:.2?} | {each} | {bytes} | {peak} |");
    }
}
