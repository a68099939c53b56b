//! Scores of passages against a question.

use crate::{
    actors::Tie,
    corpus::{Corpus, Reading},
    question::{AnswerType, Question, Shape, Term},
    question_actors::tie,
    rules::Rules,
    text::Kind,
    words::{Cue, QuestionWords, Stems},
};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    ops::Range,
};

/// A passage with its score.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Index into the passages of the corpus.
    pub passage: usize,
    pub score: f64,
    /// Share of the weight of the question's terms that it and its surroundings speak of, 0 to 1.
    pub coverage: f64,
    /// Score of its statement of the type of the answer, 0 to 1.
    pub states: f64,
}

/// The weight of a term that a passage has itself.
const DIRECT: f64 = 1.0;
/// Scores of a figure as the answer: bound to the counted noun, measured near the deed, or of the right form only.
pub const COUNTED: f64 = 1.0;
pub const MEASURED: f64 = 0.7;
const FORMED: f64 = 0.25;
/// The most tokens between a figure and the deed or thing that it belongs to.
const NEAR_TOKENS: usize = 8;

/// A question with its documents, and how each passage speaks of its terms.
pub struct Ranking<'a> {
    pub question: &'a Question,
    pub corpus: &'a Corpus,
    pub rules: &'a Rules,
    /// By term of the question: its weight.
    weights: Vec<f64>,
    total: f64,
    /// By passage and term: how the passage speaks of it.
    presence: Vec<Vec<f64>>,
}

impl<'a> Ranking<'a> {
    pub fn new(question: &'a Question, corpus: &'a Corpus, rules: &'a Rules) -> Self {
        let weights: Vec<f64> = question.terms.iter().map(|term| weight(term, corpus, rules)).collect();
        let total = weights.iter().sum::<f64>().max(f64::EPSILON);
        let of_terms = |reading| question.terms.iter().map(|term| present(term, reading, rules)).collect();
        let presence = corpus.readings.iter().map(of_terms).collect();
        Self { question, corpus, rules, weights, total, presence }
    }

    /// The share of the weight of some terms that words have.
    pub fn share_of(&self, keys: &HashSet<&str>, is_counted: impl Fn(&Term) -> bool) -> f64 {
        let terms = self.question.terms.iter().zip(&self.weights).filter(|(term, _)| is_counted(term));
        let (has, all) = terms.fold((0.0, f64::EPSILON), |(has, all), (term, weight)| {
            (has + weight * presence(term, keys, self.rules), all + weight)
        });
        has / all
    }

    /// The share of the weight of some terms that passages speak of together.
    pub fn share(&self, passages: Range<usize>, is_counted: impl Fn(&Term) -> bool) -> f64 {
        let terms = self.question.terms.iter().zip(&self.weights).enumerate();
        let (has, all) =
            terms.filter(|(_, (term, _))| is_counted(term)).fold((0.0, f64::EPSILON), |(has, all), (at, (_, weight))| {
                let most = passages.clone().map(|passage| self.presence[passage][at]).fold(0.0, f64::max);
                (has + weight * most, all + weight)
            });
        has / all
    }

    /// Whether a passage or title speaks of a term of the question.
    pub fn speaks_of(&self, term: usize) -> bool {
        let titles = 0..self.corpus.sources.len();
        self.presence.iter().any(|of_terms| of_terms[term] > 0.0)
            || titles.into_iter().any(|source| in_title(&self.question.terms[term], self.corpus, source) > 0.0)
    }

