//! Actors of a deed: names tied to it by a verb of doing, claiming, accusing, arresting or denying.
//!
//! Invariant: an actor is named only where one sentence ties the name to the deed, in the active or the passive voice.

mod clauses;
mod deeds;
mod phrases;
#[cfg(test)]
mod tests;

use crate::{
    question::{Question, Term},
    text::{Class, Lexicon, Text},
    words::{QuestionWords, Stems, Words},
};
pub use deeds::Deed;
use phrases::{Phrase, Phrases};
use std::ops::Range;

/// Tie of an actor to the deed in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tie {
    /// "X attacked the convoy", "the convoy was attacked by X".
    Does,
    /// "X claimed responsibility".
    Claims,
    /// "The army blamed X", "X was arrested for it".
    Accused,
    /// "X denied it".
    Denies,
}

/// An actor of one sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Actor {
    /// The noun phrase of the sentence.
    pub name: String,
    /// Folded names that identify the actor.
    pub forms: Vec<String>,
    /// Where the name stands in the sentence.
    pub tokens: Range<usize>,
    pub deeds: Vec<Deed>,
    /// A proper name, and no description like "leftist guerrillas".
    pub is_named: bool,
    /// The kind of body that its words describe, as the word lists number them.
    pub body: Option<usize>,
    /// The question names it.
    pub is_in_question: bool,
}

/// The actors of a sentence that the question does not name, in order of appearance.
pub fn actors(quote: &str, question: &Question, lexicon: &Lexicon, words: &QuestionWords) -> Vec<Actor> {
    let mut found = all_actors(quote, question, lexicon, words);
    found.retain(|actor| !actor.is_in_question);
    found
}

/// The actors of a sentence, in order of appearance, with those that the question names.
pub fn all_actors(quote: &str, question: &Question, lexicon: &Lexicon, words: &QuestionWords) -> Vec<Actor> {
    let text = Text::new(lexicon, quote);
    let names = Phrases::new(&text, lexicon, words);
    let sentence = Sentence { phrases: names.all(), names, question };
    let mut found: Vec<Actor> = vec![];
    for at in 0..text.tokens().len() {
        let ties = sentence.ties_at(at);
        for (phrase, tie) in
            ties.into_iter().flat_map(|(phrase, tie)| sentence.joined(phrase).into_iter().map(move |one| (one, tie)))
        {
            let phrase = &sentence.phrases[phrase];
            let actor = sentence.actor(phrase, sentence.deed(at, tie, phrase));
            match found.iter_mut().find(|known| known.name == actor.name) {
                Some(known) => known.deeds.extend(actor.deeds),
                None => found.push(actor),
            }
        }
    }
    found
}

/// The long names of bodies in a sentence, each with the short form that stands beside it.
pub fn short_forms(quote: &str, lexicon: &Lexicon, words: &QuestionWords) -> Vec<(String, String)> {
    let text = Text::new(lexicon, quote);
    let phrases = Phrases::new(&text, lexicon, words).all();
    let bodies = phrases.into_iter().filter(|phrase| phrase.is_named && !phrase.is_person);
    bodies.filter_map(|phrase| phrase.short_form).collect()
}

struct Sentence<'a> {
    names: Phrases<'a>,
    phrases: Vec<Phrase>,
    question: &'a Question,
}

