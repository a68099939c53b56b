//! Contradicting figures: sentences of two documents that give different numbers for one thing.
//!
//! Invariant: both figures have the same unit and count the same thing, and their sentences tell of one event.

use crate::{
    corpus::{NameMention, Number, Reading},
    question::{AnswerType, Shape},
    rules::FigureLimits,
    select::{COUNTED, Candidate, MEASURED, Ranking},
    text::Kind,
    words::{Cue, QuestionWords, Stems, Words},
};
use std::cmp::Ordering;

/// Words that two sentences share, their verb included, beside what they count; more where one says only the unit.
const SHARED: usize = 2;
const SHARED_BY_UNIT: usize = 3;

/// A figure of a passage about the question.
struct Figure<'a> {
    candidate: &'a Candidate,
    number: &'a Number,
    /// Keys of the names of its sentence, and of the places among them.
    names: Vec<&'a str>,
    places: Vec<&'a str>,
    /// Whether its sentence counts only a part.
    is_part: bool,
}

impl<'a> Figure<'a> {
    fn new(candidate: &'a Candidate, number: &'a Number, reading: &'a Reading, words: &QuestionWords) -> Self {
        let keys = |mention: &'a NameMention| mention.keys.iter().map(String::as_str);
        let places = reading.mentions.iter().filter(|mention| mention.kind == Kind::Place);
        Self {
            candidate,
            number,
            names: reading.mentions.iter().flat_map(keys).collect(),
            places: places.flat_map(keys).collect(),
            is_part: words.has_spaced(Cue::Partial, &reading.folded),
        }
    }

    /// Whether two sentences share a name and a place as far as both have one, and neither counts only a part.
    fn is_of_one_place(&self, other: &Self) -> bool {
        let agree =
            |one: &[&str], other: &[&str]| one.is_empty() || other.is_empty() || one.iter().any(|key| other.contains(key));
        agree(&self.names, &other.names) && agree(&self.places, &other.places) && self.is_part == other.is_part
    }
}

impl Ranking<'_> {
    /// The pairs of passages whose figures contradict each other, the best first. A figure that changes over time contradicts nothing.
    pub fn contradicting_figures(&self, ranked: &[Candidate]) -> Vec<(usize, usize)> {
        if self.question.shape == Shape::Series {
            return vec![];
        }
        let limits = &self.rules.limits.brief;
        let best = ranked.iter().map(|candidate| candidate.coverage).fold(0.0, f64::max);
        let mut figures: Vec<Figure<'_>> = vec![];
        for candidate in ranked {
            let reading = &self.corpus.readings[candidate.passage];
            if candidate.coverage >= limits.settled_coverage * best && !reading.is_question {
                let numbers = reading.numbers.iter();
                figures.extend(numbers.map(|number| Figure::new(candidate, number, reading, &self.rules.words)));
            }
        }
        let mut pairs: Vec<(usize, usize)> = vec![];
        let mut values: Vec<(f64, f64)> = vec![];
        for (at, one) in figures.iter().enumerate() {
            for other in figures[at + 1..].iter().filter(|other| self.contradict(one, other)) {
                let pair = (one.number.value.min(other.number.value), one.number.value.max(other.number.value));
                if pairs.len() < limits.entries && !values.contains(&pair) {
                    pairs.push((one.candidate.passage, other.candidate.passage));
                    values.push(pair);
                }
            }
        }
        pairs
    }

    fn contradict(&self, one: &Figure<'_>, other: &Figure<'_>) -> bool {
        let source = |figure: &Figure<'_>| self.corpus.passages[figure.candidate.passage].source;
        source(one) != source(other)
            && differ(one.number, other.number, &self.rules.limits.figures)
            && one.is_of_one_place(other)
            && self.measure_same(one, other)
    }

    /// Whether two figures are of one thing, and of one event.
    fn measure_same(&self, one: &Figure<'_>, other: &Figure<'_>) -> bool {
        let words = &self.rules.words;
        let (things, other_things) = (one.number.things(), other.number.things());
        let unit = |figure: &Figure<'_>| figure.number.unit.as_deref().map(|unit| words.key(&self.rules.lexicon, unit));
        let is_time =
            |figure: &Figure<'_>| figure.number.unit.as_deref().is_some_and(|unit| words.has_word(Words::TimeUnits, unit));
        let has_same_thing = share_head(things, other_things);
        let has_unit = one.number.unit.is_some();
        let may_be_same = has_unit && (things.is_empty() || other_things.is_empty());
        if unit(one) != unit(other) || is_time(one) || !has_same_thing && !may_be_same {
            return false;
        }
        if has_same_thing && self.is_asked_for(one) && self.is_asked_for(other) {
            return true;
        }
        let shared = self.shared_keys(one, other);
        let has_same_verb = match (self.verb(one), self.verb(other)) {
            (Some(verb), Some(other)) => words.are_kin(verb, other),
            _ => false,
        };
        let is_event = |key: &&str| words.has_stem(Stems::Acts, key) && !words.has_stem(Stems::Light, key);
        match (has_same_thing, has_unit) {
            (true, true) => has_same_verb || shared.iter().any(is_event),
            (true, false) => has_same_verb && shared.len() >= SHARED,
            (false, _) => has_same_verb && shared.len() >= SHARED_BY_UNIT,
        }
    }

    /// Whether a figure is of what the question counts or measures, in a passage close to the question.
    fn is_asked_for(&self, figure: &Figure<'_>) -> bool {
        let Figure { candidate, number, .. } = figure;
        let question = self.question;
        let is_close = candidate.coverage >= self.rules.limits.brief.settled_coverage;
        let is_term = |key: &String| question.terms.iter().any(|term| term.key == *key);
        let mut things = number.things().iter();
        let is_asked = match question.answer_type {
            AnswerType::Count => candidate.states >= COUNTED && things.any(|key| question.counted.contains(key)),
            AnswerType::Amount => candidate.states >= MEASURED && things.any(is_term),
            _ => false,
        };
        is_close && is_asked
    }

    /// Words of one sentence, beside figures and what they count, that the other has too, or another word of their family.
    fn shared_keys(&self, one: &Figure<'_>, other: &Figure<'_>) -> Vec<&str> {
        let reading = |figure: &Figure<'_>| &self.corpus.readings[figure.candidate.passage];
        let is_plain = |figure: &Figure<'_>, key: &String| {
            let is_number = key.starts_with(|letter: char| letter.is_ascii_digit());
            let is_unit =
                figure.number.unit.as_deref().is_some_and(|unit| self.rules.words.key(&self.rules.lexicon, unit) == *key);
            !is_number && !is_unit && !figure.number.things().contains(key)
        };
        let mut shared: Vec<&str> = vec![];
        for (key, _) in &reading(one).keys {
            let has = |(kin, _): &(String, usize)| is_plain(other, kin) && self.rules.words.are_kin(key, kin);
            if is_plain(one, key) && !shared.contains(&key.as_str()) && reading(other).keys.iter().any(has) {
                shared.push(key);
            }
        }
        shared
    }

    /// The verb of a figure: right before it ("killed 14 sailors"), else the first one behind it.
    fn verb(&self, figure: &Figure<'_>) -> Option<&str> {
        let limits = &self.rules.limits.figures;
        let verbs = &self.corpus.readings[figure.candidate.passage].verbs;
        let at = figure.number.token;
        let before = verbs.iter().rev().find(|(_, verb)| *verb < at && at - verb <= limits.before_tokens);
        let behind = || verbs.iter().find(|(_, verb)| *verb > at && verb - at <= limits.behind_tokens);
        before.or_else(behind).map(|(key, _)| key.as_str())
    }
}

