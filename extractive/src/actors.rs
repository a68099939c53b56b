//! Who is said to have done a deed: actors tied to it by a verb of doing, claiming, accusing, arresting or denying.
//!
//! Invariant: an actor is named only where one sentence ties the name to the deed, in the active or the passive voice.

use crate::{
    question::Question,
    text::{Class, Kind, Lexicon, Mention, Span, Text, Token},
    words::QuestionWords,
};

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
    /// As the sentence names it.
    pub name: String,
    pub kind: Kind,
    pub tie: Tie,
    /// A proper name, and no description like "leftist guerrillas".
    pub is_named: bool,
}

/// How many tokens lie at most between an actor and the verb, and between "by" and the actor.
const SUBJECT_TOKENS: usize = 9;
const AGENT_TOKENS: usize = 9;
/// How many tokens lie at most between a verb and its "by".
const PASSIVE_TOKENS: usize = 16;

/// The actors of a sentence, in order of appearance.
pub fn actors(quote: &str, question: &Question, lexicon: &Lexicon, words: &QuestionWords) -> Vec<Actor> {
    let text = Text::new(lexicon, quote);
    let mut mentions = text.mentions();
    let named = mentions.len();
    mentions.extend(bodies(&text, &mentions));
    let mut order: Vec<usize> = (0..mentions.len()).collect();
    order.sort_by_key(|at| mentions[*at].span.start);
    let mentions: Vec<Mention> = order.iter().map(|at| mentions[*at].clone()).collect();
    // Links between names are by number: they are those of the names as they were found.
    let short_form = |at: usize| {
        let old = order[at];
        let short = (0..mentions.len()).find(|other| order[*other] < named && mentions[*other].acronym_of == Some(old));
        short.map(|short| mentions[short].canonical.clone())
    };
    let sentence = Sentence { text: &text, mentions: &mentions, question, words, lexicon };
    let mut found: Vec<Actor> = vec![];
    for at in 0..text.tokens().len() {
        for (number, tie) in sentence.ties_at(at) {
            let mention = &mentions[number];
            if !matches!(mention.kind, Kind::Person | Kind::Organisation) || sentence.is_asked_about(mention) {
                continue;
            }
            let name = match short_form(number) {
                Some(short) => format!("{} ({short})", mention.canonical),
                None => mention.canonical.clone(),
            };
            let actor = Actor { name, kind: mention.kind, tie, is_named: order[number] < named };
            match found.iter_mut().find(|known| known.name == actor.name) {
                Some(known) => known.tie = known.tie.min(actor.tie),
                None => found.push(actor),
            }
        }
    }
    found
}

/// Bodies that are described and not named: "leftist guerrillas", "drug traffickers".
fn bodies(text: &Text<'_>, names: &[Mention]) -> Vec<Mention> {
    const WORDS_BEFORE: usize = 3;
    let tokens = text.tokens();
    let is_free = |at: usize| !names.iter().any(|name| name.span.contains(tokens[at].span));
    let heads = (0..tokens.len()).filter(|at| tokens[*at].is(Class::Actor) && is_free(*at));
    let describes = |at: &usize| {
        let token = &tokens[*at];
        token.is_word()
            && !token.is_function()
            && !token.is_possessive()
            && is_free(*at)
            && !token.is(Class::Auxiliary)
            && !text.lexicon().is_past(&token.fold)
    };
    // "terrorist groups", "guerrilla attack": the head is the word behind.
    let is_last = |head: &usize| {
        tokens.get(*head + 1).is_none_or(|next| {
            !describes(&(*head + 1)) || next.fold.ends_with("ed") || text.lexicon().is_past(&next.fold) || !is_free(*head + 1)
        })
    };
    let heads = heads.filter(is_last);
    let body = |head: usize| {
        let before = (head.saturating_sub(WORDS_BEFORE)..head).rev().take_while(describes).last().unwrap_or(head);
        let span = Span::new(tokens[before].span.start, tokens[head].span.end);
        let canonical = span.of(text.source()).split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        Mention { span, kind: Kind::Organisation, canonical, demonym: false, acronym_of: None, titled: false }
    };
    // "the FMLN [Farabundo Marti Front] guerrillas": the name says who they are.
    let follows_name = |body: &Mention| {
        let gap = |name: &Mention| text.source().get(name.span.end..body.span.start);
        let near = |gap: &str| gap.chars().all(|c| c.is_whitespace() || "[]()'\u{2019}sS".contains(c));
        names.iter().any(|name| name.span.end <= body.span.start && gap(name).is_some_and(near))
    };
    heads.map(body).filter(|body| !follows_name(body)).collect()
}

