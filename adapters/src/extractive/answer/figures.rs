//! How many: the figures that passages give for what is counted, equal ones grouped, disputed ones side by side.

use std::{cell::LazyCell, collections::BTreeMap};

use super::corpus::Corpus;
use super::lexicon::Lexicon;
use super::question::Question;
use super::settle::Group;
use super::words::{Shape, Word, split, stem};
use crate::extractive::text;

/// How many words after a figure the counted thing may stand.
const NOUN_REACH: usize = 4;
/// How far from a figure the word for its state ("killed") may stand.
const STATE_REACH: usize = 9;
/// How far before a figure the verb that revises one ("rose to") may stand.
const REVISION_REACH: usize = 5;

/// A note of correction has at most so many sentences after its first.
const NOTE: usize = 3;

/// How much heavier a passage that says "not so many" weighs than one that gives another figure.
const REFUSAL: f64 = 3.0;
/// What a figure counts in a passage that does not speak of what the question says about the counted.
const ELSEWHERE: f64 = 0.15;
/// What a figure counts of others than the question asks of ("children" for "passengers").
const OTHERS: f64 = 0.3;
/// What a figure counts that is a part of a whole or is added to it ("three more", "nine of them").
const PARTIAL: f64 = 0.1;

/// One figure in a passage.
struct Figure {
    value: f64,
    text: String,
    /// It is a part of a whole, or is added to one.
    partial: bool,
    /// It takes the place of an earlier one ("rose to 12").
    revises: bool,
    /// It counts what the question counts, by the same word or in the same state.
    exact: bool,
}

/// A figure with the passage that gives it.
struct Told {
    figure: Figure,
    unit: usize,
    weight: f64,
    refused: bool,
    /// Its passage stands in a note that corrects another report.
    in_note: bool,
    /// Its passage, or the note it stands in, speaks of what the question says about the counted.
    speaks: bool,
    /// Share of what the question names that it holds.
    named: f64,
}

