//! Links between two names of one sentence, described by the words that stand between them.

use std::ops::Range;

use super::mentions::{Kind, Mention};
use super::span::Span;
use super::tokens::{Token, TokenKind};
use super::{Class, ClassSet, Text};

/// A link between two mentions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Index of the mention that does or is.
    pub from: usize,
    /// Index of the mention that it is done to.
    pub to: usize,
    pub description: String,
    pub bidirectional: bool,
    pub negated: bool,
}

/// Two mentions with more tokens between them are not linked; neither are more than so many pairs of a sentence.
const BETWEEN_TOKENS_MAX: usize = 14;
const RELATIONS_MAX: usize = 12;
/// A description has at most so many words.
const DESCRIPTION_WORDS_MAX: usize = 10;

impl Text<'_> {
    /// The links of a sentence between neighbouring mentions, in order.
    pub fn relations(&self, sentence: Span, mentions: &[Mention]) -> Vec<Relation> {
        let first = mentions.partition_point(|mention| mention.span.start < sentence.start);
        let inside: Vec<usize> = (first..mentions.len()).take_while(|at| mentions[*at].span.end <= sentence.end).collect();
        let mut relations = Vec::new();
        for (place, from) in inside.iter().enumerate() {
            for to in inside[place + 1..].iter().take(2) {
                if relations.len() < RELATIONS_MAX {
                    relations.extend(self.relation(mentions, *from, *to));
                }
            }
        }
        relations
    }

    fn relation(&self, mentions: &[Mention], from: usize, to: usize) -> Option<Relation> {
        let (left, right) = (&mentions[from], &mentions[to]);
        if right.acronym_of == Some(from) || left.acronym_of == Some(to) || left.canonical == right.canonical {
            return None;
        }
        let range = self.token_range(Span::new(left.span.end, right.span.start));
        let between = &self.tokens[range.clone()];
        if between.len() > BETWEEN_TOKENS_MAX
            || between.iter().any(|token| matches!(&*token.fold, ";" | ":" | "\"" | "." | "?" | "!" | "[" | "]" | "("))
        {
            return None;
        }
        let negated = between.iter().any(|token| token.is(Class::Negation));
        let link = |description: String, bidirectional| Some(Relation { from, to, description, bidirectional, negated });
        if let Some((description, bidirectional)) = self.joined(left, right, &range) {
            return link(description, bidirectional);
        }
        let verb = between.iter().any(|token| self.is_verb(token));
        let words = between.iter().filter(|token| token.is_word() && !token.is_function()).count();
        let description = self.description(&range);
        let skips = (from + 1..to).any(|at| !mentions[at].demonym && mentions[at].acronym_of.is_none());
        let speech = between.iter().position(|token| token.classes.any(ClassSet::SPEECH));
        let says = speech.is_some_and(|at| between[at..].iter().any(|token| &*token.fold == "that"));
        let after = self.token_range(right.span).end;
        let speaks = self.tokens.get(after).is_some_and(|next| next.classes.any(ClassSet::SPEECH));
        let reports = says || speaks && between.iter().any(|token| token.is_mark(","));
        if description.is_empty() || words == 0 || !(verb || words <= 3) || skips || reports {
            return None;
        }
        link(description, false)
    }

    /// Coordination, place in place, possession, and a role before a name.
    fn joined(&self, left: &Mention, right: &Mention, range: &Range<usize>) -> Option<(String, bool)> {
        let words: Vec<&str> = self.tokens[range.clone()].iter().map(|token| &*token.fold).collect();
        match (left.kind, right.kind, words.as_slice()) {
            (Kind::Place, Kind::Place, [","]) if !left.demonym && !right.demonym && self.may_hold(left, right) => {
                Some(("is in".into(), false))
            }
            (_, Kind::Place, ["in" | "of" | "at" | "from" | "near"]) if left.kind != Kind::Place && !right.demonym => {
                Some((words[0].into(), false))
            }
            (Kind::Person, Kind::Person, ["and" | "&"]) | (Kind::Organisation, Kind::Organisation, ["and" | "&"]) => {
                Some(("is named together with".into(), true))
            }
            (Kind::Organisation, Kind::Person, []) | (Kind::Place, Kind::Person, []) => {
                Some(("is associated with".into(), true))
            }
            (_, _, ["'s", rest @ ..]) if !rest.is_empty() && rest.len() <= 4 => {
                Some((format!("has {}", rest.join(" ")), false))
            }
            _ => None,
        }
    }

    /// Whether the second of two places with a comma between them holds the first, and they are no list.
    fn may_hold(&self, left: &Mention, right: &Mention) -> bool {
        if self.lexicon.country_of(&left.canonical).is_some() {
            return false;
        }
        let range = self.token_range(left.span.to(right.span));
        let headed = self.tokens[range.end - 1].is(Class::PlaceHead);
        let listed = |token: Option<&Token>| token.is_some_and(|token| token.is_mark(",") || &*token.fold == "and");
        let list = listed(range.start.checked_sub(1).map(|before| &self.tokens[before]))
            || (listed(self.tokens.get(range.end)) && listed(self.tokens.get(range.end + 2)));
        headed || !list || self.lexicon.country_of(&right.canonical).is_some()
    }

    fn is_verb(&self, token: &Token) -> bool {
        token.is_word()
            && (self.is_past_verb(token)
                || token.is(Class::Auxiliary)
                || token.is(Class::Violence)
                || token.fold.ends_with("ing") && self.lexicon.lemma(&token.fold) != *token.fold)
    }

    /// The words between, without marks and conjunctions at the ends; lower case in text wholly in capitals.
    fn description(&self, range: &Range<usize>) -> String {
        let Range { mut start, mut end } = range.clone();
        let edge = |token: &Token| {
            token.kind == TokenKind::Mark
                || token.is(Class::Conjunction)
                || token.is(Class::Determiner)
                || token.is(Class::Interrogative)
                || token.is_possessive()
        };
        while start < end && edge(&self.tokens[start]) {
            start += 1;
        }
        while end > start && edge(&self.tokens[end - 1]) {
            end -= 1;
        }
        start = start.max(end.saturating_sub(DESCRIPTION_WORDS_MAX));
        let described = super::one_line(self.span_of(start..end).slice(self.source));
        let shout = self.tokens.get(start).is_some_and(|token| self.in_capitals(token));
        if shout { described.to_lowercase() } else { described }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Lexicon;
    use super::*;

    fn check(text: &str, expect: &[(&str, &str, &str)]) {
        let reading = Text::new(Lexicon::english(), text);
        let mentions = reading.mentions();
        let relations = reading.relations(Span::whole(text), &mentions);
        let found: Vec<_> = relations
            .iter()
            .map(|link| {
                (mentions[link.from].canonical.as_str(), link.description.as_str(), mentions[link.to].canonical.as_str())
            })
            .collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn words_between_names_describe_the_link() {
        check("Ross Alger served as mayor of Calgary.", &[("Ross Alger", "served as mayor of", "Calgary")]);
        check("THE ELN ATTACKED THE NATIONAL POLICE.", &[("ELN", "attacked", "National Police")]);
    }

    #[test]
    fn places_lie_in_places() {
        check("He was born in Calgary, Canada.", &[("Calgary", "is in", "Canada")]);
    }
}