struct Sentence<'a> {
    text: &'a Text<'a>,
    mentions: &'a [Mention],
    question: &'a Question,
    words: &'a QuestionWords,
    lexicon: &'a Lexicon,
}

impl Sentence<'_> {
    fn token(&self, at: usize) -> &Token {
        &self.text.tokens()[at]
    }

    /// The ties of the word at a token.
    fn ties_at(&self, at: usize) -> Vec<(usize, Tie)> {
        let token = self.token(at);
        if !token.is_word() || self.in_mention(at) {
            return vec![];
        }
        let key = self.words.key(self.lexicon, token);
        let mut ties = vec![];
        if self.words.is_denying(&key) {
            ties.extend(self.subject(at).map(|mention| (mention, Tie::Denies)));
        } else if self.words.is_claiming(&key) && self.has_responsibility(at) {
            ties.extend(self.subject(at).map(|mention| (mention, Tie::Claims)));
            ties.extend(self.agent(at).map(|mention| (mention, Tie::Claims)));
        } else if self.words.is_accusing(&key) {
            let is_to = self.text.tokens().get(at + 1).is_some_and(|next| &*next.fold == "to");
            match self.is_passive(at) && !is_to {
                true => ties.extend(self.subject(at).map(|mention| (mention, Tie::Accused))),
                false => ties.extend(self.object(at).map(|mention| (mention, Tie::Accused))),
            }
        } else if matches!(&*token.fold, "work" | "responsibility")
            && self.text.tokens().get(at + 1).is_some_and(|next| &*next.fold == "of")
        {
            ties.extend(self.object(at).map(|mention| (mention, Tie::Accused)));
        } else if self.is_deed(&key) {
            if !self.is_passive(at) && !self.is_negated(at) {
                ties.extend(self.subject(at).map(|mention| (mention, Tie::Does)));
            }
            ties.extend(self.agent(at).map(|mention| (mention, Tie::Does)));
        }
        ties
    }

    /// Whether a key is the deed of the question, or another word for it.
    fn is_deed(&self, key: &str) -> bool {
        let kin = |term: &crate::question::Term| {
            term.key == key
                || self.words.families(&term.key).iter().any(|family| self.words.families(key).contains(family))
                || self.words.is_act(&term.key) && self.words.is_act(key)
        };
        self.question.terms.iter().any(|term| !term.is_name && kin(term))
    }

    /// The actor before a verb: "X guerrillas have attacked", "members of X attacked".
    fn subject(&self, verb: usize) -> Option<usize> {
        self.subject_beside(verb).or_else(|| self.subject_past_apposition(verb))
    }

    /// "X, 55, of Addison, pleaded guilty": the first name of the sentence, where commas part it from its verb.
    fn subject_past_apposition(&self, verb: usize) -> Option<usize> {
        let helps = |at: &usize| self.token(*at).is(Class::Auxiliary) || self.token(*at).is(Class::Adverb);
        let before = (0..verb).rev().find(|at| !helps(at))?;
        let first = self.mentions.first()?;
        let behind = self.text.tokens().partition_point(|token| token.span.start < first.span.end);
        let near_start = self.text.tokens().partition_point(|token| token.span.start < first.span.start) <= 3;
        (self.token(before).is_mark(",") && behind < before && self.token(behind).is_mark(",") && near_start).then_some(0)
    }

    fn subject_beside(&self, verb: usize) -> Option<usize> {
        let start = verb.saturating_sub(SUBJECT_TOKENS);
        let stop = (start..verb).rev().find(|at| !self.in_mention(*at) && self.ends_phrase(*at)).map_or(start, |at| at + 1);
        let inside = |at: &usize| {
            let span = self.mentions[*at].span;
            span.start >= self.token(stop).span.start && span.end <= self.token(verb).span.start
        };
        (0..self.mentions.len()).rev().filter(inside).find(|at| !self.is_complement(*at))
    }

    /// "near X", "against X": the name is where or to whom it is done.
    fn is_complement(&self, mention: usize) -> bool {
        let start = self.mentions[mention].span.start;
        let first = self.text.tokens().partition_point(|token| token.span.start < start);
        let before = (first.saturating_sub(3)..first).rev().find(|at| !self.token(*at).is(Class::Determiner));
        before.is_some_and(|at| self.token(at).is(Class::Preposition) && &*self.token(at).fold != "of")
    }

    /// The actor behind "by".
    fn agent(&self, verb: usize) -> Option<usize> {
        let end = self.text.tokens().len().min(verb + PASSIVE_TOKENS);
        let by = (verb + 1..end).find(|at| &*self.token(*at).fold == "by")?;
        if (verb + 1..by).any(|at| !self.in_mention(at) && self.token(at).fold.starts_with([';', '.'])) {
            return None;
        }
        self.first_after(by, AGENT_TOKENS)
    }

    /// The actor behind a verb of accusing: "blamed X", "attributed it to X".
    fn object(&self, verb: usize) -> Option<usize> {
        self.first_after(verb, AGENT_TOKENS)
    }

    fn first_after(&self, from: usize, most: usize) -> Option<usize> {
        let tokens = self.text.tokens();
        let end = tokens.len().min(from + 1 + most);
        let stop = (from + 1..end).find(|at| !self.in_mention(*at) && self.ends_phrase(*at)).unwrap_or(end);
        let inside = |mention: &Mention| {
            mention.span.start > tokens[from].span.start
                && tokens.get(stop).is_none_or(|token| mention.span.start < token.span.start)
        };
        self.mentions.iter().position(inside)
    }

    /// A mark or a word that ends a noun phrase.
    fn ends_phrase(&self, at: usize) -> bool {
        let token = self.token(at);
        let mark =
            !token.is_word() && matches!(&*token.fold, ";" | ":" | "." | "?" | "!" | "," | "\"" | "\u{201c}" | "\u{201d}");
        mark || matches!(&*token.fold, "that" | "when" | "while" | "because" | "but" | "after" | "before" | "if" | "whether")
    }

    /// "was attacked", "have been blamed": the subject is the one it is done to.
    fn is_passive(&self, verb: usize) -> bool {
        const BACK: usize = 3;
        let past = self.lexicon.is_past(&self.token(verb).fold);
        let be = |at: usize| matches!(&*self.token(at).fold, "was" | "were" | "been" | "being" | "is" | "are" | "be");
        past && (verb.saturating_sub(BACK)..verb).any(be)
    }

    fn is_negated(&self, verb: usize) -> bool {
        const BACK: usize = 4;
        (verb.saturating_sub(BACK)..verb).any(|at| self.token(at).is(Class::Negation))
    }

    fn has_responsibility(&self, verb: usize) -> bool {
        const NEAR: usize = 6;
        let near = verb.saturating_sub(NEAR)..self.text.tokens().len().min(verb + NEAR);
        near.clone().any(|at| matches!(&*self.token(at).fold, "responsibility" | "credit"))
            && !near.clone().any(|at| self.token(at).is(Class::Negation))
    }

    fn in_mention(&self, at: usize) -> bool {
        let span = self.token(at).span;
        self.mentions.iter().any(|mention| mention.span.contains(span))
    }

    fn is_asked_about(&self, mention: &Mention) -> bool {
        let keys = |at: usize| self.words.key(self.lexicon, self.token(at));
        let inside = (0..self.text.tokens().len()).filter(|at| mention.span.contains(self.token(*at).span));
        inside.map(keys).any(|key| self.question.terms.iter().any(|term| term.is_name && term.key == key))
    }
}
