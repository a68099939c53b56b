//! What a question asks for: its kind, the deed, the names and places in it, and its parts.

use super::lexicon::{Lexicon, WordSet};
use super::words::{Shape, Word, Words, split, stem};

/// What kind of answer a question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Candidate actors.
    Who,
    /// Causes.
    Why,
    /// Outcomes.
    Whether,
    /// Figures.
    HowMany,
    /// Times.
    When,
    /// Places.
    Where,
    /// Competing accounts of a manner.
    How,
    /// Competing accounts.
    What,
}

/// A word that a passage about the question is expected to hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// As the question writes it.
    pub text: String,
    /// Its stem, by which passages are matched.
    pub stem: String,
    /// How much it says about the event, before its rarity.
    pub weight: f64,
}

/// One part of a question that can be answered or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What it asks for.
    pub kind: Kind,
    /// Its words.
    pub text: String,
    /// The terms that an answer would hold.
    pub terms: Vec<Term>,
}

/// A question taken apart.
#[derive(Debug, Clone)]
pub struct Question {
    /// As it was asked.
    pub text: String,
    /// What kind of answer it wants.
    pub kind: Kind,
    /// The noun for the deed asked about, if it is one the lexicon knows.
    pub act: Option<String>,
    /// The word of the question that names the deed, as it is written.
    pub act_word: Option<String>,
    /// Stems of the words by which passages speak of the deed.
    pub act_stems: WordSet,
    /// The words that mark the event.
    pub terms: Vec<Term>,
    /// What was acted upon, as the question writes it.
    pub target: Option<String>,
    /// Where, as the question writes it.
    pub place: Option<String>,
    /// For "who": what the question says of the actor, where it can follow a name as it stands.
    pub predicate: Option<String>,
    /// Names in the question.
    pub names: Vec<String>,
    /// Years, months and days in the question.
    pub times: Vec<String>,
    /// For "how many": the stems of what is counted.
    pub counted: Vec<String>,
    /// The questions within the question.
    pub parts: Vec<Part>,
    /// What to search for, the most telling first.
    pub queries: Vec<String>,
}

impl Question {
    /// The stems that speak of what was done: those of the known deed, else the question's own plain words.
    pub(super) fn deeds(&self) -> WordSet {
        if !self.act_stems.is_empty() {
            return self.act_stems.clone();
        }
        let named: WordSet = self.names.iter().flat_map(|n| split(n).list).map(|w| w.norm).collect();
        self.terms.iter().filter(|t| !named.contains(&t.text)).map(|t| t.stem.clone()).collect()
    }
}

const NAME_WEIGHT: f64 = 1.0;
const PLACE_WEIGHT: f64 = 0.7;
const WORD_WEIGHT: f64 = 0.6;
const MAX_TERMS: usize = 48;
const MAX_PARTS: usize = 8;
const MAX_PREDICATE: usize = 24;

/// Takes a question apart. Pure; a question of any length costs a pass over its words.
pub fn analyse_question(question: &str, lexicon: &Lexicon) -> Question {
    let Words { list: words, capitals } = split(question);
    let (kind, asked) = kind_of(&words, lexicon);
    let body = &words[asked.min(words.len())..];
    // "Who is Carlos Vega?" asks what is told of him.
    let kind = if kind == Kind::Who && !capitals && identity(body, lexicon) { Kind::What } else { kind };
    let (act_at, act) = find_act(body, lexicon);
    let act_stems = act.as_ref().map_or_else(WordSet::new, |(_, set)| set.iter().map(|w| stem(w).to_owned()).collect());
    let (target, place) = target_and_place(question, body, act_at, lexicon);
    let place_words = place.as_deref().map(split).unwrap_or_default();
    let in_place = |norm: &str| place_words.list.iter().any(|w| w.norm == norm);
    let act_norm = act_at.map(|i| body[i].norm.clone());
    let mut terms = terms_of(body, lexicon, &in_place);
    terms.retain(|t| act_norm.as_deref().is_none_or(|a| stem(a) != t.stem));
    let names = names_of(question, body, lexicon);
    let times = times_of(body, lexicon);
    let counted = if kind == Kind::HowMany { counted_of(body, lexicon) } else { Vec::new() };
    let parts = parts_of(question, &words, lexicon);
    let mut result = Question {
        text: question.to_owned(),
        kind,
        act: act.map(|(name, _)| name),
        act_word: act_at.map(|i| question[body[i].start..body[i].end].to_owned()),
        act_stems,
        terms,
        target,
        place,
        predicate: predicate_of(question, &words, asked, kind, parts.first(), lexicon),
        names,
        times,
        counted,
        parts,
        queries: Vec::new(),
    };
    result.queries = queries_of(&result, act_norm.as_deref(), lexicon);
    result
}

