//! The argument of a Brief as its author stated it. Where an older assessment states none, it is taken from what its author wrote
//! of the leading answer; nothing is added.

use super::{MAX_OPEN, outlet_words, words};
use crate::{
    PublicationDate,
    assessment::{
        Assessment, Body, Citation, Direction, Hypothesis, Indicator, InformationPeriod, Marker, as_clause, markers_in, shares,
        unmarked, without_markers,
    },
};
use std::{cmp::Reverse, collections::BTreeSet};

/// Percent from which an answer stands open.
const OPEN_FROM_PERCENT: u32 = 5;
/// Words of what is taken from a longer text, at most, and of a judgement that a line names.
const MAX_EXCERPT_WORDS: usize = 25;
const MAX_CLAUSE_WORDS: usize = 10;
/// Sources of a reason that are named.
const MAX_SOURCES: usize = 2;
/// Letters of the longest abbreviation that begins with a capital: `Gen.`.
const MAX_ABBREVIATION_LETTERS: usize = 3;
const SENTENCE_ENDS: [char; 3] = ['.', '!', '?'];
const CLOSING_MARKS: [char; 4] = ['"', '”', '’', ')'];

/// An answer with its share in whole percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedAnswer<'a> {
    pub hypothesis: &'a Hypothesis,
    pub share: u32,
    /// Whether it has too small a share to stand open.
    pub is_folded: bool,
}

/// Ranks the answers to one question: the likeliest first, "none of these" last. The first one stands open with any share; those that
/// round to 0 % beside it are left out.
pub fn rank_answers<'a>(hypotheses: &[&'a Hypothesis]) -> Vec<RankedAnswer<'a>> {
    let mut ranked: Vec<_> = hypotheses.iter().copied().zip(shares(hypotheses)).collect();
    ranked.sort_by_key(|(hypothesis, share)| (hypothesis.is_none, Reverse(*share)));
    if ranked.iter().any(|(_, share)| *share > 0) {
        ranked.retain(|(_, share)| *share > 0);
    }
    let answer = |(place, (hypothesis, share)): (usize, (&'a Hypothesis, u32))| {
        let is_folded = place > 0 && share < OPEN_FROM_PERCENT;
        RankedAnswer { hypothesis, share, is_folded }
    };
    ranked.into_iter().enumerate().map(answer).collect()
}

/// A sentence of the argument, with its sources in words.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    pub text: String,
    pub citations: Vec<Marker>,
    /// Those that the text itself does not name.
    pub sources: Vec<CitedSource>,
}

/// An outlet with the day of what it published.
#[derive(Debug, Clone, PartialEq)]
pub struct CitedSource {
    pub name: String,
    pub published: Option<PublicationDate>,
}

impl Reason {
    fn new(text: String, citations: Vec<Marker>, all: &[Citation]) -> Self {
        let mut sources = Vec::<CitedSource>::new();
        for marker in markers_in(&text).chain(citations.iter().copied()) {
            let Some(citation) = all.iter().find(|citation| citation.marker == marker) else { continue };
            let source = CitedSource {
                name: citation.source_name(),
                published: InformationPeriod::spanning(citation.published_at).in_days().until,
            };
            let is_new = !outlet_words::is_named(&text, &source.name) && !sources.contains(&source);
            if is_new && sources.len() < MAX_SOURCES {
                sources.push(source);
            }
        }
        Self { text, citations, sources }
    }

    /// Returns the beginning of a longer text with its markers; `citations` where it has none.
    fn excerpt(text: &str, citations: &[Marker], all: &[Citation]) -> Option<Self> {
        let text = shortened(text, MAX_EXCERPT_WORDS);
        let is_cited = markers_in(&text).next().is_some();
        let citations = if is_cited { vec![] } else { citations.iter().copied().take(MAX_SOURCES).collect() };
        (!text.is_empty()).then(|| Self::new(text, citations, all))
    }

    /// The citations of its text and those beside it.
    pub fn markers(&self) -> impl Iterator<Item = Marker> {
        markers_in(&self.text).chain(self.citations.iter().copied())
    }
}

