//! Figures of matching on labelled passages of real articles, which `docs/benchmarks.md` shows. Each article is a topic: its first words
//! are an interest, and passages from the rest of it are the products that match. No person judged the labels: a passage that strays
//! from its topic counts as a match, and two articles on one event count as two topics. Thresholds are chosen on one set of articles alone,
//! for each score by itself; the other set is kept back and only measured. The weights are those of every new interest.

use crate::{
    interest::{InterestDraft, MAX_WORD, tests::draft},
    matching::embed,
    score::{ProductFeatures, TermKind, explain, tests::product},
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
/// Threshold of a new interest.
const DEFAULT_THRESHOLD: u8 = 35;
/// Scores that are compared.
const METHODS: [&str; 4] = ["our score", "our score, interests without tags", "likeness alone", "words alone"];

/// Scores of an interest and a product by each method, and whether they belong together.
type Pair = ([u8; METHODS.len()], bool);

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
    println!(
        "| score | threshold | precision | recall | F1 | kept back: precision | recall | F1 |\n|---|---|---|---|---|---|---|---|"
    );
    for (method, name) in METHODS.into_iter().enumerate() {
        let best = (1..=100).max_by(|one, other| f1(&shown, method, *one).total_cmp(&f1(&shown, method, *other)));
        print_line(name, method, best.unwrap_or_default(), &shown, &kept_back);
    }
    print_line("our score, as a new interest has it", 0, DEFAULT_THRESHOLD, &shown, &kept_back);
    backend.close().await;
}

/// Scores every interest of a set of articles with every product of it.
async fn pairs(web: &Web, articles: &[Vec<&str>]) -> Vec<Pair> {
    let drafts: Vec<InterestDraft> = articles.iter().map(|words| interest_of(&words[..LEAD_WORDS])).collect();
    let sentences: Vec<String> = drafts.iter().map(|draft| draft.sentence.clone()).collect();
    let untagged: Vec<InterestDraft> = drafts.iter().map(|one| InterestDraft { tags: vec![], ..one.clone() }).collect();
    let vectors = embed(web, &sentences).await.expect("vectors");
    let mut pairs = vec![];
    for (topic, words) in articles.iter().enumerate() {
        let passages: Vec<String> =
            words[LEAD_WORDS..].chunks(PASSAGE_WORDS).take(PASSAGES).map(|words| words.join(" ")).collect();
        let products = embed(web, &passages).await.expect("vectors");
        for (passage, vector) in passages.iter().zip(products) {
            let features = ProductFeatures::new(&product(passage), Some(vector));
            for (interest, ((draft, untagged), vector)) in drafts.iter().zip(&untagged).zip(&vectors).enumerate() {
                let explanation = explain(draft, Some(vector), &features);
                let without_tags = explain(untagged, Some(vector), &features).score;
                let part = |kind: TermKind| explanation.terms.iter().find(|term| term.kind == kind).map_or(0, |term| term.part);
                let scores = [explanation.score, without_tags, part(TermKind::Likeness), part(TermKind::Words)];
                pairs.push((scores, interest == topic));
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
    InterestDraft { tags, ..draft(&sentence) }.checked().expect("words")
}

/// Returns precision, recall and F1 of a method from a threshold.
fn figures(pairs: &[Pair], method: usize, threshold: u8) -> [f64; 3] {
    let count = |is_counted: &dyn Fn(&Pair) -> bool| pairs.iter().filter(|pair| is_counted(pair)).count() as f64;
    let hits = count(&|(scores, is_same)| scores[method] >= threshold && *is_same);
    let found = count(&|(scores, _)| scores[method] >= threshold);
    let wanted = count(&|(_, is_same)| *is_same);
    [hits / found.max(1.0), hits / wanted.max(1.0), 2.0 * hits / (found + wanted).max(1.0)]
}

fn f1(pairs: &[Pair], method: usize, threshold: u8) -> f64 {
    figures(pairs, method, threshold)[2]
}

fn print_line(name: &str, method: usize, threshold: u8, shown: &[Pair], kept_back: &[Pair]) {
    let cells =
        [shown, kept_back].map(|pairs| figures(pairs, method, threshold).map(|figure| format!("{figure:.3}")).join(" | "));
    println!("| {name} | {threshold} | {} |", cells.join(" | "));
}
