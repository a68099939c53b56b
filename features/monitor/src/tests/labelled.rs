//! Figures of matching on labelled passages of real articles, which `docs/benchmarks.md` shows. Each article is a topic: its first words
//! are an interest, the names in them its tags, and passages from the rest are the products that match. No person judged the labels: a
//! passage that strays from its topic counts as a match, and two articles on one event count as two topics.
//!
//! Candidates are compared on one set of articles alone, at their best F1 and at their best F0.5, which counts precision twice as much as
//! recall. The other set is kept back and only measured. Entities are tried with the same names. Regions are found in texts as tags are, and weigh the same.

use crate::{
    interest::{InterestDraft, MAX_WORD, tests::draft},
    matching::embed,
    score::{ENOUGH_WORDS, ProductFeatures, TermKind, combine, explain, key_words, part_of, tests::product},
    settings::MonitorSettings,
    tests::figures::ALONE,
};
use adapters::{
    embed::{EmbedConfig, choose},
    llm::{LlmConfig, Providers},
};
use async_trait::async_trait;
use engine::{
    Engine, Parts,
    models::{Keys, Secret},
};
use feature::{Web, testing::TestSite};
use serde_json::Value;
use std::{collections::BTreeMap, ffi::OsString, fs, path::PathBuf, sync::Arc};

/// Topics of a set, and passages of a topic.
const TOPICS: usize = 60;
const PASSAGES: usize = 10;
/// Words of an interest, and of a passage.
const LEAD_WORDS: usize = 25;
const PASSAGE_WORDS: usize = 30;
/// Most tags of an interest.
const TAGS: usize = 3;
/// Candidates that are printed.
const SHOWN: usize = 12;
/// Weight of recall by which precision counts twice.
const HALF: f64 = 0.5;

/// An interest and a product: the part of likeness, hits and sizes of words and names, and whether they belong together.
struct Pair {
    likeness: u8,
    words: (usize, usize),
    names: (usize, usize),
    is_same: bool,
}

/// Weights that are tried, with the words that are enough and the term that the names are counted for.
#[derive(Clone, Copy)]
struct Candidate {
    weights: [u8; TermKind::COUNT],
    enough_words: usize,
    names: TermKind,
}

impl Candidate {
    fn new(likeness: u8, words: u8, enough_words: usize, names: TermKind, weight: u8) -> Self {
        let mut weights = [0; TermKind::COUNT];
        (weights[TermKind::Likeness as usize], weights[TermKind::Words as usize]) = (likeness, words);
        weights[names as usize] = weight;
        Self { weights, enough_words, names }
    }

    /// Returns the weights of a new interest, its names counted as tags.
    fn of_new_interest() -> Self {
        let weights = MonitorSettings::default().weights.as_array();
        Self { weights, enough_words: ENOUGH_WORDS, names: TermKind::Tags }
    }

    fn score(&self, pair: &Pair) -> u8 {
        let mut parts = [None; TermKind::COUNT];
        let (hits, size) = pair.words;
        let needed = size.min(self.enough_words);
        parts[TermKind::Likeness as usize] = Some(pair.likeness);
        parts[TermKind::Words as usize] = (hits.min(needed) * 100).checked_div(needed).map(|part| part as u8);
        parts[self.names as usize] = part_of(self.names, pair.names.0, pair.names.1);
        combine(&parts, &self.weights)
    }

    fn cells(&self) -> String {
        let [likeness, words, ..] = self.weights;
        let enough = if self.enough_words == usize::MAX { "all".to_owned() } else { self.enough_words.to_string() };
        format!("{likeness} | {words} | {enough} | {} {}", self.names.label(), self.weights[self.names as usize])
    }
}

/// Numbers of pairs by their score: of different topics, and of the same one.
struct Counts([[u32; 101]; 2]);

impl Counts {
    fn new(pairs: &[Pair], candidate: &Candidate) -> Self {
        let mut counts = [[0; 101]; 2];
        for pair in pairs {
            counts[usize::from(pair.is_same)][usize::from(candidate.score(pair))] += 1;
        }
        Self(counts)
    }

    /// Returns precision and recall from a threshold.
    fn figures(&self, threshold: usize) -> (f64, f64) {
        let [others, same] = self.0.map(|counts| f64::from(counts[threshold..].iter().sum::<u32>()));
        let wanted = f64::from(self.0[1].iter().sum::<u32>());
        (same / (same + others).max(1.0), same / wanted.max(1.0))
    }

