//! How many: the figures that passages give for what is counted, equal ones grouped, disputed ones side by side.

use std::collections::BTreeMap;

use super::corpus::Corpus;
use super::lexicon::Lexicon;
use super::question::Question;
use super::settle::Group;
use super::words::{Shape, Word, split, stem};

/// How many words after a figure the counted thing may stand.
const NOUN_REACH: usize = 4;
/// How far from a figure the word for its state ("killed") may stand.
const STATE_REACH: usize = 9;

/// How much heavier a passage that says "not so many" weighs than one that gives another figure.
const REFUSAL: f64 = 3.0;

/// What a figure counts in a passage that does not speak of what the question says about the counted.
const ELSEWHERE: f64 = 0.15;

/// One figure in a passage.
struct Figure {
    value: f64,
    text: String,
}

/// Groups the figures of weighty passages by value.
pub fn groups(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Group> {
    let wanted = Wanted::new(question, lexicon);
    let mut groups: BTreeMap<u64, (Group, BTreeMap<String, usize>)> = BTreeMap::new();
    let mut refused = Vec::new();
    for unit in corpus.weightiest(lexicon) {
        let text = corpus.units[unit].passage.text;
        let words = &corpus.units[unit].words.list;
        let mut i = 0;
        while i < words.len() {
            let Some((figure, next)) = figure_at(text, words, i, &wanted, lexicon) else {
                i += 1;
                continue;
            };
            let about = if wanted.speaks(words) { 1.0 } else { ELSEWHERE };
            let weight = corpus.weight(unit) * (0.3 + 0.7 * corpus.units[unit].coverage) * corpus.recency(unit) * about;
            if i > 0 && lexicon.role("negations", &words[i - 1].norm) {
                refused.push((figure.value.to_bits(), unit, weight));
                i = next;
                continue;
            }
            let (group, texts) = groups.entry(figure.value.to_bits()).or_default();
            group.support.push((unit, weight));
            *texts.entry(figure.text).or_default() += 1;
            i = next;
        }
    }
    for (value, unit, weight) in refused {
        if let Some((group, _)) = groups.get_mut(&value) {
            group.against.push((unit, weight * REFUSAL));
        }
    }
    withdraw(groups.values_mut().map(|(group, _)| group), corpus, lexicon);
    let list: Vec<(Group, BTreeMap<String, usize>)> = groups.into_values().collect();
    let all: Vec<Vec<(usize, f64)>> = list.iter().map(|(g, _)| g.support.clone()).collect();
    let told = list.into_iter().enumerate().map(|(i, (mut group, texts))| {
        let best =
            texts.iter().max_by_key(|(text, n)| (**n, std::cmp::Reverse(text.len()), std::cmp::Reverse((*text).clone())));
        group.statement = lexicon.say("figure", &[("figure", best.map_or("", |(text, _)| text))]);
        let mine: Vec<usize> = group.support.iter().map(|s| s.0).collect();
        let others =
            all.iter().enumerate().filter(|(k, _)| *k != i).flat_map(|(_, s)| s.clone()).filter(|s| !mine.contains(&s.0));
        group.rivals = others.map(|s| s.0).collect();
        group
    });
    told.collect()
}

/// A figure that was told before a document corrected it, and that this document names again, is withdrawn.
fn withdraw<'g>(groups: impl Iterator<Item = &'g mut Group>, corpus: &Corpus<'_>, lexicon: &Lexicon) {
    let day = |unit: usize| corpus.units[unit].passage.published.and_then(|p| p.get(..10));
    let corrects = |unit: usize| corpus.units[unit].words.list.iter().any(|w| lexicon.role("corrections", &w.norm));
    for group in groups {
        let Some(first) = group.support.iter().filter_map(|s| day(s.0)).min() else { continue };
        let corrected = group.support.iter().any(|s| {
            let units = &corpus.docs[corpus.units[s.0].document].units;
            day(s.0).is_some_and(|d| d > first) && units.iter().any(|&u| corrects(u))
        });
        if corrected {
            group.support.iter_mut().for_each(|s| s.1 *= lexicon.figures.withdrawn);
        }
    }
}

/// What is counted and in which state.
struct Wanted {
    nouns: Vec<String>,
    states: Vec<String>,
    other_states: Vec<String>,
    money: bool,
    /// What the question says about the counted, by stems.
    predicate: Vec<String>,
}

impl Wanted {
    /// A passage speaks of what the question says about the counted.
    fn speaks(&self, words: &[Word]) -> bool {
        self.predicate.is_empty() || words.iter().any(|w| self.predicate.iter().any(|p| p == stem(&w.norm)))
    }

    fn new(question: &Question, lexicon: &Lexicon) -> Self {
        let asked: Vec<String> = split(&question.text).list.iter().map(|w| w.norm.clone()).collect();
        let held = |list: &Vec<String>| asked.iter().any(|a| list.contains(a));
        let mut nouns = question.counted.clone();
        let (mut states, mut other_states, mut money) = (Vec::new(), Vec::new(), asked.iter().any(|a| a == "much"));
        for (name, list) in &lexicon.figures.same {
            let stems = list.iter().map(|w| stem(w).to_owned());
            match name.as_str() {
                "people" if question.counted.iter().any(|c| list.iter().any(|w| stem(w) == c)) => nouns.extend(stems),
                "money" => money |= held(list),
                "people" => {}
                _ if held(list) => states.extend(stems),
                _ => other_states.extend(stems),
            }
        }
        if question.counted.is_empty() && !states.is_empty() {
            nouns.extend(lexicon.figures.same.get("people").into_iter().flatten().map(|w| stem(w).to_owned()));
        }
        let named: Vec<String> = question.names.iter().flat_map(|n| split(n).list).map(|w| stem(&w.norm).to_owned()).collect();
        let rest = question.terms.iter().map(|t| t.stem.clone()).filter(|s| !nouns.contains(s) && !named.contains(s));
        let predicate =
            if states.is_empty() { rest.chain(question.act_stems.iter().cloned()).collect() } else { states.clone() };
        Self { nouns, states, other_states, money, predicate }
    }
}