    /// The passages that share most with the question by their words, the best first; ties by the order of the corpus.
    pub fn by_words(&self) -> Vec<Candidate> {
        let Self { question, corpus, weights, total, presence, .. } = self;
        let scores = &self.rules.limits.scores;
        let mut candidates = vec![];
        for source in 0..corpus.sources.len() {
            let range = corpus.range(source);
            let titles: Vec<f64> = question.terms.iter().map(|term| in_title(term, corpus, source)).collect();
            let anywhere = |term: usize| range.clone().map(|at| presence[at][term]).fold(titles[term], f64::max);
            let anywhere: Vec<f64> = (0..weights.len()).map(anywhere).collect();
            let document = sum(&anywhere, weights) / total;
            for at in range.clone() {
                let beside = |term: usize| {
                    let others = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter(|other| range.contains(other));
                    others.map(|other| presence[other][term]).fold(0.0, f64::max) * scores.beside
                };
                let around = |term: usize| {
                    let elsewhere = (titles[term] * scores.title).max(anywhere[term] * scores.elsewhere);
                    presence[at][term].max(beside(term)).max(elsewhere)
                };
                let around: Vec<f64> = (0..weights.len()).map(around).collect();
                let (direct, coverage) = (sum(&presence[at], weights) / total, sum(&around, weights) / total);
                let lead = 1.0 + scores.lead * (-((at - range.start) as f64) / 4.0).exp();
                let score = (0.55 * direct + 0.45 * coverage) * (0.4 + 0.6 * document) * lead;
                candidates.push(Candidate { passage: at, score, coverage, states: 0.0 });
            }
        }
        sort(&mut candidates);
        candidates.truncate(self.rules.limits.reading.passages);
        candidates
    }

    /// The candidates by the type of thing that they state and, where it was measured, by likeness to the question.
    pub fn closely(&self, mut candidates: Vec<Candidate>, likeness: Option<&[Option<f64>]>) -> Vec<Candidate> {
        for (place, candidate) in candidates.iter_mut().enumerate() {
            let reading = &self.corpus.readings[candidate.passage];
            candidate.states = self.states(candidate.passage);
            let likeness = likeness.and_then(|values| *values.get(place)?).unwrap_or(0.0).max(0.0);
            candidate.score = (candidate.score + self.rules.limits.scores.likeness * likeness)
                * (1.0 + candidate.states)
                * quotable(reading, &self.rules.words)
                * if self.stands(candidate.passage) { 1.0 } else { self.rules.limits.scores.leaning };
        }
        self.prefer_fitting(&mut candidates);
        sort(&mut candidates);
        candidates
    }
}

