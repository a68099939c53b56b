//! The speaker of a verb of speech: the noun phrase before or after it.

use super::SPEAKER_TOKENS_MAX;
use crate::text::{Class, ClassSet, Text, Token, TokenKind, sentences::is_quote};
use std::ops::Range;

impl Text<'_> {
    /// The noun phrase before a verb, past its auxiliaries.
    pub(super) fn subject(&self, range: &Range<usize>, verb: usize) -> Option<Range<usize>> {
        let mut end = verb;
        if verb > range.start && self.tokens[verb - 1].is_mark(",") {
            end = self.apposition_start(range, verb - 1)?;
        }
        while end > range.start
            && (self.tokens[end - 1].is(Class::Auxiliary)
                || self.tokens[end - 1].is(Class::Adverb)
                || self.tokens[end - 1].is(Class::RelativeDay))
        {
            let be = self.tokens[end - 1].fold.trim_end_matches("n't");
            if matches!(be, "be" | "been" | "being" | "was" | "were" | "is" | "are") {
                return None;
            }
            end -= 1;
        }
        if end > range.start && matches!(&*self.tokens[end - 1].fold, "and" | "but") {
            // "He gave no evidence and said that …"
            let stops = |at: &usize| self.tokens[*at].is(Class::Auxiliary) || self.is_past_verb(&self.tokens[*at]);
            end = (range.start..end).find(stops)?;
        }
        let mut start = end;
        while start > range.start && end - start < SPEAKER_TOKENS_MAX {
            let token = &self.tokens[start - 1];
            let marks = token.kind == TokenKind::Mark
                && !matches!(&*token.fold, "-" | "'" | "&" | "[" | "]")
                && !self.is_inner_stop(start - 1);
            let that = &*token.fold == "that" && start < end && start - 1 > range.start && self.tokens[start - 2].is_word();
            if marks
                || that
                || token.is(Class::Conjunction) && &*token.fold != "and"
                || token.is(Class::Auxiliary)
                || token.is(Class::Interrogative) && token.is(Class::Conjunction)
            {
                break;
            }
            start -= 1;
        }
        if start > range.start && self.tokens[start - 1].is(Class::Auxiliary) {
            // "An official who did not want to be named said that …"
            let who = (range.start..start).rev().find(|at| matches!(&*self.tokens[*at].fold, "who" | "which"))?;
            start = (range.start..who).rev().find(|at| self.tokens[*at].is_mark(",")).map_or(range.start, |comma| comma + 1);
            end = who;
        }
        let passive =
            start < end && (self.tokens[start].is(Class::Negation) || matches!(&*self.tokens[start].fold, "which" | "what"));
        (!passive && (start..end).any(|at| self.may_speak(at))).then_some(start..end)
    }

    /// The comma that opens the apposition which another closes: "The brigade, which is based in San Miguel, added that …", "…," Ann
    /// Vale, head of Orrin Bank in Lima, Peru, said.
    fn apposition_start(&self, range: &Range<usize>, close: usize) -> Option<usize> {
        const APPOSITION_TOKENS_MAX: usize = 40;
        let unquoted = (range.start..close).rev().take(APPOSITION_TOKENS_MAX).take_while(|at| !is_quote(&self.tokens[*at]));
        let commas: Vec<usize> = unquoted.filter(|at| self.tokens[*at].is_mark(",")).collect();
        let describes = |comma: &&usize| {
            let behind = &self.tokens[**comma + 1..close.min(**comma + 4)];
            behind.first().is_some_and(|next| {
                next.is(Class::Determiner)
                    || next.is(Class::Title)
                    || next.kind == TokenKind::Number
                    || next.is_word() && !next.is_capital() && !next.is_function()
                    || matches!(&*next.fold, "who" | "which")
            }) || behind.iter().any(Token::is_possessive)
        };
        commas.iter().find(describes).or(commas.first()).copied()
    }

    /// Whether the words before a verb can be its speaker: they hold no clause of their own, and the verb is not one of the nouns that look
    /// like verbs of speech ("25 points", "two critical reports").
    pub(super) fn can_speak(&self, speaker: &Range<usize>, verb: usize) -> bool {
        const ROLES: ClassSet =
            ClassSet::from_classes(&[Class::AnonymousSource, Class::Title, Class::OrgHead, Class::Actor, Class::PersonNoun]);
        let Some(last) = self.tokens[speaker.clone()].last() else { return false };
        let acts = |at: usize| {
            let (token, next) = (&self.tokens[at], &self.tokens[at + 1]);
            let object = next.kind == TokenKind::Number
                || &*next.fold == "to"
                || next.classes.any(ClassSet::from_classes(&[Class::Determiner, Class::Pronoun, Class::Adverb]));
            (self.in_capitals(token) || !token.is_capital()) && self.is_past_verb(token) && object
        };
        let relative = matches!(&*last.fold, "who" | "whom" | "which" | "that" | "what");
        let past = self.lexicon.is_past(&self.tokens[verb].fold);
        let singular = last.is_capital() && !self.in_capitals(last)
            || last.classes.any(ROLES)
            || last.is(Class::Pronoun)
            || last.is(Class::Surname)
            || last.classes.is_empty()
            || last.fold.ends_with('s') && !self.tokens[verb].fold.ends_with('s');
        let aside = self.tokens[speaker.start].is(Class::Preposition);
        last.is_word() && !relative && (past || singular && !aside) && !(speaker.start..speaker.end - 1).any(acts)
    }

    /// A word that a speaker's name may hold: a pronoun, a name, a role, a plural, or what no list knows.
    fn may_speak(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let named = token.is_capital() && !self.in_capitals(token) && !self.starts_sentence(at);
        let role = token.classes.any(ClassSet::from_classes(&[
            Class::AnonymousSource,
            Class::Title,
            Class::OrgHead,
            Class::Actor,
            Class::Surname,
        ]));
        let plural = token.fold.ends_with('s') && !token.is_function();
        let article = token.is(Class::Determiner) && &*token.fold != "that";
        token.is_word()
            && (token.is(Class::Pronoun) && !token.is(Class::Interrogative)
                || named
                || role
                || plural
                || article
                || token.classes.is_empty())
    }

    /// The noun phrase after a verb that closes a quotation: `"…," said the minister.`
    pub(super) fn inverted_subject(&self, range: &Range<usize>, verb: usize) -> Option<Range<usize>> {
        let before = (verb > range.start).then(|| &self.tokens[verb - 1])?;
        let clause = self.tokens[..range.end]
            .get(verb + 1)
            .is_none_or(|next| next.is(Class::Conjunction) || next.is(Class::Preposition) || &*next.fold == "that");
        if clause || !(is_quote(before) || before.is_mark(",")) {
            return None;
        }
        let limit = range.end.min(verb + 1 + SPEAKER_TOKENS_MAX);
        let stop = (verb + 1..limit).find(|at| self.ends_speaker(*at)).unwrap_or(limit);
        let clause = self.tokens[verb + 1..stop].iter().any(|token| &*token.fold == "that");
        (stop > verb + 1 && !clause).then_some(verb + 1..stop)
    }

    /// End of a speaker behind a verb: a mark, a day, or where, when and how it was said.
    fn ends_speaker(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let joins = matches!(&*token.fold, "of" | "for" | "at" | "from" | "and" | "-" | "'" | "&");
        let time = token.is(Class::Weekday) && token.is_capital() || token.is(Class::RelativeDay);
        let aside = token.is(Class::Preposition) || token.is(Class::Conjunction) || token.kind == TokenKind::Mark;
        time || aside && !joins && !self.is_inner_stop(at)
    }
}
