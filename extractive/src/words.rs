//! Word lists for reading questions and picking quotations: `config/locale/question.en.toml`.

use crate::{
    keyed::keyed,
    question::{AnswerType, Shape},
    text::{Lexicon, fold},
};
use rust_stemmers::{Algorithm, Stemmer};
use serde::{Deserialize, de::Error};
use std::collections::{HashMap, HashSet};

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    shapes: HashMap<String, Vec<String>>,
    answers: HashMap<String, Vec<String>>,
    stems: HashMap<String, String>,
    words: HashMap<String, String>,
    cues: HashMap<String, Vec<String>>,
    phrases: Phrases,
    families: Families,
    bodies: Bodies,
}

/// Phrases that are looked for as they stand.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phrases {
    /// Parts of sentences of web pages that state nothing about the world.
    pub boilerplate: Vec<String>,
    /// Beginnings of sentences that turn to something else.
    pub turning: Vec<String>,
    /// "calling itself": the words behind are the name of the phrase before.
    pub naming: Vec<String>,
    /// "paid by": the words behind are another body.
    pub relating: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Families {
    sets: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bodies {
    kinds: Vec<String>,
}

keyed! {
    /// A list of words that are compared by their stems.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    Stems {
        /// Words of asking.
        Asking = "asking",
        /// Words for people in general.
        People = "people",
        /// Deeds against somebody or something.
        Acts = "acts",
        /// Verbs by which somebody is accused, held or charged.
        Accusing = "accusing",
        /// Verbs by which somebody claims a deed.
        Claiming = "claiming",
        /// Verbs by which somebody denies a deed.
        Denying = "denying",
        /// Verbs that another verb follows: "began bombing".
        Helping = "helping",
        /// Verbs that need an object: without one, their past form is passive ("men killed in").
        Aimed = "aimed",
        /// Verbs that say that something is done; another word says what: "carried out an attack".
        Light = "light",
        /// Verbs that put a deed on somebody: "attributed to".
        Shifting = "shifting",
        /// Words for taking people away.
        Captive = "captive",
        /// Acts that are no other act: who robs a bank has not bombed it.
        Particular = "particular",
        /// Verbs for having those who were taken away.
        Holding = "holding",
        /// Verbs of a question about a choice: "which companies did it choose".
        Choosing = "choosing",
    }
}

keyed! {
    /// A list of words that are compared as they are written.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    Words {
        /// Parts and means of a body: "members", "helicopters".
        Members = "members",
        /// Descriptions of a body that do not name it: "unidentified".
        Describing = "describing",
        /// Names for somebody by his deed: "kidnappers".
        Doers = "doers",
        /// Words before a name that a body gives itself: "self-styled".
        Styling = "styling",
        /// Means of a deed, and words for a deed in general.
        Means = "means",
        /// Words for a part in a deed: "involvement".
        Part = "part",
        /// Units of time.
        TimeUnits = "time_units",
        /// Words that point back at the sentence before: "it", "that".
        Leaning = "leaning",
        /// Words that join a sentence to the one before: "but".
        Joining = "joining",
        /// Words with which a question begins that asks for one or several of many: "which".
        Which = "which",
    }
}

keyed! {
    /// A kind of cue phrase.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    Cue {
        Instruction = "instruction", Nothing = "nothing", Unknown = "unknown", Denial = "denial", Accusation = "accusation",
        Cause = "cause", WeakCause = "weak_cause", Reason = "reason", PointingBack = "pointing_back", Future = "future",
        Judgement = "judgement", Change = "change", Now = "now", New = "new", Earlier = "earlier", Partial = "partial",
    }
}

/// The lists, ready for use.
pub struct QuestionWords {
    /// Phrases that decide the shape of a question, in order; `^` is its beginning.
    pub shapes: Vec<(Shape, Vec<String>)>,
    /// Phrases that decide the type of the answer, in order.
    pub answers: Vec<(AnswerType, Vec<String>)>,
    pub phrases: Phrases,
    stems: HashMap<Stems, HashSet<String>>,
    words: HashMap<Words, HashSet<String>>,
    cues: HashMap<Cue, Vec<String>>,
    families: HashMap<String, Vec<usize>>,
    bodies: HashMap<String, usize>,
    stemmer: Stemmer,
}