impl Ranking<'_> {
    /// Raises explicit reasons of the event, the newest counts and new names; lowers sentences on earlier states.
    fn prefer_fitting(&self, candidates: &mut [Candidate]) {
        let scores = &self.rules.limits.scores;
        let published =
            |candidate: &Candidate| self.corpus.sources[self.corpus.passages[candidate.passage].source].published.as_deref();
        let counts = |candidate: &Candidate| candidate.states >= MEASURED;
        let newest = candidates.iter().filter(|candidate| counts(candidate)).filter_map(published).max();
        let is_cause = self.question.answer_type == AnswerType::Cause;
        let unstated = |candidate: &Candidate| (candidate.passage, candidate.score / (1.0 + candidate.states));
        let unstated: HashMap<usize, f64> = candidates.iter().filter(|_| is_cause).map(unstated).collect();
        for candidate in candidates.iter_mut() {
            let (passage, reading) = (candidate.passage, &self.corpus.readings[candidate.passage]);
            let has = |cue| self.rules.words.has_spaced(cue, &reading.folded);
            let gain = |is_fitting: bool| if is_fitting { scores.fitting } else { 1.0 };
            let loss = |is_earlier: bool| if is_earlier { scores.earlier } else { 1.0 };
            let factor = match self.question.answer_type {
                AnswerType::Cause => {
                    let is_reason = self.has(Cue::Reason, passage);
                    let reason = if is_reason { 1.0 + (scores.fitting - 1.0) * self.tells_event(passage) } else { 1.0 };
                    if is_reason && self.has(Cue::PointingBack, passage) {
                        let before = self.with_event(passage).filter_map(|at| unstated.get(&at)).copied().fold(0.0, f64::max);
                        candidate.score = candidate.score.max(scores.pointing_back * before * (1.0 + candidate.states));
                    }
                    let is_old = published(candidate).is_some_and(|day| self.tells_of_earlier_year(&reading.folded, day));
                    reason * loss(is_old)
                }
                AnswerType::Count if counts(candidate) => {
                    let is_newest = newest.is_some() && published(candidate) == newest;
                    gain(is_newest) * if has(Cue::Now) { scores.now } else { 1.0 }
                }
                _ if self.question.asks_for_choice => {
                    let has_names = other_names(self.question, reading).len() > 1;
                    gain(has_names && has(Cue::New)) * loss(has(Cue::Earlier))
                }
                _ => 1.0,
            };
            candidate.score *= factor;
        }
    }

    /// Share of the event of the question in a passage that gives a reason, 0 to 1; 1 where the question has only names.
    fn tells_event(&self, passage: usize) -> f64 {
        let is_named = self.question.terms.iter().any(|term| !term.is_name);
        if is_named { self.share(self.with_event(passage), |term| !term.is_name) } else { 1.0 }
    }

    /// The quotation of a passage and, where it points back at what was done, the sentence before.
    fn with_event(&self, passage: usize) -> Range<usize> {
        let quoted = self.quotation(passage);
        let before = quoted.start.checked_sub(1).filter(|_| self.has(Cue::PointingBack, passage));
        before.and_then(|before| self.corpus.join(&(before..quoted.start), &quoted)).unwrap_or(quoted)
    }

    /// Whether a sentence names a year before its publication that the question does not name.
    fn tells_of_earlier_year(&self, folded: &str, published: &str) -> bool {
        let Some(published) = published.get(..4).and_then(|year| year.parse::<u32>().ok()) else { return false };
        let mut words = domain::text::words(folded).filter(|word| word.len() == 4);
        let is_earlier = |word: &str| word.parse::<u32>().is_ok_and(|year| (1900..published).contains(&year));
        words.any(|word| is_earlier(word) && !self.question.text.contains(word))
    }

    /// The passages that are quoted with one.
    pub fn quotation(&self, passage: usize) -> Range<usize> {
        self.corpus.quotation(passage, self.rules.limits.brief.lead_in)
    }

    /// Whether the quotation of a passage does not begin with a word that points back.
    fn stands(&self, passage: usize) -> bool {
        !self.corpus.readings[self.quotation(passage).start].leans
    }
}

fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.passage.cmp(&b.passage)));
}

fn sum(values: &[f64], weights: &[f64]) -> f64 {
    values.iter().zip(weights).map(|(value, weight)| value * weight).sum()
}

fn weight(term: &Term, corpus: &Corpus, rules: &Rules) -> f64 {
    let scores = &rules.limits.scores;
    let generic = if rules.words.has_stem(Stems::People, &term.key) { scores.people } else { 1.0 };
    corpus.idf(&term.key) * generic * if term.is_name { scores.name } else { 1.0 }
}

fn in_title(term: &Term, corpus: &Corpus, source: usize) -> f64 {
    f64::from(u8::from(corpus.titles[source].contains(&term.key)))
}

/// Presence of a term in a passage: 1 by the word, less by another word of its family.
fn present(term: &Term, reading: &Reading, rules: &Rules) -> f64 {
    presence(term, &reading.vocabulary.iter().map(String::as_str).collect(), rules)
}

fn presence(term: &Term, keys: &HashSet<&str>, rules: &Rules) -> f64 {
    let is_spelt = |keys_of: &Vec<String>| keys_of.iter().all(|key| keys.contains(key.as_str()));
    if keys.contains(term.key.as_str()) || term.spellings.iter().any(is_spelt) {
        return DIRECT;
    }
    let is_kin = !term.is_name && keys.iter().any(|key| rules.words.are_kin(&term.key, key));
    if is_kin { rules.limits.scores.kin } else { 0.0 }
}