/// Groups the figures of weighty passages by value.
pub fn groups(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Group> {
    let wanted = Wanted::new(question, lexicon);
    let mut told: Vec<Told> =
        corpus.weightiest(lexicon).into_iter().flat_map(|unit| figures_in(unit, &wanted, corpus, lexicon)).collect();
    supersede(&mut told, corpus, lexicon);
    let mut groups: BTreeMap<u64, (Group, BTreeMap<String, usize>)> = BTreeMap::new();
    for given in told.iter().filter(|given| !given.refused) {
        let (group, texts) = groups.entry(given.figure.value.to_bits()).or_default();
        group.support.push((given.unit, given.weight));
        *texts.entry(given.figure.text.clone()).or_default() += 1;
    }
    for given in told.iter().filter(|given| given.refused) {
        if let Some((group, _)) = groups.get_mut(&given.figure.value.to_bits()) {
            group.against.push((given.unit, given.weight * REFUSAL));
        }
    }
    let list: Vec<(Group, BTreeMap<String, usize>)> = groups.into_values().collect();
    let all: Vec<Vec<usize>> = list.iter().map(|(g, _)| g.support.iter().map(|s| s.0).collect()).collect();
    let settled = list.into_iter().enumerate().map(|(i, (mut group, texts))| {
        let best =
            texts.iter().max_by_key(|(text, n)| (**n, std::cmp::Reverse(text.len()), std::cmp::Reverse((*text).clone())));
        group.statement = statement(question, best.map_or("", |(text, _)| text), wanted.money, lexicon);
        let others = all.iter().enumerate().filter(|(k, _)| *k != i).flat_map(|(_, units)| units);
        group.rivals = others.filter(|unit| !all[i].contains(unit)).copied().collect();
        group
    });
    settled.collect()
}

fn figures_in(unit: usize, wanted: &Wanted, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Told> {
    let words = &corpus.units[unit].words.list;
    let speaks = |&unit: &usize| wanted.speaks(&corpus.units[unit].words.list);
    let document = &corpus.docs[corpus.units[unit].document].units;
    let note: Vec<usize> = (corpus.back_to(unit, NOTE)..=unit).collect();
    let in_note = LazyCell::new(|| in_note(&note, corpus, lexicon));
    let mut told = Vec::new();
    let mut i = 0;
    while i < words.len() {
        let Some((figure, next)) = figure_at(corpus.units[unit].passage.text, words, i, wanted, lexicon) else {
            i += 1;
            continue;
        };
        let refused = i > 0 && lexicon.role("negations", &words[i - 1].norm);
        // "The total was corrected to …" need not say again of what.
        let (of, own): (&[usize], &[usize]) = if figure.revises || *in_note { (document, &note) } else { (&[unit], &[unit]) };
        let about = if of.iter().any(speaks) { 1.0 } else { ELSEWHERE };
        let covered = of.iter().map(|&u| corpus.units[u].coverage).fold(0.0, f64::max);
        let whole = if figure.partial { PARTIAL } else { 1.0 } * if figure.exact { 1.0 } else { OTHERS };
        let weight = corpus.weight(unit) * (0.3 + 0.7 * covered) * corpus.recency(unit) * about * whole;
        let (speaks, named) = (own.iter().any(speaks), wanted.named(own, corpus));
        told.push(Told { figure, unit, weight, refused, in_note: *in_note, speaks, named });
        i = next;
    }
    told
}

/// Where a report says to what a figure rose or was corrected, others beside it and of earlier days are withdrawn, unless they are
/// of more of what the question names.
fn supersede(told: &mut [Told], corpus: &Corpus<'_>, lexicon: &Lexicon) {
    let day = |given: &Told| corpus.units[given.unit].passage.published.and_then(|p| p.get(..10));
    let revisions: Vec<(u64, usize, Option<&str>, f64)> = (0..told.len())
        .filter(|&k| !told[k].refused && told[k].speaks)
        .filter(|&k| told[k].figure.revises || corrected_to(told, k, corpus))
        .map(|k| (told[k].figure.value.to_bits(), told[k].unit, day(&told[k]), told[k].named))
        .collect();
    let last = revisions.iter().map(|r| r.2).max();
    for given in told.iter_mut() {
        let value = given.figure.value.to_bits();
        let old = revisions.iter().any(|&(other, unit, later, named)| {
            let before = day(given).zip(later).is_some_and(|(mine, later)| mine < later);
            other != value && named >= given.named && (beside(given.unit, unit, corpus) || before)
        });
        // The newest revision stands as it is, wherever it is told.
        let newest = revisions.iter().filter(|r| r.0 == value).map(|r| r.2).max();
        if old && (newest.is_none() || newest < last) {
            given.weight *= lexicon.figures.withdrawn;
        }
    }
}

/// A note that corrects another report ends with the figure that is right.
fn corrected_to(told: &[Told], k: usize, corpus: &Corpus<'_>) -> bool {
    let here = told[k].unit;
    let later = |(n, given): (usize, &Told)| {
        !given.refused && beside(given.unit, here, corpus) && (given.unit > here || given.unit == here && n > k)
    };
    told[k].in_note && !told.iter().enumerate().any(later)
}

/// One of these passages says that another report is corrected.
fn in_note(note: &[usize], corpus: &Corpus<'_>, lexicon: &Lexicon) -> bool {
    let corrects = |&unit: &usize| {
        let words = &corpus.units[unit].words;
        let opens = |i: usize| words.list[..i].iter().all(|w| !w.is_word() || lexicon.determiners.contains(&w.norm));
        let header = |i: usize, w: &Word| lexicon.role("headers", &w.norm) && (words.capitals || opens(i));
        let pair = |i: usize, w: &Word| {
            words.list.get(i + 1).is_some_and(|n| lexicon.role("corrections", &format!("{} {}", w.norm, n.norm)))
        };
        words.list.iter().enumerate().any(|(i, w)| lexicon.role("corrections", &w.norm) || header(i, w) || pair(i, w))
    };
    note.iter().any(corrects)
}

/// Two passages that follow each other, with few between them.
fn beside(one: usize, other: usize, corpus: &Corpus<'_>) -> bool {
    corpus.back_to(one.max(other), NOTE) <= one.min(other)
}

/// What is counted and in which state.
struct Wanted {
    /// Stems of the counted, as the question has them, and of words like them.
    asked: Vec<String>,
    nouns: Vec<String>,
    states: Vec<String>,
    other_states: Vec<String>,
    money: bool,
    /// What the question says about the counted, by stems.
    predicate: Vec<String>,
    /// Stems of what it names, or of the rest of it where it names nothing.
    names: Vec<String>,
}

impl Wanted {
    /// A passage speaks of what the question says about the counted.
    fn speaks(&self, words: &[Word]) -> bool {
        let said = |w: &Word| self.states.contains(&w.norm) || self.predicate.iter().any(|p| p == stem(&w.norm));
        self.states.is_empty() && self.predicate.is_empty() || words.iter().any(said)
    }

    /// Share of what the question names that some passages hold.
    fn named(&self, units: &[usize], corpus: &Corpus<'_>) -> f64 {
        let held = self.names.iter().filter(|name| units.iter().any(|&u| corpus.units[u].stems.contains(*name))).count();
        if self.names.is_empty() { 1.0 } else { held as f64 / self.names.len() as f64 }
    }

    fn counts(&self, norm: &str) -> bool {
        self.nouns.iter().any(|n| n == stem(norm))
    }

    fn new(question: &Question, lexicon: &Lexicon) -> Self {
        let asked: Vec<String> = split(&question.text).list.iter().map(|w| w.norm.clone()).collect();
        let held = |list: &Vec<String>| asked.iter().any(|a| list.contains(a));
        let mut nouns = question.counted.clone();
        let (mut states, mut other_states, mut money) =
            (Vec::new(), Vec::new(), asked.iter().any(|a| lexicon.role("amounts", a)));
        for (name, list) in &lexicon.figures.same {
            let stems = list.iter().map(|w| stem(w).to_owned());
            match name.as_str() {
                "people" if question.counted.iter().any(|c| list.iter().any(|w| stem(w) == c)) => nouns.extend(stems),
                "money" => money |= held(list),
                "people" => {}
                _ if held(list) => states.extend(list.iter().cloned()),
                _ => other_states.extend(list.iter().cloned()),
            }
        }
        if question.counted.is_empty() && !states.is_empty() {
            nouns.extend(lexicon.figures.same.get("people").into_iter().flatten().map(|w| stem(w).to_owned()));
        }
        other_states.retain(|word| !states.contains(word));
        let words = question.names.iter().flat_map(|n| split(n).list);
        let named: Vec<String> = words.filter(|w| !lexicon.stop.contains(&w.norm)).map(|w| stem(&w.norm).to_owned()).collect();
        let rest = question.terms.iter().map(|t| t.stem.clone()).filter(|s| !nouns.contains(s) && !named.contains(s));
        let rest: Vec<String> = rest.collect();
        let state = |s: &&String| !states.iter().any(|word| stem(word) == *s);
        let names = if named.is_empty() { rest.iter().filter(state).cloned().collect() } else { named };
        let acts = question.act_stems.iter().cloned();
        let predicate = if states.is_empty() { rest.into_iter().chain(acts).collect() } else { Vec::new() };
        Self { asked: question.counted.clone(), nouns, states, other_states, money, predicate, names }
    }
}

fn figure_at(text: &str, words: &[Word], i: usize, wanted: &Wanted, lexicon: &Lexicon) -> Option<(Figure, usize)> {
    let (value, end) = number(words, i, lexicon)?;
    let paid = i > 0 && words[i - 1].norm == "$";
    let word = |k: usize| words.get(k).map_or("", |w| w.norm.as_str());
    let state = |k: usize| wanted.states.iter().any(|s| s == word(k));
    let first = qualified(words, i, lexicon);
    let risen = revision(words, first, lexicon);
    // "nine of them", "two of the sailors": what is a part is told behind "of"; "two lists of the dead" counts lists.
    let of = lexicon.of.contains(word(end));
    let from = end + if of { 1 + usize::from(lexicon.determiners.contains(word(end + 1))) } else { 0 };
    let pronoun = of && lexicon.role("counted_pronouns", word(from));
    let noun = (from..(from + NOUN_REACH).min(words.len()))
        .take_while(|&k| words[k].shape != Shape::Mark || !risen && words[k].norm == "," || words[k].norm == "\"")
        .take_while(|&k| !lexicon.of.contains(word(k)))
        .find(|&k| wanted.counts(word(k)) || state(k));
    let noun = if pronoun { Some(from) } else { noun };
    if lexicon.figures.measures.iter().any(|m| m == word(end)) && !wanted.counts(word(end)) {
        return None;
    }
    let revises = risen && noun.is_none_or(|k| wanted.counts(word(k)) || state(k));
    let counts_other = noun.is_none() && word(end).ends_with('s') && !lexicon.stop.contains(word(end));
    let to = match noun {
        Some(k) => k + 1,
        None if wanted.money
            && (paid || lexicon.figures.same.get("money").is_some_and(|m| m.iter().any(|w| w == word(end)))) =>
        {
            end + usize::from(!paid)
        }
        None if revises && !counts_other || bare_state(words, i, end, wanted, lexicon) => end,
        None => return None,
    };
    let asked = |k: usize| wanted.asked.iter().any(|n| n == stem(word(k)));
    let exact = !wanted.states.is_empty() || noun.is_none_or(|k| (end..=k).any(asked));
    if !of_its_state(words, i, to, (of, revises && noun.is_none(), exact), wanted) {
        return None;
    }
    let partial = of || part(words, first, end, to, lexicon);
    // "12 dead" is told as "12": the statement says in which state they are.
    let told = if of || noun.is_some_and(state) { end } else { to };
    let one = i > 0 && lexicon.figures.multipliers.contains(&words[i].norm) && lexicon.determiners.contains(&words[i - 1].norm);
    let from = if paid || one { first.min(i - 1) } else { first };
    let told = text[words[from].start..words[told - 1].end].split_whitespace().collect::<Vec<_>>().join(" ");
    Some((Figure { value, text: super::settle::out_of_capitals(told), partial, revises, exact }, to))
}

/// The first of the words that loosen the figure at `i` ("at least"), or `i`.
fn qualified(words: &[Word], i: usize, lexicon: &Lexicon) -> usize {
    let before = |qualifier: &String| {
        let parts: Vec<&str> = qualifier.split(' ').collect();
        let fits = i >= parts.len() && parts.iter().enumerate().all(|(k, p)| words[i - parts.len() + k].norm == *p);
        fits.then(|| i - parts.len())
    };
    lexicon.figures.qualifiers.iter().find_map(before).unwrap_or(i)
}

/// "rose to 12", "now stands at 12", "has reached 12": the figure takes the place of an earlier one.
fn revision(words: &[Word], i: usize, lexicon: &Lexicon) -> bool {
    let revises = |k: usize| lexicon.role("revisions", &words[k].norm);
    let near = || (i.saturating_sub(REVISION_REACH)..i).rev().take_while(|&k| words[k].shape != Shape::Mark);
    i > 0
        && (lexicon.role("revised_to", &words[i - 1].norm) && near().any(revises)
            || lexicon.role("reaches", &words[i - 1].norm))
}

/// "three more", "another three", "including four", "four children are among them", "rose by three".
fn part(words: &[Word], from: usize, end: usize, to: usize, lexicon: &Lexicon) -> bool {
    let is = |list: &str, k: usize| words.get(k).is_some_and(|w| lexicon.role(list, &w.norm));
    let before = (from.saturating_sub(2)..from).any(|k| is("parts", k)) || from > 0 && is("additions", from - 1);
    let risen_by = from > 0 && is("by", from - 1) && (from.saturating_sub(REVISION_REACH)..from).any(|k| is("revisions", k));
    // "four children are among the dead", but not "61 were saved, among them nine children".
    let behind = (to..words.len().min(to + 3)).take_while(|&k| words[k].shape != Shape::Mark).any(|k| is("parts", k));
    before || risen_by || is("additions", end) || behind
}

/// "killed 12", "the dead: 12": the figure stands without its noun.
fn bare_state(words: &[Word], i: usize, end: usize, wanted: &Wanted, lexicon: &Lexicon) -> bool {
    let next_plain = words.get(end).is_none_or(|w| w.shape == Shape::Mark || lexicon.role("uncounted", &w.norm));
    let before = words[i.saturating_sub(5)..i].iter().any(|w| wanted.states.contains(&w.norm));
    next_plain && before
}

/// The nearest word of state is the one asked for, or no other where none is. A part is told by what follows it; what a figure
/// rose to by all that goes before.
fn of_its_state(words: &[Word], i: usize, to: usize, (part, risen, exact): (bool, bool, bool), wanted: &Wanted) -> bool {
    let distance = |list: &[String]| {
        let low = if risen { 0 } else { i.saturating_sub(STATE_REACH) };
        let high = (to + STATE_REACH).min(words.len());
        let told = (low..high).filter(|&k| !(part && (i..to).contains(&k) || risen && k > i));
        let near = told.filter(|&k| list.contains(&words[k].norm));
        // What follows a figure belongs to it more than what goes before.
        near.map(|k| if k < i { (i - k) * 2 } else { k.saturating_sub(to) }).min()
    };
    match (distance(&wanted.states), distance(&wanted.other_states)) {
        (Some(mine), Some(other)) => mine <= other,
        (Some(_), None) => true,
        (None, other) => wanted.states.is_empty() && (exact || other.is_none()),
    }
}

/// The figure in the words of the question where it can stand before them ("12 miners died"), else by itself.
fn statement(question: &Question, figure: &str, money: bool, lexicon: &Lexicon) -> String {
    let text = question.parts.first().map_or(question.text.as_str(), |part| part.text.as_str());
    let words = split(text).list;
    let word = |k: usize| words.get(k).map_or("", |w| w.norm.as_str());
    let helps =
        |norm: &str| lexicon.openers.contains(norm) || lexicon.role("passive", norm) || lexicon.role("auxiliaries", norm);
    let verb = (2..words.len()).find(|&k| helps(word(k)) || text::Lexicon::english().is_past(word(k)));
    let straight = verb.filter(|&k| {
        let next = words.get(k + 1).map_or(Shape::Mark, |w| w.shape);
        let inverted = lexicon.determiners.contains(word(k + 1)) || matches!(next, Shape::Title | Shape::Upper);
        !(helps(word(k)) && inverted || lexicon.role("inverting", word(k)))
            && lexicon.role("counting", &format!("{} {}", word(0), word(1)))
    });
    let Some(verb) = straight else {
        let name = if money { "amount" } else { "figure" };
        return lexicon.say(name, &[("figure", &uncapitalised(figure))]);
    };
    let bare =
        split(figure).list.last().is_none_or(|w| w.shape == Shape::Number || lexicon.figures.numbers.contains_key(&w.norm));
    let from = if bare { 2 } else { verb };
    let end = words.iter().rev().find(|w| w.shape != Shape::Mark).map_or(text.len(), |w| w.end);
    super::settle::capitalised(&format!("{figure} {}.", &text[words[from].start..end]))
}

fn uncapitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
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
