//! The passages at hand, grouped by document and weighed by how much they speak of the question's event.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Passage;
use super::lexicon::{Lexicon, WordSet};
use super::question::{Kind, Question, Term};
use super::words::{Words, hash, split, stem};

/// How fast the weight of a passage fades with the distance to the sentence that names the event.
const FADE: f64 = 0.75;
/// What any passage of a document keeps.
const FLOOR: f64 = 0.12;
/// How sharply documents that hold fewer of the question's terms are set aside.
/// Who did one deed is told by the reports of that deed; other questions are answered by many that each touch on it.
const SHARPNESS_WHO: i32 = 3;
const SHARPNESS: i32 = 1;
/// How much of a question passages that tell of its deed, and their documents, are of, where it names nothing by name.
const AT_HAND: f64 = 0.5;
/// Between two sentences of which one follows the other stand at most so many bytes.
const MAX_GAP: usize = 24;
/// How much of a question that names nothing passages are taken to cover.
const UNNAMED: f64 = 0.8;

/// One passage with its words and its weight for the event.
#[derive(Debug)]
pub struct Unit<'a> {
    /// The passage.
    pub passage: &'a Passage<'a>,
    /// Its words.
    pub words: Words,
    /// The stems of these.
    pub stems: WordSet,
    /// Share of the question's terms in it, by weight.
    pub coverage: f64,
    /// It holds a word for the deed.
    pub acts: bool,
    /// Closeness to the sentences that name the event, 0 to 1.
    pub near: f64,
    /// Index of its document.
    pub document: usize,
}

impl Unit<'_> {
    /// Order that does not depend on the order of arrival.
    pub fn order(&self) -> (u64, usize) {
        (hash(self.passage.text), self.passage.start)
    }
}

/// One document's part among the passages.
#[derive(Debug)]
pub struct Doc<'a> {
    /// Its cluster of identical texts.
    pub origin: &'a str,
    /// Indices of its passages, in order of the text.
    pub units: Vec<usize>,
    /// How much it speaks of the event, 0 to 1.
    pub relevance: f64,
}

/// All passages, ready to be asked.
#[derive(Debug)]
pub struct Corpus<'a> {
    /// The passages, by document and place in it.
    pub units: Vec<Unit<'a>>,
    /// The documents.
    pub docs: Vec<Doc<'a>>,
    /// Stems of the question's terms that no passage holds.
    pub missing: Vec<String>,
    covered: f64,
    days: Vec<&'a str>,
}