/// Words that ask of nothing but who a name is.
fn identity(body: &[Word], lexicon: &Lexicon) -> bool {
    let Some((first, rest)) = body.split_first().filter(|(first, _)| lexicon.role("passive", &first.norm)) else {
        return false;
    };
    let capital = |w: &Word| matches!(w.shape, Shape::Title | Shape::Upper) && !w.possessive;
    let mut named = rest.iter().filter(|w| w.shape != Shape::Mark).peekable();
    first.is_word() && named.peek().is_some() && named.all(|w| capital(w) || lexicon.joints.contains(&w.norm))
}

/// The kind of a question and the number of words that ask.
fn kind_of(words: &[Word], lexicon: &Lexicon) -> (Kind, usize) {
    for (kind, phrases) in &lexicon.kinds {
        for phrase in phrases {
            let wanted: Vec<&str> = phrase.split(' ').collect();
            // Auxiliaries ask only at the very start; question words also after an opening clause.
            let last = if *kind == Kind::Whether && phrase != "whether" { 1 } else { words.len() };
            let found = (0..last.min(words.len())).find(|&i| {
                let opens =
                    i == 0 || words[i - 1].shape == Shape::Mark || (i < 6 && *kind != Kind::Where && *kind != Kind::When);
                opens && wanted.iter().enumerate().all(|(k, w)| words.get(i + k).is_some_and(|x| x.norm == *w))
            });
            if let Some(i) = found {
                return (*kind, if i == 0 { wanted.len() } else { 0 });
            }
        }
    }
    (Kind::What, usize::from(words.first().is_some_and(|w| w.norm == "what")))
}

fn predicate_of(
    text: &str,
    words: &[Word],
    asked: usize,
    kind: Kind,
    part: Option<&Part>,
    lexicon: &Lexicon,
) -> Option<String> {
    let first = words.get(asked)?;
    let modal = matches!(first.norm.as_str(), "will" | "would" | "can" | "could" | "should");
    let subject = |w: &Word| w.shape != Shape::Lower || lexicon.determiners.contains(&w.norm);
    // "Whom will the court hear?"; but "who will lead" asks for its subject.
    let inverted = matches!(first.norm.as_str(), "did" | "does" | "do") || modal && words.get(asked + 1).is_some_and(subject);
    let told = text.find(&part?.text).map_or(text.len(), |at| at + part.map_or(0, |p| p.text.len()));
    let end = words.iter().position(|w| w.norm == "?" || w.start >= told).unwrap_or(words.len());
    let last = words.get(end.checked_sub(1)?)?;
    let fits = kind == Kind::Who && asked > 0 && !inverted && end > asked && end - asked <= MAX_PREDICATE;
    fits.then(|| text[first.start..last.end].trim_end_matches('.').to_owned())
}

fn find_act(body: &[Word], lexicon: &Lexicon) -> (Option<usize>, Option<(String, WordSet)>) {
    for (i, word) in body.iter().enumerate() {
        let named = lexicon.acts.iter().find(|(name, _)| stem(name) == stem(&word.norm));
        if let Some((name, set)) = named.or_else(|| lexicon.acts.iter().find(|(_, set)| set.contains(&word.norm))) {
            return (Some(i), Some((name.clone(), set.clone())));
        }
    }
    (None, None)
}

fn target_and_place(text: &str, body: &[Word], act_at: Option<usize>, lexicon: &Lexicon) -> (Option<String>, Option<String>) {
    let end = body.iter().position(|w| w.norm == "?").unwrap_or(body.len());
    let place_at = (0..end).rev().find(|&i| {
        lexicon.place_marks.contains(&body[i].norm)
            && body.get(i + 1).is_some_and(|w| w.shape == Shape::Title || w.shape == Shape::Upper)
    });
    let slice = |from: usize, to: usize| (from < to).then(|| text[body[from].start..body[to - 1].end].to_owned());
    let place = place_at.and_then(|i| slice(i + 1, end));
    let from = act_at.map_or(0, |i| i + 1);
    let mark = (from..end).find(|&i| lexicon.target_marks.contains(&body[i].norm)).map(|i| i + 1);
    let start = mark.or(act_at.map(|i| i + 1));
    let target = start.and_then(|s| slice(s, place_at.unwrap_or(end)));
    (target, place)
}

