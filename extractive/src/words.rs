//! Word lists for reading questions and picking quotations: `config/locale/question.en.toml`.

use crate::text::{Lexicon, Token, fold};
use rust_stemmers::{Algorithm, Stemmer};
use serde::Deserialize;
use std::collections::{HashMap, HashSet};

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    shapes: Shapes,
    asked: AskedPhrases,
    words: Plain,
    cues: CueLists,
    families: Families,
    actors: ActorLists,
}

/// Words around the names of actors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ActorLists {
    bodies: Vec<String>,
    members: String,
    describing: String,
    doers: String,
    helping: String,
    aimed: String,
    light: String,
    styling: String,
    shifting: String,
    means: String,
    captive: String,
    holding: String,
    naming: Vec<String>,
    relating: Vec<String>,
}

/// Phrases that decide the shape of a question; `^` stands for its beginning.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shapes {
    pub brief: Vec<String>,
    pub sides: Vec<String>,
    pub series: Vec<String>,
    pub expectations: Vec<String>,
    pub list: Vec<String>,
    pub yes_no: Vec<String>,
}

/// Phrases that decide the type of thing asked for; `^` stands for the beginning of the question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskedPhrases {
    pub count: Vec<String>,
    pub amount: Vec<String>,
    pub cause: Vec<String>,
    pub date: Vec<String>,
    pub place: Vec<String>,
    pub actor: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plain {
    asking: String,
    people: String,
    acts: String,
    accusing: String,
    claiming: String,
    denying: String,
    boilerplate: Vec<String>,
}

/// Cue phrases as the file lists them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CueLists {
    instruction: Vec<String>,
    nothing: Vec<String>,
    unknown: Vec<String>,
    denial: Vec<String>,
    accusation: Vec<String>,
    cause: Vec<String>,
    weak_cause: Vec<String>,
    future: Vec<String>,
    judgement: Vec<String>,
    change: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Families {
    sets: Vec<String>,
}

/// A kind of cue phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cue {
    Instruction,
    Nothing,
    Unknown,
    Denial,
    Accusation,
    Cause,
    WeakCause,
    Future,
    Judgement,
    Change,
}

/// The lists, ready for use.
pub struct QuestionWords {
    pub shapes: Shapes,
    pub asked: AskedPhrases,
    asking: HashSet<String>,
    people: HashSet<String>,
    acts: HashSet<String>,
    accusing: HashSet<String>,
    claiming: HashSet<String>,
    denying: HashSet<String>,
    pub boilerplate: Vec<String>,
    cues: HashMap<Cue, Vec<String>>,
    families: HashMap<String, Vec<usize>>,
    bodies: HashMap<String, usize>,
    members: HashSet<String>,
    describing: HashSet<String>,
    doers: HashSet<String>,
    helping: HashSet<String>,
    aimed: HashSet<String>,
    light: HashSet<String>,
    styling: HashSet<String>,
    shifting: HashSet<String>,
    means: HashSet<String>,
    captive: HashSet<String>,
    holding: HashSet<String>,
    /// "calling itself": what follows is the name of what stands before.
    pub naming: Vec<String>,
    /// "paid by": what follows is another body.
    pub relating: Vec<String>,
    stemmer: Stemmer,
}

