//! Measurement of name comparison on the labelled pairs of `AUTOSINT_TESTDATA`. Prints figures with `--nocapture`.
//!
//! The gate counts what rules merge by themselves. Rules are made on the first half of the pairs only; the second tells whether they
//! hold for others.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use super::{NameKind, NameMatcher, Verdict};

struct Pair {
    kind: Option<NameKind>,
    a: String,
    b: String,
    is_match: bool,
}

#[expect(clippy::disallowed_methods, reason = "tests find their material through the environment")]
fn read() -> Vec<Pair> {
    let folder = PathBuf::from(std::env::var_os("AUTOSINT_TESTDATA").expect("AUTOSINT_TESTDATA"));
    let text = std::fs::read_to_string(folder.join("names/name_pairs_dev.csv")).expect("names/name_pairs_dev.csv");
    let pair = |line: &str| {
        let row = columns(line);
        let kind = match row[1].as_str() {
            "Person" => Some(NameKind::Person),
            "Company" | "Organization" => Some(NameKind::Organisation),
            _ => None,
        };
        Pair { kind, a: row[2].clone(), b: row[3].clone(), is_match: row[4] == "true" }
    };
    text.lines().skip(1).map(pair).collect()
}

/// The fields of a line of comma-separated values.
fn columns(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let field = fields.last_mut().expect("one field");
        match c {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => field.push(c),
        }
    }
    fields
}

#[derive(Default)]
struct Score {
    right: usize,
    missed: usize,
    wrong: usize,
    refused: usize,
}

impl Score {
    fn measure(answers: impl Iterator<Item = (bool, bool)>) -> Self {
        let mut score = Self::default();
        for (said, is_match) in answers {
            match (said, is_match) {
                (true, true) => score.right += 1,
                (true, false) => score.wrong += 1,
                (false, true) => score.missed += 1,
                (false, false) => score.refused += 1,
            }
        }
        score
    }

    fn f1(&self) -> f64 {
        2.0 * self.right as f64 / (2 * self.right + self.wrong + self.missed).max(1) as f64
    }

    fn accuracy(&self) -> f64 {
        (self.right + self.refused) as f64 / (self.right + self.refused + self.wrong + self.missed).max(1) as f64
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "F1 {:.3}, accuracy {:.3} ({} wrong, {} missed)", self.f1(), self.accuracy(), self.wrong, self.missed)
    }
}

/// Half of a pair, by a hash of its names with a fixed seed.
fn half_of(pair: &Pair) -> usize {
    const SEED: u64 = 0xcbf2_9ce4_8422_2325 ^ 30;
    let bytes = pair.a.bytes().chain(*b"|").chain(pair.b.bytes());
    let hash = bytes.fold(SEED, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    ((hash >> 32) & 1) as usize
}

/// The threshold that is best on one half, measured on the other, both ways.
fn held_out(scored: &[(f32, bool)]) -> Score {
    let best = |half: usize| {
        let f1 = |t: f32| Score::measure(scored.iter().skip(half).step_by(2).map(|&(s, m)| (s >= t, m))).f1();
        (40..99).map(|t| t as f32 / 100.0).max_by(|&x, &y| f1(x).total_cmp(&f1(y))).expect("a threshold")
    };
    let thresholds = [best(1), best(0)];
    Score::measure(scored.iter().enumerate().map(|(i, &(s, m))| (s >= thresholds[i % 2], m)))
}

#[test]
#[ignore = "needs AUTOSINT_TESTDATA"]
fn labelled_pairs_are_distinguished() {
    let pairs = read();
    let names = NameMatcher::default();
    let answers: Vec<_> = pairs.iter().map(|pair| names.compare(&pair.a, &pair.b, pair.kind)).collect();
    let scored: Vec<(f32, bool)> = answers.iter().zip(&pairs).map(|(answer, pair)| (answer.score, pair.is_match)).collect();
    let over = names.config.probable_score;
    let by_score = Score::measure(scored.iter().map(|&(score, is_match)| (score >= over, is_match)));
    let by_verdict =
        Score::measure(answers.iter().zip(&pairs).map(|(answer, pair)| (answer.verdict != Verdict::Different, pair.is_match)));
    let merged =
        Score::measure(answers.iter().zip(&pairs).map(|(answer, pair)| (answer.verdict == Verdict::Same, pair.is_match)));
    let shares_key = |pair: &&Pair| {
        let mine: HashSet<String> = names.keys(&names.normalise(&pair.a)).into_iter().collect();
        names.keys(&names.normalise(&pair.b)).iter().any(|key| mine.contains(key))
    };
    let matching = || pairs.iter().filter(|pair| pair.is_match);
    let found = matching().filter(shares_key).count() as f64 / matching().count() as f64;

    let half = |number: usize| {
        let merges = answers.iter().zip(&pairs).filter(|(_, pair)| half_of(pair) == number);
        Score::measure(merges.map(|(answer, pair)| (answer.verdict == Verdict::Same && shares_key(&pair), pair.is_match)))
    };

    let mut report = format!("names: {} pairs\n  score over {over}: {by_score}\n", pairs.len());
    let _ = writeln!(report, "  threshold from the other half: {}", held_out(&scored));
    let _ = writeln!(report, "  verdict not Different: {by_verdict}");
    let _ = writeln!(report, "  verdict Same: {} merged rightly, {} falsely", merged.right, merged.wrong);
    let _ = writeln!(report, "  merged by rules: {merged}");
    let _ = writeln!(report, "    half for development: {}\n    half kept back: {}", half(0), half(1));
    let _ = writeln!(report, "  matching pairs that share a blocking key: {found:.3}");
    let mut false_merges = Vec::new();
    for (answer, pair) in answers.iter().zip(&pairs) {
        let said = answer.score >= over;
        if answer.verdict == Verdict::Same {
            let mark = if pair.is_match { "merge" } else { "FALSE MERGE" };
            let _ = writeln!(report, "  {mark}: {} = {}", pair.a, pair.b);
        }
        if answer.verdict == Verdict::Same && !pair.is_match {
            false_merges.push((&pair.a, &pair.b));
        }
        if said != pair.is_match {
            let mark = if said { "wrong" } else { "missed" };
            let _ =
                writeln!(report, "  {mark} {:.2} {:?}: {} | {} ({})", answer.score, answer.verdict, pair.a, pair.b, answer.why);
        }
    }
    eprintln!("{report}");
    assert!(false_merges.is_empty(), "false merges: {false_merges:?}");
    assert!(by_score.f1() >= 0.92 && by_score.accuracy() >= 0.92, "{by_score}");
    assert!(merged.accuracy() >= 0.7, "as merged: {merged}");
    assert!(found >= 0.95, "blocking keys find {found:.3}");
}
