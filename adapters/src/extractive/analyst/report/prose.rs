//! The sentences of the assessment.

use super::super::evidence::FoundClaim;
use super::{Citations, Draft, WHAT_IT_IS};
use crate::extractive::answer::{self, Question};
use domain::{
    assessment::{Hypothesis, escape_markdown},
    likelihood::{Likelihood, percent},
};
use std::collections::{BTreeMap, BTreeSet};

/// Claims shown side by side in one contradiction.
const GROUP: usize = 4;
/// A leading answer below this is told with a reserve.
const WEAK_BELOW: f64 = 0.3;
/// Longest quote inside the analysis, in characters.
const QUOTE_CHARS: usize = 320;

pub(super) fn title(asked: &Question) -> String {
    asked.text.trim().chars().take(160).collect()
}

/// Who speaks for an answer, and who against it.
pub(super) fn basis(voices: usize, primary: usize, against: usize) -> String {
    let verb = |count: usize| if count == 1 { "speaks" } else { "speak" };
    let count = |count: usize| match count {
        1 => "one independent voice".to_owned(),
        n => format!("{} independent voices", in_words(n)),
    };
    if voices == 0 {
        return "No document that was read speaks for an answer.".into();
    }
    let hand = match primary {
        0 if voices == 1 => "not at first hand".to_owned(),
        0 => "none of them at first hand".to_owned(),
        1 if voices == 1 => "at first hand".to_owned(),
        n if n == voices => "all of them at first hand".to_owned(),
        n => format!("{} of them at first hand", in_words(n)),
    };
    let contradicted = match against {
        0 => "; none speaks against it".to_owned(),
        n => format!("; {} {} against it", count(n), verb(n)),
    };
    let told = format!("{} {} for it, {hand}{contradicted}.", count(voices), verb(voices));
    told[..1].to_uppercase() + &told[1..]
}

/// `three`, `12`: small numbers as prose has them.
fn in_words(number: usize) -> String {
    const WORDS: [&str; 11] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// The answer, how likely it is, and what it rests on.
pub(super) fn bottom_line(draft: &Draft<'_>) -> String {
    let Some(leading) = draft.leading() else {
        return "We do not know: the documents that could be read do not answer the question.".into();
    };
    let others = draft.answer.hypotheses.iter().filter(|other| !other.none && !other.supporting.is_empty()).count() > 1;
    let likelihood = in_likelihood(leading.probability, others);
    let statement = leading.statement.trim_end_matches('.');
    let basis = draft.confidence_in(leading).basis;
    let rival = draft.rival().map_or_else(String::new, |other| {
        format!(" The next answer ({}): {}", percent(other.probability), sentence(&other.statement))
    });
    format!("{statement}: {likelihood}. {basis}{rival}")
}

/// The term and percent of a leading answer, as its judgement has them; a weak one is told to be no more than the best there is.
fn in_likelihood(probability: f64, has_others: bool) -> String {
    let Likelihood { term, point } = Likelihood::from_point(probability);
    let told = format!("{} ({})", term.words(), percent(point));
    match has_others {
        _ if point >= WEAK_BELOW => told,
        true => format!("the likeliest of several answers, yet {told}"),
        false => format!("the only answer found, yet {told}"),
    }
}

/// What became of the bottom line of an earlier assessment.
pub(super) fn change(before: &str, now: &str) -> String {
    if before == now {
        return "Unchanged: the bottom line is what it was.".into();
    }
    format!("Before: {} Now: {}", sentence(before), sentence(now))
}

pub(super) fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?']) { text.into() } else { format!("{text}.") }
}