/// Whether the last word of one thing is a word of the other: "sailors" and "young sailors".
fn share_head(one: &[String], other: &[String]) -> bool {
    let has = |words: &[String], head: Option<&String>| head.is_some_and(|head| words.contains(head));
    has(one, other.last()) || has(other, one.last())
}

/// Whether two figures differ by more than rounding, and by more than "at least" and "up to" allow.
fn differ(one: &Number, other: &Number, limits: &FigureLimits) -> bool {
    let (low, high) = if one.value <= other.value { (one, other) } else { (other, one) };
    let is_allowed = low.bound == Some(Ordering::Greater) || high.bound == Some(Ordering::Less);
    let is_exact = high.value < limits.exact_below;
    let rounding = if is_exact { 0.0 } else { last_place(low.value).max(last_place(high.value)) / 2.0 };
    !is_allowed && high.value - low.value > rounding.min(limits.rounding * high.value)
}

/// The place of the last digit that is not zero: 100 for 3,200.
fn last_place(value: f64) -> f64 {
    /// Error of a division, as a share of its result.
    const ERROR: f64 = 1e-9;
    let mut place = 0.001;
    while place * 10.0 <= value {
        let digits = value / (place * 10.0);
        if (digits - digits.round()).abs() > ERROR * digits {
            break;
        }
        place *= 10.0;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::shipped;

    #[test]
    fn figures_differ_by_more_than_rounding_and_bounds() {
        let limits = shipped().limits.figures;
        let number = |value: f64, bound| Number { value, token: 0, unit: None, counted: vec![], measured: vec![], bound };
        for (one, other, expect) in [
            ((3_200.0, None), (2_900.0, None), true),
            ((3_200.0, None), (3_000.0, None), false),
            ((100.0, None), (60.0, None), true),
            ((20.0, None), (19.0, None), true),
            ((14.0, None), (14.0, None), false),
            ((3_200.0, None), (2_900.0, Some(Ordering::Greater)), false),
            ((3_200.0, Some(Ordering::Less)), (2_900.0, None), false),
            ((3_200.0, Some(Ordering::Greater)), (2_900.0, None), true),
        ] {
            let differs = differ(&number(one.0, one.1), &number(other.0, other.1), &limits);
            assert_eq!(differs, expect, "{one:?} {other:?}");
        }
    }
}