impl<'a> Corpus<'a> {
    /// Splits, groups and weighs the passages.
    pub fn new(question: &Question, passages: &'a [Passage<'a>]) -> Self {
        let unit = |passage: &'a Passage<'a>| {
            let words = split(passage.text);
            let stems = words.list.iter().map(|w| stem(&w.norm).to_owned()).collect();
            Unit { passage, words, stems, coverage: 0.0, acts: false, near: 0.0, document: 0 }
        };
        let mut units: Vec<Unit<'a>> = passages.iter().map(unit).collect();
        let mut first: HashMap<&str, u64> = HashMap::new();
        for unit in &units {
            let entry = first.entry(unit.passage.document).or_insert(u64::MAX);
            *entry = (*entry).min(unit.order().0.wrapping_add(unit.passage.start as u64));
        }
        units.sort_by_key(|u| (first[u.passage.document], hash(u.passage.document), u.passage.start, u.order()));
        let docs = group(&mut units);
        let days: BTreeSet<&str> = passages.iter().filter_map(|p| p.published.and_then(|d| d.get(..10))).collect();
        let days = days.into_iter().collect();
        let mut corpus = Self { units, docs, missing: Vec::new(), covered: 0.0, days };
        corpus.weigh(question);
        corpus
    }

    fn weigh(&mut self, question: &Question) {
        let total = self.docs.len() as f64;
        let mut weights = Vec::with_capacity(question.terms.len());
        for term in &question.terms {
            let holding =
                self.docs.iter().filter(|d| d.units.iter().any(|&u| self.units[u].stems.contains(&term.stem))).count();
            if holding == 0 {
                self.missing.push(term.text.clone());
            }
            let rarity = ((total + 1.0) / (holding as f64 + 0.5)).ln().max(0.05);
            weights.push(if holding == 0 { 0.0 } else { term.weight * rarity });
        }
        let sum: f64 = weights.iter().sum::<f64>().max(1e-9);
        let deeds = question.deeds();
        let nameless = question.names.is_empty();
        for unit in &mut self.units {
            let held = question.terms.iter().zip(&weights).filter(|(t, _)| unit.stems.contains(&t.stem));
            unit.coverage = held.map(|(_, w)| w).sum::<f64>() / sum;
            unit.acts = !deeds.is_disjoint(&unit.stems);
            // A question that names nothing but a deed ("How many were killed?") is of whatever the documents tell of it.
            if question.terms.is_empty() {
                unit.coverage = if unit.acts { 1.0 } else { 0.0 };
            } else if nameless && unit.acts {
                unit.coverage = unit.coverage.max(AT_HAND);
            }
        }
        let asked: f64 = question.terms.iter().map(|t| t.weight).sum();
        let held: f64 = question.terms.iter().filter(|t| !self.missing.contains(&t.text)).map(|t| t.weight).sum();
        let mut best = 1e-9_f64;
        for doc in &mut self.docs {
            let holds = |t: &Term| doc.units.iter().any(|&u| self.units[u].stems.contains(&t.stem));
            let held = question.terms.iter().zip(&weights).filter(|(t, _)| holds(t));
            let coverage = held.map(|(_, w)| w).sum::<f64>() / sum;
            let coverage = if question.terms.is_empty() { 1.0 } else { coverage };
            let peak = doc.units.iter().map(|&u| self.units[u].coverage).fold(0.0, f64::max);
            let acts = doc.units.iter().any(|&u| self.units[u].acts);
            doc.relevance = (0.7 * coverage + 0.3 * peak) * if acts || question.act_stems.is_empty() { 1.0 } else { 0.7 };
            best = best.max(doc.relevance);
        }
        self.covered = if asked > 0.0 { (held / asked) * best.min(1.0) } else { UNNAMED };
        for doc in &mut self.docs {
            doc.relevance = (doc.relevance / best).powi(if question.kind == Kind::Who { SHARPNESS_WHO } else { SHARPNESS });
            if nameless {
                doc.relevance = doc.relevance.max(AT_HAND);
            }
        }
        self.spread();
    }

    /// Lets the weight of the sentences that name the event fade over their neighbours.
    fn spread(&mut self) {
        for doc in &self.docs {
            let score = |u: &Unit<'_>| u.coverage * if u.acts { 1.25 } else { 1.0 };
            let peak = doc.units.iter().map(|&u| score(&self.units[u])).fold(1e-9, f64::max);
            let mut near: Vec<f64> = doc.units.iter().map(|&u| score(&self.units[u]) / peak).collect();
            for i in 1..near.len() {
                near[i] = near[i].max(near[i - 1] * FADE);
            }
            for i in (0..near.len().saturating_sub(1)).rev() {
                near[i] = near[i].max(near[i + 1] * FADE);
            }
            for (&u, value) in doc.units.iter().zip(near) {
                self.units[u].near = value.max(FLOOR);
            }
        }
    }

    /// The passage that ends where another begins, in the same document.
    pub fn before(&self, unit: usize) -> Option<usize> {
        let (before, here) = (unit.checked_sub(1)?, &self.units[unit]);
        let last = &self.units[before];
        let gap = here.passage.start.saturating_sub(last.passage.start + last.passage.text.len());
        (last.document == here.document && gap <= MAX_GAP).then_some(before)
    }

    /// The first of at most `most` passages that lead up to one, each ending where the next begins.
    pub fn back_to(&self, unit: usize, most: usize) -> usize {
        (0..most).fold(unit, |first, _| self.before(first).unwrap_or(first))
    }

    /// Share of what the question names that the passages cover, 0 to 1.
    pub fn covered(&self) -> f64 {
        self.covered
    }

    /// Later reports of one matter correct earlier ones: from 0.7 for the first day to 1.3 for the last; 1 without a date.
    pub fn recency(&self, unit: usize) -> f64 {
        let Some(day) = self.units[unit].passage.published.and_then(|p| p.get(..10)) else { return 1.0 };
        if self.days.len() < 2 {
            return 1.0;
        }
        let place = self.days.iter().position(|d| *d == day).unwrap_or(0);
        0.7 + 0.6 * place as f64 / (self.days.len() - 1) as f64
    }

    /// Whose voice a passage is: its outlet, or its origin where no outlet is known.
    pub fn outlet(&self, unit: usize) -> String {
        let unit = &self.units[unit];
        unit.passage.outlet.map_or_else(|| self.docs[unit.document].origin.to_owned(), str::to_lowercase)
    }

    /// The passages that speak of the event, the weightiest first.
    pub fn weightiest(&self, lexicon: &Lexicon) -> Vec<usize> {
        let least = lexicon.limits.min_weight;
        let mut units: Vec<usize> = (0..self.units.len()).filter(|&u| self.weight(u) >= least).collect();
        units.sort_by(|&a, &b| {
            self.weight(b).total_cmp(&self.weight(a)).then(self.units[a].order().cmp(&self.units[b].order()))
        });
        units.truncate(lexicon.limits.max_close);
        units
    }

    /// Weight of a passage for the event, 0 to 1.
    pub fn weight(&self, unit: usize) -> f64 {
        let unit = &self.units[unit];
        self.docs[unit.document].relevance * unit.near
    }
}

fn group<'a>(units: &mut [Unit<'a>]) -> Vec<Doc<'a>> {
    let mut index: BTreeMap<&'a str, usize> = BTreeMap::new();
    let mut docs: Vec<Doc<'a>> = Vec::new();
    for (i, unit) in units.iter_mut().enumerate() {
        let at = *index.entry(unit.passage.document).or_insert_with(|| {
            docs.push(Doc { origin: unit.passage.origin, units: Vec::new(), relevance: 0.0 });
            docs.len() - 1
        });
        unit.document = at;
        docs[at].units.push(i);
    }
    docs
}