impl Ranking<'_> {
    /// Score of a passage as a statement of the type of the answer: 0 not at all, 1 and more well.
    fn states(&self, passage: usize) -> f64 {
        let (question, words, reading) = (self.question, &self.rules.words, &self.corpus.readings[passage]);
        let explicit = self.rules.limits.scores.reason;
        let has = |cue| words.has(cue, &reading.folded);
        let by_type = match question.answer_type {
            AnswerType::Count | AnswerType::Amount => number(question, reading, words),
            AnswerType::Date => date(question, reading, words),
            AnswerType::Place => place(question, reading),
            AnswerType::Actor => self.actor(passage),
            AnswerType::Cause if has(Cue::Cause) => explicit,
            AnswerType::Cause => {
                let reason = if has(Cue::Reason) { explicit * self.tells_event(passage) } else { 0.0 };
                reason.max(if has(Cue::WeakCause) { 0.2 } else { 0.0 })
            }
            AnswerType::Anything => 0.0,
        };
        let by_shape = match question.shape {
            Shape::YesNo if has(Cue::Denial) => 0.4,
            Shape::Sides if has(Cue::Denial) || has(Cue::Accusation) => 0.5,
            Shape::Series if !reading.numbers.is_empty() => 0.5 + if has(Cue::Change) { 0.3 } else { 0.0 },
            Shape::Expectations if has(Cue::Future) => 0.6,
            Shape::Brief if has(Cue::Judgement) => 0.3,
            Shape::List => (other_names(question, reading).len().saturating_sub(1) as f64 * 0.2).min(1.0),
            _ => 0.0,
        };
        let unknown = if has(Cue::Unknown) { 0.35 } else { 0.0 };
        let by_type = if by_type < 0.0 { by_type } else { by_type.max(unknown) };
        by_type + by_shape
    }

    /// Somebody whom the question does not name, tied to the deed or to an accusation.
    fn actor(&self, passage: usize) -> f64 {
        let reading = &self.corpus.readings[passage];
        let tied = self.question_actors(passage);
        if tied.actors.iter().any(|actor| tie(actor) != Tie::Denies) {
            return 1.2;
        }
        if tied.has_other_deeds_only {
            return -self.rules.limits.scores.other_deed;
        }
        let others = other_names(self.question, reading);
        let somebody = others.iter().any(|at| matches!(reading.mentions[*at].kind, Kind::Person | Kind::Organisation));
        let deed = |term: &Term| !term.is_name && present(term, reading, self.rules) > 0.0;
        let has_deed = self.question.terms.iter().any(deed);
        let accused = self.rules.words.has(Cue::Accusation, &reading.folded);
        match (somebody, has_deed, accused) {
            (true, true, true) => 0.7,
            (true, true, false) | (true, false, true) => 0.4,
            (false, _, true) => 0.4,
            _ => 0.0,
        }
    }
}

/// A figure bound to what is counted, or to the deed that is asked about.
fn number(question: &Question, reading: &Reading, words: &QuestionWords) -> f64 {
    let mut best: f64 = 0.0;
    for number in &reading.numbers {
        let counts = |key: &String| question.counted.iter().any(|counted| words.are_kin(counted, key));
        let unit = number.unit.as_deref();
        let fits = match question.answer_type {
            AnswerType::Count => unit.is_none_or(|unit| question.counted.iter().any(|counted| counted.starts_with(unit))),
            _ => unit.is_some() || number.counted.is_empty(),
        };
        if number.counted.iter().any(counts) {
            best = best.max(COUNTED);
        } else if fits && is_near_term(question, reading, number.token, words) {
            best = best.max(MEASURED);
        } else if fits {
            best = best.max(FORMED);
        }
    }
    best
}

/// A date near the deed that is asked about.
fn date(question: &Question, reading: &Reading, words: &QuestionWords) -> f64 {
    let value = |(token, is_absolute): &(usize, bool)| {
        let near = if is_near_term(question, reading, *token, words) { 1.0 } else { 0.5 };
        near * if *is_absolute { 1.0 } else { 0.7 }
    };
    reading.times.iter().map(value).fold(0.0, f64::max)
}

/// Whether a word of the question that is no name, or another word for it, stands near a token.
fn is_near_term(question: &Question, reading: &Reading, token: usize, words: &QuestionWords) -> bool {
    let is_term = |key: &str| question.terms.iter().any(|term| !term.is_name && words.are_kin(&term.key, key));
    reading.keys.iter().any(|(key, at)| at.abs_diff(token) <= NEAR_TOKENS && is_term(key))
}

