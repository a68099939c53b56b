//! The deed that a sentence ties an actor to: the clause that says to whom or to what it is done, and where.

use super::{Sentence, Tie, phrases::Phrase};
use crate::{
    text::{Class, ClassSet, Kind, Mention},
    words::{Stems, Words},
};
use std::ops::Range;

/// Tokens before "when" that tell of the same deed: "he was killed when the army attacked".
const BEFORE_WHEN: usize = 8;

/// One deed that a sentence ties an actor to.
#[derive(Clone, Debug, PartialEq)]
pub struct Deed {
    pub tie: Tie,
    /// The tokens of its clause, which name its victim or target, its place and its day.
    pub clause: Range<usize>,
    /// Whether the clause points back to a deed or a victim told before: "the attack", "killed him".
    pub is_referring: bool,
    /// Whether the victim is a pronoun: "killed him".
    pub has_pronoun: bool,
    /// Whether the clause names people, and places, that are neither in the question nor the actor.
    pub has_other_people: bool,
    pub has_other_places: bool,
    /// Whether the clause introduces new victims or targets: "two soldiers", "a shop".
    pub has_new_victim: bool,
    /// Whether the clause says that it is about another deed: "another attack", "previous attacks".
    pub is_another: bool,
}

impl Sentence<'_> {
    /// The deed of the word at a token.
    pub(super) fn deed(&self, at: usize, tie: Tie, actor: &Phrase) -> Deed {
        let mut clause = self.clause_around(at, &actor.tokens);
        // "blamed X and the minister for": what they are blamed for stands behind all of them.
        if self.names.is_stem(Stems::Accusing, at) && actor.tokens.start > at {
            const NEAR: usize = 5;
            let begins = |at: &usize| matches!(self.fold(*at), "for" | "of" | "with" | "over");
            let is_deed = |at: &usize| (at + 1..clause.end.min(at + NEAR)).any(|at| self.is_heavy(at) || self.fold(at) == "it");
            let behind = || (actor.tokens.end..clause.end).filter(begins);
            clause.start = behind().find(is_deed).or_else(|| behind().next()).unwrap_or(clause.start);
        }
        Deed {
            tie,
            is_referring: self.is_referring(&clause, &actor.tokens),
            has_pronoun: self.has_pronoun(at),
            has_other_people: self.has_others(actor, &clause, Kind::Person),
            has_other_places: self.has_others(actor, &clause, Kind::Place),
            has_new_victim: self.has_new_victim(&clause, &actor.tokens),
            is_another: self.is_another(&clause, &actor.tokens),
            clause,
        }
    }

    /// The tokens around a verb or noun up to the borders of its clause.
    fn clause_around(&self, at: usize, actor: &Range<usize>) -> Range<usize> {
        let is_inner = |at: usize| self.names.in_name(at) || actor.contains(&at) || self.is_noted(at);
        let start = (0..at).rev().find(|before| {
            !is_inner(*before)
                && (self.is_border(*before) && !self.is_joined_to(*before, at) || self.is_other_verb(*before, at))
        });
        let end =
            (at + 1..self.len()).find(|behind| !is_inner(*behind) && (self.is_border(*behind) || self.begins_clause(*behind)));
        start.map_or(0, |start| start + 1)..end.unwrap_or(self.len())
    }

    /// "X, who was killed by": the victim precedes "who"; "the attack on X, for which the army was blamed".
    fn is_joined_to(&self, relative: usize, verb: usize) -> bool {
        let is_relative = matches!(self.fold(relative), "who" | "which" | "that");
        let is_deed_of = relative > 0 && matches!(self.fold(relative - 1), "for" | "in");
        is_relative && (is_deed_of || self.is_passive(verb) && self.before_verb(verb) == relative + 1)
    }

    /// Inside a note in brackets: "[name as received]".
    fn is_noted(&self, at: usize) -> bool {
        let mark = (0..at).rev().map(|before| self.fold(before)).find(|mark| matches!(*mark, "[" | "]"));
        mark == Some("[")
    }

    /// A mark or word that parts clauses, unless what follows tells of the same deed: "the attack in which", "was killed when".
    fn is_border(&self, at: usize) -> bool {
        match self.fold(at) {
            ";" | ":" | "." | "?" | "!" | "--" => true,
            "when" => !(at.saturating_sub(BEFORE_WHEN)..at).any(|before| self.is_heavy(before)),
            "that" | "which" | "who" => {
                let is_joint = |before: &usize| matches!(self.fold(*before), "in" | "during" | "from" | "for" | "of" | ",");
                let before = (0..at).rev().find(|before| !is_joint(before));
                !before.is_some_and(|before| self.is_heavy(before) || self.is_operation(before))
            }
            _ => self.ends_phrase(at),
        }
    }

    /// "and killed", "and the army burned": another verb with an object of its own.
    fn begins_clause(&self, at: usize) -> bool {
        let is_finite =
            |at: usize| at < self.len() && (self.is(at, Class::Auxiliary) || self.names.is_verb(at) && !self.is_reduced(at));
        let is_joint = matches!(self.fold(at), "and" | "or" | ",");
        is_joint && (is_finite(at + 1) || is_finite(self.names.run(at + 1)))
    }

    /// A verb before the one at a token that does not share its subject.
    fn is_other_verb(&self, before: usize, verb: usize) -> bool {
        let is_verb = self.names.is_verb(before) && !self.is(before, Class::Auxiliary) && !self.is_reduced(before);
        let is_joined = matches!(self.fold(before + 1), "and" | "or" | ",") && self.before_verb(verb) == before + 2;
        is_verb && !is_joined && self.before_verb(verb) > before
    }

    /// A word for a deed that does not say which.
    fn is_operation(&self, at: usize) -> bool {
        matches!(self.fold(at), "operation" | "operations" | "raid" | "raids" | "assault")
    }

    /// "the operation in which": what it did follows.
    pub(super) fn is_operation_of(&self, at: usize) -> bool {
        self.is_operation(at) && self.fold(at + 1) == "in" && self.fold(at + 2) == "which"
    }

    /// "killed him", "they were kidnapped by"
    fn has_pronoun(&self, at: usize) -> bool {
        let subject = self.before_verb(at).checked_sub(1).filter(|_| self.is_passive(at));
        // "blamed it on X": the deed, and no victim.
        matches!(self.fold(at + 1), "him" | "her" | "them" | "it") && !self.names.is_stem(Stems::Accusing, at)
            || subject.is_some_and(|at| matches!(self.fold(at), "he" | "she" | "they" | "it"))
    }

    /// "the attack", "these crimes", "responsible for it": a deed that other sentences tell of.
    fn is_referring(&self, clause: &Range<usize>, actor: &Range<usize>) -> bool {
        const ADJECTIVES: usize = 2;
        let points = |at: usize| matches!(self.fold(at), "the" | "this" | "that" | "these" | "those" | "such" | "said");
        let names = |at: usize| {
            self.names.is_word(Words::Means, at)
                || self.names.is_word(Words::Doers, at)
                || self.is_same_kind(&self.names.key(at))
                || self.is_victim_noun(at)
        };
        let mut outside = (clause.start.max(1)..clause.end).filter(|at| !actor.contains(at));
        outside.any(|at| match self.fold(at) {
            "it" | "this" => {
                matches!(self.fold(at - 1), "for" | "behind" | "of" | "out")
                    || self.is_part_in(at - 1)
                    || at > 1 && self.fold(at - 2) == "do" && self.fold(at - 1) == "with"
                    || self.names.is_stem(Stems::Accusing, at - 1)
            }
            "responsibility" | "credit" => !matches!(self.fold(at + 1), "for"),
            "involvement" => self.fold(at + 1) != "in",
            // "the murder of these two priests"
            "these" | "those" => self.is(at - 1, Class::Preposition),
            _ => {
                let before = (at.saturating_sub(ADJECTIVES + 1)..at).rev();
                let is_free = |at: &usize| {
                    self.names.token(*at).is_word() && !self.names.in_name(*at) && !self.is(*at, Class::Preposition)
                };
                let determined = before.clone().take_while(is_free).any(points) && !self.names.lexicon.is_past(self.fold(at));
                let is_told = matches!(self.fold(at + 1), "of" | "on" | "against" | "at" | "in");
                // "the offensive launched by": told here, and "during this action": only when it was.
                let goes_on = is_told || at + 1 < self.len() && self.names.is_verb(at + 1) && self.is_reduced(at + 1);
                let is_aside_word =
                    |at: usize| matches!(self.fold(at), "during" | "after" | "before" | "since" | "in") && !self.is_part_in(at);
                let is_aside = before.clone().any(is_aside_word)
                    || (at.saturating_sub(ADJECTIVES + 2)..at)
                        .any(|before| matches!(self.fold(before), "scene" | "site" | "time"));
                // "these attacks launched by X": told before all the same.
                let is_near = before.clone().any(|before| matches!(self.fold(before), "this" | "these" | "those"));
                self.names.token(at).is_word() && names(at) && determined && (!goes_on || is_near) && !is_aside
            }
        })
    }

    /// "the peasants", "the mayor": somebody told of before, and no body.
    fn is_victim_noun(&self, at: usize) -> bool {
        let is_one = self.is(at, Class::Title) || self.is(at, Class::PersonNoun) || self.names.is_stem(Stems::People, at);
        is_one && self.names.words.body(self.fold(at)).is_none() && !self.names.in_name(at) && !self.names.in_name(at + 1)
    }

    /// "two soldiers", "a shop": nouns that are introduced here, and are no deed, means or time.
    fn has_new_victim(&self, clause: &Range<usize>, actor: &Range<usize>) -> bool {
        const NEAR: usize = 4;
        let is_new = |at: usize| {
            matches!(self.fold(at), "a" | "an" | "several" | "some" | "many" | "other" | "another")
                || self.names.lexicon.number(self.fold(at)).is_some()
        };
        let is_noun = |at: &usize| self.names.token(*at).is_word() && !self.names.token(*at).is_function();
        let is_thing = |at: usize| {
            let is_plain = |at: usize| {
                self.is_heavy(at)
                    || self.names.is_word(Words::Means, at)
                    || self.is(at, Class::Unit)
                    || self.is(at, Class::Month)
            };
            let nouns = (at + 1..self.len().min(at + 1 + NEAR)).take_while(|at| is_noun(at));
            let mut nouns = nouns.peekable();
            nouns.peek().is_some() && !nouns.any(is_plain)
        };
        clause.clone().any(|at| !actor.contains(&at) && is_new(at) && is_thing(at))
    }

    /// "another attack", "in previous attacks"
    fn is_another(&self, clause: &Range<usize>, actor: &Range<usize>) -> bool {
        const NEAR: usize = 3;
        let is_other = |at: usize| {
            matches!(
                self.fold(at),
                "another" | "other" | "others" | "previous" | "past" | "earlier" | "similar" | "several" | "future"
            )
        };
        let is_deed = |at: usize| self.is_heavy(at) && !self.names.is_verb(at);
        clause.clone().any(|at| !actor.contains(&at) && is_other(at) && (at + 1..self.len().min(at + 1 + NEAR)).any(is_deed))
    }

    /// Whether a noun may stand for the asked deed: "the fire" is no murder, "the attack" may be any deed.
    fn is_same_kind(&self, key: &str) -> bool {
        let words = self.names.words;
        let any = words.key(self.names.lexicon, "attack");
        let may_be = |asked: &str| words.are_kin(asked, key) || words.are_kin(asked, &any) || words.are_kin(key, &any);
        let is_act = |key: &str| words.has_stem(Stems::Acts, key) && !words.has_stem(Stems::Light, key);
        let mut asked = self.question.terms.iter().filter(|term| !term.is_name);
        asked.any(|term| words.are_kin(&term.key, key) || is_act(key) && is_act(&term.key) && may_be(&term.key))
    }

    /// Names of a kind in a clause that neither the question nor the actor has, and that do not speak.
    fn has_others(&self, actor: &Phrase, clause: &Range<usize>, kind: Kind) -> bool {
        const TITLE: usize = 3;
        let tokens = self.names.text.tokens();
        let inside = |mention: &Mention| {
            let start = tokens.partition_point(|token| token.span.start < mention.span.start);
            start..tokens.partition_point(|token| token.span.start < mention.span.end)
        };
        let says = |at: usize| tokens.get(at).is_some_and(|token| token.classes.any(ClassSet::SPEECH));
        // "upon instructions from X", "together with X": no victim.
        let is_aside = |start: usize| {
            let mut before = (start.saturating_sub(TITLE)..start).rev();
            let preposition = before.find(|at| self.is(*at, Class::Preposition) || !self.names.token(*at).is_word());
            preposition.is_some_and(|at| matches!(self.fold(at), "from" | "by" | "to" | "with" | "under" | "as" | "like"))
        };
        let is_other = |mention: &Mention| {
            let range = inside(mention);
            // "San" does not make San Miguel San Salvador.
            let is_long = |at: &usize| range.len() == 1 || self.fold(*at).len() > 3;
            let asked = |at: usize| self.question.terms.iter().any(|term| term.key == self.names.key(at));
            let speaks = range.start > 0 && says(range.start - 1) || says(range.end) || says(range.end + 1);
            // A town may lie in the country that is asked about.
            let is_comparable = match kind {
                Kind::Place if self.names.lexicon.country_of(&mention.canonical).is_some() => self.question.has_country,
                Kind::Place => self.question.has_town,
                _ => !is_aside(range.start),
            };
            mention.kind == kind
                && !mention.demonym
                && is_comparable
                && clause.contains(&range.start)
                && !actor.tokens.contains(&range.start)
                && !speaks
                && !range.clone().filter(is_long).any(asked)
        };
        self.names.mentions.iter().any(is_other)
    }
}
