//! Candidates where capitals mark names: runs of capitalised words with the small words that may join them.

use std::ops::Range;

use super::Candidate;
use crate::text::tokens::{Gap, Token, TokenKind};
use crate::text::{Case, Class, ClassSet, Text};

const ORG_HEADS: ClassSet = ClassSet::from_classes(&[Class::OrgHead, Class::OrgHeadWeak, Class::OrgSuffix]);
const HEADS: ClassSet =
    ClassSet::from_classes(&[Class::OrgHead, Class::OrgHeadWeak, Class::OrgSuffix, Class::PlaceHead, Class::OtherHead]);
/// Words after which "of" and a name go on with the same name: "University of …", "Battle of …".
const TAKES_OF: ClassSet =
    ClassSet::from_classes(&[Class::OrgHead, Class::OrgLead, Class::PlaceHead, Class::PlaceLead, Class::OtherHead]);
const TITLES: ClassSet = ClassSet::from_classes(&[Class::Title, Class::Honorific]);
const PEOPLE: ClassSet = ClassSet::from_classes(&[Class::Given, Class::Surname]);

const LISTED: ClassSet = ClassSet::from_classes(&[Class::Place, Class::Demonym, Class::OrgAcronym]);

/// The longest name, in tokens.
const NAME_TOKENS_MAX: usize = 24;