/// Returns the author's reasons; without any, the reasoning for each leading answer, then what is cited for it.
pub(super) fn reasons(assessment: &Assessment) -> Vec<Reason> {
    let (body, all) = (&assessment.body, &assessment.citations);
    let stated = &body.argument.reasons;
    if !stated.is_empty() {
        return stated.iter().map(|one| Reason::new(one.text.clone(), one.citations.clone(), all)).collect();
    }
    let answers = body.answers();
    let leaders: Vec<&Hypothesis> = answers.iter().filter_map(|answers| Some(answers.first()?.lead)).collect();
    let reasoned = leaders.iter().filter_map(|one| Reason::excerpt(&one.reasoning, &one.supporting, all));
    let mut reasons: Vec<Reason> = reasoned.collect();
    let mut used: BTreeSet<Marker> = reasons.iter().flat_map(Reason::markers).collect();
    for marker in leaders.iter().flat_map(|one| &one.supporting) {
        let Some(citation) = all.iter().find(|citation| citation.marker == *marker) else { continue };
        if reasons.len() < MAX_OPEN && used.insert(*marker) {
            let quote = || format!("“{}”", shortened(&citation.quote, MAX_EXCERPT_WORDS));
            let text = without_markers(&citation.content.clone().unwrap_or_else(quote));
            reasons.push(Reason::new(text, vec![*marker], all));
        }
    }
    reasons
}

/// The strongest objection to the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Objection {
    /// Its name in words: only its author can call it the strongest.
    pub label: &'static str,
    pub reason: Reason,
}

/// Returns the author's objection; without one, the weaknesses of the leading answer or the reasoning of its rival.
pub(super) fn objection(assessment: &Assessment) -> Option<Objection> {
    let (body, all) = (&assessment.body, &assessment.citations);
    if let Some(stated) = &body.argument.objection {
        let reason = Reason::new(stated.text.clone(), stated.citations.clone(), all);
        return Some(Objection { label: "Strongest objection", reason });
    }
    let answers = body.answers();
    let answers = answers.iter().find(|answers| !answers.is_empty())?;
    let (leader, rival) = (answers.first()?.lead, answers.get(1).map(|answer| answer.lead));
    let weakness = Reason::excerpt(&leader.weaknesses, &leader.against, all);
    let weakness = weakness.map(|reason| Objection { label: "Weak point", reason });
    weakness.or_else(|| {
        let rival = rival?;
        let reason = Reason::excerpt(&rival.reasoning, &rival.supporting, all)?;
        Some(Objection { label: "For the next answer", reason })
    })
}

/// Something that would change the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flip {
    pub text: String,
    /// Id of the indicator; none for what would change a judgement.
    pub indicator: Option<String>,
    /// Its effect in words: points of answers, or the judgement that it would change.
    pub effect: Option<String>,
    /// The last day on which it can come true.
    pub by: Option<String>,
}

/// Returns the indicators whose effects are given, by how far they move a leading answer, then what would change the judgements, then the other indicators.
pub(super) fn flips(body: &Body) -> Vec<Flip> {
    let indicators = body.indicators.iter().map(|indicator| (indicator, effects(body, indicator)));
    let (mut measured, other): (Vec<_>, Vec<_>) = indicators.partition(|(_, effects)| effects.is_some());
    let sets = answer_sets(body);
    measured.sort_by_cached_key(|(indicator, _)| Reverse(weight(&sets, indicator)));
    let changes = body.key_judgements.iter().filter_map(|judgement| {
        let text = judgement.would_change.clone().filter(|text| !text.trim().is_empty())?;
        let effect = Some(format!("for “{}”", shortened(&as_clause(&judgement.statement), MAX_CLAUSE_WORDS)));
        Some(Flip { text, indicator: None, effect, by: None })
    });
    let measured = measured.into_iter().map(|(indicator, effects)| indicator_flip(indicator, effects));
    let other = other.into_iter().map(|(indicator, _)| indicator_flip(indicator, direction(indicator)));
    measured.chain(changes).chain(other).collect()
}

/// Answers to one question with their shares of today, and the id of the one that [`rank_answers`] names first.
type AnswerSet<'a> = (Vec<(&'a Hypothesis, u32)>, Option<&'a str>);

fn answer_sets(body: &Body) -> Vec<AnswerSet<'_>> {
    let sets = body.hypothesis_sets().into_iter().map(|(_, hypotheses)| {
        let leader = rank_answers(&hypotheses).first().map(|answer| answer.hypothesis.id.as_str());
        let shares = shares(&hypotheses);
        (hypotheses.into_iter().zip(shares).collect(), leader)
    });
    sets.collect()
}

