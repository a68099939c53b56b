//! Candidates where capitals say nothing: what is no ordinary word, and what head nouns, titles and gazetteers show.

use std::ops::Range;

use super::{Candidate, Kind};
use crate::text::tokens::{Gap, Token, TokenKind};
use crate::text::{Class, ClassSet, Text};

/// Words that are ordinary unless a gazetteer or a title says otherwise.
const ORDINARY: ClassSet = ClassSet::FUNCTION.with(ClassSet::INFLECTED).with(ClassSet::from_classes(&[
    Class::Month,
    Class::Weekday,
    Class::Unit,
    Class::Scale,
    Class::Title,
    Class::Honorific,
    Class::OrgHead,
    Class::OrgModifier,
    Class::PlaceHead,
    Class::OtherHead,
    Class::Tag,
    Class::Compass,
    Class::Connective,
    Class::PlainAcronym,
    Class::GenericModifier,
    Class::AllegeCue,
    Class::HearsayCue,
    Class::Hedge,
    Class::AnalysisCue,
    Class::Approximate,
    Class::Negation,
    Class::NumberSkip,
    Class::RelativeDay,
    Class::PersonVerb,
    Class::PersonNoun,
    Class::OrgVerb,
    Class::Born,
    Class::Relayed,
]));
const NAMED: ClassSet =
    ClassSet::from_classes(&[Class::Given, Class::Surname, Class::Place, Class::Demonym, Class::OrgAcronym]);
const TITLES: ClassSet = ClassSet::from_classes(&[Class::Title, Class::Honorific]);

/// The longest name, in tokens.
const NAME_TOKENS_MAX: usize = 12;