impl Text<'_> {
    pub(super) fn mixed_candidates(&self, start: usize, end: usize, to: &mut Vec<Candidate>) {
        let mut at = start;
        while at < end {
            if let Some(stop) = self.heading_end(at, end) {
                self.capital_candidates(at, stop, to);
                at = stop;
                continue;
            }
            if !self.is_name_token(at) || self.is_number_word(at) {
                at += 1;
                continue;
            }
            let stop = self.run_end(at, end);
            self.split_run(at..stop, start, to);
            at = stop;
        }
    }

    /// One past a line wholly in capitals that starts at a token, if the paragraph goes on in mixed case: a heading, not part of the
    /// name below it.
    fn heading_end(&self, at: usize, end: usize) -> Option<usize> {
        let starts_line = at == 0 || self.tokens[at].gap >= Gap::Line;
        if !starts_line || self.tokens[at].case != Case::Upper {
            return None;
        }
        let stop = (at + 1..end).find(|next| self.tokens[*next].gap >= Gap::Line)?;
        let is_in_capitals = |token: &Token| !token.is_word() || token.case == Case::Upper;
        (self.tokens[at..stop].iter().all(is_in_capitals) && !is_in_capitals(&self.tokens[stop])).then_some(stop)
    }

    fn is_number_word(&self, at: usize) -> bool {
        self.lexicon.number(&self.tokens[at].fold).is_some() && self.starts_sentence(at)
    }

    /// One past the last token of the name that starts at a token.
    fn run_end(&self, start: usize, end: usize) -> usize {
        let mut at = start + 1;
        let end = end.min(start + NAME_TOKENS_MAX);
        while at < end {
            let next = &self.tokens[at];
            let step = if next.gap == Gap::Paragraph || self.heading_end(at, end).is_some() {
                0
            } else if self.is_name_token(at) && !self.tokens[at - 1].is_mark(",") {
                1
            } else {
                self.joint(start, at, end)
            };
            if step == 0 {
                break;
            }
            at += step;
        }
        while at > start + 1
            && !self.tokens[at - 1].is_word()
            && self.tokens[at - 1].kind != TokenKind::Number
            && !self.is_initial_stop(at - 1)
        {
            at -= 1;
        }
        at
    }

    /// Number of tokens at `at` that join the name before it to the name after them; 0 where the name ends.
    fn joint(&self, start: usize, at: usize, end: usize) -> usize {
        let (token, before) = (&self.tokens[at], &self.tokens[at - 1]);
        let name_at = |at: usize| at < end && self.is_name_token(at) && self.tokens[at].gap <= Gap::Line;
        match &*token.fold {
            "." => {
                let abbreviates = before.is_word()
                    && (before.span.len() == 1 || before.is(Class::Honorific) || before.is(Class::SaintPrefix));
                let suffix = before.is(Class::NameSuffix) && self.lexicon.abbreviation(&before.fold).is_some();
                usize::from(token.gap == Gap::None && (abbreviates && name_at(at + 1) || suffix && at > start + 1))
            }
            "&" if name_at(at + 1) => 2,
            "," => {
                let suffix = self.tokens.get(at + 1).filter(|next| next.is(Class::NameSuffix) || next.is(Class::OrgSuffix));
                if suffix.is_some_and(|suffix| suffix.is_capital()) && at + 1 < end { 2 } else { 0 }
            }
            "for" if self.tokens[start..at].iter().any(|token| matches!(&*token.fold, "of" | "for")) => 0,
            "for" if !(before.classes.any(ORG_HEADS) || before.is(Class::OrgLead) || self.tokens[start].is(Class::OrgLead)) => {
                0
            }
            // "Secretary of State Ann Vale"
            "of" if self.is_in_title(at) => usize::from(at + 1 < end) * 2,
            "of" | "for" => {
                let takes = before.classes.any(TAKES_OF) && !before.is(Class::Title)
                    || self.tokens[start].classes.any(TAKES_OF) && !self.tokens[start].is(Class::Title);
                let the = usize::from(self.tokens.get(at + 1).is_some_and(|next| &*next.fold == "the"));
                let year = self.tokens.get(at + 1 + the).is_some_and(|next| next.kind == TokenKind::Number);
                if takes && name_at(at + 1 + the) && !year { 2 + the } else { 0 }
            }
            "and" => {
                let listed = self.tokens[start]
                    .phrase
                    .is_some_and(|(len, classes)| start + len as usize > at && classes.has(Class::Place));
                let leads = self.tokens[start].is(Class::OrgLead)
                    && self.tokens[start + 1..at].iter().any(|token| matches!(&*token.fold, "of" | "for"));
                let modifies = name_at(at + 1)
                    && self.tokens[at + 1].classes.any(ClassSet::from_classes(&[Class::OrgModifier, Class::Common]))
                    && !self.tokens[at + 1].is(Class::OrgLead);
                let headed = before.is(Class::OrgModifier) && self.heads_after(at + 1, end);
                let of = self.tokens[start..at].iter().any(|token| &*token.fold == "of");
                let paired = of && before.is(Class::Place) && name_at(at + 1) && self.tokens[at + 1].is(Class::Place);
                if (listed || leads && modifies || headed || paired) && name_at(at + 1) { 2 } else { 0 }
            }
            "\"" | "\u{201c}" => self.nickname(start, at, end),
            _ if token.is(Class::Particle) && !token.is_capital() && token.kind == TokenKind::Word => {
                let more =
                    usize::from(self.tokens.get(at + 1).is_some_and(|next| next.is(Class::Particle) && !next.is_capital()));
                if name_at(at + 1 + more) && !token.is_function() { 2 + more } else { 0 }
            }
            _ if token.kind == TokenKind::Number => {
                let joins = self.tokens[start..at].iter().any(|token| token.classes.any(HEADS))
                    && token.fold.len() <= 3
                    && token.gap == Gap::Space;
                usize::from(
                    joins && at + 1 < end && !self.tokens[at + 1].is(Class::Unit) && !self.tokens[at + 1].is(Class::Month),
                )
            }
            _ => 0,
        }
    }

    /// Whether a listed title goes on from the token before to the one behind.
    fn is_in_title(&self, at: usize) -> bool {
        let phrase = self.tokens[at - 1].phrase;
        phrase.is_some_and(|(len, classes)| len > 2 && classes.any(TITLES))
            && self.tokens.get(at + 1).is_some_and(Token::is_capital)
    }

    /// "Ministry of Trade and Industry": another modifier and then a head.
    fn heads_after(&self, from: usize, end: usize) -> bool {
        let tokens = &self.tokens[from.min(end)..end.min(from + 4)];
        let capital = tokens.iter().take_while(|token| token.is_capital()).count();
        capital > 1 && tokens[0].is(Class::OrgModifier) && tokens[capital - 1].classes.any(ORG_HEADS)
    }

    /// `Wilfried "Willi" Schneider`: a nickname between given name and family name.
    fn nickname(&self, start: usize, at: usize, end: usize) -> usize {
        let close = (at + 1..end.min(at + 4)).find(|close| matches!(&*self.tokens[*close].fold, "\"" | "\u{201d}"));
        let Some(close) = close.filter(|close| close + 1 < end && self.is_name_token(close + 1)) else { return 0 };
        let given = self.tokens[start].is(Class::Given);
        let named = (at + 1..close).all(|inside| self.is_name_token(inside));
        if given && named && close > at + 1 { close + 2 - at } else { 0 }
    }

    fn is_initial_stop(&self, at: usize) -> bool {
        let before = &self.tokens[at - 1];
        self.tokens[at].is_mark(".") && self.tokens[at].gap == Gap::None && before.is(Class::NameSuffix)
    }

    /// Takes titles, demonyms and the first word of the sentence off a run, and pushes what is left.
    fn split_run(&self, run: Range<usize>, paragraph: usize, to: &mut Vec<Candidate>) {
        let Range { mut start, end } = run;
        let mut titled = start > paragraph && self.tokens[start - 1].classes.any(TITLES);
        while start < end {
            let token = &self.tokens[start];
            let last = &self.tokens[end - 1];
            let headed = end - start > 1 && last.classes.any(HEADS)
                || self.tokens[start + 1..end].iter().any(|token| matches!(&*token.fold, "of" | "&" | "for"));
            let phrase = token.phrase.filter(|(len, _)| start + *len as usize <= end);
            if let Some((len, classes)) = phrase {
                let whole = start + len as usize == end;
                if classes.any(TITLES) && !whole {
                    (start, titled) = (start + len as usize, true);
                    continue;
                }
                if classes.has(Class::Demonym) && !headed {
                    self.push_demonym(start..start + len as usize, to);
                    start += len as usize;
                    continue;
                }
                if classes.has(Class::Place)
                    && !whole
                    && !headed
                    && self.tokens[start + len as usize].classes.any(TITLES.with(ClassSet::from_classes(&[Class::Given])))
                {
                    to.push(Candidate::new(start..start + len as usize));
                    start += len as usize;
                    continue;
                }
            }
            let listed = phrase.is_some_and(|(_, classes)| classes.any(LISTED));
            let office = self.tokens[..end].get(start + 1).is_some_and(|next| {
                next.phrase.is_some_and(|(len, classes)| start + 1 + (len as usize) < end && classes.any(TITLES))
            });
            if office && token.is(Class::Place) && !token.classes.any(PEOPLE) {
                to.push(Candidate::new(start..start + 1));
                start += 1;
            } else if token.is_mark(".") || !listed && end - start > 1 && self.is_foreign_article(start) {
                start += 1;
            } else if let Some(after) = self.after_office(start, end).filter(|_| !headed) {
                (start, titled) = (after, true);
            } else if token.classes.any(TITLES)
                && !headed
                && !(token.classes.any(PEOPLE) && end - start > 1 && !token.is(Class::Honorific))
            {
                (start, titled) = (start + 1, true);
            } else if token.is(Class::Demonym) && !headed && phrase.is_none() && !self.is_given_name(start) {
                if !self.is_language(start) {
                    self.push_demonym(start..start + 1, to);
                }
                start += 1;
            } else if self.starts_sentence(start) && self.is_ordinary_opening(start, end, headed) {
                if end - start == 1 {
                    to.push(Candidate { doubtful: true, ..Candidate::new(start..end) });
                }
                start += 1;
            } else {
                break;
            }
        }
        if end - start == 1 && self.is_unlisted_demonym(start) {
            self.push_demonym(start..end, to);
        } else if start < end && self.is_known_if_foreign(start..end, titled) && !self.is_no_name(start..end) {
            to.push(Candidate { titled, ..Candidate::new(start..end) });
        }
    }

    /// "Die App", "Meanwhile Ebrin": a word of grammar, of any language, that has its capital from the start of the sentence.
    fn is_foreign_article(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let named = token.classes.any(LISTED.with(PEOPLE)) || token.is(Class::SaintPrefix);
        token.is(Class::Connective) && (self.is_foreign(token) || !named && self.starts_sentence(at))
    }

    /// "Black Friday", "8.69 GW", "X": an ordinary word with a day of the week, a unit, a letter.
    fn is_no_name(&self, name: Range<usize>) -> bool {
        let token = &self.tokens[name.start];
        let weekday = self.tokens.get(name.end).is_some_and(|next| next.is(Class::Weekday) && next.is_capital());
        let unit = token.is(Class::Unit) && token.case == Case::Upper && !token.classes.any(LISTED);
        let letter = token.case == Case::Upper && token.fold.chars().count() == 1;
        name.len() == 1 && (weekday && token.is(Class::Common) || unit || letter)
    }

    /// Whether a list knows a word of the name, where the paragraph is not English: other languages write nouns with capitals too.
    fn is_known_if_foreign(&self, name: Range<usize>, titled: bool) -> bool {
        let known = |token: &Token| {
            let classes = token.classes.with(token.phrase.map_or(ClassSet::EMPTY, |(_, classes)| classes));
            let acronym = token.case == Case::Upper && token.span.len() > 2;
            let headed = name.len() > 1 && classes.has(Class::OrgSuffix);
            acronym || headed || classes.any(LISTED.with(PEOPLE)) && !token.is(Class::Connective)
        };
        !self.is_foreign(&self.tokens[name.start]) || titled || self.tokens[name.clone()].iter().any(known)
    }

    /// One past the title of an office with a field of its own: "Transport Minister Pia Lodrecht".
    fn after_office(&self, start: usize, end: usize) -> Option<usize> {
        const OFFICE_TOKENS_MAX: usize = 4;
        let field = ClassSet::from_classes(&[Class::OrgModifier, Class::Common, Class::Title]);
        let words = self.tokens[start..end.min(start + OFFICE_TOKENS_MAX)].iter();
        let office = words.take_while(|token| token.classes.any(field) && !token.classes.any(PEOPLE)).count();
        let title = (start + 1..start + office).rev().find(|at| self.tokens[*at].is(Class::Title))?;
        (title + 1 < end).then_some(title + 1)
    }

    /// "the Kestravian police": ends like an adjective of a place, and an ordinary word follows.
    fn is_unlisted_demonym(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let next = self.tokens.get(at + 1).filter(|next| next.is_word() && !next.is_capital());
        let noun =
            next.is_some_and(|next| next.classes.any(ClassSet::INFLECTED) && !next.is_function() && !self.is_past_verb(next));
        noun && token.classes.is_empty() && self.lexicon.ends_like_demonym(&token.fold)
    }

    fn push_demonym(&self, tokens: Range<usize>, to: &mut Vec<Candidate>) {
        to.push(Candidate { demonym: true, kind: Some(super::Kind::Place), ..Candidate::new(tokens) });
    }

    /// A capitalised first word that would not be written so elsewhere.
    fn is_ordinary_opening(&self, start: usize, end: usize, headed: bool) -> bool {
        let token = &self.tokens[start];
        let ordinary = token.classes.any(ClassSet::INFLECTED)
            || token.is(Class::Connective)
            || token.is(Class::OrgModifier)
            || token.is(Class::OtherHead)
            || token.is(Class::OrgHead);
        let named = token.classes.any(PEOPLE.with(LISTED));
        let place = token.phrase.is_some_and(|(len, classes)| start + len as usize <= end && classes.has(Class::Place));
        if !ordinary || named || place {
            return false;
        }
        if token.case == Case::Upper {
            return self.is_slug(start, end);
        }
        match self.tokens[start + 1..end].first() {
            None => true,
            // "Questioning Vindman took hours": a verb and its object.
            Some(next) if token.fold.ends_with("ing") && token.is(Class::Common) && !next.classes.any(ClassSet::INFLECTED) => {
                !headed
            }
            Some(next) => {
                !headed && next.classes.any(PEOPLE.with(TITLES).with(ClassSet::from_classes(&[Class::Demonym, Class::Place])))
            }
        }
    }

    /// "UPDATE Ann Vale left": an ordinary word in capitals before the name of a person.
    fn is_slug(&self, at: usize, end: usize) -> bool {
        const SLUG_LETTERS_MIN: usize = 4;
        let next = self.tokens[..end].get(at + 1);
        self.tokens[at].fold.chars().count() >= SLUG_LETTERS_MIN
            && next.is_some_and(|next| next.case == Case::Capitalised && next.classes.any(PEOPLE.with(TITLES)))
    }

    /// Whether a token is the first word of a sentence or quotation.
    pub(in super::super) fn starts_sentence(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|before| &self.tokens[before]) else { return true };
        if self.tokens[at].gap == Gap::Paragraph {
            return true;
        }
        before.kind == TokenKind::Mark
            && (matches!(&*before.fold, "!" | "?" | ":" | "\"" | "\u{201c}" | "*")
                || before.fold.starts_with('.') && !(at >= 2 && self.lexicon.abbreviation(&self.tokens[at - 2].fold).is_some()))
    }
}