/// Returns what an indicator weighs: whether another answer leads if it comes true, and how many percent it moves leading answers
/// and all answers.
fn weight(sets: &[AnswerSet<'_>], indicator: &Indicator) -> (bool, u32, u32) {
    let (mut is_flip, mut leading, mut all) = (false, 0, 0);
    for (answers, leader) in sets {
        let after = |hypothesis: &Hypothesis, today: u32| {
            let effect = indicator.effects.iter().find(|effect| effect.hypothesis == hypothesis.id);
            effect.map_or(today, |effect| (effect.probability * 100.0).round() as u32)
        };
        let answers: Vec<_> = answers.iter().map(|&(one, today)| (one, today, after(one, today))).collect();
        all += answers.iter().map(|(_, today, then)| today.abs_diff(*then)).sum::<u32>();
        let Some((_, today, then)) = answers.iter().find(|(one, ..)| Some(one.id.as_str()) == *leader) else { continue };
        leading += today.abs_diff(*then);
        is_flip |= answers.iter().any(|(one, _, other)| !one.is_none && other > then);
    }
    (is_flip, leading, all)
}

fn indicator_flip(indicator: &Indicator, effect: Option<String>) -> Flip {
    let (id, by) = (indicator.id.clone(), indicator.resolution.by.clone());
    Flip { text: indicator.text.clone(), indicator: Some(id), effect, by }
}

/// `if so, H1 12 → 31 %`, from the share that the answer has; none where no effect is given.
fn effects(body: &Body, indicator: &Indicator) -> Option<String> {
    let moves = body.moves(&indicator.effects);
    (!moves.is_empty()).then(|| format!("if so, {moves}"))
}

/// `▲ supports H1, J2`.
fn direction(indicator: &Indicator) -> Option<String> {
    let targets: Vec<&str> = indicator.hypotheses.iter().chain(&indicator.judgements).map(String::as_str).collect();
    let verb = match indicator.direction? {
        Direction::Supports => "▲ supports",
        Direction::Weakens => "▼ weakens",
    };
    (!targets.is_empty()).then(|| format!("{verb} {}", targets.join(", ")))
}

/// The first sentences of a text, up to so many words; of a longer first sentence its beginning.
fn shortened(text: &str, most_words: usize) -> String {
    let text = text.trim();
    if words(text) <= most_words {
        return text.to_owned();
    }
    let (mut end, mut count, mut sentence_end) = (0, 0, None);
    for piece in text.split_inclusive(char::is_whitespace) {
        let is_word = unmarked(piece).contains(char::is_alphanumeric);
        count += usize::from(is_word);
        if count > most_words {
            break;
        }
        // Markers behind a full stop belong to its sentence.
        let follows_end = !is_word && sentence_end == Some(end);
        end += piece.len();
        if follows_end || ends_sentence(piece) {
            sentence_end = Some(end);
        }
    }
    match sentence_end {
        Some(end) => text[..end].trim_end().to_owned(),
        None => format!("{}…", text[..end].trim_end().trim_end_matches([',', ';', ':'])),
    }
}

/// Whether a word, or the mark behind a marker, ends a sentence: not an abbreviation, such as `Mr.` or `U.S.`.
fn ends_sentence(word: &str) -> bool {
    let word = unmarked(word);
    let word = word.trim_end_matches(CLOSING_MARKS);
    let bare = word.trim_end_matches(SENTENCE_ENDS);
    let is_capital = bare.chars().next().is_some_and(char::is_uppercase);
    let is_abbreviation = bare.contains('.') || (is_capital && bare.chars().count() <= MAX_ABBREVIATION_LETTERS);
    bare.len() < word.len() && !is_abbreviation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_text_is_cut_behind_its_last_whole_sentence() {
        let text = "The gate was opened with a key, said Mr. Varn. [1] It is new [2]. The log names no one, which is odd.";
        assert_eq!(shortened(text, 40), text);
        assert_eq!(shortened(text, 15), "The gate was opened with a key, said Mr. Varn. [1] It is new [2].");
        assert_eq!(shortened(text, 12), "The gate was opened with a key, said Mr. Varn. [1]");
        assert_eq!(shortened(text, 7), "The gate was opened with a key…");
    }
}
