//! Links between two names of one sentence, described by the words that stand between them.

use std::ops::Range;

use super::mentions::{Kind, Mention};
use super::span::Span;
use super::tokens::{Token, TokenKind};
use super::{Class, ClassSet, Text};

/// A link between two mentions that a sentence states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Index of the mention that does or is.
    pub from: usize,
    /// Index of the mention that it is done to.
    pub to: usize,
    pub description: String,
    pub bidirectional: bool,
}

/// Two mentions with more tokens between them are not linked; neither are more than so many pairs of a sentence.
const BETWEEN_TOKENS_MAX: usize = 14;
const RELATIONS_MAX: usize = 12;
/// A description has at most so many words.
const DESCRIPTION_WORDS_MAX: usize = 10;
/// Titles before a name and adverbs behind one are passed over up to so many tokens.
const NEAR: usize = 8;
/// A description without a verb has at most so many words of content.
const NOMINAL_WORDS_MAX: usize = 3;

impl Text<'_> {
    /// The links of a sentence between neighbouring mentions, in order.
    pub fn relations(&self, sentence: Span, mentions: &[Mention]) -> Vec<Relation> {
        let first = mentions.partition_point(|mention| mention.span.start < sentence.start);
        let inside: Vec<usize> = (first..mentions.len()).take_while(|at| mentions[*at].span.end <= sentence.end).collect();
        let tokens = self.token_range(sentence);
        let foreign = self.tokens.get(tokens.start).is_none_or(|token| self.is_foreign(token));
        let Some(standing) = self.standing(&tokens).filter(|_| !foreign) else { return vec![] };
        let mut relations = Vec::new();
        for (place, from) in inside.iter().enumerate() {
            for to in inside[place + 1..].iter().take(2) {
                if relations.len() < RELATIONS_MAX {
                    let found = self.relation(&tokens, mentions, (*from, *to));
                    let stated = |(_, link, verbal): &(Relation, Range<usize>, bool)| {
                        self.states_link(&tokens, &standing, link, *verbal)
                    };
                    relations.extend(found.filter(stated).map(|(relation, ..)| relation));
                }
            }
        }
        relations
    }

    /// A link with its tokens, from the first name to the second, and whether a verb makes it.
    fn relation(
        &self,
        sentence: &Range<usize>,
        mentions: &[Mention],
        (from, to): (usize, usize),
    ) -> Option<(Relation, Range<usize>, bool)> {
        let (left, right) = (&mentions[from], &mentions[to]);
        if right.acronym_of == Some(from) || left.acronym_of == Some(to) || left.canonical == right.canonical {
            return None;
        }
        let (first, second) = (self.token_range(left.span), self.token_range(right.span));
        let between = first.end..second.start;
        let breaks = |at: usize| {
            matches!(
                &*self.tokens[at].fold,
                ";" | ":" | "\"" | "\u{201c}" | "\u{201d}" | "." | "?" | "!" | "[" | "]" | "(" | ")"
            ) && !self.is_inner_stop(at)
        };
        if between.len() > BETWEEN_TOKENS_MAX || between.clone().any(breaks) {
            return None;
        }
        let joined = self.joined(left, right, &between).map(|(description, bidirectional)| (description, bidirectional, false));
        let (description, bidirectional, verbal) = joined.or_else(|| {
            let skips = (from + 1..to).any(|at| !mentions[at].demonym && mentions[at].acronym_of.is_none());
            let described = (!skips).then(|| self.described(sentence, (left, right), &first, &between)).flatten();
            described.map(|(description, verbal)| (description, false, verbal))
        })?;
        let part = !bidirectional && self.is_part(second.end..sentence.end, right.demonym);
        (!part).then_some((Relation { from, to, description, bidirectional }, first.start..second.end, verbal))
    }

    /// The words between two names, where they tie the first to the second without a break, and whether they hold a verb.
    fn described(
        &self,
        sentence: &Range<usize>,
        (left, right): (&Mention, &Mention),
        first: &Range<usize>,
        between: &Range<usize>,
    ) -> Option<(String, bool)> {
        let second = self.token_range(right.span).end;
        let behind = self.without_apposition(between);
        let (comma, relative) = (behind.start > between.start, self.starts_relative(behind.start));
        let open = behind.start + usize::from(relative);
        let open = open + usize::from(!comma && self.heads_name(open, left));
        let start = (open..behind.end).find(|at| !self.tokens[*at].is(Class::Determiner))?;
        let trailing =
            |at: usize| self.tokens[at].is(Class::Determiner) || self.is_inner_stop(at) || self.is_inner_stop(at + 1);
        let end = (start..behind.end).rev().find(|at| !trailing(*at)).map_or(start, |at| at + 1);
        let (words, lead) = (&self.tokens[start..end], self.tokens.get(start)?);
        let (verb, last) = (words.iter().find(|token| !token.is(Class::Adverb))?, words.last()?);
        let content = words.iter().filter(|token| token.is_word() && !token.is_function()).count();
        let breaks = (open..behind.end).any(|at| self.breaks_clause(at)) || last.is(Class::Conjunction);
        if content == 0 || breaks || !lead.is_word() || lead.is_possessive() || words.len() > DESCRIPTION_WORDS_MAX {
            return None;
        }
        // The verb follows its subject: "the Kestravian police closed" is no deed of Kestravia.
        let verbal = words.iter().any(|token| self.is_verb(token)) || relative || self.is_present(verb);
        // "brother-in-law of President", "president of"
        let role = |token: &&Token| token.is(Class::Title) || token.is(Class::Demonym) || token.is(Class::Honorific);
        let ties = words.iter().rev().find(|token| !role(token)).is_some_and(ends_tie);
        let fits = if verbal {
            // "said at", "said 40 men": where somebody spoke, and what of, is no link.
            let main = words.iter().find(|token| !token.is(Class::Adverb) && !token.is(Class::Auxiliary));
            let says = main.is_some_and(|main| self.lexicon.lemma(&main.fold) == "say") && !matches!(&*last.fold, "of" | "to");
            let spoken = says || content == 1 && verb.classes.any(ClassSet::SPEECH) && last.is(Class::PlacePreposition);
            let leads = (self.is_verb(verb) || self.is_present(verb)) && !self.starts_clause(second, sentence.end);
            leads && !spoken && !self.has_participle(start..end) && (relative || self.is_subject(sentence.start, first, left))
        } else if lead.is(Class::Preposition) {
            // "in the northern part of"
            left.kind == Kind::Place && right.kind == Kind::Place && lead.is(Class::PlacePreposition) && ties
        } else if comma || right.kind != Kind::Person {
            // "…, president of", "a refugee centre in"
            content <= NOMINAL_WORDS_MAX && !lead.is_function() && ties && (comma || !left.demonym)
        } else {
            // "Orrin Bank spokesman"
            content <= NOMINAL_WORDS_MAX && (ties && !left.demonym || !words.iter().any(Token::is_function))
        };
        fits.then(|| (self.written(&(start..end)), verbal))
    }

    /// "the Red Tide group set": a noun that belongs to the name before it, and its verb.
    fn heads_name(&self, at: usize, name: &Mention) -> bool {
        const HEADS: ClassSet = ClassSet::from_classes(&[Class::OrgHead, Class::Actor]);
        let body = matches!(name.kind, Kind::Organisation | Kind::Other) && !name.demonym;
        let verb = self.tokens.get(at + 1).is_some_and(|next| next.is(Class::Adverb) || self.is_verb(next));
        body && verb && self.tokens[at].classes.any(HEADS)
    }

    fn starts_relative(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| matches!(&*token.fold, "who" | "which"))
    }

    /// A verb of the present behind a name: "owns", "employs".
    pub(super) fn is_present(&self, token: &Token) -> bool {
        const NOUNS: ClassSet =
            ClassSet::from_classes(&[Class::OrgHead, Class::Title, Class::Actor, Class::AnonymousSource, Class::Unit]);
        let noun = token.classes.any(NOUNS);
        token.fold.ends_with('s') && !token.is_function() && !noun && self.lexicon.lemma(&token.fold) != *token.fold
    }

    /// "a list of cars sent to": a second verb that belongs to a noun behind the first.
    fn has_participle(&self, words: Range<usize>) -> bool {
        let joins = |token: &Token| {
            token.is(Class::Auxiliary) || token.is(Class::Adverb) || matches!(&*token.fold, "to" | "and" | "or" | "by")
        };
        let verbal = |at: &usize| {
            let token = &self.tokens[*at];
            let noun = self.tokens[*at - 1].is(Class::Determiner);
            token.is(Class::Auxiliary) || !noun && (self.is_past_verb(token) || token.fold.ends_with("ing"))
        };
        let verbs: Vec<usize> = words.filter(verbal).collect();
        verbs.windows(2).any(|pair| pair[1] > pair[0] + 1 && !joins(&self.tokens[pair[1] - 1]))
    }

    /// The words behind ", 45, " or ", the mayor, ": what stands between two commas behind a name describes it.
    fn without_apposition(&self, between: &Range<usize>) -> Range<usize> {
        let comma = |at: &usize| self.tokens[*at].is_mark(",");
        if !between.clone().next().as_ref().is_some_and(comma) {
            return between.clone();
        }
        let start = between.start + 1;
        let close = (start..between.end).find(comma).filter(|_| !self.starts_relative(start));
        close.map_or(start, |close| close + 1)..between.end
    }

    /// Whether a name is the subject of the verb behind it, or "fighters of" it are: it stands behind no other preposition.
    fn is_subject(&self, start: usize, name: &Range<usize>, mention: &Mention) -> bool {
        const SKIPPED: ClassSet = ClassSet::from_classes(&[Class::Determiner, Class::Title, Class::Honorific, Class::Demonym]);
        let skipped = |at: &usize| self.tokens[*at].classes.any(SKIPPED) || self.is_inner_stop(*at);
        let Some(before) = (start..name.start).rev().take(NEAR).find(|at| !skipped(at)) else { return true };
        let members = || {
            before > start && (self.tokens[before - 1].is(Class::Actor) || self.tokens[before - 1].fold.starts_with("member"))
        };
        match &*self.tokens[before].fold {
            "of" => mention.kind == Kind::Organisation && members(),
            _ => !self.tokens[before].is(Class::Preposition) && !mention.demonym,
        }
    }

    /// Whether the name before a token only qualifies what follows: "Ebrin's mayor", "Kestravian police", "the Ebrin pipeline".
    fn is_part(&self, behind: Range<usize>, demonym: bool) -> bool {
        const NOUNS: ClassSet = ClassSet::from_classes(&[
            Class::Common,
            Class::OrgHead,
            Class::Title,
            Class::Actor,
            Class::PlaceHead,
            Class::OtherHead,
        ]);
        self.tokens.get(behind).and_then(|tokens| tokens.first()).is_some_and(|token| {
            let when = token.fold.ends_with("ly") || matches!(&*token.fold, "last" | "next" | "late" | "early");
            let noun = token.is_word() && !token.is_function() && !self.is_verb(token) && !when;
            let plural = matches!(&*token.fold, "'" | "\u{2019}") && token.gap == super::Gap::None;
            plural || token.is_possessive() || noun && (demonym || token.classes.any(NOUNS))
        })
    }

    /// Whether the name before a token is the subject of a clause of its own: "said Ebrin was closed".
    fn starts_clause(&self, next: usize, end: usize) -> bool {
        let verb =
            |token: &Token| token.is(Class::Auxiliary) || self.is_past_verb(token) || token.classes.any(ClassSet::SPEECH);
        (next..end).take(NEAR).find(|at| !self.tokens[*at].is(Class::Adverb)).is_some_and(|at| verb(&self.tokens[at]))
    }

    /// A word or mark that begins another clause; "and" does where no verb of the same subject follows.
    fn breaks_clause(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let joins =
            matches!(&*token.fold, "and" | "or") && self.tokens.get(at + 1).is_some_and(|next| !next.is(Class::Determiner));
        token.is_mark(",")
            || token.is_dash() && token.gap != super::Gap::None
            || matches!(&*token.fold, "that" | "who" | "which" | "whose" | "than")
            || token.is(Class::Conjunction) && !joins
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
            (_, _, ["'s", rest @ ..]) if (1..=4).contains(&rest.len()) && self.is_possession(range) => {
                Some((format!("has {}", rest.join(" ")), false))
            }
            _ => None,
        }
    }

    /// "'s mayor", "'s visit to": a noun and at most a preposition behind it.
    fn is_possession(&self, range: &Range<usize>) -> bool {
        let [_, words @ ..] = &self.tokens[range.clone()] else { return false };
        let breaks = |token: &Token| {
            self.is_verb(token)
                || token.kind != TokenKind::Word
                || token.is(Class::Interrogative)
                || token.is(Class::Conjunction)
        };
        let ends = words.last().is_some_and(|last| !last.is_function() || ends_tie(last) || &*last.fold == "to");
        ends && words.first().is_some_and(|first| !first.is_function()) && !words.iter().any(breaks)
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
            || (listed(self.tokens.get(range.end)) && (1..=2).any(|next| listed(self.tokens.get(range.end + next))));
        headed || !list || self.lexicon.country_of(&right.canonical).is_some()
    }

    fn is_verb(&self, token: &Token) -> bool {
        token.is_word()
            && (self.is_past_verb(token)
                || token.is(Class::Auxiliary)
                || token.is(Class::Violence)
                || token.fold.ends_with("ing") && self.lexicon.lemma(&token.fold) != *token.fold)
    }

    /// Tokens as they are written, on one line; lower case in text wholly in capitals.
    fn written(&self, range: &Range<usize>) -> String {
        let words = super::one_line(self.span_of(range.clone()).slice(self.source));
        let shout = self.tokens.get(range.start).is_some_and(|token| self.in_capitals(token));
        if shout { words.to_lowercase() } else { words }
    }
}

