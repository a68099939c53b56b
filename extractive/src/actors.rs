//! Who is said to have done a deed: actors tied to it by a verb of doing, claiming, accusing, arresting or denying.
//!
//! Invariant: an actor is named only where one sentence ties the name to the deed, in the active or the passive voice.

mod phrases;

use crate::{
    question::Question,
    text::{Class, Lexicon, Text, TokenKind},
    words::QuestionWords,
};
use phrases::{Phrase, Phrases};
use std::ops::Range;

/// How a sentence ties an actor to the deed.
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
    pub tie: Tie,
    /// A proper name, and no description like "leftist guerrillas".
    pub is_named: bool,
    /// The kind of body that its words describe, as the word lists number them.
    pub body: Option<usize>,
}

/// How many tokens lie at most between a verb of accusing and its object, and between a verb and its "by".
const OBJECT_TOKENS: usize = 12;
const PASSIVE_TOKENS: usize = 16;
/// How many verbs of one clause share its subject.
const VERBS: usize = 4;

/// The actors of a sentence, in order of appearance.
pub fn actors(quote: &str, question: &Question, lexicon: &Lexicon, words: &QuestionWords) -> Vec<Actor> {
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
            if sentence.is_asked_about(phrase) {
                continue;
            }
            let actor = sentence.actor(phrase, tie);
            match found.iter_mut().find(|known| known.name == actor.name) {
                Some(known) => known.tie = known.tie.min(actor.tie),
                None => found.push(actor),
            }
        }
    }
    found
}

/// A name as a sentence introduces it.
#[derive(Clone, Debug)]
pub struct Introduced {
    pub name: String,
    pub forms: Vec<String>,
    /// The kind of body that the sentence says it is: "guerrillas of the Red Front", "the Red Front, a rebel group".
    pub body: Option<usize>,
    /// Its long name and its short one.
    pub short_form: Option<(String, String)>,
}

/// The names of bodies in a sentence.
pub fn introduced(quote: &str, lexicon: &Lexicon, words: &QuestionWords) -> Vec<Introduced> {
    let text = Text::new(lexicon, quote);
    let names = Phrases::new(&text, lexicon, words);
    let phrases = names.all();
    let named = (0..).zip(&phrases).filter(|(_, phrase)| phrase.is_named && !phrase.is_person);
    let introduced = |(number, phrase): (usize, &Phrase)| {
        let beside = phrases.get(number + 1).filter(|next| {
            !next.is_named && next.tokens.start == phrase.tokens.end + 1 && names.fold(phrase.tokens.end) == ","
        });
        let body = phrase.body.or_else(|| beside.and_then(|next| next.body));
        let name = names.statement(&phrase.tokens);
        Introduced { name, forms: phrase.forms.clone(), body, short_form: phrase.short_form.clone() }
    };
    named.map(introduced).collect()
}

struct Sentence<'a> {
    names: Phrases<'a>,
    phrases: Vec<Phrase>,
    question: &'a Question,
}

