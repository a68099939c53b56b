//! Quality on the foreign test data of `AUTOSINT_TESTDATA`.

use crate::prelude::*;
use domain::fetch::RejectReason;
use fetch::Page;
use std::{collections::BTreeMap, process::Command, time::Instant};

/// Main content of real news pages: F1 of word 4-grams, averaged over pages.
const ARTICLE_F1_FLOOR: f64 = 0.96;
/// Main content of real pages of seven kinds: mean F1 of words, all pages and the worst kind.
const PAGES_F1_FLOORS: (f64, f64) = (0.825, 0.735);

#[tokio::test]
#[ignore = "needs AUTOSINT_TESTDATA"]
async fn every_pdf_gives_text_or_a_reason() {
    let folder = testdata("pdf");
    let results = read(&source(config()), Input::Paths(vec![folder])).await;
    for result in &results {
        match result {
            Ok(fetched) => {
                println!("{}: {} chars, {}", fetched.document.path, fetched.document.text.len(), date(&fetched.document))
            }
            Err(rejected) => println!("{}! {:?} {}", rejected.path, rejected.reason, rejected.message),
        }
    }
    let reason = |name: &str| {
        let rejected = results.iter().filter_map(|result| result.as_ref().err()).find(|rejected| rejected.path == name);
        rejected.map(|rejected| rejected.reason)
    };
    assert_eq!(reason("libreoffice-writer-password.pdf"), Some(RejectReason::Encrypted));
    assert!(results.iter().filter(|result| result.is_ok()).count() >= 8);
}

