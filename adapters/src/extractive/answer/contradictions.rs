//! Pairs of passages that cannot both be right: like sentences, one denied, or with different figures.

use std::collections::BTreeSet;

use super::Mode;
use super::corpus::Corpus;
use super::lexicon::{Lexicon, WordSet};
use super::likeness::{content, like};
use super::words::{Shape, Words};

/// Only so many of the weightiest passages are compared pair by pair.
const MAX_COMPARED: usize = 160;
const LIKENESS: f64 = 0.5;

/// Keys of contradicting passages, the smaller hash first.
pub fn pairs(corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<(u32, u32)> {
    let units: Vec<usize> = corpus.weightiest(lexicon).into_iter().take(MAX_COMPARED).collect();
    let rows: Vec<(usize, WordSet, bool, BTreeSet<String>)> = units
        .iter()
        .map(|&u| {
            (
                u,
                content(&corpus.units[u].words.list, lexicon),
                denied(corpus, u, lexicon),
                numbers(&corpus.units[u].words, lexicon),
            )
        })
        .collect();
    let mut found = Vec::new();
    for (i, a) in rows.iter().enumerate() {
        for b in &rows[i + 1..] {
            if a.1.len() < 4 || b.1.len() < 4 || like(&a.1, &b.1) < LIKENESS {
                continue;
            }
            let figures = !a.3.is_empty() && !b.3.is_empty() && a.3.is_disjoint(&b.3);
            if a.2 != b.2 || figures {
                let (first, second) =
                    if corpus.units[a.0].order() <= corpus.units[b.0].order() { (a.0, b.0) } else { (b.0, a.0) };
                found.push((corpus.units[first].passage.key, corpus.units[second].passage.key));
            }
            if found.len() >= lexicon.limits.max_contradictions {
                return found;
            }
        }
    }
    found
}

fn denied(corpus: &Corpus<'_>, unit: usize, lexicon: &Lexicon) -> bool {
    let here = &corpus.units[unit];
    let words =
        here.words.list.iter().filter(|w| lexicon.role("negations", &w.norm) || lexicon.role("denials", &w.norm)).count();
    here.passage.mode == Mode::Denied || words % 2 == 1
}

fn numbers(words: &Words, lexicon: &Lexicon) -> BTreeSet<String> {
    let plain = |i: usize| !words.list.get(i + 1).is_some_and(|w| lexicon.months.contains(&w.norm));
    let counted = words.list.iter().enumerate().filter(|(i, w)| w.shape == Shape::Number && w.norm.len() < 4 && plain(*i));
    counted.map(|(_, w)| w.norm.clone()).collect()
}