    /// Returns the harmonic mean of precision and recall, in which precision counts `1 / beta` times as much.
    fn f(&self, threshold: usize, beta: f64) -> f64 {
        let (precision, recall) = self.figures(threshold);
        (1.0 + beta * beta) * precision * recall / (beta * beta * precision + recall).max(f64::EPSILON)
    }

    /// Returns the threshold with the best F, and that F.
    fn best(&self, beta: f64) -> (usize, f64) {
        let all = (1..=100).map(|threshold| (threshold, self.f(threshold, beta)));
        all.max_by(|one, other| one.1.total_cmp(&other.1)).unwrap_or_default()
    }

    fn cells(&self, threshold: usize) -> String {
        let (precision, recall) = self.figures(threshold);
        format!("{precision:.3} | {recall:.3} | {:.3} | {:.3}", self.f(threshold, 1.0), self.f(threshold, HALF))
    }
}

struct NoKeys;

#[async_trait]
impl Keys for NoKeys {
    async fn key(&self, _: &str) -> Option<Secret> {
        None
    }
}

#[expect(clippy::disallowed_methods, reason = "tests find their material through the environment")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn figures_of_matching_on_labelled_passages() {
    let Some(root) = variable("AUTOSINT_TESTDATA") else {
        println!("skipped: AUTOSINT_TESTDATA is unset");
        return;
    };
    let _alone = ALONE.lock().await;
    let articles = fs::read(PathBuf::from(root).join("article-extraction/ground-truth.json")).unwrap();
    let articles: BTreeMap<String, Value> = serde_json::from_slice(&articles).unwrap();
    let least = LEAD_WORDS + PASSAGES * PASSAGE_WORDS;
    let articles: Vec<Vec<&str>> =
        articles.values().filter_map(|article| Some(article["articleBody"].as_str()?.split_whitespace().collect())).collect();
    let long: Vec<Vec<&str>> = articles.into_iter().filter(|words| words.len() >= least).collect();
    assert!(long.len() >= 2 * TOPICS, "{} articles are long enough", long.len());

    let backend = testkit::sqlite_with(&super::SCHEMAS).await.expect("SQLite needs no server");
    let mut web = TestSite::new(crate::feature(), &backend).web;
    let model_dir = variable("AUTOSINT__EMBED__MODEL_DIR").unwrap_or_default().into();
    let providers = Providers::new(LlmConfig::default(), Arc::new(NoKeys));
    let chosen = choose(&EmbedConfig { model_dir, ..EmbedConfig::default() }, &providers, backend.clock.clone()).unwrap();
    println!("vectors: {}", chosen.why);
    let mut parts: Parts = (*web.engine).clone();
    parts.embedder = chosen.embedder;
    web.engine = Engine::new(parts);

    let shown = pairs(&web, &long[..TOPICS]).await;
    let kept_back = pairs(&web, &long[TOPICS..2 * TOPICS]).await;
    println!(
        "{TOPICS} interests and {} products in each set: {} pairs, of which {} belong together",
        TOPICS * PASSAGES,
        shown.len(),
        TOPICS * PASSAGES
    );
    let chosen = print_candidates(&shown);
    println!(
        "\n| score | threshold | precision | recall | F1 | F0.5 | kept back: precision | recall | F1 | F0.5 |\n|---|---|---|---|---|---|---|---|---|---|"
    );
    let new_interest = Candidate::of_new_interest();
    let untagged = Candidate {
        names: TermKind::Entities,
        weights: [new_interest.weights[0], new_interest.weights[1], 0, 0, 0],
        ..new_interest
    };
    let words = Candidate { weights: [0, 1, 0, 0, 0], ..untagged };
    let likeness = Candidate { weights: [1, 0, 0, 0, 0], ..untagged };
    let print = |name: &str, candidate: &Candidate, beta: f64, threshold: Option<usize>| {
        let (first, kept) = (Counts::new(&shown, candidate), Counts::new(&kept_back, candidate));
        let threshold = threshold.unwrap_or_else(|| first.best(beta).0);
        println!("| {name} | {threshold} | {} | {} |", first.cells(threshold), kept.cells(threshold));
    };
    for (name, candidate) in [
        ("best of the first set", &chosen),
        ("weights of a new interest", &new_interest),
        ("the same without tags", &untagged),
        ("likeness alone", &likeness),
        ("words alone", &words),
    ] {
        print(&format!("{name}, best F1"), candidate, 1.0, None);
        print(&format!("{name}, best F0.5"), candidate, HALF, None);
    }
    let threshold = usize::from(MonitorSettings::default().new_threshold());
    print("a new interest as it is", &new_interest, 1.0, Some(threshold));
    println!("\n| weights of a new interest, first set: threshold | precision | recall | F1 | F0.5 |\n|---|---|---|---|---|");
    let first = Counts::new(&shown, &new_interest);
    (15..=60).step_by(5).for_each(|threshold| println!("| {threshold} | {} |", first.cells(threshold)));
    backend.close().await;
}

