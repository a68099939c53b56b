//! Vague questions: rules that find them, and the questions that a person may answer first. No model is asked.

use crate::{Engine, StoreResult, accounts, graph::EntityQuery, graph::search};
use domain::{Timestamp, user::User};
use views::{ClarifyView, PeriodChoice};

/// Content words up to which a question without a name is vague.
const FEW_WORDS: usize = 2;
/// Entities suggested as the subject.
const SUGGESTIONS: usize = 4;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Words that say nothing about a subject.
const FILLERS: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "at", "be", "been", "by", "can", "could", "did", "do", "does", "for", "from",
    "had", "has", "have", "he", "her", "him", "his", "how", "in", "is", "it", "its", "me", "of", "on", "or", "she", "should",
    "tell", "that", "the", "their", "them", "there", "they", "this", "those", "to", "was", "we", "were", "what", "what's",
    "when", "where", "which", "who", "who's", "whom", "whose", "why", "will", "with", "would", "you",
];
const TIMES: &[&str] = &[
    "after",
    "before",
    "current",
    "currently",
    "last",
    "latest",
    "next",
    "now",
    "recent",
    "recently",
    "since",
    "today",
    "tomorrow",
    "until",
    "yesterday",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Gaps of a vague question besides its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unclear {
    /// It names no time, and the form no period.
    pub time: bool,
}

/// Returns what a vague question leaves open besides its subject; none for a question that can be asked. Questions in scripts without
/// capital letters are never vague, because names cannot be told there.
pub fn unclear(question: &str, has_period: bool) -> Option<Unclear> {
    if question.chars().any(|c| c.is_alphabetic() && u32::from(c) >= 0x250) {
        return None;
    }
    let words: Vec<&str> = question
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let is_name = |word: &&str| word.chars().any(char::is_uppercase) && *word != "I" && !word.starts_with("I'");
    let has_quote = question.contains(['"', '\u{201c}', '\u{201e}', '\u{ab}']);
    let has_number = question.chars().any(|c| c.is_ascii_digit());
    // The first word is capital in any case, but "who" is never written "WHO".
    let names_first = words.first().is_some_and(|word| word.chars().skip(1).any(char::is_uppercase));
    if has_quote || has_number || names_first || words.iter().skip(1).any(is_name) {
        return None;
    }
    let plain: Vec<String> = words.iter().map(|word| word.to_lowercase().replace('\u{2019}', "'")).collect();
    let content = plain.iter().filter(|word| !FILLERS.contains(&word.as_str())).count();
    let has_time = plain.iter().any(|word| TIMES.contains(&word.as_str()));
    (content <= FEW_WORDS).then_some(Unclear { time: !has_time && !has_period })
}

/// Returns the question with what a person said it is about.
pub fn with_subject(question: &str, subject: &str) -> String {
    let (question, subject) = (question.trim(), subject.trim());
    if subject.is_empty() { question.to_owned() } else { format!("{question} (about {subject})") }
}

impl Engine {
    /// Returns the questions to answer before a vague one; suggestions come from the graph that `viewer` sees.
    pub async fn clarify_view(&self, viewer: &User, question: &str, has_period: bool) -> StoreResult<ClarifyView> {
        let scope = accounts::scope_without_sample(self, viewer).await?;
        let query = EntityQuery { text: Some(self.search.query.text(question)), ..EntityQuery::default() };
        let found = search::search_entities(&*self.graph, None, &self.search, &scope, query, SUGGESTIONS).await?;
        let asks_time = unclear(question, has_period).is_some_and(|unclear| unclear.time);
        let periods = if asks_time { periods(self.clock.now()) } else { vec![] };
        Ok(ClarifyView { subjects: found.into_iter().map(|hit| hit.item.canonical_name).collect(), periods })
    }
}

fn periods(now: Timestamp) -> Vec<PeriodChoice> {
    let since = |name: &str, days: i64| {
        let from = now.plus_ms(-days * DAY_MS).to_datetime().format("%Y-%m-%d").to_string();
        PeriodChoice { name: name.to_owned(), from }
    };
    vec![since("The last 30 days", 30), since("The last 12 months", 365)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_vague_when_it_names_nothing() {
        for vague in ["Who did it?", "what happened", "Why did prices rise?", "What's going on with them?"] {
            assert_eq!(unclear(vague, false), Some(Unclear { time: true }), "{vague}");
        }
        for clear in [
            "Who set the fire at the grain store of Port Halen?",
            "who bombed sivas in 2016",
            "NATO?",
            "Who wrote \u{201c}the long war\u{201d}?",
            "who runs the nord stream pipeline",
            "\u{434}\u{430}?",
        ] {
            assert_eq!(unclear(clear, false), None, "{clear}");
        }
    }

    #[test]
    fn the_time_is_asked_only_where_nothing_names_one() {
        assert_eq!(unclear("What happened yesterday?", false), Some(Unclear { time: false }));
        assert_eq!(unclear("What happened?", true), Some(Unclear { time: false }));
    }

    #[test]
    fn an_answer_becomes_part_of_the_question() {
        assert_eq!(with_subject("Who did it? ", " the fire in Port Halen "), "Who did it? (about the fire in Port Halen)");
        assert_eq!(with_subject("Who did it?", " "), "Who did it?");
    }
}