impl QuestionWords {
    /// Reads the lists from the text of `question.en.toml`.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let file: File = toml::from_str(text)?;
        let stemmer = Stemmer::create(Algorithm::English);
        let stems = |list: String| list.split_whitespace().map(|word| stem(&stemmer, word)).collect();
        let words = |list: String| list.split_whitespace().map(str::to_owned).collect();
        let mut families: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, words) in file.families.sets.iter().enumerate() {
            for word in words.split_whitespace() {
                let sets = families.entry(stem(&stemmer, word)).or_default();
                if !sets.contains(&number) {
                    sets.push(number);
                }
            }
        }
        let kinds = file.bodies.kinds.iter().enumerate();
        let bodies = kinds.flat_map(|(number, words)| words.split_whitespace().map(move |word| (word.to_owned(), number)));
        Ok(Self {
            bodies: bodies.collect(),
            stems: keyed(file.stems, Stems::ALL)?.into_iter().map(|(key, list)| (key, stems(list))).collect(),
            words: keyed(file.words, Words::ALL)?.into_iter().map(|(key, list)| (key, words(list))).collect(),
            shapes: keyed(file.shapes, Shape::LISTED)?,
            answers: keyed(file.answers, AnswerType::LISTED)?,
            cues: keyed(file.cues, Cue::ALL)?.into_iter().collect(),
            phrases: file.phrases,
            families,
            stemmer,
        })
    }

    /// The stem by which a word is compared.
    pub fn key(&self, lexicon: &Lexicon, word: &str) -> String {
        stem(&self.stemmer, &lexicon.lemma(word))
    }

    /// Whether a list of stems has a key.
    pub fn has_stem(&self, list: Stems, key: &str) -> bool {
        self.stems[&list].contains(key)
    }

    /// Whether a list of words has a folded word.
    pub fn has_word(&self, list: Words, word: &str) -> bool {
        self.words[&list].contains(word)
    }

    /// The kind of body that a folded word describes: "rebels", "troops".
    pub fn body(&self, word: &str) -> Option<usize> {
        self.bodies.get(word).copied()
    }

    /// Whether a kind of body says more than that somebody acted.
    pub fn is_specific(&self, body: usize) -> bool {
        ["army", "cartel"].iter().any(|word| self.body(word) == Some(body))
    }

    /// The kind of body that is the forces of a state: "the army" is a name of its own.
    pub fn forces(&self) -> usize {
        self.body("army").unwrap_or(usize::MAX)
    }

    /// Whether two keys are one, or of one family.
    pub fn are_kin(&self, one: &str, other: &str) -> bool {
        let families = |key: &str| self.families.get(key).map(Vec::as_slice).unwrap_or_default();
        one == other || families(one).iter().any(|family| families(other).contains(family))
    }

    /// The place of the first cue of a kind in a folded text, in bytes.
    pub fn first(&self, cue: Cue, folded: &str) -> Option<usize> {
        self.cues[&cue].iter().filter_map(|phrase| find_phrase(folded, phrase)).min()
    }

    /// Whether a folded text has a cue of a kind, at the borders of words.
    pub fn has(&self, cue: Cue, folded: &str) -> bool {
        self.cues[&cue].iter().any(|phrase| find_phrase(folded, phrase).is_some())
    }

    /// Whether a folded text has a cue of a kind between spaces: "more," has no "more".
    pub fn has_spaced(&self, cue: Cue, folded: &str) -> bool {
        let is_space = |character: Option<char>| character.is_none_or(|character| character == ' ');
        self.cues[&cue].iter().any(|phrase| find_between(folded, phrase, is_space).is_some())
    }
}

/// The lists of a file in the order of their keys: each once, and no other.
fn keyed<K: Copy, V>(mut lists: HashMap<String, V>, keys: &[(K, &str)]) -> Result<Vec<(K, V)>, toml::de::Error> {
    let missing = |key: &str| toml::de::Error::custom(format!("the list `{key}` is missing"));
    let take = |(variant, key): &(K, &str)| Ok((*variant, lists.remove(*key).ok_or_else(|| missing(key))?));
    let found = keys.iter().map(take).collect::<Result<Vec<_>, _>>()?;
    match lists.keys().next() {
        Some(key) => Err(toml::de::Error::custom(format!("no list is called `{key}`; remove it or correct its name"))),
        None => Ok(found),
    }
}

/// The stem of a word; British and American endings are one, and "U.S." is "US".
fn stem(stemmer: &Stemmer, word: &str) -> String {
    let folded = fold(word).replace('.', "").replace("isation", "ization").replace("ising", "izing").replace("ised", "ized");
    stemmer.stem(&folded).into_owned()
}

/// The place of a phrase in a folded text, at the borders of words, in bytes.
pub fn find_phrase(folded: &str, phrase: &str) -> Option<usize> {
    find_between(folded, phrase, |character| character.is_none_or(|character| !character.is_alphanumeric()))
}

/// The place of a phrase in a folded text between two borders, in bytes; the border of the text is `None`.
fn find_between(folded: &str, phrase: &str, is_border: impl Fn(Option<char>) -> bool) -> Option<usize> {
    let before = |at: usize| folded[..at].chars().next_back();
    let stands = |at: usize| is_border(before(at)) && is_border(folded[at + phrase.len()..].chars().next());
    folded.match_indices(phrase).map(|(at, _)| at).find(|at| stands(*at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_is_there_once() {
        let lists = |keys: &[&str]| keys.iter().map(|key| ((*key).to_owned(), 1)).collect::<HashMap<_, _>>();
        let keys = [('a', "one"), ('b', "two")];
        assert_eq!(keyed(lists(&["two", "one"]), &keys).unwrap(), [('a', 1), ('b', 1)]);
        assert!(keyed(lists(&["one"]), &keys).unwrap_err().to_string().contains("`two` is missing"));
        assert!(keyed(lists(&["one", "two", "six"]), &keys).unwrap_err().to_string().contains("called `six`"));
    }

    #[test]
    fn phrases_match_at_word_boundaries() {
        assert_eq!(find_phrase("blamed, not amed", "amed"), Some(12));
        assert_eq!(find_phrase("unnamed", "named"), None);
    }

    #[test]
    fn some_cues_count_only_between_spaces() {
        let words = crate::rules::shipped().words;
        assert!(words.has_spaced(Cue::New, "more ships came") && words.has_spaced(Cue::Reason, "it left due to fog"));
        assert!(!words.has_spaced(Cue::New, "ships, and more, came") && words.has(Cue::New, "ships, and more, came"));
    }
}