/// The analysis in Markdown. No quote stands in it twice.
pub(super) fn analysis(draft: &Draft<'_>, hypotheses: &[Hypothesis], citations: &mut Citations<'_>) -> String {
    let limits = &draft.settings.report;
    let mut quotes = Quotes { draft, citations, given: BTreeSet::new() };
    let mut parts = vec![];
    for (hypothesis, answer) in hypotheses.iter().zip(&draft.answer.hypotheses).take(limits.answers_in_words) {
        parts.extend(explanation(hypothesis, answer, &mut quotes, limits.quotes_per_side));
    }
    let sections = [
        ("Where the documents contradict each other", quotes.contradictions(limits.contradictions)),
        ("What was corrected", quotes.list(&corrections(draft), limits.corrections)),
        ("What else bears on the question", quotes.list(&draft.answer.relevant, limits.quotes)),
        ("One text, several outlets", copies(draft)),
    ];
    parts
        .extend(sections.into_iter().filter(|(_, text)| !text.is_empty()).map(|(title, text)| format!("## {title}\n\n{text}")));
    parts.push(format!("## How this was made\n\n{WHAT_IT_IS} {}", what_was_read(draft)));
    parts.join("\n\n")
}

fn what_was_read(draft: &Draft<'_>) -> String {
    let voices: BTreeSet<_> = draft.evidence.voices.iter().collect();
    let documents: BTreeSet<_> = draft.evidence.claims.iter().map(|claim| &claim.document).collect();
    let repeated = match documents.len() - voices.len().min(documents.len()) {
        0 => String::new(),
        n => format!(" ({n} repeat another and count as one voice with it)"),
    };
    format!(
        "It weighs {} claims of {} documents{repeated}; they cover {} of what the question names.",
        draft.evidence.claims.len(),
        documents.len(),
        percent(draft.answer.covered),
    )
}

/// One answer with its best quotes on both sides; nothing where no document speaks of it.
fn explanation(
    hypothesis: &Hypothesis,
    answer: &answer::Hypothesis,
    quotes: &mut Quotes<'_, '_, '_>,
    per_side: usize,
) -> Option<String> {
    let (supporting, against) = (quotes.list(&answer.supporting, per_side), quotes.list(&answer.against, per_side));
    if answer.none || supporting.is_empty() && against.is_empty() {
        return None;
    }
    let mut text = format!(
        "## {} ({}): {}",
        hypothesis.id,
        percent(hypothesis.probability.unwrap_or_default()),
        escape_markdown(&sentence(&hypothesis.statement))
    );
    for (side, quotes) in [("For it", supporting), ("Against it", against)] {
        if !quotes.is_empty() {
            text += &format!("\n\n{side}:\n\n{quotes}");
        }
    }
    Some(text)
}

/// Claims by which an outlet or an office takes back what it said, the most relevant first.
fn corrections(draft: &Draft<'_>) -> Vec<u32> {
    let cues = &draft.settings.report.correction_cues;
    let corrects = |key: &&u32| {
        draft.claim(**key).is_some_and(|claim| {
            let said = claim.content.to_lowercase();
            cues.iter().any(|cue| said.contains(cue.as_str()))
        })
    };
    draft.answer.relevant.iter().filter(corrects).copied().collect()
}

/// Which documents are one voice, so that a reader sees why many reports count once.
fn copies(draft: &Draft<'_>) -> String {
    let mut of_voice: BTreeMap<&str, BTreeMap<_, &FoundClaim>> = BTreeMap::new();
    for (claim, voice) in draft.evidence.claims.iter().zip(&draft.evidence.voices) {
        of_voice.entry(voice).or_default().entry(&claim.document).or_insert(claim);
    }
    let told_again = of_voice.into_values().filter(|documents| documents.len() > 1);
    let mut lines: Vec<String> = told_again
        .map(|documents| {
            let mut named: Vec<String> = documents
                .values()
                .map(|claim| format!("“{}” ({})", escape_markdown(&claim.document_title), escape_markdown(&whence(claim))))
                .collect();
            named.sort();
            format!("- {}", named.join(" = "))
        })
        .collect();
    lines.sort();
    lines.join("\n")
}

/// Gives quotes as list items, each once.
struct Quotes<'q, 'd, 'e> {
    draft: &'q Draft<'d>,
    citations: &'q mut Citations<'e>,
    given: BTreeSet<String>,
}

