//! Guide of the interview: scenario cards, the taxonomy of signals, and lists of words, from the configuration.

use crate::{
    interview::{Signal, SignalId, SignalKind},
    words::{has_phrase, is_deflection},
};
use engine::{StoreError, StoreResult, agents::Prompts, config_files::ConfigFiles};
use serde::{Deserialize, de::DeserializeOwned};
use std::sync::Arc;

const TAXONOMY: &str = "taxonomies/personal.toml";
const SCENARIOS: &str = "taxonomies/scenarios.toml";
/// Lists of words by language. All of them count for each answer.
const WORDS: [&str; 2] = ["locale/interview.en.toml", "locale/interview.de.toml"];

/// Cards, taxonomy and words.
#[derive(Debug, Clone)]
pub struct Guide {
    pub sets: Vec<CardSet>,
    pub layers: Vec<Layer>,
    pub words: Vec<WordLists>,
}

/// Set of scenario cards with one goal.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardSet {
    /// Name in addresses and in the store.
    pub key: String,
    pub title: String,
    /// Description for the person.
    pub about: String,
    /// Goal of the interviewer.
    pub goal: String,
    pub profile: ProfileQuestions,
    pub cards: Vec<Card>,
}

/// Questions about the parts of the profile, for the form and for the interviewer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileQuestions {
    pub pattern: String,
    pub anti_pattern: String,
    pub vision: String,
    pub anti_vision: String,
    pub trade_off: String,
}

/// Scenario card.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// Name, unique in the set.
    pub key: String,
    pub situation: String,
    pub choices: Vec<Choice>,
}

/// Choice of a card.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    pub text: String,
    /// Interest that the form proposes for it; empty: none.
    #[serde(default)]
    pub interest: String,
    #[serde(default)]
    pub signals: Vec<InitialSignal>,
}

/// Signal that a choice brings.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitialSignal {
    pub kind: SignalKind,
    pub content: String,
    /// Construct of the taxonomy; empty: none.
    #[serde(default)]
    pub construct: String,
    #[serde(default)]
    pub state: String,
    pub confidence: f64,
}

/// Layer of the taxonomy.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    pub number: u32,
    pub label: String,
    /// Values of the state of its constructs; empty: they have none.
    pub states: Vec<String>,
    pub constructs: Vec<Construct>,
}

/// Construct of a layer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Construct {
    pub key: String,
    pub label: String,
}

