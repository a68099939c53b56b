//! Pairs of passages that cannot both be right: like sentences of one clause, one denied, or with
//! different figures for what they count.

use std::collections::{BTreeMap, BTreeSet};

use super::Mode;
use super::corpus::Corpus;
use super::lexicon::{Lexicon, WordSet};
use super::likeness::{content, like};
use super::words::{Shape, Words, split, stem};
use crate::extractive::text;

/// Only so many of the weightiest passages are compared pair by pair.
const MAX_COMPARED: usize = 160;
const LIKENESS: f64 = 0.5;
/// A passage that tells less is compared with none.
const LEAST_CONTENT: usize = 4;

/// What one passage tells, as it is compared with others.
struct Told {
    unit: usize,
    /// What it tells, without who says it.
    content: WordSet,
    /// What is done in it.
    verbs: WordSet,
    denied: bool,
    /// By what is counted: the figures given for it.
    counts: BTreeMap<String, BTreeSet<String>>,
}

/// Keys of contradicting passages, the smaller hash first.
pub fn pairs(corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<(u32, u32)> {
    let units = corpus.weightiest(lexicon).into_iter().take(MAX_COMPARED);
    let rows: Vec<Told> = units.map(|unit| told(corpus, unit, lexicon)).collect();
    let mut found = Vec::new();
    for (i, a) in rows.iter().enumerate() {
        for b in &rows[i + 1..] {
            let small = a.content.len() < LEAST_CONTENT || b.content.len() < LEAST_CONTENT;
            // Two sentences about one person or place are of one clause only where the same is done in both.
            if small || a.verbs.is_disjoint(&b.verbs) || like(&a.content, &b.content) < LIKENESS {
                continue;
            }
            let differ = |(class, figures): (&String, &BTreeSet<String>)| {
                b.counts.get(class).is_some_and(|others| others.is_disjoint(figures))
            };
            if a.denied != b.denied || a.counts.iter().any(differ) {
                let order = |told: &Told| corpus.units[told.unit].order();
                let (first, second) = if order(a) <= order(b) { (a, b) } else { (b, a) };
                found.push((corpus.units[first.unit].passage.key, corpus.units[second.unit].passage.key));
            }
            if found.len() >= lexicon.limits.max_contradictions {
                return found;
            }
        }
    }
    found
}

fn told(corpus: &Corpus<'_>, unit: usize, lexicon: &Lexicon) -> Told {
    let here = &corpus.units[unit];
    let list = &here.words.list;
    let says = |norm: &str| ["reporting", "denials", "negations"].iter().any(|role| lexicon.role(role, norm));
    let speaker = here.passage.speaker.map(|speaker| content(&split(speaker).list, lexicon)).unwrap_or_default();
    let saying: WordSet = list.iter().filter(|w| says(&w.norm)).map(|w| stem(&w.norm).to_owned()).collect();
    let mut content = content(list, lexicon);
    content.retain(|stem| !speaker.contains(stem) && !saying.contains(stem));
    let helps = |k: usize| {
        let norm = &list[k].norm;
        ["auxiliaries", "passive", "adverbs", "to", "negations"].iter().any(|role| lexicon.role(role, norm))
            || lexicon.forward.contains(norm)
    };
    let done = |k: &usize| {
        let norm = &list[*k].norm;
        let form = norm.ends_with("ing") || text::Lexicon::english().is_past(norm);
        let written = here.words.capitals || list[*k].shape == Shape::Lower;
        written && content.contains(stem(norm)) && (form || *k > 0 && helps(*k - 1))
    };
    let verbs = (0..list.len()).filter(done).map(|k| stem(&list[k].norm).to_owned()).collect();
    Told { unit, verbs, denied: denied(corpus, unit, lexicon), counts: counts(&here.words, lexicon), content }
}

fn denied(corpus: &Corpus<'_>, unit: usize, lexicon: &Lexicon) -> bool {
    let here = &corpus.units[unit];
    let words =
        here.words.list.iter().filter(|w| lexicon.role("negations", &w.norm) || lexicon.role("denials", &w.norm)).count();
    here.passage.mode == Mode::Denied || words % 2 == 1
}

/// The figures of a passage, by the word behind them that says what they count.
fn counts(words: &Words, lexicon: &Lexicon) -> BTreeMap<String, BTreeSet<String>> {
    let mut counts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (figure, counted) in words.list.iter().zip(words.list.iter().skip(1)) {
        let plain = counted.is_word() && !lexicon.months.contains(&counted.norm) && !lexicon.stop.contains(&counted.norm);
        if figure.shape == Shape::Number && figure.norm.len() < 4 && plain {
            counts.entry(stem(&counted.norm).to_owned()).or_default().insert(figure.norm.clone());
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::super::tests::ask;

    #[test]
    fn only_passages_of_one_clause_contradict_each_other() {
        let pairs = |rows: &[(&str, &str)]| ask("What happened to the Aurel at Cape Lorn?", rows).contradictions.len();
        let table = [
            ("The Aurel hit a mine at Cape Lorn.", "The Aurel did not hit a mine at Cape Lorn, divers said.", 1),
            ("The Aurel will reopen at Cape Lorn in May.", "The Aurel will not reopen at Cape Lorn in May.", 1),
            ("The Aurel left Cape Lorn with 12 people.", "The Aurel left Cape Lorn with 21 people.", 1),
            ("The Aurel left Cape Lorn with 12 people.", "The Aurel left Cape Lorn with 21 tons of grain.", 0),
            (
                "Mayor Bo Sund of Cape Lorn denied that the Aurel sank.",
                "The Aurel was towed, Mayor Bo Sund of Cape Lorn said.",
                0,
            ),
        ];
        for (one, other, expected) in table {
            assert_eq!(pairs(&[("a", one), ("b", other)]), expected, "{one} {other}");
        }
    }
}
