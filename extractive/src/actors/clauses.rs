//! Subjects, agents and objects of a verb: who stands where in its clause.

use super::{Sentence, phrases::Phrase};
use crate::{
    text::{Class, ClassSet, TokenKind},
    words::{Stems, Words},
};
use std::ops::Range;

/// Maximum number of tokens between a verb of accusing and its object, and between a verb and its "by".
const OBJECT_TOKENS: usize = 12;
const PASSIVE_TOKENS: usize = 24;
/// Maximum number of verbs of one clause that share its subject.
const VERBS: usize = 4;

impl Sentence<'_> {
    /// The actor before a verb: "X guerrillas have attacked", "X, who burned", "X entered the town and killed".
    pub(super) fn subject(&self, verb: usize) -> Option<usize> {
        self.subject_of(verb, VERBS)
    }

    pub(super) fn subject_of(&self, verb: usize, verbs: usize) -> Option<usize> {
        let at = self.before_verb(verb);
        if let Some(phrase) = self.ending_at(at) {
            return (!self.is_complement(phrase)).then_some(phrase);
        }
        let before = at.checked_sub(1)?;
        match self.fold(before) {
            "who" | "which" | "that" => {
                let end = if before > 0 && self.fold(before - 1) == "," { before - 1 } else { before };
                // "peasants in X, who attacked": X is where.
                let is_where = |phrase: &usize| {
                    let start = self.phrases[*phrase].tokens.start;
                    start > 0 && matches!(self.fold(start - 1), "in" | "at" | "near")
                };
                self.ending_at(end).filter(|phrase| !is_where(phrase))
            }
            "it" | "they" | "he" | "she" if verbs > 0 => self.speaker(before, verbs),
            "to" if self.ending_at(before).is_some_and(|phrase| self.has_attempted(phrase)) => self.ending_at(before),
            "and" | "or" | "," | "--" | "to" | "as" | "by" if verbs > 0 => {
                let comma = matches!(self.fold(before), "," | "--");
                let past = comma.then(|| self.past_apposition(before)).flatten();
                let earlier = || {
                    self.earlier_verb(before)
                        .filter(|verb| self.fold(before) != "to" || self.names.is_stem(Stems::Helping, *verb))
                };
                past.or_else(|| self.subject_of(earlier()?, verbs - 1))
            }
            _ if verbs > 0 && self.names.is_verb(before) && self.names.is_stem(Stems::Helping, before) => {
                self.subject_of(before, verbs - 1)
            }
            _ => None,
        }
    }

    /// "X claims that it attacked": the pronoun is the speaker.
    fn speaker(&self, pronoun: usize, verbs: usize) -> Option<usize> {
        let end = if pronoun > 0 && self.fold(pronoun - 1) == "that" { pronoun - 1 } else { pronoun };
        let verb = end.checked_sub(1)?;
        let says = self.names.token(verb).classes.any(ClassSet::SPEECH) && !self.names.in_name(verb) && !self.is_passive(verb);
        let speaker = says.then(|| self.subject_of(verb, verbs - 1)).flatten()?;
        (self.phrases[speaker].is_person == matches!(self.fold(pronoun), "he" | "she")).then_some(speaker)
    }

    /// "an attempt by X to kidnap": the person who tries or plans it.
    fn has_attempted(&self, phrase: usize) -> bool {
        let start = self.phrases[phrase].tokens.start;
        start > 1
            && self.fold(start - 1) == "by"
            && matches!(self.fold(start - 2), "attempt" | "attempts" | "plan" | "plans" | "plot" | "effort" | "conspiracy")
    }

    /// "X, 55, of Addison, pleaded guilty": the phrase before the first comma of a pair.
    pub(super) fn past_apposition(&self, comma: usize) -> Option<usize> {
        const INSERTED: usize = 24;
        let opens = (comma.saturating_sub(INSERTED)..comma).rev().filter(|at| self.fold(*at) == self.fold(comma));
        let starts = |phrase: &usize| {
            let start = self.phrases[*phrase].tokens.start;
            start == 0 || !self.names.token(start - 1).is_word() || self.ends_phrase(start - 1)
        };
        opens.filter_map(|at| self.ending_at(at)).find(|phrase| starts(phrase) && !self.is_complement(*phrase))
    }

    /// The verb of the same clause before a token, which has the same subject.
    pub(super) fn earlier_verb(&self, from: usize) -> Option<usize> {
        const BACK: usize = 24;
        let mut back = (from.saturating_sub(BACK)..from).rev();
        let stops = |at: usize| matches!(self.fold(at), ";" | ":" | "." | "that" | "but" | "while" | "when" | "because");
        let verb = back.find(|at| stops(*at) || self.names.is_verb(*at) && !self.is_reduced(*at))?;
        (!stops(verb) && !self.is_passive(verb)).then_some(verb)
    }

    /// "houses owned by", "men killed in": a participle and no verb of its own.
    pub(super) fn is_reduced(&self, at: usize) -> bool {
        let next = self.names.text.tokens().get(at + 1);
        let is_aimed = self.names.is_stem(Stems::Aimed, at);
        self.fold(at + 1) == "by" || is_aimed && next.is_none_or(|next| next.is(Class::Preposition))
    }

    /// One past the subject of a verb: helping verbs, adverbs and dates are passed over.
    pub(super) fn before_verb(&self, verb: usize) -> usize {
        const BACK: usize = 9;
        let mut at = verb;
        while at > 0 && verb - at < BACK {
            let token = self.names.token(at - 1);
            let timed = token.is(Class::Weekday) || token.is(Class::Month) || token.is(Class::RelativeDay);
            let timed =
                timed || matches!(&*token.fold, "morning" | "afternoon" | "evening" | "night" | "week" | "month" | "year");
            let dated = timed || at < verb && token.kind == TokenKind::Number;
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

    pub(super) fn has_auxiliary(&self, verb: usize) -> bool {
        (self.before_verb(verb)..verb).any(|at| self.is(at, Class::Auxiliary))
    }

    pub(super) fn is_relative(&self, verb: usize) -> bool {
        self.before_verb(verb).checked_sub(1).is_some_and(|at| matches!(self.fold(at), "who" | "which" | "that"))
    }

    /// "near X", "against X": the name is where or to whom it is done.
    pub(super) fn is_complement(&self, phrase: usize) -> bool {
        let start = self.phrases[phrase].tokens.start;
        start > 0 && self.is(start - 1, Class::Preposition) && !matches!(self.fold(start - 1), "that" | "as" | "to")
    }

    /// The actor behind "by".
    pub(super) fn agent(&self, verb: usize) -> Option<usize> {
        let end = self.len().min(verb + PASSIVE_TOKENS);
        for at in verb + 1..end {
            if self.names.in_name(at) {
                continue;
            }
            let is_decimal = self.fold(at) == "." && at + 1 < end && self.names.token(at + 1).kind == TokenKind::Number;
            if self.fold(at).starts_with([';', '.', ':']) && !is_decimal || self.ends_phrase(at) {
                return None;
            }
            let is_other_deed = at > verb + 1 && self.is_passive(at) && !self.is_deed(&self.names.key(at));
            if is_other_deed && self.fold(at + 1) != "by" {
                return None;
            }
            let other = at > verb + 1 && self.names.is_verb(at - 1) && !self.is_deed(&self.names.key(at - 1));
            // "an announcement by the police"
            let is_speech = at > verb + 1
                && self.names.token(at - 1).classes.any(ClassSet::SPEECH)
                && !self.is_deed(&self.names.key(at - 1));
            if self.fold(at) == "by" && !other && !is_speech {
                // "by two bullets fired by X"
                let is_means = (at + 1..end.min(at + 4)).any(|at| self.names.is_word(Words::Means, at));
                let agent = self.starting_at(at + 1);
                if agent.is_none() && is_means {
                    continue;
                }
                return agent;
            }
        }
        None
    }

    /// The phrase that starts at a token, behind adverbs.
    pub(super) fn starting_at(&self, from: usize) -> Option<usize> {
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

    pub(super) fn phrase_from(&self, start: usize) -> Option<usize> {
        self.phrases.iter().position(|phrase| phrase.tokens.start == start)
    }

    /// The actor behind a verb of accusing: "blamed X", "attributed it to X".
    pub(super) fn object(&self, verb: usize) -> Option<usize> {
        let end = self.len().min(verb + 1 + OBJECT_TOKENS);
        let stop = (verb + 1..end)
            .find(|at| !self.names.in_name(*at) && (self.ends_phrase(*at) || self.ends_clause(*at)))
            .unwrap_or(end);
        let is_victim =
            |start: usize| start > verb + 2 && self.fold(start - 1) == "of" && self.is_deed(&self.names.key(start - 2));
        // A phrase behind a preposition is where, when or to whom, unless the verb puts the deed on it.
        let shifts = self.names.is_stem(Stems::Shifting, verb);
        let is_aside = |start: usize| match self.fold(start - 1) {
            "of" => start > verb + 2,
            "to" | "on" | "with" => start > verb + 2 && !shifts,
            _ => start > verb + 1 && self.is(start - 1, Class::Preposition),
        };
        let inside = |phrase: &Phrase| {
            let start = phrase.tokens.start;
            (verb + 1..stop).contains(&start) && !is_victim(start) && !is_aside(start)
        };
        let found = self.phrases.iter().position(inside)?;
        (verb + 1..self.phrases[found].tokens.start).all(|at| self.fold(at) != "by").then_some(found)
    }

    /// "The kidnappers, who are said to be members of X": who somebody known by his deed is.
    pub(super) fn identity(&self, doer: usize) -> Option<usize> {
        const BETWEEN: usize = 8;
        let is_beside = doer > 1 && self.fold(doer - 1) == "the" && self.fold(doer - 2) == ",";
        if let Some(phrase) =
            is_beside.then(|| self.ending_at(doer - 2)).flatten().filter(|phrase| self.phrases[*phrase].is_named)
        {
            return Some(phrase);
        }
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

    pub(super) fn ends_clause(&self, at: usize) -> bool {
        matches!(self.fold(at), ";" | ":" | "." | "?" | "!" | "," | "--")
    }

    /// A word that begins another clause.
    pub(super) fn ends_phrase(&self, at: usize) -> bool {
        matches!(
            self.fold(at),
            "that" | "when" | "while" | "because" | "but" | "after" | "before" | "if" | "whether" | "who" | "which"
        )
    }

    /// "was attacked", "have been blamed": the subject is the one it is done to.
    pub(super) fn is_passive(&self, verb: usize) -> bool {
        self.names.lexicon.is_past(self.fold(verb)) && self.is_be(verb)
    }

    pub(super) fn is_be(&self, verb: usize) -> bool {
        let be = |at: usize| matches!(self.fold(at), "was" | "were" | "been" | "being" | "is" | "are" | "be");
        (self.before_verb(verb)..verb).any(be)
    }

    pub(super) fn is_negated(&self, verb: usize) -> bool {
        const BACK: usize = 4;
        (verb.saturating_sub(BACK)..verb).any(|at| self.is(at, Class::Negation))
    }

    /// "the mayor denied that X attacked".
    pub(super) fn is_denied(&self, verb: usize) -> bool {
        const BACK: usize = 18;
        let mut back = (verb.saturating_sub(BACK)..verb).rev().take_while(|at| !matches!(self.fold(*at), ";" | "." | ":"));
        back.any(|at| self.names.is_stem(Stems::Denying, at) && !self.names.in_name(at))
    }

    /// "if it is confirmed that X attacked".
    pub(super) fn is_conditional(&self, verb: usize) -> bool {
        const BACK: usize = 14;
        (verb.saturating_sub(BACK)..verb)
            .rev()
            .take_while(|at| !self.ends_clause(*at))
            .any(|at| matches!(self.fold(at), "if" | "whether" | "unless"))
    }

    pub(super) fn has_responsibility(&self, verb: usize) -> bool {
        const NEAR: usize = 6;
        let near: Range<usize> = verb.saturating_sub(NEAR)..self.len().min(verb + NEAR);
        near.clone().any(|at| matches!(self.fold(at), "responsibility" | "credit"))
            && !near.clone().any(|at| self.is(at, Class::Negation))
    }
}
