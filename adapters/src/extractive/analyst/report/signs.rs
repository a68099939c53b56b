//! What to watch, and who is affected: statements about the future and about effects, taken from the claims.

use super::{Citations, Draft};
use crate::extractive::text::{Polarity, Text};
use chrono::NaiveDate;
use domain::assessment::{Direction, Hypothesis, Impact, Indicator, Resolution};
use engine::agents::tools::wire::ClaimSeen;
use std::collections::BTreeSet;

/// Claims that are looked through for signs, the weightiest first.
const LOOKED_THROUGH: usize = 120;
/// Longest text of an indicator or effect, in characters.
const TEXT_CHARS: usize = 300;

/// Forward-looking statements with their dates; without any, what would settle the leading answers.
pub(super) fn indicators(draft: &Draft<'_>, hypotheses: &[Hypothesis]) -> Vec<Indicator> {
    let limit = draft.settings.report.indicators;
    let mut found: Vec<(bool, u32, Option<NaiveDate>)> = vec![];
    for key in draft.answer.relevant.iter().take(LOOKED_THROUGH) {
        let Some(claim) = draft.claim(*key) else { continue };
        let text = Text::new(draft.settings.words, &claim.content);
        let whole = crate::extractive::text::Span::whole(&claim.content);
        if let Some(forward) = text.forward_looking(whole, published(claim)) {
            let due = forward.due.and_then(|time| time.end);
            found.push((due.is_none(), *key, due));
        }
    }
    // Those with a date first; the order of relevance stays within.
    found.sort_by_key(|(undated, ..)| *undated);
    let mut indicators: Vec<Indicator> = vec![];
    let mut seen = BTreeSet::new();
    for (_, key, due) in found {
        let Some(claim) = draft.claim(key).filter(|claim| seen.insert(claim.content.to_lowercase())) else { continue };
        if indicators.len() < limit {
            indicators.push(forward(draft, claim, key, due, hypotheses, indicators.len() + 1));
        }
    }
    let open = (limit - indicators.len()).min(2);
    let leading: Vec<&Hypothesis> =
        hypotheses.iter().filter(|hypothesis| !hypothesis.supporting.is_empty()).take(open).collect();
    for hypothesis in leading {
        indicators.push(settling(hypothesis, indicators.len() + 1));
    }
    indicators
}

fn forward(
    draft: &Draft<'_>,
    claim: &ClaimSeen,
    key: u32,
    due: Option<NaiveDate>,
    hypotheses: &[Hypothesis],
    number: usize,
) -> Indicator {
    let said: String = claim.content.chars().take(TEXT_CHARS).collect();
    let supported = hypotheses.iter().zip(&draft.answer.hypotheses).filter(|(_, answer)| answer.supporting.contains(&key));
    let mut named: Vec<String> = supported.map(|(hypothesis, _)| hypothesis.id.clone()).collect();
    if named.is_empty() {
        named.extend(hypotheses.first().map(|hypothesis| hypothesis.id.clone()));
    }
    Indicator {
        id: format!("I{number}"),
        text: said.clone(),
        hypotheses: named,
        direction: Direction::Supports,
        resolution: Resolution {
            question: format!("Did this come about: “{said}”?"),
            criteria: "A document of an independent origin reports that it did, or that it did not.".into(),
            by: due.map(|day| day.format("%Y-%m-%d").to_string()),
        },
    }
}

fn settling(hypothesis: &Hypothesis, number: usize) -> Indicator {
    Indicator {
        id: format!("I{number}"),
        text: format!("A further independent account at first hand says: {}", hypothesis.statement),
        hypotheses: vec![hypothesis.id.clone()],
        direction: Direction::Supports,
        resolution: Resolution {
            question: format!("Has another independent account at first hand confirmed: “{}”?", hypothesis.statement),
            criteria: "A primary claim of an origin that is not cited here says the same.".into(),
            by: None,
        },
    }
}

fn published(claim: &ClaimSeen) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(claim.published_at.as_deref()?.get(..10)?, "%Y-%m-%d").ok()
}

/// Effects that the claims name in causal words, with the entity that stands in the effect.
pub(super) fn impacts(draft: &Draft<'_>, citations: &mut Citations<'_>) -> Vec<Impact> {
    let (mut impacts, mut seen) = (vec![], BTreeSet::new());
    for key in draft.answer.relevant.iter().take(LOOKED_THROUGH) {
        if impacts.len() >= draft.settings.report.impacts {
            break;
        }
        let Some((who, effect)) = draft.claim(*key).and_then(|claim| effect(draft, claim)) else { continue };
        if seen.insert((who.to_lowercase(), effect.to_lowercase())) {
            impacts.push(Impact { who, effect, citations: citations.cite_all([key]) });
        }
    }
    impacts
}

fn effect(draft: &Draft<'_>, claim: &ClaimSeen) -> Option<(String, String)> {
    let text = Text::new(draft.settings.words, &claim.content);
    let mentions = text.mentions();
    let causes = text.causes(crate::extractive::text::Span::whole(&claim.content));
    let cause = causes.into_iter().find(|cause| cause.polarity == Polarity::Positive && !cause.blame)?;
    let touched = mentions.iter().find(|mention| cause.effect.contains(mention.span))?;
    let effect: String = cause.effect.of(&claim.content).trim().chars().take(TEXT_CHARS).collect();
    Some((touched.canonical.clone(), effect))
}