impl Text<'_> {
    pub(super) fn capital_candidates(&self, start: usize, end: usize, to: &mut Vec<Candidate>) {
        let mut at = start;
        while at < end {
            let stop = self.capital_name(at, end, to);
            at = stop.max(at + 1);
        }
    }

    /// Pushes the name that starts at a token, if one does; gives one past its end.
    fn capital_name(&self, at: usize, end: usize, to: &mut Vec<Candidate>) -> usize {
        if self.cue_at(at, Class::Tag).is_some() && at > 0 && self.tokens[at - 1].is_mark("[") {
            return at + 1;
        }
        if let Some(stop) = self.organisation_end(at, end) {
            if self.is_generic(at..stop) {
                return stop;
            }
            let kind = if self.is_headed_place(at..stop) { Kind::Place } else { Kind::Organisation };
            to.push(Candidate { kind: Some(kind), ..Candidate::new(at..stop) });
            return stop;
        }
        let listed = self.tokens[at].phrase.filter(|(len, classes)| at + *len as usize <= end && classes.any(NAMED));
        if let Some((len, classes)) = listed {
            let stop = self.name_run(at + len as usize, end, at);
            let demonym = classes.has(Class::Demonym) && stop == at + len as usize;
            to.push(Candidate {
                demonym,
                kind: demonym.then_some(Kind::Place),
                ..Candidate::new(at..self.with_head(stop, end))
            });
            return to.last().map_or(stop, |candidate| candidate.tokens.end);
        }
        if self.is_language(at) {
            return at + 1;
        }
        if self.tokens[at].is(Class::Demonym) && !self.is_given_name(at) {
            to.push(Candidate { demonym: true, kind: Some(Kind::Place), ..Candidate::new(at..at + 1) });
            return at + 1;
        }
        if !self.opens_name(at, end) {
            return at + 1;
        }
        let titled = at > 0
            && (self.tokens[at - 1].classes.any(TITLES)
                || self.tokens[at - 1].is_mark(".") && at > 1 && self.tokens[at - 2].is(Class::Honorific));
        let stop = self.with_head(self.name_run(at + 1, end, at), end);
        to.push(Candidate { titled, ..Candidate::new(at..stop) });
        stop
    }

    /// A word that is no ordinary English word, or a known name that is not in a list of grammar.
    fn is_namelike(&self, token: &Token) -> bool {
        if token.kind != TokenKind::Word || token.is_possessive() || self.lexicon.number(&token.fold).is_some() {
            return false;
        }
        if token.classes.any(ORDINARY) {
            return false;
        }
        token.classes.any(NAMED) || (token.span.len() > 1 && !token.is(Class::NameSuffix))
    }

    fn opens_name(&self, at: usize, end: usize) -> bool {
        let token = &self.tokens[at];
        let next = self.tokens[..end].get(at + 1).filter(|next| next.gap < Gap::Paragraph);
        let next_named = next.is_some_and(|next| self.is_namelike(next));
        if token.is(Class::SaintPrefix) && !token.is_function() {
            return next_named;
        }
        if token.is(Class::Particle) && !token.classes.any(NAMED) {
            return next_named && token.span.len() > 1;
        }
        let titled = at > 0 && self.tokens[at - 1].classes.any(TITLES);
        let known = token.classes.any(ClassSet::from_classes(&[Class::Given, Class::Surname])) && !token.is_function();
        self.is_namelike(token) || (known && token.is_word() && (titled || next_named && token.is(Class::Given)))
    }

    /// One past the last token of a run of namelike words, particles and initials.
    fn name_run(&self, from: usize, end: usize, start: usize) -> usize {
        let end = end.min(start + NAME_TOKENS_MAX);
        let mut at = from;
        let namelike =
            |at: usize| at < end && self.tokens[at].gap < Gap::Wide.max(Gap::Paragraph) && self.is_namelike(&self.tokens[at]);
        while at < end && self.tokens[at].gap < Gap::Paragraph {
            let token = &self.tokens[at];
            if namelike(at) && !token.is(Class::Demonym) {
                at += 1;
            } else if token.is(Class::Particle)
                && !token.is_function()
                && (namelike(at + 1) || at + 1 < end && self.tokens[at + 1].is(Class::Particle) && namelike(at + 2))
            {
                at += 2;
            } else if token.is_word()
                && token.span.len() == 1
                && self.tokens.get(at + 1).is_some_and(|next| next.is_mark("."))
                && namelike(at + 2)
            {
                at += 3;
            } else if token.is(Class::NameSuffix) && token.is_word() && token.span.len() > 1
                || token.is(Class::Surname) && self.tokens[start].is(Class::Given) && at == start + 1
            {
                at += 1;
            } else {
                break;
            }
        }
        at
    }

    /// Takes in a head noun behind a name: "LA ESPERANZA FARM", "USULUTAN DEPARTMENT".
    fn with_head(&self, stop: usize, end: usize) -> usize {
        let next = self.tokens[..end].get(stop).filter(|next| next.gap < Gap::Paragraph && next.is_word());
        match next {
            Some(next) if next.is(Class::PlaceHead) && !next.is_function() => stop + 1,
            _ => stop,
        }
    }

    /// One past the end of an organisation that starts here: modifiers and names before a head noun, or a head with "OF".
    fn organisation_end(&self, at: usize, end: usize) -> Option<usize> {
        let (mut last, mut names) = (None, 0);
        let limit = end.min(at + NAME_TOKENS_MAX);
        let mut next = at;
        while next < limit && (next == at || self.tokens[next].gap < Gap::Paragraph) {
            let token = &self.tokens[next];
            let phrase = token.phrase.filter(|(len, classes)| {
                next + *len as usize <= limit && classes.any(ClassSet::from_classes(&[Class::OrgHead, Class::OrgModifier]))
            });
            let (len, head) =
                phrase.map_or((1, token.is(Class::OrgHead)), |(len, classes)| (len as usize, classes.has(Class::OrgHead)));
            let name = self.is_namelike(token) || token.is(Class::Demonym);
            let ordinal = token.kind == TokenKind::Number && token.fold.ends_with(char::is_alphabetic);
            let modifies =
                token.is(Class::OrgModifier) || phrase.is_some() || ordinal || token.is_mark("-") && token.gap == Gap::None;
            let particle = token.is(Class::Particle) && next > at && !token.is_function();
            // One ordinary noun may stand before the head: "KESTRAVIAN WATERWAYS AUTHORITY".
            let before_head = self.tokens[..limit].get(next + 1).is_some_and(|after| after.is(Class::OrgHead));
            let noun = next > at && before_head && token.is(Class::Common) && !self.is_past_verb(token);
            if !(head || name || modifies || particle || noun) || (token.is_function() && phrase.is_none()) {
                break;
            }
            if head && !(next == at && phrase.is_none()) {
                last = Some(next + len);
            }
            names += usize::from(name);
            next += len;
        }
        let stop = last.or_else(|| self.leads_organisation(at, end))?;
        let titled =
            self.tokens[at].classes.any(TITLES) && names > 0 && stop > at + 1 && self.tokens[at + 1].classes.any(NAMED);
        (!titled).then(|| self.with_complement(stop, end))
    }

    /// "LOCAL PRESS", "ARMED GROUP": a kind of organisation and none in particular, unless an acronym follows.
    fn is_generic(&self, tokens: Range<usize>) -> bool {
        let introduced = self.tokens.get(tokens.end).is_some_and(|next| next.is_mark("[") || next.is_mark("("));
        tokens.len() == 2
            && self.tokens[tokens.start].is(Class::GenericModifier)
            && self.tokens[tokens.start].phrase.is_none()
            && !introduced
    }

    /// "SAN MIGUEL DEPARTMENT": a head that places have, too, behind nothing but a name.
    fn is_headed_place(&self, tokens: Range<usize>) -> bool {
        let Some((head, name)) = self.tokens[tokens].split_last() else { return false };
        let modified = |token: &Token| token.is(Class::OrgModifier) && !token.is(Class::Compass) && !self.is_namelike(token);
        head.is(Class::PlaceHead)
            && !name.iter().any(|token| modified(token) || token.is(Class::Demonym) || token.is(Class::OrgHead))
    }

    /// "MINISTRY OF DEFENSE", "UNIVERSITY OF EL SALVADOR".
    fn leads_organisation(&self, at: usize, end: usize) -> Option<usize> {
        let lead = &self.tokens[at];
        let outlet = lead.is(Class::OutletLead) && at + 1 < end && self.tokens[at + 1].gap < Gap::Paragraph;
        if outlet && self.is_namelike(&self.tokens[at + 1]) && !self.tokens[at + 1].is(Class::Demonym) {
            return Some(self.name_run(at + 2, end, at));
        }
        let of = lead.is(Class::OrgLead) && !lead.is(Class::OrgModifier) && at + 2 < end && &*self.tokens[at + 1].fold == "of";
        let complement = self.with_complement(at + 1, end);
        (of && complement > at + 1).then_some(complement)
    }

    /// Takes in "OF" and what follows, and a closing number: "MILITARY DETACHMENT NO. 4".
    fn with_complement(&self, stop: usize, end: usize) -> usize {
        let fold = |at: usize| self.tokens[..end].get(at).filter(|token| token.gap < Gap::Paragraph).map(|token| &*token.fold);
        if fold(stop) == Some("no") {
            let number = stop + 1 + usize::from(fold(stop + 1) == Some("."));
            if self.tokens[..end].get(number).is_some_and(|token| token.kind == TokenKind::Number) {
                return number + 1;
            }
        }
        if fold(stop) != Some("of") {
            return stop;
        }
        let from = stop + 1 + usize::from(fold(stop + 1) == Some("the"));
        let Some(token) = self.tokens[..end].get(from) else { return stop };
        let named = token.phrase.filter(|(len, classes)| from + *len as usize <= end && classes.any(NAMED));
        if let Some((len, _)) = named {
            return from + len as usize;
        }
        let run = |class: &dyn Fn(&Token) -> bool| {
            from + self.tokens[from..end.min(from + 5)]
                .iter()
                .take_while(|token| token.is_word() && token.gap < Gap::Paragraph && class(token))
                .count()
        };
        let named = run(&|token| self.is_namelike(token) || token.is(Class::Demonym));
        let modified = run(&|token| token.is(Class::OrgModifier) && !token.is_function());
        let furthest = named.max(modified);
        if furthest == from { stop } else { furthest }
    }

    /// The words before a bracketed name that explain it: "THE SHINING PATH [SENDERO LUMINOSO]".
    pub(super) fn explained_before(&self, bracket: usize) -> Option<Range<usize>> {
        const WORDS_MAX: usize = 7;
        let mut start = bracket;
        while start > 0 && bracket - start < WORDS_MAX {
            let token = &self.tokens[start - 1];
            let joins = matches!(&*token.fold, "of" | "for" | "and");
            if !token.is_word()
                || token.gap == Gap::Paragraph
                || (token.is_function() && !joins)
                || token.is_possessive()
                || self.is_past_verb(token)
            {
                break;
            }
            start -= 1;
        }
        let determined = start > 0 && self.tokens[start - 1].is(Class::Determiner);
        while start < bracket && self.tokens[start].is_function() {
            start += 1;
        }
        (determined && start < bracket).then_some(start..bracket)
    }
}
