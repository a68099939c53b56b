//! Taxonomy: themes, and the words by which documents state strain.
//!
//! Finds stated strain only. What follows from a statement, and what nobody states, is the work of agents.

use crate::tension::Severity;
use domain::claim::Mode;
use serde::Deserialize;
use std::sync::LazyLock;

static TAXONOMY: LazyLock<Taxonomy> = LazyLock::new(|| {
    Taxonomy::parse(include_str!("../taxonomy.toml")).unwrap_or_else(|error| {
        tracing::error!(%error, "taxonomy of strain unreadable");
        Taxonomy::default()
    })
});

/// Word that may stand for any ending.
#[derive(Debug, Clone, PartialEq, Eq)]
struct WordPattern {
    text: String,
    is_prefix: bool,
}

/// Words in sequence.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
struct Phrase(Vec<WordPattern>);

/// Theme of tensions.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Theme {
    pub code: String,
    pub label: String,
    words: Vec<Phrase>,
}

/// Kind of strain, such as a strike.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrainKind {
    pub code: String,
    pub label: String,
    /// Theme where the words of no other stand beside it.
    theme: String,
    pub severity: Severity,
    words: Vec<Phrase>,
    #[serde(default)]
    except: Vec<Phrase>,
}

/// Themes and kinds of strain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Taxonomy {
    denials: Vec<Phrase>,
    conditions: Vec<Phrase>,
    /// Words before a strain among which denials and conditions are looked for.
    reach: usize,
    pub themes: Vec<Theme>,
    pub kinds: Vec<StrainKind>,
}

/// Strain that a sentence states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatedStrain<'a> {
    pub kind: &'a StrainKind,
    /// Code of the theme.
    pub theme: &'a str,
    /// Whether the sentence denies it.
    pub is_denied: bool,
}

impl From<String> for Phrase {
    fn from(text: String) -> Self {
        let pattern =
            |word: &str| WordPattern { text: word.trim_end_matches('*').to_lowercase(), is_prefix: word.ends_with('*') };
        let words = text.split(|c: char| c.is_whitespace() || c == '-').filter(|word| !word.is_empty());
        Self(words.map(pattern).collect())
    }
}

impl WordPattern {
    fn matches(&self, word: &str) -> bool {
        if self.is_prefix { word.starts_with(&self.text) } else { word == self.text }
    }
}

impl Phrase {
    /// Returns whether the words begin with the phrase.
    fn begins(&self, words: &[String]) -> bool {
        self.0.len() <= words.len() && self.0.iter().zip(words).all(|(pattern, word)| pattern.matches(word))
    }

    fn is_in(&self, words: &[String]) -> bool {
        (0..words.len()).any(|at| self.begins(&words[at..]))
    }
}

impl StrainKind {
    /// Returns where the words of this kind begin, behind none of the exceptions.
    fn find(&self, words: &[String]) -> Option<usize> {
        (0..words.len()).find(|at| {
            let here = &words[*at..];
            self.words.iter().any(|phrase| phrase.begins(here)) && !self.is_excepted(words, *at)
        })
    }

    fn is_excepted(&self, words: &[String], at: usize) -> bool {
        self.except.iter().any(|phrase| {
            let first = (at + 1).saturating_sub(phrase.0.len());
            (first..=at).any(|start| phrase.begins(&words[start..]))
        })
    }
}

impl Taxonomy {
    pub fn shared() -> &'static Self {
        &TAXONOMY
    }

    fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    pub fn theme(&self, code: &str) -> Option<&Theme> {
        self.themes.iter().find(|theme| theme.code == code)
    }

    pub fn kind(&self, code: &str) -> Option<&StrainKind> {
        self.kinds.iter().find(|kind| kind.code == code)
    }

    /// Returns the most severe strain that a statement states or denies. Promises, forecasts and mere possibilities state none.
    pub fn read(&self, statement: &str, mode: Mode) -> Option<StatedStrain<'_>> {
        if matches!(mode, Mode::Promised | Mode::Forecast) {
            return None;
        }
        let words: Vec<String> = statement
            .split(|c: char| !(c.is_alphanumeric() || c == '\''))
            .map(|word| word.trim_matches('\'').to_lowercase())
            .filter(|word| !word.is_empty())
            .collect();
        let found = self.kinds.iter().filter_map(|kind| Some((kind, kind.find(&words)?)));
        // The first of the most severe.
        let (kind, at) = found.rev().max_by_key(|(kind, _)| kind.severity)?;
        let before = &words[at.saturating_sub(self.reach)..at];
        if self.conditions.iter().any(|phrase| phrase.is_in(before)) {
            return None;
        }
        let is_denied = mode == Mode::Denied || self.denials.iter().any(|phrase| phrase.is_in(before));
        Some(StatedStrain { kind, theme: self.theme_of(&words).unwrap_or(&kind.theme), is_denied })
    }

    /// Returns the theme with most words in a statement, the first among equals.
    fn theme_of(&self, words: &[String]) -> Option<&str> {
        let hits = |theme: &Theme| {
            let at = |at: &usize| theme.words.iter().any(|phrase| phrase.begins(&words[*at..]));
            (0..words.len()).filter(at).count()
        };
        let (theme, most) = self.themes.iter().rev().map(|theme| (theme, hits(theme))).max_by_key(|(_, hits)| *hits)?;
        (most > 0).then_some(theme.code.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(statement: &str) -> Option<(&'static str, &'static str, bool)> {
        read_as(statement, Mode::Asserted)
    }

    fn read_as(statement: &str, mode: Mode) -> Option<(&'static str, &'static str, bool)> {
        Taxonomy::shared().read(statement, mode).map(|found| (found.kind.code.as_str(), found.theme, found.is_denied))
    }

    #[test]
    fn the_taxonomy_is_complete() {
        let taxonomy = Taxonomy::parse(include_str!("../taxonomy.toml")).unwrap();
        assert_eq!((taxonomy.themes.len(), taxonomy.kinds.len()), (10, 12));
        for kind in &taxonomy.kinds {
            assert!(taxonomy.theme(&kind.theme).is_some(), "{}: {}", kind.code, kind.theme);
        }
    }

    #[test]
    fn stated_strain_is_found_with_its_theme() {
        for (statement, kind, theme) in [
            ("Dockers in Constanta walked out over unpaid wages.", "strike", "work"),
            ("Bread prices doubled in Mopti within a week.", "price", "food"),
            ("Thousands protested against the new tax.", "protest", "money"),
            ("The army clashed with herders near the border.", "clash", "land"),
            ("In February the Front threatened to \"close the river\".", "threat", "water"),
            ("Gunmen killed eleven people at a roadblock.", "violence", "safety"),
        ] {
            assert_eq!(read(statement), Some((kind, theme, false)), "{statement}");
        }
    }

    #[test]
    fn denials_are_evidence_against_and_possibilities_none() {
        assert_eq!(read("There is no shortage of grain."), Some(("shortage", "food", true)));
        assert_eq!(read_as("A strike by dockers closed the port.", Mode::Denied), Some(("strike", "work", true)));
        assert_eq!(read("Dockers could go on strike next week."), None);
        assert_eq!(read_as("The union will go on strike on Monday.", Mode::Forecast), None);
    }

    #[test]
    fn words_that_only_look_like_strain_state_none() {
        for statement in [
            "The two sides strike a deal on grain.",
            "The study demonstrated that yields rose.",
            "Tigers are a threatened species.",
            "The mayor opened a new library.",
        ] {
            assert_eq!(read(statement), None, "{statement}");
        }
    }
}
