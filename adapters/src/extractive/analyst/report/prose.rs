//! The sentences of the assessment.

use super::{Citations, Draft, WHAT_IT_IS};
use crate::extractive::answer::Question;
use domain::{assessment::Hypothesis, likelihood::LikelihoodTerm};
use engine::agents::tools::wire::ClaimSeen;

/// Longest quote inside the analysis, in characters.
const QUOTE_CHARS: usize = 320;

pub(super) fn title(asked: &Question) -> String {
    asked.text.trim().trim_end_matches(['?', '.']).chars().take(160).collect()
}

/// `one independent voice`, `3 independent voices`.
pub(super) fn voices(count: usize) -> String {
    match count {
        1 => "One independent voice".into(),
        n => format!("{n} independent voices"),
    }
}

/// The answer, how likely it is, and what it rests on.
pub(super) fn bottom_line(draft: &Draft<'_>) -> String {
    let Some(leading) = draft.leading() else {
        return "We do not know: the documents that could be read do not answer the question.".into();
    };
    let percent = (leading.probability * 100.0).round();
    let words = LikelihoodTerm::of(leading.probability).words();
    let basis = draft.confidence_of(&leading.supporting).basis;
    let statement = leading.statement.trim_end_matches('.');
    let runner_up = draft.answer.hypotheses.iter().find(|other| !other.none && other.statement != leading.statement);
    let rival = runner_up.filter(|other| other.probability >= 0.1).map_or_else(String::new, |other| {
        format!(" The next answer ({:.0} %): {}", other.probability * 100.0, sentence(&other.statement))
    });
    format!("{statement}: {words} ({percent:.0} %). {basis}{rival}")
}

fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?']) { text.into() } else { format!("{text}.") }
}

/// The analysis in Markdown.
pub(super) fn analysis(draft: &Draft<'_>, hypotheses: &[Hypothesis], citations: &mut Citations<'_>) -> String {
    let mut parts = vec![format!("## How this was made\n\n{WHAT_IT_IS} {}", what_was_read(draft))];
    let quotes: Vec<String> = draft
        .answer
        .relevant
        .iter()
        .take(draft.settings.report.quotes)
        .filter_map(|key| quoted(draft, *key, citations))
        .collect();
    if !quotes.is_empty() {
        parts.push(format!("## What the documents say\n\n{}", quotes.join("\n")));
    }
    if !hypotheses.is_empty() {
        let listed: Vec<String> = hypotheses.iter().map(explanation).collect();
        parts.push(format!("## The competing answers\n\n{}", listed.join("\n\n")));
    }
    let pairs: Vec<String> = draft
        .answer
        .contradictions
        .iter()
        .take(draft.settings.report.contradictions)
        .filter_map(|(one, other)| Some(format!("{}\n{}", quoted(draft, *one, citations)?, quoted(draft, *other, citations)?)))
        .collect();
    if !pairs.is_empty() {
        parts.push(format!("## Where they contradict each other\n\n{}", pairs.join("\n\n")));
    }
    parts.join("\n\n")
}

fn what_was_read(draft: &Draft<'_>) -> String {
    let voices: std::collections::BTreeSet<_> = draft.evidence.voices.iter().collect();
    let share = (draft.answer.covered * 100.0).round();
    format!(
        "{} claims of {} independent texts were weighed; they cover {share:.0} % of what the question names.",
        draft.evidence.claims.len(),
        voices.len(),
    )
}

fn explanation(hypothesis: &Hypothesis) -> String {
    let markers = |markers: &[u32]| markers.iter().map(|marker| format!("[{marker}]")).collect::<String>();
    let mut text = format!(
        "**{} ({:.0} %).** {} {}",
        hypothesis.id,
        hypothesis.probability * 100.0,
        escape(&sentence(&hypothesis.statement)),
        escape(&hypothesis.reasoning)
    );
    if !hypothesis.supporting.is_empty() {
        text += &format!(" For it: {}.", markers(&hypothesis.supporting));
    }
    if !hypothesis.against.is_empty() {
        text += &format!(" Against it: {}.", markers(&hypothesis.against));
    }
    if !hypothesis.weaknesses.is_empty() {
        text += &format!(" {}", escape(&hypothesis.weaknesses));
    }
    text
}

/// A list item with the quote, where it stands and its marker.
fn quoted(draft: &Draft<'_>, key: u32, citations: &mut Citations<'_>) -> Option<String> {
    let claim = draft.claim(key)?;
    let marker = citations.cite(key)?;
    let mut quote: String = claim.content.chars().take(QUOTE_CHARS).collect();
    if quote.len() < claim.content.len() {
        quote.push('…');
    }
    Some(format!("- “{}” ({}) [{marker}]", escape(&quote), escape(&whence(claim))))
}

fn whence(claim: &ClaimSeen) -> String {
    let outlet = claim.outlet.as_ref().map_or(claim.document_title.as_str(), |outlet| outlet.name.as_str());
    match claim.published_at.as_deref().and_then(|moment| moment.get(..10)) {
        Some(day) => format!("{outlet}, {day}"),
        None => outlet.to_owned(),
    }
}

/// Outside text as Markdown text: nothing in it is markup or a marker.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~') {
            escaped.push('\\');
        }
        escaped.push(if character == '\n' { ' ' } else { character });
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn a_number_in_brackets_of_a_quote_is_not_a_marker() {
        let escaped = escape("see [12] <b>");
        assert_eq!(domain::assessment::markers_in(&escaped).count(), 0);
        assert_eq!(escaped, "see \\[12\\] \\<b\\>");
    }
}
