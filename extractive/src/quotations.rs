//! Quotations of a brief with their sources, and which of them the bottom line has.
//!
//! Invariant: a quotation is one contiguous span of a document: passages that touch, in their order.

use crate::{
    corpus::Corpus,
    select::{Candidate, Ranking},
    text::one_line,
};
use std::ops::Range;

/// The quotations of the bottom line, and those beside it.
#[derive(Debug, Default)]
pub struct Arranged {
    pub bottom: Vec<Range<usize>>,
    pub beside: Vec<Range<usize>>,
}

impl Arranged {
    /// Fills the bottom line with the chosen passages in their order while its words last; `used` stand before them.
    pub fn new(ranking: &Ranking<'_>, chosen: &[Candidate], used: usize) -> Self {
        let (corpus, limits) = (ranking.corpus, &ranking.rules.limits.brief);
        let words = |quotations: &[Range<usize>]| -> usize {
            quotations.iter().map(|passages| words_of(&quotation(corpus, passages.clone())) + 1).sum()
        };
        let mut arranged = Self::default();
        for candidate in chosen {
            let passages = ranking.quotation(candidate.passage);
            let bottom = joined(corpus, &arranged.bottom, &passages);
            if bottom.len() <= limits.bottom_line_quotations && used + words(&bottom) <= limits.bottom_line_words {
                arranged.bottom = bottom;
                continue;
            }
            let beside = joined(corpus, &arranged.beside, &passages);
            if beside.len() <= limits.statements && words(&arranged.bottom) + words(&beside) <= limits.words {
                arranged.beside = beside;
            }
        }
        // Nothing is short enough: the best passage stands there all the same.
        if arranged.bottom.is_empty() {
            let first = chosen.first().map(|candidate| candidate.passage..candidate.passage + 1);
            arranged.beside.retain(|passages| first.as_ref().is_none_or(|first| !passages.contains(&first.start)));
            arranged.bottom.extend(first);
        }
        let is_shown = |passage: usize| arranged.bottom.iter().any(|passages| passages.contains(&passage));
        arranged.beside = arranged.beside.iter().flat_map(|passages| without(passages, is_shown)).collect();
        arranged
    }
}

/// The parts of a quotation that are not shown elsewhere, each one contiguous.
fn without(passages: &Range<usize>, is_shown: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = vec![];
    for passage in passages.clone().filter(|passage| !is_shown(*passage)) {
        match parts.last_mut() {
            Some(part) if part.end == passage => part.end += 1,
            _ => parts.push(passage..passage + 1),
        }
    }
    parts
}

/// The quotations with another one: as a part of one that it overlaps or touches, else behind them.
fn joined(corpus: &Corpus, quotations: &[Range<usize>], other: &Range<usize>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = vec![];
    let mut other = Some(other.clone());
    for known in quotations {
        match other.as_ref().and_then(|other| corpus.join(known, other)) {
            Some(both) => {
                joined.push(both);
                other = None;
            }
            None => joined.push(known.clone()),
        }
    }
    joined.extend(other);
    joined
}

/// The number of words of a text.
pub fn words_of(text: &str) -> usize {
    text.split_whitespace().count()
}

/// A quotation with its source: `\u{201c}\u{2026}\u{201d} (Reuters, 2019-11-19)`.
pub fn quotation(corpus: &Corpus, passages: Range<usize>) -> String {
    let source = &corpus.sources[corpus.passages[passages.start].source];
    let quotes: Vec<String> = passages.map(|passage| one_line(&corpus.passages[passage].quote)).collect();
    let whole = quotes.join(" ");
    let marks = ['"', '\u{201c}', '\u{201d}'];
    let inner = whole.strip_prefix(marks).and_then(|inner| inner.strip_suffix(marks)).filter(|inner| !inner.contains(marks));
    let opinion = if source.is_opinion { ", opinion" } else { "" };
    // The day is enough: the citation has the moment.
    let day = source.published.as_deref().map(|published| format!(", {}", published.get(..10).unwrap_or(published)));
    format!("\u{201c}{}\u{201d} ({}{opinion}{})", inner.unwrap_or(&whole), source.name, day.unwrap_or_default())
}
