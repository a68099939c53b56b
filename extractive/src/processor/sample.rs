//! A seeded sample of what real reports and articles give, with counts, for judging by eye.
//!
//! `AUTOSINT_TESTDATA=… AUTOSINT_SAMPLE_SEED=2 cargo test -p extractive sample -- --include-ignored --nocapture`

use super::extract;
use crate::rules::shipped;
use domain::DocumentId;
use protocol::{
    pack::{DocumentHeader, PackedDocument},
    tools::{ClaimExtract, DocumentExtract},
};
use std::{
    collections::{BTreeMap, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
    path::PathBuf,
    process::Command,
    time::Instant,
};

const SAMPLE: usize = 60;
/// Names that most documents share are shown, as hubs of the graph.
const HUBS: usize = 60;

#[test]
#[ignore = "needs AUTOSINT_TESTDATA"]
fn sample_of_real_reports() {
    let rules = shipped();
    for (kind, texts) in texts() {
        let started = Instant::now();
        let extracts: Vec<DocumentExtract> = texts.iter().map(|text| extract::document(&rules, &packed(text))).collect();
        let micros = started.elapsed().as_micros() / texts.len().max(1) as u128;
        print_counts(kind, &extracts);
        println!("{kind}: {micros} µs a document");
        print_sample(&format!("{kind} relationship"), extracts.iter().flat_map(relationships));
        print_sample(&format!("{kind} entity"), extracts.iter().flat_map(entities));
        let claims = || extracts.iter().flat_map(|extract| &extract.claims);
        let speaker = |claim: &ClaimExtract| Some(format!("[{}] {}", claim.speaker.as_ref()?, claim.content));
        print_sample(&format!("{kind} speaker"), claims().filter_map(speaker));
        let mode = |claim: &ClaimExtract| format!("{:?}: {}", claim.mode, claim.content);
        print_sample(&format!("{kind} mode"), claims().map(mode).filter(|line| !line.starts_with("Asserted")));
    }
}

fn packed(text: &str) -> PackedDocument<'_> {
    PackedDocument { document_id: DocumentId(Default::default()), header: DocumentHeader::default(), text }
}

fn print_counts(kind: &str, extracts: &[DocumentExtract]) {
    let mut hubs: BTreeMap<&str, usize> = BTreeMap::new();
    let mut modes: BTreeMap<String, usize> = BTreeMap::new();
    for extract in extracts {
        extract.entities.iter().for_each(|entity| *hubs.entry(&entity.name).or_default() += 1);
        extract.claims.iter().for_each(|claim| *modes.entry(format!("{:?}", claim.mode)).or_default() += 1);
    }
    let sum = |count: fn(&DocumentExtract) -> usize| extracts.iter().map(count).sum::<usize>();
    let speakers = |extract: &DocumentExtract| extract.claims.iter().filter(|claim| claim.speaker.is_some()).count();
    println!(
        "{kind}: {} documents, {} claims {modes:?}, {} with speakers, {} entities ({} names), {} relationships",
        extracts.len(),
        sum(|extract| extract.claims.len()),
        sum(speakers),
        sum(|extract| extract.entities.len()),
        hubs.len(),
        sum(|extract| extract.relationships.len()),
    );
    let mut hubs: Vec<(&str, usize)> = hubs.into_iter().collect();
    hubs.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    println!("{kind} hubs: {:?}", &hubs[..hubs.len().min(HUBS)]);
}

fn relationships(extract: &DocumentExtract) -> Vec<String> {
    let name = |reference: &str| extract.entities.iter().find(|entity| entity.reference == reference).map(|found| &found.name);
    let quote = |reference: &str| extract.claims.iter().find(|claim| claim.reference == reference).map(|claim| &claim.content);
    let line = |link: &protocol::tools::RelationshipExtract| {
        Some(format!(
            "[{}] {} [{}] | {}",
            name(&link.source)?,
            link.description,
            name(&link.target)?,
            quote(link.claims.first()?)?
        ))
    };
    extract.relationships.iter().filter_map(line).collect()
}

fn entities(extract: &DocumentExtract) -> Vec<String> {
    let quote = |reference: &String| extract.claims.iter().find(|claim| claim.entities.contains(reference));
    let line = |entity: &protocol::tools::EntityExtract| {
        let content = quote(&entity.reference).map_or("", |claim| &claim.content);
        format!("[{}] {} {:?} | {content}", entity.name, entity.kind, entity.aliases)
    };
    extract.entities.iter().map(line).collect()
}

/// So many lines, picked by their hash with the seed: an unchanged line keeps its place.
#[expect(clippy::disallowed_methods, reason = "tests find their settings through the environment")]
fn print_sample(heading: &str, lines: impl Iterator<Item = String>) {
    let seed = std::env::var("AUTOSINT_SAMPLE_SEED").unwrap_or_default();
    let mut ranked: Vec<(u64, String)> = lines.map(|line| (hash(&seed, &line), line)).collect();
    ranked.sort();
    ranked.dedup();
    for (number, (_, line)) in ranked.iter().take(SAMPLE).enumerate() {
        println!("{heading} {:>2}: {line}", number + 1);
    }
}

fn hash(seed: &str, line: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seed, line).hash(&mut hasher);
    hasher.finish()
}

#[expect(clippy::disallowed_methods, reason = "tests find their material through the environment")]
fn texts() -> [(&'static str, Vec<String>); 2] {
    let root = PathBuf::from(std::env::var_os("AUTOSINT_TESTDATA").expect("AUTOSINT_TESTDATA"));
    let unpacked = Command::new("gzip").arg("-dc").arg(root.join("incidents/reports.jsonl.gz")).output().expect("gzip");
    let text = |report: serde_json::Value, key: &str| report[key].as_str().unwrap_or_default().to_owned();
    let reports = String::from_utf8_lossy(&unpacked.stdout)
        .lines()
        .map(|line| text(serde_json::from_str(line).expect("a report"), "text"))
        .collect();
    let articles = std::fs::read(root.join("article-extraction/ground-truth.json")).expect("the articles");
    let articles: BTreeMap<String, serde_json::Value> = serde_json::from_slice(&articles).expect("the articles");
    [("report", reports), ("article", articles.into_values().map(|article| text(article, "articleBody")).collect())]
}
