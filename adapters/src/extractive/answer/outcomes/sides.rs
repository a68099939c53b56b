//! Which side a passage takes on a question of yes or no: what it says of the predicate, by which day, on what condition.

use super::super::Mode;
use super::super::corpus::Corpus;
use super::super::lexicon::{Lexicon, WordSet};
use super::super::likeness::content;
use super::super::question::Question;
use super::super::words::{Shape, Word, split, stem};
use super::dates::{Dates, dates};

/// How far from what a passage says the words for "not" may stand.
const REACH: usize = 6;
/// A passage must name at least this share of what the question names.
const MIN_COVERAGE: f64 = 0.5;
/// How much of what the sentences before it name a sentence is taken to be of, and how many these are.
const BY_DOCUMENT: f64 = 0.8;
const BEFORE: usize = 4;
/// Weight of the word for the deed among what the question names.
const ACT_WEIGHT: f64 = 0.6;
/// Share of its weight that a passage keeps which never names what the question predicts.
const UNNAMED: f64 = 0.5;
/// Share of a condition's words that a passage must hold to speak of it.
const CONDITION_SHARE: f64 = 0.6;

/// What a passage says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// It takes a side, perhaps only under a condition.
    Side {
        /// It speaks for yes.
        positive: bool,
        /// It does so under a condition.
        conditional: bool,
    },
    /// It leaves the question open.
    Open,
}

/// The question as passages are compared with it.
pub(super) struct Asked {
    predicate: Vec<String>,
    /// Stems of its subject, where that is plain to see.
    subject: Vec<String>,
    /// It asks of what is to come.
    pub(super) ahead: bool,
    opposite: Vec<String>,
    negated: bool,
    /// Stems and weights of what the question names, times left out.
    named: Vec<(String, f64)>,
    deadline: Option<i32>,
}

impl Asked {
    /// The question with the words of its subject, none where that is not plain, and those that say something of it.
    pub(super) fn new(question: &Question, subject: &[Word], said: &[Word], deadline: Option<i32>, lexicon: &Lexicon) -> Self {
        let timely = |t: &str| {
            let measure = lexicon.figures.measures.iter().any(|m| m == t);
            measure || lexicon.months.contains(t) || t.starts_with(|c: char| c.is_ascii_digit())
        };
        let name = |t: &str| question.names.iter().any(|n| n.to_lowercase().contains(t));
        let terms = || question.terms.iter().filter(|t| !timely(&t.text));
        let pairs: Vec<(&str, &str)> =
            lexicon.opposites.iter().flat_map(|(a, b)| [(stem(a), stem(b)), (stem(b), stem(a))]).collect();
        // A verb of which the opposite is known is what the question predicts; else any of its plain words may be.
        let verbs: Vec<String> = terms().map(|t| t.stem.clone()).filter(|t| pairs.iter().any(|(a, _)| a == t)).collect();
        let plain = || terms().filter(|t| !name(&t.text));
        // "a bomb in the hall": where it was is not what was there.
        let placed = said.iter().skip(1).position(|w| lexicon.place_marks.contains(&w.norm)).map_or(said.len(), |at| at + 1);
        let of_subject = plain().filter(|t| said[..placed].iter().any(|w| w.norm == t.text)).map(|t| t.stem.clone());
        let mut predicate: Vec<String> = if verbs.is_empty() { of_subject.collect() } else { verbs };
        if predicate.is_empty() && question.act_word.is_none() {
            predicate = plain().map(|t| t.stem.clone()).collect();
        }
        let act = question.act_word.as_deref().map(|word| stem(&word.to_lowercase()).to_owned());
        // "switched off during the theft": when it was is not what was done.
        let core = said.iter().enumerate().position(|(k, w)| k > 0 && small(w, lexicon)).unwrap_or(said.len());
        let when = !subject.is_empty() && !said[..core].iter().any(|w| question.act_word.as_deref() == Some(&w.norm));
        if !when || predicate.is_empty() {
            predicate.extend(act.clone());
        }
        let kin = lexicon.kin.iter().filter(|set| predicate.iter().any(|p| set.contains(p)));
        let kin: Vec<String> = kin.flatten().cloned().collect();
        predicate.extend(kin);
        let opposite = pairs.iter().filter(|(a, _)| predicate.iter().any(|p| p == a)).map(|(_, b)| (*b).to_owned());
        let opposite: Vec<String> = opposite.filter(|b| !predicate.contains(b)).collect();
        let negated = split(&question.text).list.iter().any(|w| lexicon.role("not", &w.norm));
        // Where the question names nothing by name, the documents at hand are of its place.
        let here = |t: &str| question.names.is_empty() && said[placed..].iter().any(|w| w.norm == t);
        let named = terms()
            .filter(|t| !here(&t.text))
            .map(|t| (t.stem.clone(), t.weight))
            .chain(act.map(|act| (act, ACT_WEIGHT)))
            .collect();
        let head = subject.iter().skip(1).take_while(|w| !lexicon.of.contains(&w.norm));
        let subject =
            head.filter(|w| w.is_word() && !lexicon.stop.contains(&w.norm)).map(|w| stem(&w.norm).to_owned()).collect();
        let ahead = !split(&question.text).list.first().is_some_and(|w| lexicon.role("asks_done", &w.norm));
        Self { ahead, subject, predicate, opposite, negated, named, deadline }
    }

