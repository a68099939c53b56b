//! Checks of words: likelihood and its figures, likelihood apart from confidence. Languages without lists have nothing to check.

use super::{CheckContext, Issue, words::CheckWords};
use crate::likelihood::{LikelihoodTerm, percent};

/// A likelihood word in a text.
#[derive(Debug, PartialEq)]
struct TermUse<'a> {
    term: LikelihoodTerm,
    /// Exact words.
    words: &'a str,
    /// `70 %` behind it, in brackets.
    figure: Option<f64>,
}

/// A figure and its mention may differ by rounding.
const ROUNDING: f64 = 0.005_1;

pub(super) fn likelihood_words(context: &CheckContext<'_>, language: &CheckWords) -> Vec<Issue> {
    let body = context.body;
    let mut issues = vec![];
    for (n, judgement) in body.key_judgements.iter().enumerate() {
        // Further words may speak of other things.
        let Some(used) = uses(language, &judgement.statement).into_iter().next() else { continue };
        let Some(point) = judgement.likelihood.map(|likelihood| likelihood.point) else { continue };
        let at = format!("key_judgements[{n}].statement");
        if !used.term.holds(point) {
            issues.push((at, format!("'{}' means {}, and its likelihood is {}", used.words, range(used.term), percent(point))));
        } else if let Some(figure) = used.figure.filter(|figure| (figure - point).abs() > ROUNDING) {
            issues.push((at, format!("it says {}, and its likelihood is {}", percent(figure), percent(point))));
        }
    }
    let judgements = body.key_judgements.iter().filter_map(|judgement| Some(judgement.likelihood?.point));
    let points: Vec<f64> = judgements.chain(body.hypotheses.iter().filter_map(|hypothesis| hypothesis.probability)).collect();
    for used in uses(language, &body.bottom_line) {
        let at = || "bottom_line".to_owned();
        match used.figure {
            Some(figure) if !used.term.holds(figure) => {
                issues.push((at(), format!("'{}' means {}, not {}", used.words, range(used.term), percent(figure))));
            }
            Some(figure) if !points.iter().any(|point| (figure - point).abs() <= ROUNDING) => {
                issues.push((at(), format!("{} is the figure of no judgement and no hypothesis", percent(figure))));
            }
            None if !points.iter().any(|point| used.term.holds(*point)) => {
                let range = range(used.term);
                issues
                    .push((at(), format!("'{}' means {range}, and no judgement or hypothesis has such a figure", used.words)));
            }
            _ => {}
        }
    }
    issues
}

fn range(term: LikelihoodTerm) -> String {
    let (low, high) = term.range();
    format!("{:.0}–{}", low * 100.0, percent(high))
}

pub(super) fn mixed_sentences(context: &CheckContext<'_>, language: &CheckWords) -> Vec<Issue> {
    let body = context.body;
    let statements = body.key_judgements.iter().enumerate();
    let statements = statements.map(|(n, one)| (format!("key_judgements[{n}].statement"), one.statement.clone()));
    let texts = [("bottom_line".to_owned(), body.bottom_line.clone()), ("analysis".to_owned(), without_quotes(&body.analysis))];
    let mut issues = vec![];
    for (at, text) in statements.chain(texts) {
        let is_mixed = |sentence: &&str| !uses(language, sentence).is_empty() && names_confidence(language, sentence);
        for sentence in sentences(&text).filter(is_mixed) {
            let begin: String = sentence.trim().chars().take(80).collect();
            issues.push((at.clone(), format!("“{begin}…” says likelihood and confidence in one sentence: part them")));
        }
    }
    issues
}

/// `with high confidence`, `confidence is low`, `confident`; not the confidence of consumers.
fn names_confidence(language: &CheckWords, sentence: &str) -> bool {
    let words: Vec<String> = words(sentence).map(|(_, word)| word.to_lowercase()).collect();
    let is_level =
        |place: Option<usize>| place.and_then(|place| words.get(place)).is_some_and(|word| language.levels.contains(word));
    words.iter().enumerate().any(|(n, word)| {
        let has_level = || [n.checked_sub(1), Some(n + 1), Some(n + 2)].into_iter().any(is_level);
        language.confident.contains(word) || language.confidence.contains(word) && has_level()
    })
}

/// The likelihood words of a text, in order.
fn uses<'a>(language: &CheckWords, text: &'a str) -> Vec<TermUse<'a>> {
    let tokens: Vec<(usize, &str)> = words(text).collect();
    let lower: Vec<String> = tokens.iter().map(|(_, word)| word.to_lowercase()).collect();
    let (mut found, mut place) = (vec![], 0);
    while place < tokens.len() {
        let Some((length, term)) = language.likelihood_at(&lower[place..]) else {
            place += 1;
            continue;
        };
        let is_modified = place > 0 && language.modifiers.contains(&lower[place - 1]);
        let (last_start, last) = tokens[place + length - 1];
        let end = last_start + last.len();
        if !is_modified {
            let figure = figure_after(language, &text[end..]);
            found.push(TermUse { term, words: &text[tokens[place].0..end], figure });
        }
        place += length;
    }
    found
}

