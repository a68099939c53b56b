//! Why: explanations read from causal language, like ones grouped.

use super::corpus::Corpus;
use super::lexicon::{CauseMark, Lexicon, Side, WordSet};
use super::likeness::{content, like};
use super::question::Question;
use super::settle::Group;
use super::words::{Shape, Word, split, stem};

/// A comma after fewer words than this may part a list rather than end the cause.
const MIN_BEFORE_COMMA: usize = 3;

/// The names of the question stand at most so many sentences from a cause.
const NAMED: usize = 4;

/// A mark that only orders in time tells a cause where its clause tells more of the event than this.
const WEAKLY: f64 = 0.5;

struct Cause {
    say: String,
    stems: WordSet,
    unit: usize,
    weight: f64,
}

/// Groups the causes that weighty passages name.
pub fn groups(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Group> {
    let mut causes = Vec::new();
    let event = Event::new(question, lexicon);
    for unit in corpus.weightiest(lexicon) {
        causes.extend(causes_in(unit, &event, corpus, lexicon));
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

fn causes_in(unit: usize, event: &Event<'_>, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Cause> {
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
            let anchored = event.anchored(unit, (i, from, to), mark, corpus);
            if anchored <= 0.0 {
                continue;
            }
            let about = anchored * anchored * apart(event.question, &words[from..to]);
            let weight = corpus.weight(unit) * about * if mark.weak { lexicon.causes.weak } else { 1.0 };
            causes.push(Cause { say: mark.say.replace("{cause}", &told), stems, unit, weight });
        }
    }
    causes
}

/// What the question asks the cause of.
struct Event<'q> {
    question: &'q Question,
    /// For each word that tells of it: its stem and those of words that tell the same.
    told: Vec<WordSet>,
    /// The names of the question, by their words.
    names: Vec<WordSet>,
}

impl<'q> Event<'q> {
    fn new(question: &'q Question, lexicon: &Lexicon) -> Self {
        let telling = |w: &Word| w.shape != Shape::Mark && !lexicon.stop.contains(&w.norm);
        let norms = |name: &String| -> WordSet { split(name).list.into_iter().filter(telling).map(|w| w.norm).collect() };
        let names: Vec<WordSet> = question.names.iter().map(norms).filter(|name| !name.is_empty()).collect();
        let plain = question.terms.iter().filter(|t| !names.iter().any(|n| n.contains(&t.text))).map(|t| t.stem.clone());
        let act = question.act_word.as_deref().map(|word| stem(&word.to_lowercase()).to_owned());
        let told = plain.chain(act).map(|word| {
            let same = if question.act_stems.contains(&word) { question.act_stems.clone() } else { WordSet::new() };
            let kin = lexicon.kin.iter().filter(|set| set.contains(&word)).flatten().cloned();
            kin.chain(same).chain([word.clone()]).collect()
        });
        Self { question, told: told.collect(), names }
    }

    /// How far the sentence says that the cause is one of this event: by the share of the event told outside the cause, with a mark
    /// that only orders in time in the very clause; by half of that where the sentence before tells it. Nothing where a name of the
    /// question is far.
    fn anchored(&self, unit: usize, (mark, from, to): (usize, usize, usize), kind: &CauseMark, corpus: &Corpus<'_>) -> f64 {
        let words = &corpus.units[unit].words.list;
        let beside = |u: usize| corpus.units[u].document == corpus.units[unit].document;
        let around = unit.saturating_sub(NAMED)..(unit + NAMED + 1).min(corpus.units.len());
        let near = |name: &WordSet| {
            around.clone().filter(|&u| beside(u)).flat_map(|u| &corpus.units[u].words.list).any(|w| name.contains(&w.norm))
        };
        if !self.names.iter().all(near) {
            return 0.0;
        }
        if self.told.is_empty() {
            return 1.0;
        }
        let share = |parts: [&[Word]; 2]| {
            let held = |set: &&WordSet| parts.iter().any(|part| part.iter().any(|w| set.contains(stem(&w.norm))));
            self.told.iter().filter(held).count() as f64 / self.told.len() as f64
        };
        let clause = |part: &[Word]| part.iter().rev().take_while(|w| w.shape != Shape::Mark).count();
        if kind.weak {
            let opens = if mark == 0 { &words[to..] } else { &[] };
            let told = share([&words[mark - clause(&words[..mark])..mark], opens]);
            return if told > WEAKLY { told } else { 0.0 };
        }
        let own = share([&words[..from], &words[to..]]);
        let before = corpus.before(unit).map_or(&[][..], |u| &corpus.units[u].words.list[..]);
        own.max(0.5 * share([before, &[]]))
    }
}

/// A cause counts less the more of the event it holds itself: what the question names must be the effect.
fn apart(question: &Question, cause: &[Word]) -> f64 {
    let has = |wanted: &dyn Fn(&str) -> bool| cause.iter().any(|w| w.shape != Shape::Mark && wanted(stem(&w.norm)));
    let held = question.terms.iter().filter(|t| has(&|s| s == t.stem)).map(|t| t.weight).sum::<f64>()
        + f64::from(u8::from(has(&|s| question.act_stems.contains(s))));
    let all = question.terms.iter().map(|t| t.weight).sum::<f64>() + f64::from(u8::from(question.act.is_some()));
    1.0 - 0.7 * held / all.max(1e-9)
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