/// Prints the candidates with the best F1 on the first set, for tags and for entities; returns the best one with tags.
fn print_candidates(pairs: &[Pair]) -> Candidate {
    let mut best = Candidate::of_new_interest();
    for names in [TermKind::Entities, TermKind::Tags] {
        let mut candidates = vec![];
        for words in (0..=60).step_by(10) {
            for enough_words in [2, 3, 4, 6, usize::MAX] {
                for weight in (0..=60).step_by(10) {
                    let candidate = Candidate::new(100 - words, words, enough_words, names, weight);
                    let counts = Counts::new(pairs, &candidate);
                    candidates.push((counts.best(1.0), candidate, counts));
                }
            }
        }
        candidates.sort_by(|((_, one), ..), ((_, other), ..)| other.total_cmp(one));
        println!(
            "\n| likeness | words | enough words | {} | threshold | precision | recall | F1 | F0.5 |\n|---|---|---|---|---|---|---|---|---|",
            names.label()
        );
        for ((threshold, _), candidate, counts) in &candidates[..SHOWN] {
            println!("| {} | {threshold} | {} |", candidate.cells(), counts.cells(*threshold));
        }
        best = candidates[0].1;
    }
    best
}

/// Scores every interest of a set of articles with every product of it.
async fn pairs(web: &Web, articles: &[Vec<&str>]) -> Vec<Pair> {
    let drafts: Vec<InterestDraft> = articles.iter().map(|words| interest_of(&words[..LEAD_WORDS])).collect();
    let sentences: Vec<String> = drafts.iter().map(|draft| draft.sentence.clone()).collect();
    let vectors = embed(web, &sentences).await.expect("vectors");
    let mut pairs = vec![];
    for (topic, words) in articles.iter().enumerate() {
        let passages: Vec<String> =
            words[LEAD_WORDS..].chunks(PASSAGE_WORDS).take(PASSAGES).map(|words| words.join(" ")).collect();
        let products = embed(web, &passages).await.expect("vectors");
        for (passage, vector) in passages.iter().zip(products) {
            let features = ProductFeatures::new(&product(passage), Some(vector));
            for (interest, (draft, vector)) in drafts.iter().zip(&vectors).enumerate() {
                let explanation = explain(draft, Some(vector), &features);
                let term = |kind: TermKind| explanation.terms.iter().find(|term| term.kind == kind);
                let hits = |kind: TermKind| term(kind).map_or(0, |term| term.hits.len());
                let pair = Pair {
                    likeness: term(TermKind::Likeness).map_or(0, |term| term.part),
                    words: (hits(TermKind::Words), key_words(&draft.sentence).len()),
                    names: (hits(TermKind::Tags), draft.tags.len()),
                    is_same: interest == topic,
                };
                assert_eq!(Candidate::of_new_interest().score(&pair), explanation.score, "what is measured is the score");
                pairs.push(pair);
            }
        }
    }
    pairs
}

/// Returns an interest with the words of a lead, and its names as tags: words in capitals that follow one another.
fn interest_of(lead: &[&str]) -> InterestDraft {
    let is_capital = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    let names = lead.chunk_by(|one, other| is_capital(one) && is_capital(other)).filter(|words| words.len() > 1);
    let trimmed = names.map(|words| words.join(" ").trim_matches(|c: char| !c.is_alphanumeric()).to_owned());
    let tags = trimmed.filter(|name| name.chars().count() <= MAX_WORD).take(TAGS).collect();
    let sentence: String = lead.join(" ").chars().take(feature::MAX_INTEREST_CHARS).collect();
    let weights = MonitorSettings::default().weights;
    InterestDraft { tags, weights, ..draft(&sentence) }.checked().expect("words")
}