/// `0.7` of ` (70 %)`; none of `(55–80 %)`.
fn figure_after(language: &CheckWords, rest: &str) -> Option<f64> {
    let rest = rest.trim_start();
    let rest = language.before_figure.iter().find_map(|word| rest.strip_prefix(word.as_str())).unwrap_or(rest);
    let inner = rest.trim_start().strip_prefix('(')?;
    let digits = inner.split(|c: char| !c.is_ascii_digit() && c != '.').next()?;
    let unit = inner[digits.len()..].trim_start();
    unit.starts_with('%').then(|| digits.parse::<f64>().ok()).flatten().map(|number| number / 100.0)
}

/// The words of a text with their offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    parts.filter(|word| !word.is_empty()).map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['\n', '!', '?', ';']).flat_map(|part| part.split(". "))
}

/// Returns the text without quotations: they are not the author's wording.
fn without_quotes(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('>'));
    let mut own = String::new();
    for line in lines {
        let mut closing: Option<&[char]> = None;
        for character in line.chars() {
            match (closing, character) {
                (Some(marks), mark) if marks.contains(&mark) => closing = None,
                (Some(_), _) => {}
                (None, '“') => closing = Some(&['”']),
                (None, '„') => closing = Some(&['“', '”', '"']),
                (None, '»') => closing = Some(&['«']),
                (None, '«') => closing = Some(&['»']),
                (None, '"') => closing = Some(&['"']),
                (None, other) => own.push(other),
            }
        }
        own.push('\n');
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(code: &str, text: &str) -> Vec<(LikelihoodTerm, Option<f64>)> {
        uses(&CheckWords::language(code), text).into_iter().map(|used| (used.term, used.figure)).collect()
    }

    #[test]
    fn likelihood_words_are_found_with_their_figures() {
        use LikelihoodTerm::{AlmostCertain, Likely, RoughlyEven, Unlikely, VeryLikely, VeryUnlikely};
        let english = |text| terms("en", text);
        assert_eq!(english("It is likely (70 %) that he left"), [(Likely, Some(0.7))]);
        assert_eq!(
            english("Very unlikely (10\u{a0}%), almost certainly so"),
            [(VeryUnlikely, Some(0.1)), (AlmostCertain, None)]
        );
        assert_eq!(english("a roughly even chance (50%)"), [(RoughlyEven, Some(0.5))]);
        assert_eq!(english("unlikely (20–45 %)"), [(Unlikely, None)]);
        for nothing in
            ["It is not likely", "more likely than not", "the likelihood", "the likeliest", "", "the most likely one"]
        {
            assert_eq!(english(nothing), [], "{nothing}");
        }
        let german = |text| terms("de", text);
        assert_eq!(german("Es ist sehr wahrscheinlich (90 %), dass er ging"), [(VeryLikely, Some(0.9))]);
        assert_eq!(german("etwa gleich wahrscheinlich (50 %), unwahrscheinlich"), [(RoughlyEven, Some(0.5)), (Unlikely, None)]);
        assert_eq!(german("nicht wahrscheinlich, am wahrscheinlichsten"), []);
    }

    #[test]
    fn confidence_of_an_analyst_is_distinguished_from_that_of_consumers() {
        let english = |text| names_confidence(&CheckWords::language("en"), text);
        assert!(english("likely, with high confidence"));
        assert!(english("our confidence is low"));
        assert!(english("We are confident"));
        assert!(!english("consumer confidence falls"));
        let german = |text| names_confidence(&CheckWords::language("de"), text);
        assert!(german("wahrscheinlich, mit hoher Konfidenz") && german("Die Konfidenz ist gering"));
        assert!(!german("Die Verlässlichkeit der Bahn sinkt"));
    }

    #[test]
    fn quoted_words_are_left_out() {
        assert_eq!(without_quotes("He said “very likely” so\n> likely\nend"), "He said  so\nend\n");
        for quotation in [
            "„sehr wahrscheinlich“",
            "„sehr wahrscheinlich”",
            "„sehr wahrscheinlich\"",
            "»sehr wahrscheinlich«",
            "«sehr wahrscheinlich»",
        ] {
            assert_eq!(without_quotes(&format!("Er sagte {quotation} dazu")), "Er sagte  dazu\n", "{quotation}");
        }
    }
}
