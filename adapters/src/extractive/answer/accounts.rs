//! What, how, when and where: competing accounts, like sentences grouped.

use std::collections::BTreeMap;

use super::corpus::Corpus;
use super::lexicon::{Lexicon, WordSet};
use super::likeness::{content, like};
use super::phrase::Reader;
use super::question::{Kind, Question};
use super::settle::Group;
use super::words::{Shape, Word, split};

/// Groups what weighty passages tell, by likeness; for "when" and "where" by the time or place told.
pub fn groups(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Group> {
    let found = match question.kind {
        Kind::When => told(question, corpus, lexicon, times_in, "date", "date"),
        Kind::Where => told(question, corpus, lexicon, places_in, "place", "found"),
        _ => Vec::new(),
    };
    if found.is_empty() { accounts(question, corpus, lexicon) } else { found }
}

fn accounts(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Group> {
    let mut groups: Vec<(WordSet, Group)> = Vec::new();
    for unit in corpus.weightiest(lexicon) {
        let here = &corpus.units[unit];
        let mut stems = content(&here.words.list, lexicon);
        // What the question itself names is in every account and tells none apart.
        stems.retain(|s| !question.terms.iter().any(|t| t.stem == *s));
        let weight = corpus.weight(unit) * here.coverage;
        if stems.len() < 4 || here.coverage <= 0.0 {
            continue;
        }
        if let Some((_, group)) = groups.iter_mut().find(|(known, _)| like(known, &stems) >= lexicon.limits.likeness) {
            group.support.push((unit, weight));
            continue;
        }
        let sentence = here.passage.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let statement = lexicon.say("account", &[("account", &sentence)]);
        groups.push((stems, Group { statement, support: vec![(unit, weight)], ..Group::default() }));
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

type Finder = fn(Reader<'_>, &str) -> Vec<(String, String)>;

/// Groups by what a finder reads out of each passage: a key to compare by and a text to show.
fn told(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon, finder: Finder, say: &str, gap: &str) -> Vec<Group> {
    let asked: WordSet = split(&question.text).list.iter().map(|w| w.norm.clone()).collect();
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for unit in corpus.weightiest(lexicon) {
        let here = &corpus.units[unit];
        let reader = Reader { words: &here.words, lexicon };
        for (key, shown) in finder(reader, here.passage.text) {
            if key.split(' ').all(|w| asked.contains(w)) || here.coverage <= 0.0 {
                continue;
            }
            let group = groups
                .entry(key)
                .or_insert_with(|| Group { statement: lexicon.say(say, &[(gap, &shown)]), ..Group::default() });
            group.support.push((
                unit,
                corpus.weight(unit) * here.coverage * if here.acts || question.act_stems.is_empty() { 1.0 } else { 0.4 },
            ));
        }
    }
    groups.into_values().collect()
}

/// "4 May 1989", "May 4", "in 1989".
fn times_in(reader: Reader<'_>, text: &str) -> Vec<(String, String)> {
    let list = &reader.words.list;
    let number = |k: usize| list.get(k).filter(|w| w.shape == Shape::Number && w.norm.len() <= 4);
    let mut times = Vec::new();
    let mut i = 0;
    while i < list.len() {
        let month = reader.lexicon.months.contains(&list[i].norm) && (list[i].norm != "may" || list[i].shape != Shape::Lower);
        let year =
            list[i].shape == Shape::Number && list[i].norm.len() == 4 && matches!(list[i].norm.as_bytes()[0], b'1' | b'2');
        let before = i > 0 && number(i - 1).is_some_and(|w| w.norm.len() <= 2);
        let preposition = i > 0 && matches!(list[i - 1].norm.as_str(), "in" | "since" | "until" | "by" | "of");
        if month {
            let from = if before { i - 1 } else { i };
            let mut to = i + 1;
            while number(to).is_some()
                || to + 1 < list.len() && list[to].norm == "," && number(to + 1).is_some_and(|w| w.norm.len() == 4)
            {
                to += 1;
            }
            // "12 March", "March 12" and "12 MAR 31" are one day; the year counts where it is written in full.
            let mut key: Vec<String> = list[from..to]
                .iter()
                .filter(|w| w.shape == Shape::Number && (w.norm.len() == 4 || number_of_day(w, &list[from..to])))
                .map(|w| w.norm.clone())
                .collect();
            key.sort_unstable();
            key.push(list[i].norm.chars().take(3).collect());
            if key.len() > 1 {
                let shown = &text[list[from].start..list[to - 1].end];
                times.push((key.join(" "), if reader.words.capitals { shown.to_lowercase() } else { shown.to_owned() }));
            }
            i = to;
        } else {
            if year && preposition {
                times.push((list[i].norm.clone(), text[list[i].start..list[i].end].to_owned()));
            }
            i += 1;
        }
    }
    times
}

/// The first short number of a date is its day.
fn number_of_day(word: &Word, date: &[Word]) -> bool {
    date.iter().find(|w| w.shape == Shape::Number && w.norm.len() <= 2).is_some_and(|w| w.start == word.start)
}

/// Names after "in", "at" or "near".
fn places_in(reader: Reader<'_>, text: &str) -> Vec<(String, String)> {
    let list = &reader.words.list;
    let mut places = Vec::new();
    for i in 1..list.len() {
        if !reader.lexicon.place_marks.contains(&list[i - 1].norm) {
            continue;
        }
        let at = i + usize::from(reader.lexicon.determiners.contains(reader.norm(i)));
        let to = reader.right(at);
        if to > at && !reader.lexicon.months.contains(reader.norm(at)) {
            let key: Vec<&str> = list[at..to].iter().map(|w| w.norm.as_str()).collect();
            places
                .push((key.join(" "), text[list[at].start..list[to - 1].end].split_whitespace().collect::<Vec<_>>().join(" ")));
        }
    }
    places
}