impl Sentence<'_> {
    fn actor(&self, phrase: &Phrase, tie: Tie) -> Actor {
        let name = self.names.statement(&phrase.tokens);
        Actor { name, forms: phrase.forms.clone(), tie, is_named: phrase.is_named, body: phrase.body }
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
        let is_doer = self.names.words.is_doer(self.fold(at));
        if !self.names.token(at).is_word() || self.names.in_name(at) && !is_doer {
            return vec![];
        }
        let words = self.names.words;
        let key = self.names.key(at);
        let next = self.fold(at + 1);
        let tied = |phrase: Option<usize>, tie: Tie| phrase.map(|phrase| (phrase, tie));
        let mut ties = vec![];
        if words.is_denying(&key) {
            ties.extend(tied(self.subject(at), Tie::Denies));
        } else if words.is_claiming(&key) && self.has_responsibility(at) {
            ties.extend(tied(self.subject(at), Tie::Claims));
            ties.extend(tied(self.agent(at), Tie::Claims));
        } else if words.is_claiming(&key) && self.is_passive(at) && next == "by" {
            ties.extend(tied(self.agent(at), Tie::Claims));
        } else if words.is_accusing(&key) && !self.is_negated(at) && self.is_of_deed(at) {
            match self.is_passive(at) && next != "to" && next != "on" {
                true => ties.extend(tied(self.subject(at), Tie::Accused)),
                false => ties.extend(tied(self.object(at), Tie::Accused)),
            }
        } else if matches!(self.fold(at), "responsible" | "behind") && self.is_be(at) && !self.is_negated(at) {
            ties.extend(tied(self.subject(at), Tie::Accused));
        } else if matches!(self.fold(at), "work" | "responsibility" | "victim" | "victims")
            && matches!(next, "of" | "on" | "with")
        {
            ties.extend(tied(self.object(at), Tie::Accused));
        } else if is_doer {
            ties.extend(tied(self.identity(at), Tie::Accused));
        }
        let is_crime = words.is_means(self.fold(at)) && at > 0 && self.is(at - 1, Class::Actor) && next == "by";
        if is_crime {
            ties.extend(tied(self.agent(at), Tie::Does));
        } else if self.is_deed(&key) && (!words.is_light(&key) || self.has_deed_beside(at)) {
            ties.extend(self.doers(at, &key).into_iter().map(|phrase| (phrase, Tie::Does)));
        }
        ties
    }

    /// Whether the sentence of an accusation names the deed: an arrest alone does not.
    fn is_of_deed(&self, accusing: usize) -> bool {
        let mut others = (0..self.len()).filter(|at| *at != accusing && self.names.token(*at).is_word());
        let holds = self.fold(accusing) == "held" || self.fold(accusing).starts_with("hold");
        others.any(|at| match self.fold(at) {
            "responsible" | "responsibility" => true,
            "crime" | "crimes" | "it" | "this" => !holds,
            _ => !holds && self.is_deed(&self.names.key(at)),
        })
    }

    /// Whether a word like "carried out" or "planted" has a deed beside it.
    fn has_deed_beside(&self, at: usize) -> bool {
        const NEAR: usize = 10;
        let is_heavy = |at: usize| {
            let key = self.names.key(at);
            self.names.token(at).is_word()
                && !self.names.words.is_light(&key)
                && (self.is_deed(&key) || self.is(at, Class::Violence) || self.names.words.is_means(self.fold(at)))
        };
        (at.saturating_sub(NEAR)..self.len().min(at + NEAR)).any(|other| other != at && is_heavy(other))
    }

    /// Those who do the deed at a token: its subject, its possessor and whoever stands behind "by".
    fn doers(&self, at: usize, key: &str) -> Vec<usize> {
        let is_past = self.names.lexicon.is_past(self.fold(at));
        let is_aimed = is_past && self.names.words.is_aimed(key);
        let behind = self.names.text.tokens().get(at + 1);
        let lacks_object = behind.is_none_or(|next| !next.is_word() || next.is(Class::Preposition));
        let is_passive =
            self.is_passive(at) || self.fold(at + 1) == "by" || is_aimed && lacks_object && !self.has_auxiliary(at);
        let mut doers = vec![];
        if self.is_conditional(at) {
            return doers;
        }
        if !is_passive && !self.is_negated(at) {
            let is_light = self.names.words.is_light(key) && self.ending_at(at).is_some();
            let is_verb = is_past
                || is_light
                || self.has_auxiliary(at)
                || self.fold(at).ends_with("ing")
                || self.is_relative(at)
                || self.fold(at.saturating_sub(1)) == "to";
            let subject = if is_verb { self.subject(at) } else { self.possessor(at) };
            doers.extend(subject);
            if self.fold(at).ends_with("ing") {
                doers.extend(self.possessor(at));
            }
        }
        doers.extend(self.agent(at));
        doers
    }

    /// "the Red Front's attack", "the Red Front increased its attacks".
    fn possessor(&self, at: usize) -> Option<usize> {
        if at > 0 && matches!(self.fold(at - 1), "its" | "their") {
            return self.subject(self.earlier_verb(at)?);
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
            let is_plural = matches!(self.fold(at), "attacks" | "raids" | "offensive" | "bombings" | "ambushes");
            !possessor.is_person
                && possessor.is_named
                && (end == at && is_plural && !self.is(end - 1, Class::Actor) || self.names.token(end).is_possessive())
        })
    }

    /// Whether a key is the deed of the question, or another word for it.
    fn is_deed(&self, key: &str) -> bool {
        let words = self.names.words;
        let kin = |term: &crate::question::Term| {
            term.key == key
                || words.families(&term.key).iter().any(|family| words.families(key).contains(family))
                || words.is_act(&term.key) && words.is_act(key)
        };
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

    /// The actor before a verb: "X guerrillas have attacked", "X, who burned", "X entered the town and killed".
    fn subject(&self, verb: usize) -> Option<usize> {
        self.subject_of(verb, VERBS)
    }

    fn subject_of(&self, verb: usize, verbs: usize) -> Option<usize> {
        let at = self.before_verb(verb);
        if let Some(phrase) = self.ending_at(at) {
            return (!self.is_complement(phrase)).then_some(phrase);
        }
        let before = at.checked_sub(1)?;
        match self.fold(before) {
            "who" | "which" | "that" => {
                let end = if before > 0 && self.fold(before - 1) == "," { before - 1 } else { before };
                self.ending_at(end)
            }
            "--" | "\u{2014}" | "\u{2013}" => self.past_apposition(before),
            "and" | "or" | "," | "to" | "as" | "by" if verbs > 0 => {
                let comma = self.fold(before) == ",";
                let past = comma.then(|| self.past_apposition(before)).flatten();
                let earlier = || {
                    self.earlier_verb(before)
                        .filter(|verb| self.fold(before) != "to" || self.names.words.is_helping(&self.names.key(*verb)))
                };
                past.or_else(|| self.subject_of(earlier()?, verbs - 1))
            }
            _ if verbs > 0 && self.names.is_verb(before) && self.names.words.is_helping(&self.names.key(before)) => {
                self.subject_of(before, verbs - 1)
            }
            _ => None,
        }
    }

    /// "X, 55, of Addison, pleaded guilty": the phrase before the first comma of a pair.
    fn past_apposition(&self, comma: usize) -> Option<usize> {
        const INSERTED: usize = 24;
        let opens = (comma.saturating_sub(INSERTED)..comma).rev().filter(|at| self.fold(*at) == self.fold(comma));
        let starts = |phrase: &usize| {
            let start = self.phrases[*phrase].tokens.start;
            start == 0 || !self.names.token(start - 1).is_word() || self.ends_phrase(start - 1)
        };
        opens.filter_map(|at| self.ending_at(at)).find(|phrase| starts(phrase) && !self.is_complement(*phrase))
    }

    /// The verb of the same clause before a token, which has the same subject.
    fn earlier_verb(&self, from: usize) -> Option<usize> {
        const BACK: usize = 24;
        let mut back = (from.saturating_sub(BACK)..from).rev();
        let stops = |at: usize| matches!(self.fold(at), ";" | ":" | "." | "that" | "but" | "while" | "when" | "because");
        let verb = back.find(|at| stops(*at) || self.names.is_verb(*at) && !self.is_reduced(*at))?;
        (!stops(verb) && !self.is_passive(verb)).then_some(verb)
    }

    /// "houses owned by", "men killed in": a participle and no verb of its own.
    fn is_reduced(&self, at: usize) -> bool {
        let next = self.names.text.tokens().get(at + 1);
        let is_aimed = self.names.words.is_aimed(&self.names.key(at));
        self.fold(at + 1) == "by" || is_aimed && next.is_none_or(|next| next.is(Class::Preposition))
    }

    /// One past the subject of a verb: helping verbs, adverbs and dates are passed over.
    fn before_verb(&self, verb: usize) -> usize {
        const BACK: usize = 9;
        let mut at = verb;
        while at > 0 && verb - at < BACK {
            let token = self.names.token(at - 1);
            let timed = token.is(Class::Weekday) || token.is(Class::Month) || token.is(Class::RelativeDay);
            let dated = at < verb && token.kind == TokenKind::Number
                || timed
                || matches!(&*token.fold, "morning" | "afternoon" | "evening" | "night" | "week" | "month" | "year");
            let starts_date = at < verb && matches!(&*token.fold, "on" | "this" | "last" | "early" | "late" | "in");
            if !(token.is(Class::Auxiliary) || self.names.is_adverb(at - 1) || dated || starts_date)
                || self.ending_at(at).is_some()
            {
                break;
            }
            at -= 1;
        }
        at
    }

    fn has_auxiliary(&self, verb: usize) -> bool {
        (self.before_verb(verb)..verb).any(|at| self.is(at, Class::Auxiliary))
    }

    fn is_relative(&self, verb: usize) -> bool {
        self.before_verb(verb).checked_sub(1).is_some_and(|at| matches!(self.fold(at), "who" | "which" | "that"))
    }

    /// "near X", "against X": the name is where or to whom it is done.
    fn is_complement(&self, phrase: usize) -> bool {
        let start = self.phrases[phrase].tokens.start;
        start > 0 && self.is(start - 1, Class::Preposition) && !matches!(self.fold(start - 1), "that" | "as" | "to")
    }

    /// The actor behind "by".
    fn agent(&self, verb: usize) -> Option<usize> {
        let end = self.len().min(verb + PASSIVE_TOKENS);
        for at in verb + 1..end {
            if self.names.in_name(at) {
                continue;
            }
            let is_decimal = self.fold(at) == "." && at + 1 < end && self.names.token(at + 1).kind == TokenKind::Number;
            if self.fold(at).starts_with([';', '.', ':']) && !is_decimal || self.ends_phrase(at) {
                return None;
            }
            if self.fold(at) == "to" && !self.is(at - 1, Class::Preposition) && at + 1 < end && self.begins_purpose(at + 1) {
                return None;
            }
            let other = at > verb + 1 && self.names.is_verb(at - 1) && !self.is_deed(&self.names.key(at - 1));
            if self.fold(at) == "by" && !other {
                return self.starting_at(at + 1);
            }
        }
        None
    }

    /// "kidnapped to protest the visit by X": X belongs to the purpose.
    fn begins_purpose(&self, at: usize) -> bool {
        let token = self.names.token(at);
        token.is_word() && !token.is_function() && !self.names.is_owned(at) && !self.is_deed(&self.names.key(at))
    }

    /// The phrase that starts at a token, behind adverbs.
    fn starting_at(&self, from: usize) -> Option<usize> {
        const SKIPPED: usize = 4;
        let skips = |at: &usize| {
            let token = self.names.token(*at);
            (*at == from || !token.is_function()) && !self.names.is_verb(*at) && (token.is_word() || token.is_dash())
                || self.names.is_adverb(*at)
        };
        let end = self.len().min(from + SKIPPED);
        let skipped = (from..end).take_while(|at| self.phrase_from(*at).is_none() && skips(at)).count();
        self.phrase_from(from + skipped)
    }

    fn phrase_from(&self, start: usize) -> Option<usize> {
        self.phrases.iter().position(|phrase| phrase.tokens.start == start)
    }

    /// The actor behind a verb of accusing: "blamed X", "attributed it to X".
    fn object(&self, verb: usize) -> Option<usize> {
        let end = self.len().min(verb + 1 + OBJECT_TOKENS);
        let stop = (verb + 1..end)
            .find(|at| !self.names.in_name(*at) && (self.ends_phrase(*at) || self.ends_clause(*at)))
            .unwrap_or(end);
        let is_victim =
            |start: usize| start > verb + 2 && self.fold(start - 1) == "of" && self.is_deed(&self.names.key(start - 2));
        let inside = |phrase: &Phrase| (verb + 1..stop).contains(&phrase.tokens.start) && !is_victim(phrase.tokens.start);
        let found = self.phrases.iter().position(inside)?;
        (verb + 1..self.phrases[found].tokens.start).all(|at| self.fold(at) != "by").then_some(found)
    }

    /// "The kidnappers, who are said to be members of X": who somebody known by his deed is.
    fn identity(&self, doer: usize) -> Option<usize> {
        const BETWEEN: usize = 8;
        let end = self.len().min(doer + BETWEEN);
        let be = (doer + 1..end).find(|at| matches!(self.fold(*at), "are" | "is" | "were" | "was" | "belong" | "belonged"))?;
        if (doer + 1..be).any(|at| !matches!(self.fold(at), "," | "who")) || (be..end).any(|at| self.is(at, Class::Negation)) {
            return None;
        }
        let found = self.phrases.iter().position(|phrase| (be + 1..end).contains(&phrase.tokens.start))?;
        let between = be + 1..self.phrases[found].tokens.start;
        let fits = |at: usize| {
            self.is(at, Class::Adverb)
                || matches!(self.fold(at), "said" | "believed" | "to" | "be" | "from" | "identified" | "as")
        };
        (self.phrases[found].is_named && between.into_iter().all(fits)).then_some(found)
    }

    fn ends_clause(&self, at: usize) -> bool {
        matches!(self.fold(at), ";" | ":" | "." | "?" | "!" | "," | "--")
    }

    /// A word that begins another clause.
    fn ends_phrase(&self, at: usize) -> bool {
        matches!(
            self.fold(at),
            "that" | "when" | "while" | "because" | "but" | "after" | "before" | "if" | "whether" | "who" | "which"
        )
    }

    /// "was attacked", "have been blamed": the subject is the one it is done to.
    fn is_passive(&self, verb: usize) -> bool {
        self.names.lexicon.is_past(self.fold(verb)) && self.is_be(verb)
    }

    fn is_be(&self, verb: usize) -> bool {
        let be = |at: usize| matches!(self.fold(at), "was" | "were" | "been" | "being" | "is" | "are" | "be");
        (self.before_verb(verb)..verb).any(be)
    }

    fn is_negated(&self, verb: usize) -> bool {
        const BACK: usize = 4;
        (verb.saturating_sub(BACK)..verb).any(|at| self.is(at, Class::Negation))
    }

    /// "if it is confirmed that X attacked".
    fn is_conditional(&self, verb: usize) -> bool {
        const BACK: usize = 14;
        (verb.saturating_sub(BACK)..verb)
            .rev()
            .take_while(|at| !self.ends_clause(*at))
            .any(|at| matches!(self.fold(at), "if" | "whether" | "unless"))
    }

    fn has_responsibility(&self, verb: usize) -> bool {
        const NEAR: usize = 6;
        let near: Range<usize> = verb.saturating_sub(NEAR)..self.len().min(verb + NEAR);
        near.clone().any(|at| matches!(self.fold(at), "responsibility" | "credit"))
            && !near.clone().any(|at| self.is(at, Class::Negation))
    }

    /// The question asks what befell them: a person with a word of its names, a body with all.
    fn is_asked_about(&self, phrase: &Phrase) -> bool {
        let names = |word: &str| {
            let key = self.names.words.key_of(self.names.lexicon, word);
            self.question.terms.iter().any(|term| term.is_name && term.key == key)
        };
        let asked = |form: &String| match phrase.is_person {
            true => form.split([' ', '-']).any(names),
            false => form.split([' ', '-']).filter(|word| !matches!(*word, "of" | "the" | "and")).all(names),
        };
        phrase.is_named && phrase.forms.iter().any(asked)
    }
}
