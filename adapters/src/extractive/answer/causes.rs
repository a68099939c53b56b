//! Why: explanations read from causal language, like ones grouped.

use super::corpus::Corpus;
use super::lexicon::{CauseMark, Lexicon, Side, WordSet};
use super::likeness::{content, like};
use super::settle::Group;
use super::words::{Shape, Word};

struct Cause {
    say: String,
    stems: WordSet,
    unit: usize,
    weight: f64,
}

/// Groups the causes that weighty passages name.
pub fn groups(corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Group> {
    let mut causes = Vec::new();
    for unit in corpus.weightiest(lexicon) {
        causes.extend(causes_in(unit, corpus, lexicon));
    }
    causes.sort_by(|a, b| {
        b.weight
            .total_cmp(&a.weight)
            .then(corpus.units[a.unit].order().cmp(&corpus.units[b.unit].order()))
            .then(a.say.cmp(&b.say))
    });
    let mut groups: Vec<(WordSet, Group)> = Vec::new();
    for cause in causes {
        let found = groups.iter_mut().find(|(stems, _)| like(stems, &cause.stems) >= lexicon.limits.likeness);
        if let Some((_, group)) = found {
            group.support.push((cause.unit, cause.weight));
        } else if groups.len() < lexicon.limits.max_close {
            let group = Group { statement: cause.say, support: vec![(cause.unit, cause.weight)], ..Group::default() };
            groups.push((cause.stems, group));
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn causes_in(unit: usize, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Cause> {
    let words = &corpus.units[unit].words.list;
    let text = corpus.units[unit].passage.text;
    let mut taken = vec![false; words.len()];
    let mut causes = Vec::new();
    for mark in &lexicon.causes.marks {
        let wanted: Vec<&str> = mark.words.split(' ').collect();
        for i in 0..words.len().saturating_sub(wanted.len()) {
            let here = wanted.iter().enumerate().all(|(k, w)| words[i + k].norm == *w);
            if !here || taken[i..i + wanted.len()].iter().any(|t| *t) {
                continue;
            }
            taken[i..i + wanted.len()].fill(true);
            let Some((from, to)) = span(words, i, i + wanted.len(), mark, lexicon) else { continue };
            let stems = content(&words[from..to], lexicon);
            let told = text[words[from].start..words[to - 1].end].split_whitespace().collect::<Vec<_>>().join(" ");
            if stems.len() < 2 && (mark.weak || stems.is_empty()) || only_time(&words[from..to], lexicon) {
                continue;
            }
            let weight = corpus.weight(unit) * aboutness(corpus, unit) * if mark.weak { lexicon.causes.weak } else { 1.0 };
            causes.push(Cause { say: mark.say.replace("{cause}", &told), stems, unit, weight });
        }
    }
    causes
}

/// A cause counts by how much of the event its own sentence names.
fn aboutness(corpus: &Corpus<'_>, unit: usize) -> f64 {
    0.25 + 0.75 * corpus.units[unit].coverage
}

fn span(words: &[Word], at: usize, after: usize, mark: &CauseMark, lexicon: &Lexicon) -> Option<(usize, usize)> {
    let most = lexicon.causes.max_words;
    let stop = |w: &Word| w.ends_clause() || w.norm == "\"";
    match mark.side {
        Side::After => {
            let mut to = after;
            while to < words.len() && to - after < most && !stop(&words[to]) && !(words[to].norm == "," && to - after >= 3) {
                to += 1;
            }
            (to > after).then_some((after, to))
        }
        Side::Before => {
            // A passive before the mark ("were caused") has its cause after "by".
            let passive = at > 0 && lexicon.role("passive", &words[at - 1].norm);
            let mut from = at;
            while from > 0 && at - from < most && !stop(&words[from - 1]) {
                from -= 1;
            }
            while from < at && (words[from].shape == Shape::Mark || lexicon.conjunctions.contains(&words[from].norm)) {
                from += 1;
            }
            (from + 1 < at && !passive).then_some((from, at))
        }
    }
}

/// "after three days" gives a time, not a cause.
fn only_time(words: &[Word], lexicon: &Lexicon) -> bool {
    let timely = |w: &&Word| {
        w.shape == Shape::Number
            || lexicon.months.contains(&w.norm)
            || lexicon.figures.measures.contains(&w.norm)
            || lexicon.figures.numbers.contains_key(&w.norm)
            || lexicon.stop.contains(&w.norm)
    };
    words.iter().take(4).filter(timely).count() >= words.len().min(4)
}
