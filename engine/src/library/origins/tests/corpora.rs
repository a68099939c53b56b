//! Measurement of origins on the real reports and articles of `AUTOSINT_TESTDATA`.

use super::super::{ComparedText, OriginsConfig, Sketch, leaders};
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    fs,
    path::PathBuf,
    process::Command,
};

/// Minimum recall of edited copies, in percent.
const RECALL_PERCENT: usize = 97;
/// Exact overlap from which texts are copies, and up to which they are not.
const COPY: f64 = 0.5;
const NO_COPY: f64 = 0.25;

#[test]
#[ignore = "needs AUTOSINT_TESTDATA"]
fn real_reports_are_joined_with_their_copies_and_with_nothing_else() {
    let texts = texts();
    let config = OriginsConfig::default();
    let sketches: BTreeMap<String, Sketch> =
        texts.iter().filter_map(|(name, text)| Some((name.clone(), Sketch::from_text(text)?))).collect();
    let mut origins: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let compared = |(text, sketch): (&String, &Sketch)| {
        let compared = ComparedText { text_sha256: text.clone(), sketch: Some(sketch.clone()), credits: vec![] };
        (text.clone(), compared)
    };
    leaders(&sketches.iter().map(compared).collect(), &config)
        .into_iter()
        .for_each(|(text, origin)| origins.entry(origin).or_default().push(text));
    let mut wrong = 0;
    let mut joined = 0;
    for (origin, members) in &origins {
        for other in members.iter().filter(|member| *member != origin) {
            let share = share(&texts[origin], &texts[other]);
            println!("{origin} and {other} share {share:.2}");
            joined += 1;
            wrong += usize::from(share < NO_COPY);
        }
    }
    let missed = missed(&texts, &sketches, &origins);
    println!("origins: {} texts, {joined} joined to another, {wrong} of them wrongly, {missed} copies missed", texts.len());
    assert_eq!((wrong, missed), (0, 0));
    edited(&texts, config.near_percent);
}

/// Copies by exact overlap, among texts of similar length, that are in different origins.
fn missed(
    texts: &BTreeMap<String, String>,
    sketches: &BTreeMap<String, Sketch>,
    origins: &BTreeMap<String, Vec<String>>,
) -> usize {
    let origin_of: BTreeMap<&String, &String> =
        origins.iter().flat_map(|(origin, members)| members.iter().map(move |member| (member, origin))).collect();
    let sets: Vec<(&String, HashSet<Vec<String>>)> = sketches.keys().map(|name| (name, triples(&texts[name]))).collect();
    let mut holders: BTreeMap<&Vec<String>, Vec<usize>> = BTreeMap::new();
    sets.iter().enumerate().for_each(|(n, (_, set))| set.iter().for_each(|triple| holders.entry(triple).or_default().push(n)));
    let mut shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for list in holders.values().filter(|list| list.len() <= 20) {
        for (at, first) in list.iter().enumerate() {
            list[at + 1..].iter().for_each(|second| *shared.entry((*first, *second)).or_default() += 1);
        }
    }
    let is_missed = |((a, b), count): &(&(usize, usize), &usize)| {
        let all = sets[*a].1.len() + sets[*b].1.len() - **count;
        **count as f64 / all as f64 >= COPY && origin_of[sets[*a].0] != origin_of[sets[*b].0]
    };
    shared.iter().filter(is_missed).count()
}

type Edit = fn(&str) -> String;

/// Recall by kind of edit that outlets make to agency copy.
fn edited(texts: &BTreeMap<String, String>, near_percent: u32) {
    let kinds: [(&str, Edit); 6] = [
        ("in capitals", |text| text.to_uppercase()),
        ("framed", |text| {
            format!(
                "A headline of our own for this\n\n{text}\n\nReporting by our desk; editing by another. All rights reserved."
            )
        }),
        ("without the first sentence", |text| text.split_once(". ").map_or(text, |(_, rest)| rest).to_owned()),
        ("one word in twenty changed", |text| {
            each_word(text, |n, word| if n % 20 == 7 { "changed".to_owned() } else { word.to_owned() })
        }),
        ("the last third cut", |text| keep(text, 67)),
        ("sentences in another order", |text| text.rsplit(". ").collect::<Vec<_>>().join(". ")),
    ];
    let long: Vec<&String> = texts.values().filter(|text| text.split_whitespace().count() >= 100).collect();
    let (mut found, mut all) = (0, 0);
    for (kind, edit) in kinds {
        let is_found = |text: &&&String| {
            let (Some(own), Some(copy)) = (Sketch::from_text(text), Sketch::from_text(&edit(text))) else { return false };
            let bands: BTreeSet<_> = own.bands().collect();
            copy.bands().any(|band| bands.contains(&band)) && own.is_near(&copy, near_percent)
        };
        let count = long.iter().filter(is_found).count();
        println!("copies {kind}: {count} of {} found", long.len());
        (found, all) = (found + count, all + long.len());
    }
    assert!(found * 100 >= all * RECALL_PERCENT, "{found} of {all}");
}

fn each_word(text: &str, change: impl Fn(usize, &str) -> String) -> String {
    text.split_whitespace().enumerate().map(|(n, word)| change(n, word)).collect::<Vec<_>>().join(" ")
}

fn keep(text: &str, percent: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words[..words.len() * percent / 100].join(" ")
}

fn triples(text: &str) -> HashSet<Vec<String>> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = domain::text::words(&lower).collect();
    words.windows(3).map(|triple| triple.iter().map(|word| (*word).to_owned()).collect()).collect()
}

fn share(a: &str, b: &str) -> f64 {
    let (a, b) = (triples(a), triples(b));
    a.intersection(&b).count() as f64 / a.union(&b).count().max(1) as f64
}

/// News reports and articles by name.
#[expect(clippy::disallowed_methods, reason = "only tests look for foreign material")]
fn texts() -> BTreeMap<String, String> {
    let root = PathBuf::from(std::env::var_os("AUTOSINT_TESTDATA").expect("AUTOSINT_TESTDATA"));
    let unpacked = Command::new("gzip").arg("-dc").arg(root.join("incidents/reports.jsonl.gz")).output().unwrap().stdout;
    let mut texts = BTreeMap::new();
    for line in String::from_utf8_lossy(&unpacked).lines() {
        let report: serde_json::Value = serde_json::from_str(line).unwrap();
        texts.insert(format!("report {}", report["id"]), report["text"].as_str().unwrap().to_owned());
    }
    let articles = fs::read(root.join("article-extraction/ground-truth.json")).unwrap_or_else(|_| b"{}".to_vec());
    let articles: BTreeMap<String, serde_json::Value> = serde_json::from_slice(&articles).unwrap();
    texts.extend(articles.into_iter().map(|(id, article)| {
        (format!("article {}", &id[..8]), article["articleBody"].as_str().unwrap_or_default().to_owned())
    }));
    texts
}
