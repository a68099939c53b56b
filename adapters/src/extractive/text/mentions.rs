//! Proper names in a text: persons, organisations, places and others, in mixed case and in text wholly in capitals.
//!
//! Three steps: candidates (`mixed`, `capitals`), their kind from the evidence of the whole document (`classify`), and
//! acronyms with the long forms that introduce them (`acronyms`).

mod acronyms;
mod capitals;
mod classify;
mod mixed;

use std::ops::Range;

use super::span::Span;
use super::{Case, Class, Text};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Person,
    Organisation,
    Place,
    Other,
}

/// One name at one place of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    pub span: Span,
    pub kind: Kind,
    /// The name as it is usually written: one space between words, a country for its demonym, no wall of capitals.
    pub canonical: String,
    /// An adjective or people's name that stands for a place: "Salvadoran".
    pub demonym: bool,
    /// The mention of the long form that this acronym was introduced with, or of the acronym for a long form in brackets.
    pub acronym_of: Option<usize>,
    /// A title or role stands before it: "Gen. Rafael Bustillo".
    pub titled: bool,
}

/// A run of tokens that may be a name.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub tokens: Range<usize>,
    pub kind: Option<Kind>,
    pub demonym: bool,
    pub titled: bool,
    /// Only kept if the same words are a name elsewhere in the text.
    pub doubtful: bool,
}

impl Candidate {
    pub fn new(tokens: Range<usize>) -> Self {
        Self { tokens, kind: None, demonym: false, titled: false, doubtful: false }
    }
}

impl Text<'_> {
    /// All names, in order, never overlapping.
    pub fn mentions(&self) -> Vec<Mention> {
        let mut candidates = self.candidates();
        let links = self.link_acronyms(&mut candidates);
        let kinds = self.classify(&candidates, &links);
        let mut renumbered = vec![None; candidates.len()];
        let mut mentions = Vec::new();
        for (index, candidate) in candidates.iter().enumerate() {
            let Some(kind) = kinds[index] else { continue };
            renumbered[index] = Some(mentions.len());
            mentions.push(Mention {
                span: self.span_of(candidate.tokens.clone()),
                kind,
                canonical: self.canonical(candidate, kind),
                demonym: candidate.demonym,
                acronym_of: links[index],
                titled: candidate.titled,
            });
        }
        for mention in &mut mentions {
            mention.acronym_of = mention.acronym_of.and_then(|index| renumbered[index]);
        }
        mentions
    }

    fn candidates(&self) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        let mut start = 0;
        while let Some(first) = self.tokens.get(start) {
            let end = start + self.tokens[start..].partition_point(|token| token.paragraph == first.paragraph);
            match self.in_capitals(first) {
                true => self.capital_candidates(start, end, &mut candidates),
                false => self.mixed_candidates(start, end, &mut candidates),
            }
            start = end;
        }
        candidates
    }

    fn canonical(&self, candidate: &Candidate, kind: Kind) -> String {
        let surface = self.span_of(candidate.tokens.clone()).of(self.source);
        if kind == Kind::Place {
            if let Some(place) = self.lexicon.country_of(surface).or_else(|| self.lexicon.place(surface)) {
                return place.to_owned();
            }
        }
        let shout = self.in_capitals(&self.tokens[candidate.tokens.start]) && surface.len() > 1;
        let mut words = surface.split_whitespace().peekable();
        let mut name = String::with_capacity(surface.len());
        let single = candidate.tokens.len() == 1;
        while let Some(word) = words.next() {
            let keep = !shout || word.chars().any(char::is_lowercase) || (single && self.reads_as_acronym(word, kind));
            if keep { name.push_str(word) } else { name.push_str(&self.title_case(word, name.is_empty())) }
            if words.peek().is_some() {
                name.push(' ');
            }
        }
        name
    }

    fn reads_as_acronym(&self, word: &str, kind: Kind) -> bool {
        const SHORT: usize = 4;
        let vowels = word.chars().filter(|letter| "AEIOUY".contains(*letter)).count();
        let listed = self.lexicon.is(Class::OrgAcronym, word);
        listed || word.contains('.') || vowels == 0 || (kind == Kind::Organisation && word.len() <= SHORT + 1)
    }

    fn title_case(&self, word: &str, first: bool) -> String {
        let folded = super::fold(word);
        let classes = self.lexicon.classes(&folded);
        if !first && (classes.has(Class::Particle) || classes.has(Class::Preposition) || classes.has(Class::Conjunction) || classes.has(Class::Determiner)) {
            return word.to_lowercase();
        }
        if word.contains('.') && word.len() <= 6 {
            return word.to_owned();
        }
        let mut fresh = true;
        let cased = word.chars().flat_map(|letter| {
            let cased: Vec<char> = if fresh { vec![letter] } else { letter.to_lowercase().collect() };
            fresh = matches!(letter, '-' | '/' | '.' | '(') || (letter == '\'' && word.find('\'') == Some(1));
            cased
        });
        cased.collect()
    }

    /// A word of a name: written with a capital where capitals say something, and no word of grammar.
    pub(super) fn is_name_token(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        if !token.is_capital() || token.is_possessive() {
            return false;
        }
        if token.is_function() || token.is(Class::Month) && token.fold.len() != 3 && !token.is(Class::Given) || token.is(Class::Weekday) {
            return token.case == Case::Upper && token.span.len() > 1 && token.is(Class::Place);
        }
        true
    }
}
