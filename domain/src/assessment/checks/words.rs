//! Words of the checks by language, from `config/locale/checks.json`. A report in a language without words is not checked for them.

use crate::{assessment::Body, likelihood::LikelihoodTerm};
use serde::{Deserialize, Deserializer};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

const BUILT_IN: &str = include_str!("../../../../config/locale/checks.json");

/// Share of frequent words by which a language is recognised, in percent. Texts have about 30, those in related languages below 10.
const MIN_PERCENT: usize = 12;

static LANGUAGES: LazyLock<Vec<CheckWords>> = LazyLock::new(|| {
    // A test parses the built-in file, so the fallback is unused.
    let languages: BTreeMap<String, CheckWords> = serde_json::from_str(BUILT_IN).unwrap_or_default();
    languages.into_values().collect()
});

/// Words of one language, in lower case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckWords {
    /// Frequent words, by which the language is recognised.
    common: BTreeSet<String>,
    /// Likelihood phrases by their words, longer ones first.
    #[serde(rename = "likelihood", deserialize_with = "phrases")]
    phrases: Vec<(Vec<String>, LikelihoodTerm)>,
    /// Words before a likelihood word that make another statement of it.
    pub modifiers: Vec<String>,
    /// Words that may stand between a likelihood word and its figure.
    pub before_figure: Vec<String>,
    /// Words for analytic confidence, which count beside a level.
    pub confidence: Vec<String>,
    /// Words that name confidence without a level.
    pub confident: Vec<String>,
    pub levels: Vec<String>,
    /// Parts of a basis that admit that it has one origin, or is not first-hand.
    pub one_origin: Vec<String>,
}

fn phrases<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(Vec<String>, LikelihoodTerm)>, D::Error> {
    let mut phrases = vec![];
    for (term, texts) in BTreeMap::<LikelihoodTerm, Vec<String>>::deserialize(deserializer)? {
        phrases.extend(texts.iter().map(|text| (text.split_whitespace().map(str::to_owned).collect::<Vec<_>>(), term)));
    }
    phrases.sort_by_key(|(words, _)| Reverse(words.len()));
    Ok(phrases)
}

impl CheckWords {
    /// Returns the words of the language that a report is written in; none where there are no lists for it.
    pub fn of_report(body: &Body) -> Option<&'static Self> {
        let prose = body.prose();
        let words = prose.iter().flat_map(|(_, text)| text.split(|letter: char| !letter.is_alphabetic()));
        let words: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
        let count = |language: &Self| words.iter().filter(|word| language.common.contains(*word)).count();
        let (hits, language) = LANGUAGES.iter().map(|language| (count(language), language)).max_by_key(|(hits, _)| *hits)?;
        (hits > 0 && hits * 100 >= words.len() * MIN_PERCENT).then_some(language)
    }

    /// Returns the likelihood phrase at the beginning of these words in lower case, with its number of words.
    pub fn likelihood_at(&self, words: &[String]) -> Option<(usize, LikelihoodTerm)> {
        let found = self.phrases.iter().find(|(phrase, _)| words.starts_with(phrase));
        found.map(|(phrase, term)| (phrase.len(), *term))
    }
}

#[cfg(test)]
impl CheckWords {
    /// Returns the words of a language by its code.
    pub fn language(code: &str) -> Self {
        let mut languages: BTreeMap<String, Self> = serde_json::from_str(BUILT_IN).unwrap();
        languages.remove(code).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assessment::EvidenceBrief;

    fn report(analysis: &str) -> Body {
        EvidenceBrief { analysis: analysis.into(), ..EvidenceBrief::default() }.into()
    }

    #[test]
    fn every_language_has_words_of_every_kind_in_lower_case() {
        let files: BTreeMap<String, CheckWords> = serde_json::from_str(BUILT_IN).unwrap();
        assert_eq!(Vec::from_iter(files.keys()), ["de", "en"]);
        for (code, file) in files {
            let terms = BTreeSet::from_iter(file.phrases.iter().map(|(_, term)| *term));
            assert_eq!(Vec::from_iter(terms), LikelihoodTerm::ALL, "{code}");
            let lists = [&file.modifiers, &file.confidence, &file.confident, &file.levels, &file.one_origin];
            assert!(lists.iter().all(|list| !list.is_empty()) && !file.common.is_empty(), "{code}");
            let phrases = file.phrases.iter().flat_map(|(words, _)| words);
            for word in phrases.chain(lists.into_iter().flatten()).chain(&file.common) {
                assert_eq!(*word, word.to_lowercase(), "{code}");
            }
        }
    }

    #[test]
    fn the_language_of_a_report_is_recognised_by_its_frequent_words() {
        let recognised = |text: &str| CheckWords::of_report(&report(text)).map(|words| words.confident[0].clone());
        let english = "The court decided that the door was open, and the union appeals.";
        let german = "Das Tor war offen, und die Wache hat nichts gesehen.";
        assert_eq!(recognised(english).as_deref(), Some("confident"));
        assert_eq!(recognised(german).as_deref(), Some("zuversichtlich"));
        for other in [
            "De rechtbank heeft beslist dat de deur open was en dat de man niet in de stad kon zijn.",
            "Le tribunal a décidé que la porte était ouverte.",
            "Retten bestemte at døren var åpen, og at mannen ikke var i byen for å se det.",
            "Ворота были открыты ночью.",
            "",
        ] {
            assert_eq!(recognised(other), None, "{other}");
        }
    }
}
