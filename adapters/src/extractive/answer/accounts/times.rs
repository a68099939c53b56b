//! When a deed was done: the dates that stand in its own clause, weekdays resolved by the day of publication.

use chrono::NaiveDate;

use super::super::corpus::{Corpus, Unit};
use super::super::lexicon::{Lexicon, WordSet};
use super::super::outcomes::said;
use super::super::question::Question;
use super::super::words::{Shape, Word, split, stem};
use crate::extractive::text::{self, Precision, Text};

/// The stems of what a question of "when" asks the time of.
pub(super) fn deed(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> WordSet {
    let words = split(&question.text).list;
    let opening = words.iter().position(|w| lexicon.openers.contains(&w.norm)).map_or(0, |at| at + 1);
    let mut deed = question.act_stems.clone();
    match said(question, &words[opening.min(words.len())..], corpus, lexicon) {
        Some(verb) => deed.extend([stem(&verb).to_owned()]),
        None if deed.is_empty() => deed = question.deeds(),
        None => {}
    }
    deed
}

/// The question looks ahead: it opens with "when will".
pub(super) fn ahead(question: &Question, lexicon: &Lexicon) -> bool {
    split(&question.text).list.get(1).is_some_and(|w| lexicon.forward.contains(&w.norm))
}

/// What a passage gives as the time of the deed: a key to compare by and words to show.
pub(super) fn told(deed: &WordSet, unit: &Unit<'_>, lexicon: &Lexicon) -> Vec<(String, String)> {
    let source = unit.passage.text;
    let published = unit.passage.published.and_then(|day| day.get(..10)?.parse::<NaiveDate>().ok());
    let list = &unit.words.list;
    let times = Text::new(text::Lexicon::english(), source).times(published);
    let dated = times.into_iter().filter_map(|time| {
        let at = list.iter().position(|w| w.end > time.span.start)?;
        let next = list.iter().position(|w| w.start >= time.span.end).unwrap_or(list.len());
        if !of_deed(deed, list, at, next, lexicon) {
            return None;
        }
        let written = time.span.of(source).split_whitespace().collect::<Vec<_>>().join(" ");
        match (time.start, time.precision) {
            (Some(day), Precision::Day) => Some((day.to_string(), day.format("%-d %B %Y").to_string())),
            (Some(day), Precision::Month) => Some((day.format("%Y-%m").to_string(), day.format("%B %Y").to_string())),
            (None, _) if time.relative && !written.contains(|c: char| c.is_ascii_digit()) => None,
            (Some(day), Precision::Year) => Some((day.format("%Y").to_string(), written)),
            _ => Some((written.to_lowercase(), written)),
        }
    });
    dated.collect()
}

/// The verb nearest to a time is the one asked about. A verb of saying has the times of its own clause only.
fn of_deed(deed: &WordSet, list: &[Word], at: usize, next: usize, lexicon: &Lexicon) -> bool {
    let role = |name: &str, k: usize| lexicon.role(name, &list[k].norm);
    let between = |k: usize| if k < at { k..at } else { next..k };
    let parted = |k: usize| list[between(k)].iter().any(|w| w.shape == Shape::Mark);
    let is_deed = |k: usize| deed.contains(stem(&list[k].norm));
    let helped = |k: usize| k > 0 && (role("to", k - 1) || lexicon.forward.contains(&list[k - 1].norm));
    let verb = |k: usize| {
        let norm = &list[k].norm;
        let form = text::Lexicon::english().is_past(norm) || helped(k);
        list[k].is_word() && list[k].shape != Shape::Title && form && !role("passive", k) && !role("auxiliaries", k)
    };
    let says = |k: usize| role("reporting", k) || role("denials", k);
    let counts = |k: &usize| is_deed(*k) || verb(*k) && !(says(*k) && parted(*k));
    let nearest = (0..at).chain(next..list.len()).filter(counts).min_by_key(|&k| (between(k).len(), k > at));
    nearest.is_some_and(is_deed)
}