fn figure_at(text: &str, words: &[Word], i: usize, wanted: &Wanted, lexicon: &Lexicon) -> Option<(Figure, usize)> {
    let (value, end) = number(words, i, lexicon)?;
    let paid = i > 0 && words[i - 1].norm == "$";
    let word = |k: usize| words.get(k).map_or("", |w| w.norm.as_str());
    let noun = (end..(end + NOUN_REACH).min(words.len()))
        .take_while(|&k| words[k].shape != Shape::Mark || words[k].norm == "," || words[k].norm == "\"")
        // "two lists of the dead" counts lists.
        .take_while(|&k| !lexicon.of.contains(word(k)))
        .find(|&k| {
            let stemmed = stem(word(k));
            wanted.nouns.iter().any(|n| n == stemmed) || wanted.states.iter().any(|s| s == stemmed)
        });
    let asked_measure = wanted.nouns.iter().any(|n| n == stem(word(end)));
    if lexicon.figures.measures.iter().any(|m| m == word(end)) && !asked_measure {
        return None;
    }
    let to = match noun {
        Some(k) => k + 1,
        None if wanted.money
            && (paid || lexicon.figures.same.get("money").is_some_and(|m| m.iter().any(|w| w == word(end)))) =>
        {
            end + usize::from(!paid)
        }
        None if bare_state(words, i, end, wanted) => end,
        None => return None,
    };
    if !wanted.states.is_empty() && !in_state(words, i, to, wanted) {
        return None;
    }
    let one = i > 0 && lexicon.figures.multipliers.contains(&words[i].norm) && lexicon.determiners.contains(&words[i - 1].norm);
    let mut from = if paid || one { i - 1 } else { i };
    for qualifier in &lexicon.figures.qualifiers {
        let parts: Vec<&str> = qualifier.split(' ').collect();
        let fits = from >= parts.len() && parts.iter().enumerate().all(|(k, p)| words[from - parts.len() + k].norm == *p);
        if fits {
            from -= parts.len();
            break;
        }
    }
    let told = text[words[from].start..words[to - 1].end].split_whitespace().collect::<Vec<_>>().join(" ");
    let told = super::settle::out_of_capitals(told);
    Some((Figure { value, text: told }, to))
}

/// "killed 12", "the death toll rose to 12": the figure stands without its noun.
fn bare_state(words: &[Word], i: usize, end: usize, wanted: &Wanted) -> bool {
    let next_plain = words
        .get(end)
        .is_none_or(|w| w.shape == Shape::Mark || matches!(w.norm.as_str(), "and" | "in" | "were" | "had" | "have"));
    let before = words[i.saturating_sub(5)..i].iter().any(|w| wanted.states.iter().any(|s| s == stem(&w.norm)));
    next_plain && before
}

/// The nearest word of state is the one asked for.
fn in_state(words: &[Word], i: usize, to: usize, wanted: &Wanted) -> bool {
    let distance = |list: &[String]| {
        let low = i.saturating_sub(STATE_REACH);
        let high = (to + STATE_REACH).min(words.len());
        let near = (low..high).filter(|&k| list.iter().any(|s| s == stem(&words[k].norm)));
        // What follows a figure belongs to it more than what goes before.
        near.map(|k| if k < i { (i - k) * 2 } else { k.saturating_sub(to) }).min()
    };
    match (distance(&wanted.states), distance(&wanted.other_states)) {
        (Some(mine), Some(other)) => mine <= other,
        (Some(_), None) => true,
        _ => false,
    }
}

/// The number that begins at a word and where it ends.
fn number(words: &[Word], i: usize, lexicon: &Lexicon) -> Option<(f64, usize)> {
    let single = |w: &Word| match w.shape {
        Shape::Number => w.norm.replace(',', "").parse::<f64>().ok(),
        Shape::Mark => None,
        _ => lexicon.figures.numbers.get(&w.norm).copied(),
    };
    let multiplies = |w: &Word| lexicon.figures.multipliers.contains(&w.norm);
    let first = words.get(i)?;
    if i > 0 && (single(&words[i - 1]).is_some() && words[i].glued) {
        return None;
    }
    let mut value = single(first)?;
    let mut end = i + 1;
    // "2 1/2 million"
    let part = |k: usize| words.get(k).filter(|w| w.shape == Shape::Number).and_then(|w| w.norm.parse::<f64>().ok());
    if let (Some(over), Some("/"), Some(under)) =
        (part(end), words.get(end + 1).map(|w| w.norm.as_str()), part(end + 2).filter(|u| *u > 1.0))
    {
        value += over / under;
        end += 3;
    }
    if words.get(end).is_some_and(|w| w.norm == "/") || i > 0 && words[i - 1].norm == "/" {
        return None;
    }
    while let Some(word) = words.get(end) {
        let Some(more) = single(word) else { break };
        if multiplies(word) {
            value *= more;
        } else if word.glued && value >= 20.0 && more < 10.0 || word.shape != Shape::Number && value >= 100.0 && more < 100.0 {
            value += more;
        } else {
            break;
        }
        end += 1;
    }
    let year = first.shape == Shape::Number && first.norm.len() == 4 && (1000.0..2200.0).contains(&value) && end == i + 1;
    let dated = words.get(end).is_some_and(|w| lexicon.months.contains(&w.norm))
        || i > 0 && lexicon.months.contains(&words[i - 1].norm);
    (!year && !dated).then_some((value, end))
}