/// Phrases in replies, and the text of a crisis, in one language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordLists {
    /// Code of the language, such as `de`.
    pub language: String,
    crisis: Vec<String>,
    deflection: Vec<String>,
    /// Paragraphs that are shown in place of the question.
    pub crisis_text: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenarios {
    sets: Vec<CardSet>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Taxonomy {
    layers: Vec<Layer>,
}

impl Guide {
    /// Returns the guide, which is read from the configuration files once.
    pub fn load(prompts: &Prompts) -> StoreResult<Arc<Self>> {
        prompts.files.parsed(Self::read)
    }

    /// Reads the guide; fails with the file and its problem.
    fn read(files: &ConfigFiles) -> StoreResult<Self> {
        let scenarios: Scenarios = read(files, SCENARIOS)?;
        let taxonomy: Taxonomy = read(files, TAXONOMY)?;
        let words = WORDS.into_iter().map(|path| read::<WordLists>(files, path)).collect::<StoreResult<_>>()?;
        let guide = Self { sets: scenarios.sets, layers: taxonomy.layers, words };
        match guide.problem() {
            None => Ok(guide),
            Some(problem) => Err(StoreError::Defect(format!("config/{SCENARIOS}: {problem}"))),
        }
    }

    /// Returns the first thing that is wrong with the cards.
    fn problem(&self) -> Option<String> {
        for set in &self.sets {
            if set.cards.is_empty() || set.cards.iter().any(|card| card.choices.is_empty()) {
                return Some(format!("the set {} has no cards, or a card without choices", set.key));
            }
            for signal in set.cards.iter().flat_map(|card| &card.choices).flat_map(|choice| &choice.signals) {
                if !(0.6..=1.0).contains(&signal.confidence) {
                    return Some(format!("the confidence of '{}' is not from 0.6 to 1", signal.content));
                }
                if let Err(why) = self.check_construct(&signal.construct, &signal.state) {
                    return Some(why);
                }
            }
        }
        None
    }

    /// Returns a set by its key.
    pub fn set(&self, key: &str) -> Option<&CardSet> {
        self.sets.iter().find(|set| set.key == key)
    }

    /// Checks a construct and its state, both empty where a signal names none. Returns the label of its layer, or why they are not of the
    /// taxonomy.
    pub fn check_construct(&self, construct: &str, state: &str) -> Result<&str, String> {
        if construct.is_empty() {
            return if state.is_empty() { Ok("") } else { Err("a state needs a construct".to_owned()) };
        }
        let layer = self.layers.iter().find(|layer| layer.constructs.iter().any(|known| known.key == construct));
        let Some(layer) = layer else { return Err(format!("there is no construct '{construct}'")) };
        match state.is_empty() || layer.states.iter().any(|known| known == state) {
            true => Ok(&layer.label),
            false => Err(format!("'{state}' is no state of '{construct}'; its states: {}", layer.states.join(", "))),
        }
    }

    /// Returns whether a text has words of a crisis.
    pub fn is_crisis(&self, text: &str) -> bool {
        self.words.iter().any(|words| has_phrase(text, &words.crisis))
    }

    /// Returns whether a reply avoids the question.
    pub fn is_deflecting(&self, text: &str) -> bool {
        self.words.iter().any(|words| is_deflection(text, &words.deflection))
    }

    /// Returns the taxonomy as lines for the interviewer.
    pub fn taxonomy_lines(&self) -> String {
        let line = |layer: &Layer| {
            let states =
                if layer.states.is_empty() { String::new() } else { format!(" (states: {})", layer.states.join(", ")) };
            let constructs: Vec<_> = layer.constructs.iter().map(|one| format!("{} = {}", one.key, one.label)).collect();
            format!("{}. {}{states}: {}", layer.number, layer.label, constructs.join("; "))
        };
        self.layers.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl ProfileQuestions {
    /// Returns the questions with the names of the parts.
    pub fn parts(&self) -> [(&'static str, &str); 5] {
        [
            ("pattern", &self.pattern),
            ("anti_pattern", &self.anti_pattern),
            ("vision", &self.vision),
            ("anti_vision", &self.anti_vision),
            ("trade_off", &self.trade_off),
        ]
    }
}

impl CardSet {
    /// Returns a card; the last one beyond the end.
    pub fn card(&self, number: u32) -> Option<&Card> {
        self.cards.get(number as usize).or(self.cards.last())
    }

    /// Returns the number of cards.
    pub fn count_cards(&self) -> u32 {
        u32::try_from(self.cards.len()).unwrap_or(u32::MAX)
    }
}

impl Choice {
    /// Returns the signals that the choice of a card brings, with an id from `next_id` each.
    pub fn initial_signals(&self, guide: &Guide, card: u32, mut next_id: impl FnMut() -> uuid::Uuid) -> Vec<Signal> {
        let signal = |one: &InitialSignal| Signal {
            id: SignalId(next_id()),
            card,
            is_initial: true,
            kind: one.kind,
            // The start checks the constructs of cards.
            domain: guide.check_construct(&one.construct, &one.state).unwrap_or_default().to_owned(),
            construct: one.construct.clone(),
            state: one.state.clone(),
            content: one.content.clone(),
            source: self.text.clone(),
            confidence: one.confidence,
        };
        self.signals.iter().map(signal).collect()
    }
}

fn read<T: DeserializeOwned>(files: &ConfigFiles, path: &str) -> StoreResult<T> {
    let text = files.get(path).ok_or_else(|| StoreError::Defect(format!("config/{path} is missing")))?;
    toml::from_str(text).map_err(|error| StoreError::Defect(format!("config/{path}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guide() -> Guide {
        let files = ConfigFiles::folder(concat!(env!("CARGO_MANIFEST_DIR"), "/../../config")).unwrap();
        Guide::read(&files).unwrap()
    }

    #[test]
    fn german_words_of_crisis_are_found_in_main_and_subordinate_clauses() {
        let guide = guide();
        for text in [
            "Ich möchte sterben.",
            "Manchmal denke ich, dass ich nicht mehr leben will.",
            "Ich könnte mir etwas antun.",
            "Mein Leben hat keinen Sinn mehr.",
            "Wenn das so weitergeht, bringe ich mich um.",
            "Ohne mich wären alle besser dran.",
            "Meine Tochter weiß nicht, dass ich mich selbst verletze.",
            // Kept apart while the lists were written.
            "Nachts denke ich an Selbstmord.",
            "Ich möchte einfach nicht mehr leben.",
            "Es hat alles keinen Sinn mehr, ich mache Schluss mit meinem Leben.",
        ] {
            assert!(guide.is_crisis(text), "{text}");
        }
        for text in [
            "Von diesem Lohn kann ich nicht leben.",
            "Mein Freund hat mit mir Schluss gemacht.",
            "Das Projekt hat keinen Sinn mehr.",
            "Sie haben mir etwas angetan.",
            "Ich will nicht mehr so früh aufwachen.",
            "Mit dem Leben in der Stadt habe ich abgeschlossen.",
            // Kept apart.
            "Meine Schwester arbeitet in der Suizidprävention.",
            "Ich möchte nicht mehr in Berlin leben.",
            "Er droht, sich etwas anzutun.",
        ] {
            assert!(!guide.is_crisis(text), "{text}");
        }
    }

    #[test]
    fn german_replies_that_avoid_the_question_differ_from_answers() {
        let guide = guide();
        for text in [
            "Egal.",
            "Das ist mir zu privat.",
            "Dazu sage ich nichts.",
            "Können wir diese Frage überspringen?",
            "Schwer zu sagen.",
            // Kept apart while the lists were written.
            "Das ist meine Sache!",
            "Ist doch egal.",
            "Darüber will ich nicht reden.",
            "Was soll die Frage?",
            "Nächstes Thema, bitte.",
        ] {
            assert!(guide.is_deflecting(text), "{text}");
        }
        for text in [
            "Der Preis ist mir nicht egal.",
            "Ich passe auf meine Schwester auf.",
            "Ich habe keine Lust auf Streit.",
            "Ich überspringe das Frühstück.",
            // Kept apart.
            "Gutes Essen ist mir nicht egal.",
            "Wir sprechen nicht darüber, obwohl es wichtig wäre.",
            "Passe ich dazu?",
            "Die Sache ist mir ernst.",
        ] {
            assert!(!guide.is_deflecting(text), "{text}");
        }
    }
}
