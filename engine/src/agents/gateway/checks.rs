//! Rule-based scoring of a result without a model: emptiness, and sentences that share words with the question.
//!
//! Its verdicts are marked as unverified.

use crate::config::ReflectConfig;
use domain::agent::{MAX_UNVERIFIED_CONFIDENCE, Quality, ReflectedBy, Reflection};
use serde_json::Value;
use std::collections::BTreeSet;
use unicode_normalization::UnicodeNormalization;

/// Maximum number of sentences listed.
pub(super) const MAX_FACTS: usize = 5;
/// Minimum length of a word that counts, in characters.
const MIN_WORD_CHARS: usize = 4;
const MAX_FACT_CHARS: usize = 400;

/// Returns whether a result is empty, in words or in JSON (lists without items).
pub(super) fn is_nothing(content: &str) -> bool {
    let content = content.trim();
    content.is_empty() || serde_json::from_str(content).is_ok_and(|value: Value| holds_nothing(&value))
}

fn holds_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.iter().all(holds_nothing),
        Value::Object(fields) => {
            let lists: Vec<&Value> = fields.values().filter(|field| field.is_array()).collect();
            match lists.is_empty() {
                true => fields.values().all(holds_nothing),
                // Counts and offsets beside an empty list carry no information.
                false => lists.into_iter().all(holds_nothing) && !fields.values().any(Value::is_object),
            }
        }
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Scores a result by the words of the question that it contains.
pub(super) fn verdict(config: &ReflectConfig, question: &str, content: &str) -> Reflection {
    if is_nothing(content) {
        return Reflection::nothing();
    }
    let wanted = words(question);
    let mut sentences: Vec<(usize, usize, &str)> = sentences(content)
        .enumerate()
        .map(|(place, sentence)| (words(sentence).intersection(&wanted).count(), place, sentence))
        .filter(|(shared, ..)| *shared > 0)
        .collect();
    sentences.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let met = words(content).intersection(&wanted).count();
    let percent = (met * 100).checked_div(wanted.len()).unwrap_or(0);
    let quality = match percent {
        percent if percent >= config.good_percent as usize => Quality::Good,
        percent if percent >= config.partial_percent as usize => Quality::Partial,
        _ => Quality::Poor,
    };
    Reflection {
        // Rules cannot tell whether the words answer the question.
        answers: false,
        quality,
        key_facts: sentences.iter().take(MAX_FACTS).map(|(_, _, sentence)| brief(sentence)).collect(),
        summary: format!("{met} of {} words of the question stand in it; no language model has judged it.", wanted.len()),
        confidence: MAX_UNVERIFIED_CONFIDENCE.min(u8::try_from(percent).unwrap_or(MAX_UNVERIFIED_CONFIDENCE)),
        by: ReflectedBy::Checks,
        verified: false,
    }
}

fn words(text: &str) -> BTreeSet<String> {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let words = domain::text::words(&folded).filter(|word| word.chars().count() >= MIN_WORD_CHARS);
    words.map(str::to_owned).collect()
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split_inclusive(['\n', '.', '!', '?', '。', '！', '？']);
    pieces.map(str::trim).filter(|sentence| sentence.chars().count() >= 20)
}

fn brief(sentence: &str) -> String {
    sentence.chars().take(MAX_FACT_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(question: &str, content: &str) -> Reflection {
        verdict(&ReflectConfig::default(), question, content)
    }

    #[test]
    fn an_empty_result_is_poor_in_every_form() {
        for empty in ["", " \n", "[]", "{}", "null", r#"{"documents":[],"total":0,"next_offset":null}"#, r#"[{"a":""},[]]"#] {
            assert!(is_nothing(empty), "{empty}");
            assert_eq!(judged("Who?", empty), Reflection::nothing());
        }
        for full in ["0", "no results", r#"{"documents":[{"title":"Gates"}],"total":1}"#, r#"{"found":true}"#] {
            assert!(!is_nothing(full), "{full}");
        }
    }

    #[test]
    fn sentences_with_words_of_the_question_are_key_facts_without_verification() {
        let text = "The weather was fine all week. The harbour gates stayed shut on Tuesday. Gates need paint every year.";
        let verdict = judged("Why did the harbour gates stay shut?", text);
        assert_eq!(verdict.key_facts[0], "The harbour gates stayed shut on Tuesday.");
        assert_eq!((verdict.quality, verdict.by, verdict.verified), (Quality::Good, ReflectedBy::Checks, false));
        assert!(verdict.confidence <= MAX_UNVERIFIED_CONFIDENCE);
        assert_eq!(judged("Zeppelin timetable?", text).quality, Quality::Poor);
        let strict = ReflectConfig { good_percent: 100, ..ReflectConfig::default() };
        assert_eq!(super::verdict(&strict, "Why did the harbour gates freeze?", text).quality, Quality::Partial);
    }
}