#[tokio::test]
#[ignore = "needs AUTOSINT_TESTDATA"]
async fn articles_are_found_in_real_pages() {
    let folder = testdata("article-extraction");
    let truth: HashMap<String, serde_json::Value> =
        serde_json::from_slice(&fs::read(folder.join("ground-truth.json")).unwrap()).unwrap();
    let pages: Vec<(String, bytes::Bytes)> = truth
        .keys()
        .map(|page| {
            let packed = folder.join(format!("html/{page}.html.gz"));
            let unpacked = Command::new("gzip").arg("-dc").arg(packed).output().unwrap();
            (format!("{page}.html"), unpacked.stdout.into())
        })
        .collect();
    let started = Instant::now();
    let results = read(&source(config()), Input::InMemory(pages)).await;
    let took = started.elapsed();
    let (mut precision, mut recall) = (Vec::new(), Vec::new());
    let mut known = [0; 3];
    for result in results.iter() {
        let (path, text) = match result {
            Ok(fetched) => (&fetched.document.path, fetched.document.text.as_str()),
            Err(rejected) => {
                println!("{}! {}", rejected.path, rejected.message);
                (&rejected.path, "")
            }
        };
        if let Ok(fetched) = result {
            known[0] += usize::from(fetched.document.published.is_some());
            known[1] += usize::from(fetched.document.outlet.is_some());
            known[2] += usize::from(fetched.document.language.is_some());
        }
        let gold = truth[path.trim_end_matches(".html")]["articleBody"].as_str().unwrap_or_default();
        let (p, r) = compare(gold, text);
        if p.min(r) < 0.8 {
            println!("{path}: precision {p:.2} recall {r:.2}, {} of {} chars", text.len(), gold.len());
        }
        precision.push(p);
        recall.push(r);
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (p, r) = (mean(&precision), mean(&recall));
    let f1 = 2.0 * p * r / (p + r);
    println!(
        "articles: precision {p:.3} recall {r:.3} F1 {f1:.3}; dates, outlets, languages {known:?} of {}; {took:?}",
        results.len()
    );
    assert!(f1 >= ARTICLE_F1_FLOOR, "F1 {f1:.3}");
}

#[tokio::test]
#[ignore = "needs AUTOSINT_TESTDATA"]
async fn the_content_of_seven_kinds_of_page_is_found() {
    let folder = testdata("pages");
    let truth: HashMap<String, serde_json::Value> =
        serde_json::from_slice(&fs::read(folder.join("truth.json")).unwrap()).unwrap();
    let source = source(config());
    let mut by_kind: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut worst_pages: BTreeMap<&str, Vec<(f64, &str)>> = BTreeMap::new();
    let started = Instant::now();
    for (id, page) in &truth {
        let packed = folder.join(format!("html/{id}.html.gz"));
        let html = Command::new("gzip").arg("-dc").arg(packed).output().unwrap().stdout;
        let address = page["url"].as_str().unwrap().to_owned();
        let results: Vec<_> = source.read_page(Page::new(address, Some("text/html"), html.into())).collect().await;
        let found =
            results.first().and_then(|result| result.as_ref().ok()).map_or("", |fetched| fetched.document.text.as_str());
        let f1 = word_f1(page["main_content"].as_str().unwrap(), found);
        let kind = page["type"].as_str().unwrap();
        by_kind.entry(kind).or_default().push(f1);
        worst_pages.entry(kind).or_default().push((f1, id));
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let means: Vec<_> = by_kind.iter().map(|(kind, values)| (*kind, mean(values))).collect();
    let all = mean(&by_kind.values().flatten().copied().collect::<Vec<_>>());
    println!("pages: {means:.3?}, all {all:.3}; {:?}", started.elapsed());
    for (kind, mut pages) in worst_pages {
        pages.sort_by(|a, b| a.0.total_cmp(&b.0));
        println!("{kind}: {:.2?}", &pages[..pages.len().min(10)]);
    }
    let worst = means.iter().map(|(_, mean)| *mean).fold(1.0, f64::min);
    assert!(all >= PAGES_F1_FLOORS.0 && worst >= PAGES_F1_FLOORS.1, "{means:.3?}, all {all:.3}");
}

/// F1 of lower-case words, counted as multisets.
fn word_f1(gold: &str, found: &str) -> f64 {
    let words = |text: &str| {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()) {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
        counts
    };
    let (gold, found) = (words(gold), words(found));
    let hit: usize = gold.iter().map(|(word, count)| (*count).min(found.get(word).copied().unwrap_or(0))).sum();
    let all = gold.values().sum::<usize>() + found.values().sum::<usize>();
    if all == 0 { 1.0 } else { 2.0 * hit as f64 / all as f64 }
}

/// Precision and recall of word 4-grams, counted as multisets.
fn compare(gold: &str, found: &str) -> (f64, f64) {
    let (gold, found) = (shingles(gold), shingles(found));
    let hit: usize = gold.iter().map(|(gram, count)| (*count).min(found.get(gram).copied().unwrap_or(0))).sum();
    let share = |all: usize, other: usize| match (all, other) {
        (0, 0) => 1.0,
        (0, _) => 0.0,
        _ => hit as f64 / all as f64,
    };
    let (gold, found) = (gold.values().sum(), found.values().sum());
    (share(found, gold), share(gold, found))
}

fn shingles(text: &str) -> HashMap<Vec<&str>, usize> {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    let mut grams = HashMap::new();
    let size = words.len().clamp(1, 4);
    for gram in words.windows(size) {
        *grams.entry(gram.to_vec()).or_default() += 1;
    }
    grams
}

#[tokio::test]
#[ignore = "needs AUTOSINT_TESTDATA"]
async fn strange_strings_come_back_as_they_were() {
    let folder = testdata("strings");
    let strings: Vec<String> = serde_json::from_slice(&fs::read(folder.join("blns.json")).unwrap()).unwrap();
    let files = strings.iter().enumerate().map(|(n, text)| (format!("{n:05}.txt"), text.clone().into_bytes().into()));
    let results = read(&source(config()), Input::InMemory(files.collect())).await;
    assert_eq!(results.len(), strings.len());
    for (result, text) in results.iter().zip(&strings) {
        match result {
            Ok(fetched) => assert_eq!(&fetched.document.text, text.trim_start_matches('\u{feff}')),
            Err(rejected) => assert_eq!(rejected.reason, RejectReason::Empty, "{text:?} {}", rejected.message),
        }
    }
}

#[tokio::test]
#[ignore = "needs AUTOSINT_TESTDATA"]
async fn speeches_have_titles_and_dates() {
    let folder = testdata("speeches");
    let started = Instant::now();
    let results = read(&source(config()), Input::Paths(vec![folder])).await;
    let documents: Vec<_> = results.iter().filter_map(|result| result.as_ref().ok()).map(|fetched| &fetched.document).collect();
    let dated = documents.iter().filter(|document| document.published.is_some()).count();
    let english = documents.iter().filter(|document| document.language.as_deref() == Some("en")).count();
    println!("speeches: {} documents, {dated} dated, {english} English, {:?}", documents.len(), started.elapsed());
    assert_eq!(documents.len(), results.len());
    assert!(dated * 10 >= documents.len() * 4, "most of them state no date at all");
    assert!(documents.iter().all(|document| document.title.len() > 10));
}