impl Quotes<'_, '_, '_> {
    fn list(&mut self, keys: &[u32], limit: usize) -> String {
        let mut items = vec![];
        for key in keys {
            if items.len() == limit {
                break;
            }
            items.extend(self.item(*key));
        }
        items.join("\n")
    }

    /// Claims that cannot both be right, each group once.
    fn contradictions(&mut self, limit: usize) -> String {
        let mut groups: Vec<Vec<u32>> = vec![];
        for (one, other) in &self.draft.answer.contradictions {
            // What contradicts one claim stands under it; what contradicts that again is another matter.
            match groups.iter_mut().find(|group| group[0] == *one || group[0] == *other) {
                Some(group) => group.extend([*one, *other]),
                None => groups.push(vec![*one, *other]),
            }
        }
        let shown = groups.iter().take(limit).filter_map(|group| {
            let mut seen = BTreeSet::new();
            let items: Vec<String> = group
                .iter()
                .filter(|key| self.draft.claim(**key).is_some_and(|claim| seen.insert(claim.content.to_lowercase())))
                .take(GROUP)
                .filter_map(|key| quoted(self.draft, *key, self.citations))
                .collect();
            (items.len() > 1).then(|| items.join("\n"))
        });
        // A paragraph between two lists keeps them apart.
        shown.collect::<Vec<_>>().join("\n\nAnd:\n\n")
    }

    fn item(&mut self, key: u32) -> Option<String> {
        let claim = self.draft.claim(key)?;
        if !self.given.insert(claim.content.to_lowercase()) {
            return None;
        }
        quoted(self.draft, key, self.citations)
    }
}

const QUOTATION_MARKS: [char; 5] = ['"', '“', '”', '«', '»'];

/// A list item with the quote, where it stands and its marker.
fn quoted(draft: &Draft<'_>, key: u32, citations: &mut Citations<'_>) -> Option<String> {
    let claim = draft.claim(key)?;
    let marker = citations.cite(key)?;
    let mut quote: String = claim.content.chars().take(QUOTE_CHARS).collect();
    if quote.len() < claim.content.len() {
        quote.push('…');
    }
    let quote = escape_markdown(&quote);
    // What begins or ends with words that somebody said has marks enough.
    let is_marked = quote.starts_with(QUOTATION_MARKS) || quote.ends_with(QUOTATION_MARKS);
    let quote = if is_marked { quote } else { format!("“{quote}”") };
    Some(format!("- {quote} ({}) [{marker}]", escape_markdown(&whence(claim))))
}

fn whence(claim: &FoundClaim) -> String {
    let outlet = claim.outlet.as_ref().map_or(claim.document_title.as_str(), |outlet| outlet.name.as_str());
    match claim.published_at.as_deref().and_then(|moment| moment.get(..10)) {
        Some(day) => format!("{outlet}, {day}"),
        None => outlet.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assessment_that_says_the_same_again_says_so() {
        assert_eq!(change("We do not know.", "We do not know."), "Unchanged: the bottom line is what it was.");
        assert_eq!(
            change("We do not know.", "Vale was arrested: likely (60 %)."),
            "Before: We do not know. Now: Vale was arrested: likely (60 %)."
        );
    }

    #[test]
    fn the_bottom_line_has_the_likelihood_of_its_judgement() {
        assert_eq!(in_likelihood(0.199_6, true), "the likeliest of several answers, yet unlikely (20\u{a0}%)");
        assert_eq!(in_likelihood(0.041, false), "the only answer found, yet almost no chance (4\u{a0}%)");
        assert_eq!(in_likelihood(0.549, true), "likely (55\u{a0}%)");
        assert_eq!(in_likelihood(0.645, true), "likely (65\u{a0}%)");
    }

    #[test]
    fn voices_are_counted_in_words() {
        assert_eq!(basis(5, 1, 0), "Five independent voices speak for it, one of them at first hand; none speaks against it.");
        assert_eq!(
            basis(1, 0, 2),
            "One independent voice speaks for it, not at first hand; two independent voices speak against it."
        );
        assert_eq!(
            basis(12, 12, 1),
            "12 independent voices speak for it, all of them at first hand; one independent voice speaks against it."
        );
    }
}
