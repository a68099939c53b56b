//! What to watch, and who is affected: statements about the future and about effects, taken from the claims.

use super::super::evidence::FoundClaim;
use super::{Citations, Draft};
use crate::extractive::text::{Polarity, Span, Text};
use chrono::NaiveDate;
use domain::{
    assessment::{Direction, Hypothesis, Impact, Indicator, Resolution},
    claim,
};
use std::collections::BTreeSet;

/// Claims that are looked through for signs, the weightiest first.
const LOOKED_THROUGH: usize = 120;
/// An effect of fewer words is a fragment.
const EFFECT_WORDS: usize = 5;
/// Longest text of an indicator or effect, in characters.
const TEXT_CHARS: usize = 300;

/// A statement about what is to come.
struct Coming {
    key: u32,
    due: Option<NaiveDate>,
    /// Hypotheses that it speaks of.
    bears_on: Vec<String>,
}

/// Forward-looking statements with dates to come, those that bear on an answer first; then what would settle the leading answers.
pub(super) fn indicators(draft: &Draft<'_>, hypotheses: &[Hypothesis]) -> Vec<Indicator> {
    let limit = draft.settings.report.indicators;
    let newest = draft.evidence.claims.iter().filter_map(published).max();
    let mut found: Vec<Coming> = vec![];
    let mut seen = BTreeSet::new();
    for key in draft.answer.relevant.iter().take(LOOKED_THROUGH) {
        let Some(claim) = draft.claim(*key) else { continue };
        let text = Text::new(draft.settings.words, &claim.content);
        let Some(forward) = text.forward_looking(Span::whole(&claim.content), published(claim)) else { continue };
        let due = forward.due.and_then(|time| time.end);
        // What was due before the newest document was written is no longer to come.
        let is_past = due.is_some_and(|due| newest.is_some_and(|newest| due <= newest));
        if !is_past && seen.insert(claim.content.to_lowercase()) {
            found.push(Coming { key: *key, due, bears_on: touched(draft, claim, *key, hypotheses) });
        }
    }
    // The order of relevance stays within.
    found.sort_by_key(|coming| (coming.due.is_none(), coming.bears_on.is_empty()));
    // What neither has a date nor bears on an answer tells nothing.
    found.retain(|coming| coming.due.is_some() || !coming.bears_on.is_empty());
    let settled = hypotheses.iter().filter(|hypothesis| !hypothesis.supporting.is_empty()).take(2);
    let settled: Vec<&Hypothesis> = settled.collect();
    let stated = found.into_iter().take(limit.saturating_sub(settled.len()));
    let mut indicators: Vec<Indicator> = vec![];
    for Coming { key, due, bears_on } in stated {
        indicators.extend(draft.claim(key).map(|claim| forward(claim, due, bears_on, indicators.len() + 1)));
    }
    for hypothesis in settled {
        indicators.push(settling(hypothesis, indicators.len() + 1));
    }
    indicators
}

/// The hypotheses that a statement supports, or whose own names it names.
fn touched(draft: &Draft<'_>, claim: &FoundClaim, key: u32, hypotheses: &[Hypothesis]) -> Vec<String> {
    let said = claim.content.to_lowercase();
    let answers = || draft.answer.hypotheses.iter().filter(|answer| !answer.none);
    let asked = draft.asked.text.to_lowercase();
    let is_own = |word: &str| {
        !asked.contains(word) && answers().filter(|other| other.statement.to_lowercase().contains(word)).count() == 1
    };
    // The last word of a name is the one that it goes by.
    let name = |statement: &str| {
        let words = statement.split(|character: char| !character.is_alphanumeric());
        let names = words.filter(|word| word.len() > 3 && word.starts_with(char::is_uppercase));
        names.map(str::to_lowercase).rfind(|word| is_own(word))
    };
    let bearing = hypotheses.iter().zip(&draft.answer.hypotheses).filter(|(_, answer)| {
        answer.supporting.contains(&key) || !answer.none && name(&answer.statement).is_some_and(|name| said.contains(&name))
    });
    bearing.map(|(hypothesis, _)| hypothesis.id.clone()).collect()
}

fn forward(claim: &FoundClaim, due: Option<NaiveDate>, hypotheses: Vec<String>, number: usize) -> Indicator {
    let by = due.map(|day| day.format("%Y-%m-%d").to_string());
    let question = match &by {
        Some(by) => format!("Has this come about by {by}?"),
        None => "Has this come about?".into(),
    };
    Indicator {
        id: format!("I{number}"),
        text: claim.content.chars().take(TEXT_CHARS).collect(),
        probability: None,
        hypotheses,
        judgements: vec![],
        direction: Some(Direction::Supports),
        resolution: Resolution {
            question: Some(question),
            criteria: Some("A document of an independent origin reports that it did, or that it did not.".into()),
            no_date_because: by.is_none().then(|| "The document names no day.".into()),
            by,
        },
    }
}

fn settling(hypothesis: &Hypothesis, number: usize) -> Indicator {
    Indicator {
        id: format!("I{number}"),
        text: format!("A further independent account at first hand says: {}", hypothesis.statement),
        probability: None,
        hypotheses: vec![hypothesis.id.clone()],
        judgements: vec![],
        direction: Some(Direction::Supports),
        resolution: Resolution {
            question: Some("Has another independent account at first hand said so?".into()),
            criteria: Some("A primary claim of an origin that is not cited here says the same.".into()),
            by: None,
            no_date_because: Some("Such an account may come at any time.".into()),
        },
    }
}

fn published(claim: &FoundClaim) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(claim.published_at.as_deref()?.get(..10)?, "%Y-%m-%d").ok()
}

/// Effects that the claims name in causal words, with the entity that stands in the effect. What only says the event again in
/// other words, or is disputed, is none.
pub(super) fn impacts(draft: &Draft<'_>, citations: &mut Citations<'_>) -> Vec<Impact> {
    let (mut impacts, mut seen) = (vec![], BTreeSet::new());
    for key in draft.answer.relevant.iter().take(LOOKED_THROUGH) {
        if impacts.len() >= draft.settings.report.impacts {
            break;
        }
        let Some((who, effect)) = draft.claim(*key).and_then(|claim| effect(draft, claim)) else { continue };
        if seen.insert(effect.to_lowercase()) {
            let citations = citations.cite_all([key]);
            impacts.push(Impact { who: Some(who), effect, likelihood: None, when: None, depends_on: vec![], citations });
        }
    }
    impacts
}

fn effect(draft: &Draft<'_>, claim: &FoundClaim) -> Option<(String, String)> {
    if claim.mode != claim::Mode::Asserted {
        return None;
    }
    let text = Text::new(draft.settings.words, &claim.content);
    let mentions = text.mentions();
    let causes = text.causes(Span::whole(&claim.content));
    let cause = causes.into_iter().find(|cause| cause.polarity == Polarity::Positive && !cause.blame)?;
    let asked = draft.asked.text.to_lowercase();
    let touched = mentions
        .iter()
        .find(|mention| cause.effect.contains(mention.span) && !asked.contains(&mention.canonical.to_lowercase()))?;
    let effect: String = cause.effect.of(&claim.content).trim().chars().take(TEXT_CHARS).collect();
    let words: Vec<String> = effect.split_whitespace().map(str::to_lowercase).collect();
    let news = words.iter().filter(|word| !asked.contains(word.as_str())).count();
    let is_whole = words.len() >= EFFECT_WORDS && news * 2 > words.len() && !effect.contains(['"', '“', '”']);
    is_whole.then(|| (touched.canonical.clone(), effect))
}