impl QuestionWords {
    /// Reads the lists from the text of `question.en.toml`.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let file: File = toml::from_str(text)?;
        let stemmer = Stemmer::create(Algorithm::English);
        let set = |list: &str| list.split_whitespace().map(|word| stem(&stemmer, word)).collect();
        let CueLists { instruction, nothing, unknown, denial, accusation, cause, weak_cause, future, judgement, change } =
            file.cues;
        let cues = [
            (Cue::Instruction, instruction),
            (Cue::Nothing, nothing),
            (Cue::Unknown, unknown),
            (Cue::Denial, denial),
            (Cue::Accusation, accusation),
            (Cue::Cause, cause),
            (Cue::WeakCause, weak_cause),
            (Cue::Future, future),
            (Cue::Judgement, judgement),
            (Cue::Change, change),
        ];
        let mut families: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, words) in file.families.sets.iter().enumerate() {
            for word in words.split_whitespace() {
                let sets = families.entry(stem(&stemmer, word)).or_default();
                if !sets.contains(&number) {
                    sets.push(number);
                }
            }
        }
        let number = |(number, words): (usize, &String)| -> Vec<(String, usize)> {
            words.split_whitespace().map(|word| (word.to_owned(), number)).collect()
        };
        let plain = |list: &str| list.split_whitespace().map(str::to_owned).collect();
        let bodies = file.actors.bodies.iter().enumerate().flat_map(number).collect();
        Ok(Self {
            bodies,
            members: plain(&file.actors.members),
            describing: plain(&file.actors.describing),
            doers: plain(&file.actors.doers),
            helping: set(&file.actors.helping),
            aimed: set(&file.actors.aimed),
            light: set(&file.actors.light),
            styling: plain(&file.actors.styling),
            shifting: set(&file.actors.shifting),
            means: plain(&file.actors.means),
            captive: set(&file.actors.captive),
            holding: set(&file.actors.holding),
            naming: file.actors.naming,
            relating: file.actors.relating,
            asking: set(&file.words.asking),
            people: set(&file.words.people),
            acts: set(&file.words.acts),
            accusing: set(&file.words.accusing),
            claiming: set(&file.words.claiming),
            denying: set(&file.words.denying),
            boilerplate: file.words.boilerplate,
            shapes: file.shapes,
            asked: file.asked,
            cues: cues.into(),
            families,
            stemmer,
        })
    }

    /// The stem by which words are compared.
    pub fn key(&self, lexicon: &Lexicon, token: &Token) -> String {
        stem(&self.stemmer, &lexicon.lemma(&token.fold))
    }

    /// The stem of a word.
    pub fn key_of(&self, lexicon: &Lexicon, word: &str) -> String {
        stem(&self.stemmer, &lexicon.lemma(word))
    }

    /// Whether a key is a word of asking.
    pub fn is_asking(&self, key: &str) -> bool {
        self.asking.contains(key)
    }

    /// Whether a key names people in general.
    pub fn is_people(&self, key: &str) -> bool {
        self.people.contains(key)
    }

    /// Whether a key is a deed against somebody or something.
    pub fn is_act(&self, key: &str) -> bool {
        self.acts.contains(key)
    }

    /// Whether a key is a verb by which somebody is accused, held or charged.
    pub fn is_accusing(&self, key: &str) -> bool {
        self.accusing.contains(key)
    }

    /// Whether a key is a verb by which somebody claims a deed.
    pub fn is_claiming(&self, key: &str) -> bool {
        self.claiming.contains(key)
    }

    /// Whether a key is a verb by which somebody denies a deed.
    pub fn is_denying(&self, key: &str) -> bool {
        self.denying.contains(key)
    }

    /// The kind of body that a folded word describes: "rebels", "troops".
    pub fn body(&self, word: &str) -> Option<usize> {
        self.bodies.get(word).copied()
    }

    /// Whether a kind of body says more than that somebody acted.
    pub fn is_specific(&self, body: usize) -> bool {
        ["army", "cartel"].iter().any(|word| self.bodies.get(*word) == Some(&body))
    }

    /// Whether a kind of body is one that a document may name elsewhere: "the guerrillas" are those of its one movement.
    pub fn is_secret(&self, body: usize) -> bool {
        ["guerrillas", "cartel"].iter().any(|word| self.bodies.get(*word) == Some(&body))
    }

    /// The kind of body that is the forces of a state: "the army" is a name of its own.
    pub fn forces(&self) -> usize {
        self.bodies.get("army").copied().unwrap_or(usize::MAX)
    }

    /// Whether a folded word is what a deed is done with, or a word for a deed in general.
    pub fn is_means(&self, word: &str) -> bool {
        self.means.contains(word)
    }

    pub fn is_captive(&self, key: &str) -> bool {
        self.captive.contains(key)
    }

    pub fn is_holding(&self, key: &str) -> bool {
        self.holding.contains(key)
    }

    /// Whether a key says that something is done and another word says what: "carried out an attack".
    pub fn is_light(&self, key: &str) -> bool {
        self.light.contains(key)
    }

    /// Whether a key puts a deed on somebody: "attributed to".
    pub fn is_shifting(&self, key: &str) -> bool {
        self.shifting.contains(key)
    }

    /// Whether a name follows a folded word: "self-styled".
    pub fn is_styling(&self, word: &str) -> bool {
        self.styling.contains(word)
    }

    /// Whether a folded word is a part or a means of a body: "members", "helicopters".
    pub fn is_member(&self, word: &str) -> bool {
        self.members.contains(word)
    }

    /// Whether a folded word says something of a body and does not name it: "unidentified".
    pub fn is_describing(&self, word: &str) -> bool {
        self.describing.contains(word)
    }

    /// Whether a folded word is somebody by his deed: "kidnappers".
    pub fn is_doer(&self, word: &str) -> bool {
        self.doers.contains(word)
    }

    /// Whether a key is a verb that another verb follows: "began bombing".
    pub fn is_helping(&self, key: &str) -> bool {
        self.helping.contains(key)
    }

    /// Whether a key is a verb that needs an object: without one behind it, its past form is passive ("men killed in").
    pub fn is_aimed(&self, key: &str) -> bool {
        self.aimed.contains(key)
    }

    /// Numbers of the families that a key belongs to.
    pub fn families(&self, key: &str) -> &[usize] {
        self.families.get(key).map(Vec::as_slice).unwrap_or_default()
    }

    /// Where the first cue of a kind stands in a folded text, in bytes.
    pub fn first(&self, cue: Cue, folded: &str) -> Option<usize> {
        let found = self.cues[&cue].iter().filter(|phrase| has_phrase(folded, phrase));
        found.filter_map(|phrase| folded.find(phrase.as_str())).min()
    }

    /// Whether a folded text has a cue of a kind, at the borders of words.
    pub fn has(&self, cue: Cue, folded: &str) -> bool {
        self.cues[&cue].iter().any(|phrase| has_phrase(folded, phrase))
    }
}

/// The stem of a word; British and American endings are one, and "U.S." is "US".
fn stem(stemmer: &Stemmer, word: &str) -> String {
    let folded = fold(word).replace('.', "").replace("isation", "ization").replace("ising", "izing").replace("ised", "ized");
    stemmer.stem(&folded).into_owned()
}

/// Whether a folded text has a phrase, at the borders of words.
pub fn has_phrase(folded: &str, phrase: &str) -> bool {
    let border = |character: Option<char>| character.is_none_or(|character| !character.is_alphanumeric());
    folded
        .match_indices(phrase)
        .any(|(at, _)| border(folded[..at].chars().next_back()) && border(folded[at + phrase.len()..].chars().next()))
}
