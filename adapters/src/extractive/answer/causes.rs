//! Why: explanations read from causal language, like ones grouped.

use super::corpus::Corpus;
use super::lexicon::{CauseMark, Lexicon, Side, WordSet};
use super::likeness::{content, like};
use super::question::Question;
use super::settle::Group;
use super::words::{Shape, Word, stem};

/// A comma after fewer words than this may part a list rather than end the cause.
const MIN_BEFORE_COMMA: usize = 3;

struct Cause {
    say: String,
    stems: WordSet,
    unit: usize,
    weight: f64,
}

/// Groups the causes that weighty passages name.
pub fn groups(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Group> {
    let mut causes = Vec::new();
    for unit in corpus.weightiest(lexicon) {
        causes.extend(causes_in(unit, question, corpus, lexicon));
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

fn causes_in(unit: usize, question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Cause> {
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
            let told = super::settle::out_of_capitals(told);
            let unsure = |w: &Word| lexicon.causes.unsure.contains(&w.norm);
            // "since 6 January" is a time.
            let dated = mark.weak && (words[from].shape == Shape::Number || lexicon.months.contains(&words[from].norm));
            if dated || unsure(&words[from]) || unsure(&words[to - 1]) {
                continue;
            }
            if stems.len() < 2 && (mark.weak || stems.is_empty()) || only_time(&words[from..to], lexicon) {
                continue;
            }
            let weight =
                corpus.weight(unit) * aboutness(question, words, from, to) * if mark.weak { lexicon.causes.weak } else { 1.0 };
            causes.push(Cause { say: mark.say.replace("{cause}", &told), stems, unit, weight });
        }
    }
    causes
}

/// A cause counts by how much of the event stands outside it: what the question names must be the effect.
fn aboutness(question: &Question, words: &[Word], from: usize, to: usize) -> f64 {
    let held = |word: &Word, stems: &dyn Fn(&str) -> bool| word.shape != Shape::Mark && stems(stem(&word.norm));
    let share = |range: &[&[Word]]| {
        let has = |wanted: &dyn Fn(&str) -> bool| range.iter().any(|r| r.iter().any(|w| held(w, wanted)));
        let terms = question.terms.iter().filter(|t| has(&|s| s == t.stem)).map(|t| t.weight).sum::<f64>();
        let act = if has(&|s| question.act_stems.contains(s)) { 1.0 } else { 0.0 };
        terms + act
    };
    let most = question.terms.iter().map(|t| t.weight).sum::<f64>() + f64::from(u8::from(question.act.is_some()));
    let effect = share(&[&words[..from], &words[to..]]) / most.max(1e-9);
    let cause = share(&[&words[from..to]]) / most.max(1e-9);
    (0.15 + 0.85 * effect) * (1.0 - 0.7 * cause)
}

fn span(words: &[Word], at: usize, after: usize, mark: &CauseMark, lexicon: &Lexicon) -> Option<(usize, usize)> {
    let most = lexicon.causes.max_words;
    let stop = |w: &Word| w.ends_clause() || w.norm == "\"";
    match mark.side {
        Side::After => {
            // "Because of the flood, the mill stands still": what opens a sentence ends at the first comma.
            let least = if at == 0 { 1 } else { MIN_BEFORE_COMMA };
            let mut to = after;
            while to < words.len() && to - after < most && !stop(&words[to]) && !(words[to].norm == "," && to - after >= least)
            {
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