/// A preposition that ties a noun to the name behind it: "president of", "a centre in".
fn ends_tie(last: &Token) -> bool {
    matches!(&*last.fold, "of" | "for" | "at" | "in" | "from" | "near")
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
        check("BOGOTA, CALI, AND MEDELLIN SUFFERED.", &[]);
    }

    #[test]
    fn a_verb_links_its_own_subject_with_its_own_object() {
        check("Ann Vale, 45, was arrested in Calgary.", &[("Ann Vale", "was arrested in", "Calgary")]);
        check("Ann Vale, who lives in Calgary, sang.", &[("Ann Vale", "lives in", "Calgary")]);
        check("Ann Vale met Sen. Bo Sund.", &[("Ann Vale", "met", "Bo Sund")]);
        check("In Calgary police arrested Bo Sund.", &[]);
        check("Ann Vale's brother attacked Bo Sund.", &[]);
        check("Ann Vale said Bo Sund had fled to Calgary.", &[("Bo Sund", "had fled to", "Calgary")]);
        check("Ann Vale arrived and the police arrested Bo Sund.", &[]);
        check("Ann Vale visited the Calgary police.", &[]);
        check("Ann Vale said in Calgary that it rained.", &[]);
        check("Ann Vale said on Tuesday in Calgary that it rained.", &[]);
        check(
            "Police said that the Red Tide group was behind the fire at the store in Calgary.",
            &[("Red Tide", "was behind the fire at the store in", "Calgary")],
        );
    }

    #[test]
    fn a_description_is_complete_or_absent() {
        check("Ann Vale went to the old harbour with three friends from her first school near Calgary.", &[]);
        check("Ann Vale met the mayor and Bo Sund.", &[]);
        check("Ann Vale told reporters on Sunday that the Tollen Brigade left.", &[]);
        check("Ann Vale is on a list of lawyers sent to Calgary.", &[]);
        check("They met Ann Vale, lawyer Bo Sund and others.", &[]);
        check("They met Ann Vale along with lawyer Bo Sund.", &[]);
    }

    #[test]
    fn nouns_tie_names_by_role_and_place() {
        check("Ann Vale, president of Orrin Bank, sang.", &[("Ann Vale", "president of", "Orrin Bank")]);
        check("Orrin Bank spokesman Bo Sund sang.", &[("Orrin Bank", "spokesman", "Bo Sund")]);
        check("Orrin Bank owns Halvek Motors.", &[("Orrin Bank", "owns", "Halvek Motors")]);
        check("Ann Vale's visit to Calgary ended.", &[("Ann Vale", "has visit to", "Calgary")]);
        check("She left Orrin Bank before lawyer Bo Sund.", &[]);
    }
}