    /// What a passage says of the question, and which share of what the question names it holds; none where it is of something else.
    pub(super) fn reading(&self, unit: usize, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Option<(Reading, f64)> {
        let here = &corpus.units[unit];
        let words = &here.words.list;
        let mut covered = self.covered(words.iter());
        let looks = !self.ahead || looks_ahead(words, lexicon);
        if covered < MIN_COVERAGE && looks && self.place(words).is_some() && self.predicated(words) {
            // A sentence that says "it will reopen" is of what those before it are of.
            let near = corpus.back_to(unit, BEFORE)..=unit;
            covered = covered.max(self.covered(near.flat_map(|u| &corpus.units[u].words.list)) * BY_DOCUMENT);
        }
        if covered < MIN_COVERAGE {
            return None;
        }
        // Sentences before it may have named who "he" is.
        let near = corpus.back_to(unit, BEFORE)..=unit;
        let named = |w: &Word| self.subject.iter().any(|s| s == stem(&w.norm));
        if !self.subject.is_empty() && !near.flat_map(|u| &corpus.units[u].words.list).any(named) {
            return None;
        }
        let days = dates(words, here.passage.published, lexicon);
        let conditional = self.ahead && conditional(words, &days, lexicon);
        let Some((place, direct)) = self.place(words) else {
            // "does not expect barges to pass before the end of the year": no, though in other words.
            let late = self.negative(words, lexicon) && self.beyond(words, &days, lexicon);
            if late {
                return Some((Reading::Side { positive: false, conditional: false }, covered * UNNAMED));
            }
            let told = self.deadline.is_some_and(|day| days.iter().any(|d| d.from <= day && day <= d.to));
            return (told && conditional).then_some((Reading::Open, covered));
        };
        let parted = |w: &Word| w.shape == Shape::Mark && w.norm != "\"";
        // From before its first word to behind its last in the clause.
        let whole = words[place..].iter().take_while(|w| !w.ends_clause()).count();
        let last = place + words[place..place + whole].iter().rposition(|w| self.says(w)).unwrap_or(0);
        let behind = last - place + words[last..].iter().take(REACH).take_while(|w| !parted(w)).count();
        let back = |from: usize| words[..from].iter().rev().take(REACH).take_while(|w| !w.ends_clause()).count();
        // "nothing suggests that the barge, which was new, hit …": what is said of the clause is said of it.
        let clause = (0..place).rev().find(|&k| lexicon.role("clauses", &words[k].norm)).filter(|k| place - k <= 2 * REACH);
        let before = clause.map_or_else(|| back(place), |k| place - k + back(k));
        // "sailed before the door was closed" does not say that it ever was.
        if !self.ahead && opened(&words[place - before..place], lexicon) {
            return None;
        }
        let near = &words[place - before..place];
        let denies = |w: &Word| lexicon.role("denials", &w.norm);
        // "rejected on Monday, in a letter, claims that …", but not "denied a theft and said that …".
        let told = |w: &&Word| denies(w) || lexicon.role("reporting", &w.norm);
        let told_so = clause.and_then(|k| words[..k].iter().rev().find(told)).is_some_and(denies);
        let near = clause.map_or(near, |k| &words[k..place]);
        let denied = here.passage.mode == Mode::Denied || told_so || near.iter().any(denies);
        let negated = self.negative(&words[place - before..place + behind], lexicon) ^ denied;
        let mut positive = direct ^ (negated != self.negated);
        let dated = self.deadline.is_some() && !days.is_empty();
        if dated && self.beyond(words, &days, lexicon) {
            // Only after the day asked about, or not before a later one.
            positive = false;
        } else if dated && negated && direct && bounded(words, &days, lexicon) {
            // "not before May", when June is asked about, leaves it open.
            return Some((Reading::Open, covered));
        }
        Some((Reading::Side { positive, conditional }, covered))
    }

    /// A passage holds half of what the question says of what it names.
    fn predicated(&self, words: &[Word]) -> bool {
        let all = self.named.iter().filter(|(s, _)| self.predicate.contains(s)).count();
        let held: WordSet = words.iter().filter(|w| self.says(w)).map(|w| stem(&w.norm).to_owned()).collect();
        held.len() * 2 >= all
    }

    /// A word of what the question asks, or of the contrary.
    fn says(&self, word: &Word) -> bool {
        self.predicate.iter().chain(&self.opposite).any(|s| s == stem(&word.norm))
    }

    /// An odd number of words for "not"; what the question itself says, or the contrary, is none.
    fn negative(&self, range: &[Word], lexicon: &Lexicon) -> bool {
        let out = |k: usize| range.get(k + 1).is_some_and(|w| lexicon.role("ruled_out", &w.norm));
        let negates = |k: usize, w: &Word| lexicon.negative.contains(&w.norm) || lexicon.role("ruling", &w.norm) && out(k);
        range.iter().enumerate().filter(|(k, w)| negates(*k, w) && !self.says(w) && !lexicon.role("denials", &w.norm)).count()
            % 2
            == 1
    }

    /// Passages by which a condition of the answer is not met: "if the gate comes by May" -- "the gate cannot come before June".
    pub(super) fn unmet(&self, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<(usize, f64)> {
        let mut found = Vec::new();
        for unit in 0..corpus.units.len() {
            let words = &corpus.units[unit].words.list;
            let days = dates(words, corpus.units[unit].passage.published, lexicon);
            let told = self.deadline.is_some_and(|day| days.iter().any(|d| d.from <= day && day <= d.to));
            if !(told || self.place(words).is_some() && self.covered(words.iter()) >= MIN_COVERAGE) {
                continue;
            }
            let Some(at) = words.iter().position(|w| lexicon.role("provisos", &w.norm)) else { continue };
            let end = (at + 1..words.len()).find(|&k| words[k].ends_clause() || words[k].norm == ",").unwrap_or(words.len());
            let mut condition = content(&words[at + 1..end], lexicon);
            condition.retain(|s| !lexicon.months.contains(s) && !s.starts_with(|c: char| c.is_ascii_digit()));
            let day = days.iter().find(|d| (at..end).contains(&d.at)).map(|d| d.to);
            let against = (0..corpus.units.len())
                .filter(|&u| u != unit)
                .filter(|&u| breaks(&condition, day, u, corpus, lexicon))
                .map(|u| (u, corpus.recency(u)));
            found.extend(against);
        }
        found.sort_unstable_by_key(|(unit, _)| *unit);
        found.dedup_by_key(|(unit, _)| *unit);
        found
    }

    fn covered<'w>(&self, words: impl Iterator<Item = &'w Word>) -> f64 {
        let stems: WordSet = words.map(|w| stem(&w.norm).to_owned()).collect();
        let all: f64 = self.named.iter().map(|(_, weight)| weight).sum();
        let held: f64 = self.named.iter().filter(|(s, _)| stems.contains(s)).map(|(_, weight)| weight).sum();
        if all > 0.0 { held / all } else { 1.0 }
    }

    /// Where a passage speaks of the predicate, and whether by its own word or by its opposite.
    fn place(&self, words: &[Word]) -> Option<(usize, bool)> {
        let at = |list: &[String]| words.iter().position(|w| w.shape != Shape::Mark && list.iter().any(|s| s == stem(&w.norm)));
        match (at(&self.predicate), at(&self.opposite)) {
            (_, Some(place)) => Some((place, false)),
            (Some(place), None) => Some((place, true)),
            (None, None) if self.predicate.is_empty() => Some((0, true)),
            (None, None) => None,
        }
    }

    /// Every day that a passage names for it lies after the one asked about.
    fn beyond(&self, words: &[Word], days: &[Dates], lexicon: &Lexicon) -> bool {
        let Some(deadline) = self.deadline else { return false };
        let marked = |d: &&Dates| (d.at.saturating_sub(4)..d.at).any(|k| lexicon.role("dated", &words[k].norm));
        let mut marked = days.iter().filter(marked).peekable();
        marked.peek().is_some() && marked.all(|d| d.from > deadline)
    }
}

/// A word of grammar behind which another thing is told of: no article, and no adverb.
fn small(word: &Word, lexicon: &Lexicon) -> bool {
    let own = lexicon.determiners.contains(&word.norm) || lexicon.role("adverbs", &word.norm);
    lexicon.stop.contains(&word.norm) && !own && !lexicon.role("passive", &word.norm)
}

/// Whether a passage speaks of what is to come.
pub(super) fn looks_ahead(words: &[Word], lexicon: &Lexicon) -> bool {
    words.iter().any(|w| lexicon.forward.contains(&w.norm))
}

/// The clause that goes on behind some words is one of what has not happened yet ("before the door …").
fn opened(words: &[Word], lexicon: &Lexicon) -> bool {
    let role = |list: &str, w: &Word| lexicon.role(list, &w.norm);
    let last = words.last().is_some_and(|w| lexicon.conjunctions.contains(&w.norm));
    let begins = |w: &&Word| {
        let mark = w.shape == Shape::Mark && w.norm != "\"";
        mark || ["clauses", "subordinate", "subordinators"].iter().any(|list| role(list, w))
    };
    !last && words.iter().rev().find(begins).is_some_and(|w| role("subordinators", w))
}

/// A day stands after "before" or "until".
fn bounded(words: &[Word], days: &[Dates], lexicon: &Lexicon) -> bool {
    days.iter().any(|d| (d.at.saturating_sub(4)..d.at).any(|k| lexicon.role("deadlines", &words[k].norm)))
}

/// Whether a passage makes it depend on something; "until May" and "when" with a day do not.
fn conditional(words: &[Word], days: &[Dates], lexicon: &Lexicon) -> bool {
    let dated = |k: usize| days.iter().any(|d| d.at > k && d.at - k <= 4);
    words.iter().enumerate().any(|(k, w)| {
        let month = w.norm == "may" && w.shape != Shape::Lower;
        lexicon.conditional.contains(&w.norm) && !month && !(lexicon.role("dated", &w.norm) && dated(k))
    })
}

/// Whether a passage says that a condition is not met, or only after its day.
fn breaks(condition: &WordSet, day: Option<i32>, unit: usize, corpus: &Corpus<'_>, lexicon: &Lexicon) -> bool {
    let here = &corpus.units[unit];
    let words = &here.words.list;
    let stems = content(words, lexicon);
    let share = condition.intersection(&stems).count() as f64 / condition.len().max(1) as f64;
    let negated = words.iter().filter(|w| lexicon.negative.contains(&w.norm)).count() % 2 == 1;
    let late = |day: i32| dates(words, here.passage.published, lexicon).iter().any(|d| d.from > day);
    condition.len() >= 2 && share >= CONDITION_SHARE && negated && day.is_none_or(late)
}