impl Sentence<'_> {
    fn actor(&self, phrase: &Phrase, deed: Deed) -> Actor {
        let name = self.names.statement(&phrase.tokens);
        Actor {
            name,
            forms: phrase.forms.clone(),
            tokens: phrase.tokens.clone(),
            deeds: vec![deed],
            is_named: phrase.is_named,
            body: phrase.body,
            is_in_question: self.is_asked_about(phrase),
        }
    }

    fn len(&self) -> usize {
        self.names.text.tokens().len()
    }

    fn fold(&self, at: usize) -> &str {
        self.names.fold(at)
    }

    fn is(&self, at: usize, class: Class) -> bool {
        self.names.text.tokens().get(at).is_some_and(|token| token.is(class))
    }

    /// The ties of the word at a token.
    fn ties_at(&self, at: usize) -> Vec<(usize, Tie)> {
        let is_doer = self.names.is_word(Words::Doers, at);
        if !self.names.token(at).is_word() || self.names.in_name(at) && !is_doer {
            return vec![];
        }
        let words = self.names.words;
        let key = self.names.key(at);
        let next = self.fold(at + 1);
        let tied = |phrase: Option<usize>, tie: Tie| phrase.map(|phrase| (phrase, tie));
        let mut ties = vec![];
        let claims_deed = || self.has_responsibility(at) || self.has_deed_as_object(at);
        let denies = words.has_stem(Stems::Denying, &key) && (self.is_of_deed(at) || self.has_part(at));
        if (denies || self.disowns(at)) && !self.is_negated(at) {
            ties.extend(tied(self.subject(at), Tie::Denies));
        } else if words.has_stem(Stems::Claiming, &key) && claims_deed() {
            ties.extend(tied(self.subject(at), Tie::Claims));
            ties.extend(tied(self.agent(at), Tie::Claims));
        } else if words.has_stem(Stems::Claiming, &key) && self.is_passive(at) && next == "by" && self.has_deed_beside(at) {
            ties.extend(tied(self.agent(at), Tie::Claims));
        } else if words.has_stem(Stems::Accusing, &key) && !self.is_negated(at) && self.is_of_deed(at) && !self.is_attribute(at)
        {
            let is_shifted = next == "to" && words.has_stem(Stems::Shifting, &key);
            let subject = (self.is_passive(at) && !is_shifted).then(|| self.subject(at)).flatten();
            let takes_object = !self.is_passive(at) || words.has_stem(Stems::Shifting, &key);
            let accused = subject.or_else(|| takes_object.then(|| self.object(at)).flatten());
            ties.extend(tied(accused.filter(|phrase| !self.is_victim(*phrase)), Tie::Accused));
        } else if matches!(self.fold(at), "responsible" | "behind")
            && self.is_be(at)
            && !self.is_negated(at)
            && self.is_of_deed(at)
        {
            ties.extend(tied(self.subject(at), Tie::Accused));
        } else if matches!(self.fold(at), "work" | "responsibility" | "victim" | "victims") && next == "of" {
            ties.extend(tied(self.object(at), Tie::Accused));
        } else if is_doer {
            ties.extend(tied(self.identity(at), Tie::Accused));
        }
        let is_verb = self.names.lexicon.is_past(self.fold(at)) || self.fold(at).ends_with("ing") || self.has_auxiliary(at);
        if is_verb && self.is_held(at) {
            ties.extend(tied(if self.is_passive(at) { self.agent(at) } else { self.subject(at) }, Tie::Does));
        }
        if self.is_deed(&key) && (!words.has_stem(Stems::Light, &key) || self.has_deed_beside(at)) {
            let tie = if self.is_denied(at) { Tie::Denies } else { Tie::Does };
            ties.extend(self.doers(at, &key).into_iter().map(|phrase| (phrase, tie)));
        }
        ties
    }

    /// "the murder of X, who was arrested in May"
    fn is_victim(&self, phrase: usize) -> bool {
        let start = self.phrases[phrase].tokens.start;
        start > 1 && matches!(self.fold(start - 1), "of" | "against" | "on") && self.is_heavy(start - 2)
    }

    /// "X is holding Y hostage", "Y was released by X": the holder of the named victims has kidnapped them.
    fn is_held(&self, at: usize) -> bool {
        let words = self.names.words;
        let is_asked = self.question.terms.iter().any(|term| !term.is_name && words.has_stem(Stems::Captive, &term.key));
        let is_hostage = |other: usize| self.names.is_stem(Stems::Captive, other) && self.is(other, Class::Violence);
        let is_victim = |at: usize| self.question.terms.iter().any(|term| term.is_name && term.key == self.names.key(at));
        is_asked
            && self.names.is_stem(Stems::Holding, at)
            && (0..self.len()).any(|other| other != at && (is_hostage(other) || is_victim(other)))
    }

    /// "claimed the attack", "admitted this murder"
    fn has_deed_as_object(&self, verb: usize) -> bool {
        const NEAR: usize = 3;
        let points = matches!(self.fold(verb + 1), "the" | "this" | "that" | "these");
        let deed = (verb + 2..self.len().min(verb + 2 + NEAR)).find(|at| self.is_heavy(*at));
        let is_told =
            |deed: usize| self.is(deed + 1, Class::Auxiliary) || deed + 1 < self.len() && self.names.is_verb(deed + 1);
        points && !self.is_negated(verb) && !self.is_passive(verb) && deed.is_some_and(|deed| !is_told(deed))
    }

    /// Whether the sentence of an accusation names the deed: an arrest alone does not.
    fn is_of_deed(&self, accusing: usize) -> bool {
        let mut others = (0..self.len()).filter(|at| *at != accusing && self.names.token(*at).is_word());
        let holds = self.fold(accusing) == "held" || self.fold(accusing).starts_with("hold");
        others.any(|at| match self.fold(at) {
            "responsible" | "responsibility" => true,
            "crime" | "crimes" | "it" | "this" => !holds,
            _ => !holds && self.is_heavy(at),
        })
    }

    /// "denied involvement", "denied any part in the raid": what is denied is a part in a deed.
    fn has_part(&self, denying: usize) -> bool {
        const NEAR: usize = 4;
        (denying + 1..self.len().min(denying + 1 + NEAR)).any(|at| self.names.is_word(Words::Part, at))
    }

    /// "had nothing to do with the attack"
    fn disowns(&self, at: usize) -> bool {
        let words = ["nothing", "to", "do", "with"];
        words.iter().enumerate().all(|(n, word)| self.fold(at + n) == *word) && self.is_of_deed(at)
    }

    /// The "in" of "a part in it", "involvement in the attack".
    fn is_part_in(&self, at: usize) -> bool {
        at > 0 && self.fold(at) == "in" && self.names.is_word(Words::Part, at - 1)
    }

    /// "a suspected trafficker", "in charge of": no verb.
    fn is_attribute(&self, at: usize) -> bool {
        let describes = self.names.is_word(Words::Describing, at) && !self.is_be(at);
        let is_plain = !self.names.lexicon.is_past(self.fold(at)) && !self.fold(at).ends_with("ing");
        let is_noun = is_plain && at > 0 && self.is(at - 1, Class::Preposition) && self.fold(at - 1) != "to";
        let is_counted =
            at > 0 && (self.is(at - 1, Class::Determiner) || self.names.lexicon.number(self.fold(at - 1)).is_some());
        describes || is_noun || is_plain && is_counted
    }

    /// Whether a word like "carried out" or "planted" has a deed beside it.
    fn has_deed_beside(&self, at: usize) -> bool {
        const NEAR: usize = 10;
        let is_passive = self.is_passive(at) || self.fold(at + 1) == "by" || self.fold(at + 2) == "by";
        let ends = |at: &usize| {
            let is_preposition = self.is(*at, Class::Preposition)
                && !matches!(self.fold(*at), "of" | "on" | "out" | "up" | "off" | "than" | "about");
            !is_preposition && !self.ends_phrase(*at) && !self.ends_clause(*at) || self.names.in_name(*at)
        };
        let behind = (at + 1..self.len().min(at + NEAR))
            .take_while(ends)
            .any(|other| self.is_heavy(other) || self.is_operation_of(other));
        behind || is_passive && (at.saturating_sub(2 * NEAR)..at).any(|other| self.is_heavy(other))
    }

    /// A word for a deed, or for its means, that says what is done.
    fn is_heavy(&self, at: usize) -> bool {
        let (words, key) = (self.names.words, self.names.key(at));
        let is_deed = self.is_deed(&key) || self.is(at, Class::Violence) || self.names.is_word(Words::Means, at);
        self.names.token(at).is_word() && !words.has_stem(Stems::Light, &key) && is_deed
    }

    /// The doers of the deed at a token: its subject, its possessor and the noun after "by".
    fn doers(&self, at: usize, key: &str) -> Vec<usize> {
        let is_past = self.names.lexicon.is_past(self.fold(at));
        let is_aimed = is_past && self.names.words.has_stem(Stems::Aimed, key);
        let behind = self.names.text.tokens().get(at + 1);
        let lacks_object =
            behind.is_none_or(|next| !next.is_word() || next.is(Class::Preposition) || next.is(Class::Conjunction));
        let is_passive =
            self.is_passive(at) || self.fold(at + 1) == "by" || is_aimed && lacks_object && !self.has_auxiliary(at);
        let mut doers = vec![];
        if self.is_conditional(at) || self.fold(at).ends_with("ment") {
            return doers;
        }
        if !is_passive && !self.is_negated(at) {
            let is_light = self.names.words.has_stem(Stems::Light, key) && self.ending_at(at).is_some();
            let is_verb = is_past
                || is_light
                || self.has_auxiliary(at)
                || self.fold(at).ends_with("ing") && !lacks_object
                || self.is_relative(at)
                || self.fold(at.saturating_sub(1)) == "to";
            let subject = if is_verb { self.subject(at) } else { self.possessor(at) };
            doers.extend(subject);
            if self.fold(at).ends_with("ing") {
                doers.extend(self.possessor(at));
            }
        }
        let has_object =
            !is_passive && behind.is_some_and(|next| next.is(Class::Determiner)) && !self.fold(at).ends_with("ing");
        doers.extend(if has_object { None } else { self.agent(at) });
        doers
    }

    /// "the Red Front's attack", "the Red Front increased its attacks".
    fn possessor(&self, at: usize) -> Option<usize> {
        if at > 0 && matches!(self.fold(at - 1), "its" | "their") {
            // "urged X to stop its attacks"
            let told = (at.saturating_sub(3)..at - 1).find(|to| self.fold(*to) == "to").and_then(|to| self.ending_at(to));
            const OBJECT: usize = 4;
            let verb = || self.earlier_verb(at).filter(|verb| at - verb <= OBJECT);
            return told.or_else(|| self.subject(verb()?));
        }
        const ADJECTIVES: usize = 2;
        let starts = (at.saturating_sub(ADJECTIVES)..=at).rev();
        let found = starts.filter_map(|end| {
            self.ending_at(end).or_else(|| {
                let is_possessive = end > 0 && self.names.token(end - 1).is_possessive();
                is_possessive.then(|| self.ending_at(end - 1)).flatten()
            })
        });
        found.into_iter().next().filter(|phrase| {
            let end = self.phrases[*phrase].tokens.end;
            let possessor = &self.phrases[*phrase];
            let is_plural = matches!(self.fold(at), "attacks" | "raids" | "offensive" | "bombings" | "ambushes")
                || matches!(self.fold(at + 1), "on" | "against");
            !possessor.is_person
                && possessor.is_named
                && (end == at && is_plural && self.names.in_name(end - 1) && !self.is(end - 1, Class::Actor)
                    || self.names.token(end).is_possessive())
        })
    }

    /// Whether a key is the deed of the question, or another word for it.
    fn is_deed(&self, key: &str) -> bool {
        let words = self.names.words;
        let is_act = |key: &str| words.has_stem(Stems::Acts, key) && !words.has_stem(Stems::Particular, key);
        // Another deed is no kidnapping.
        let is_light = is_act(key) && words.has_stem(Stems::Light, key);
        let is_open = |term: &Term| is_act(&term.key) && !words.has_stem(Stems::Captive, &term.key);
        let kin = |term: &Term| words.are_kin(&term.key, key) || is_light || is_open(term) && is_act(key);
        self.question.terms.iter().any(|term| !term.is_name && kin(term))
    }

    /// A phrase with those that "and" joins to it.
    fn joined(&self, phrase: usize) -> Vec<usize> {
        let is_and = |at: usize| matches!(self.fold(at), "and" | "or");
        let Range { start, end } = self.phrases[phrase].tokens.clone();
        let before = (start > 0 && is_and(start - 1)).then(|| self.ending_at(start - 1)).flatten();
        let behind = is_and(end).then(|| self.phrase_from(end + 1)).flatten();
        let behind = behind.filter(|phrase| !self.names.is_verb(self.phrases[*phrase].tokens.end));
        [Some(phrase), before, behind].into_iter().flatten().collect()
    }

    fn ending_at(&self, end: usize) -> Option<usize> {
        self.phrases.iter().position(|phrase| phrase.tokens.end == end)
    }

    /// The question asks what befell them: a person with a word of its names, a body with all.
    fn is_asked_about(&self, phrase: &Phrase) -> bool {
        let names = |word: &str| {
            let key = self.names.words.key(self.names.lexicon, word);
            self.question.terms.iter().any(|term| term.is_name && term.key == key)
        };
        let asked = |form: &String| match phrase.is_person {
            true => form.split([' ', '-']).any(names),
            false => form.split([' ', '-']).filter(|word| !matches!(*word, "of" | "the" | "and")).all(names),
        };
        phrase.is_named && phrase.forms.iter().any(asked)
    }
}