fn terms_of(body: &[Word], lexicon: &Lexicon, in_place: &dyn Fn(&str) -> bool) -> Vec<Term> {
    let mut terms: Vec<Term> = Vec::new();
    let timely = |norm: &str| lexicon.figures.measures.iter().any(|m| m == norm);
    for word in body {
        let short = word.norm.len() < 2;
        if word.shape == Shape::Mark
            || short
            || lexicon.stop.contains(&word.norm)
            || lexicon.filler.contains(&word.norm)
            || timely(&word.norm)
        {
            continue;
        }
        let stemmed = stem(&word.norm).to_owned();
        if terms.len() >= MAX_TERMS || terms.iter().any(|t| t.stem == stemmed) {
            continue;
        }
        let weight = match word.shape {
            _ if in_place(&word.norm) => PLACE_WEIGHT,
            Shape::Title | Shape::Upper | Shape::Number => NAME_WEIGHT,
            _ => WORD_WEIGHT,
        };
        terms.push(Term { text: word.norm.clone(), stem: stemmed, weight });
    }
    terms
}

/// Runs of words that begin with a capital, small joints inside them included.
fn names_of(text: &str, body: &[Word], lexicon: &Lexicon) -> Vec<String> {
    let capital = |w: &Word| matches!(w.shape, Shape::Title | Shape::Upper);
    let mut names = Vec::new();
    let mut i = 0;
    while i < body.len() {
        if !capital(&body[i]) || lexicon.stop.contains(&body[i].norm) {
            i += 1;
            continue;
        }
        let mut end = i + 1;
        loop {
            if end < body.len() && capital(&body[end]) {
                end += 1;
            } else if end + 1 < body.len() && lexicon.joints.contains(&body[end].norm) && capital(&body[end + 1]) {
                end += 2;
            } else {
                break;
            }
        }
        names.push(text[body[i].start..body[end - 1].end].to_owned());
        i = end;
    }
    names.dedup();
    names
}

fn times_of(body: &[Word], lexicon: &Lexicon) -> Vec<String> {
    let year = |w: &Word| w.shape == Shape::Number && w.norm.len() == 4 && matches!(w.norm.as_bytes()[0], b'1' | b'2');
    body.iter().filter(|w| year(w) || lexicon.months.contains(&w.norm)).map(|w| w.norm.clone()).collect()
}

/// The nouns right after "how many", and the verbs of counting ("killed") anywhere in the question.
fn counted_of(body: &[Word], lexicon: &Lexicon) -> Vec<String> {
    let noun = body.iter().take_while(|w| !lexicon.stop.contains(&w.norm) && w.shape != Shape::Mark).take(3);
    noun.map(|w| stem(&w.norm).to_owned()).collect()
}

/// A question mark ends a part; so does a conjunction before a question word.
fn parts_of(text: &str, words: &[Word], lexicon: &Lexicon) -> Vec<Part> {
    let mut cuts = vec![0];
    for (i, word) in words.iter().enumerate().skip(1) {
        let asks = lexicon.openers.contains(&word.norm);
        let joined = matches!(words[i - 1].norm.as_str(), "," | ";" | "?" | "." | ":")
            || lexicon.conjunctions.contains(&words[i - 1].norm);
        if asks && joined {
            cuts.push(i);
        }
    }
    cuts.push(words.len());
    let mut parts = Vec::new();
    for pair in cuts.windows(2).take(MAX_PARTS) {
        let slice = &words[pair[0]..pair[1]];
        let Some(first) = slice.first() else { continue };
        let last = slice.iter().rposition(|w| w.shape != Shape::Mark && !lexicon.conjunctions.contains(&w.norm));
        let Some(last) = last else { continue };
        let (kind, asked) = kind_of(slice, lexicon);
        let terms = terms_of(&slice[asked.min(slice.len())..], lexicon, &|_| false);
        parts.push(Part { kind, text: text[first.start..slice[last].end].to_owned(), terms });
    }
    parts
}

fn queries_of(question: &Question, act: Option<&str>, lexicon: &Lexicon) -> Vec<String> {
    let all = |weight: f64| {
        let words: Vec<&str> = question.terms.iter().filter(|t| t.weight >= weight).map(|t| t.text.as_str()).collect();
        words.join(" ")
    };
    let mut queries = vec![format!("{} {}", all(0.0), act.unwrap_or_default()).trim().to_owned()];
    // "died" is told as "17 dead" and "the toll" too.
    let asked: Vec<String> = split(&question.text).list.into_iter().map(|w| w.norm).collect();
    let states = lexicon.figures.states().filter(|words| words.iter().any(|word| asked.contains(word)));
    queries.extend(states.map(|words| words.join(" ")));
    queries.extend(question.target.iter().cloned());
    queries.extend(question.names.iter().cloned());
    if let (Some(act), Some(place)) = (act, &question.place) {
        queries.push(format!("{act} {place}"));
    }
    queries.push(all(NAME_WEIGHT));
    let mut seen = WordSet::new();
    queries.retain(|q| !q.is_empty() && seen.insert(q.to_lowercase()));
    queries
}