fn place(question: &Question, reading: &Reading) -> f64 {
    let other = other_names(question, reading);
    if other.iter().any(|at| reading.mentions[*at].kind == Kind::Place) { 0.8 } else { 0.0 }
}

/// Names that the question does not have.
fn other_names(question: &Question, reading: &Reading) -> Vec<usize> {
    let asked: BTreeSet<&str> = question.terms.iter().map(|term| term.key.as_str()).collect();
    let other = |at: &usize| !reading.mentions[*at].keys.iter().any(|key| asked.contains(key.as_str()));
    (0..reading.mentions.len()).filter(other).collect()
}

/// Factor for a passage that stands by itself, lower for headings, questions, boilerplate and walls of text.
fn quotable(reading: &Reading, words: &QuestionWords) -> f64 {
    let mut factor: f64 = 1.0;
    if reading.is_question {
        factor *= 0.4;
    }
    if words.phrases.boilerplate.iter().any(|phrase| reading.folded.contains(phrase.as_str())) {
        factor *= 0.3;
    }
    if reading.folded.matches(" | ").count() > 1 {
        factor *= 0.4;
    }
    factor
        * match reading.words {
            0..=4 => 0.3,
            5..=7 => 0.7,
            8..=60 => 1.0,
            61..=90 => 0.7,
            _ => 0.4,
        }
}

impl Ranking<'_> {
    /// The best candidates that add to one another, at most `most`, the best first: a passage gains by terms of the question that
    /// those before it lack and, where sides are asked for, by another stance; it loses by what it repeats.
    pub fn diverse(&self, candidates: &[Candidate], most: usize) -> Vec<Candidate> {
        const POOL: usize = 60;
        let scores = &self.rules.limits.scores;
        let wants_sides = matches!(self.question.shape, Shape::Sides | Shape::YesNo);
        let novelty = match self.question.shape {
            Shape::Fact | Shape::Expectations => 0.4,
            _ => 0.6,
        };
        let Self { weights, total, presence, .. } = self;
        let mut pool: Vec<Candidate> = candidates.iter().take(POOL).cloned().collect();
        let mut chosen: Vec<Candidate> = vec![];
        let mut covered = vec![0.0_f64; weights.len()];
        let mut denials = 0;
        while chosen.len() < most && !pool.is_empty() {
            let value = |candidate: &Candidate| {
                let near = chosen.iter().map(|other| self.corpus.overlap(candidate.passage, other.passage)).fold(0.0, f64::max);
                let own = &presence[candidate.passage];
                let gain: f64 =
                    (0..own.len()).map(|term| (own[term] - covered[term]).max(0.0) * weights[term]).sum::<f64>() / total;
                let gain = if chosen.is_empty() { 0.0 } else { gain };
                let is_other_side = !chosen.is_empty() && wants_sides && denials == 0 && self.denies(candidate.passage);
                let side = if is_other_side { scores.other_side } else { 0.0 };
                candidate.score * (1.0 - novelty * near) * (1.0 + gain + side)
            };
            let values: Vec<f64> = pool.iter().map(value).collect();
            let best =
                (0..pool.len()).max_by(|a, b| values[*a].total_cmp(&values[*b]).then(pool[*b].passage.cmp(&pool[*a].passage)));
            let Some(best) = best else { break };
            let candidate = pool.remove(best);
            if chosen.iter().any(|other| self.corpus.overlap(candidate.passage, other.passage) > scores.same) {
                continue;
            }
            denials += usize::from(self.denies(candidate.passage));
            for (covered, own) in covered.iter_mut().zip(&presence[candidate.passage]) {
                *covered = covered.max(*own);
            }
            chosen.push(candidate);
        }
        chosen
    }

    /// Whether somebody denies or disputes something in a passage.
    fn denies(&self, passage: usize) -> bool {
        self.has(Cue::Denial, passage)
    }

    /// Whether a passage has a cue of a kind.
    pub fn has(&self, cue: Cue, passage: usize) -> bool {
        self.rules.words.has(cue, &self.corpus.readings[passage].folded)
    }
}
