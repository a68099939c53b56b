//! Noun phrases of a sentence that may name an actor: "members of the Red Front (RF)", "two hooded men".
//!
//! A phrase is taken as the sentence writes it: nothing is added to it and nothing is taken out of it.

use crate::{
    text::{Class, ClassSet, Gap, Kind, Lexicon, Mention, Span, Text, Token, TokenKind, fold, one_line},
    words::{QuestionWords, Stems, Words},
};
use std::ops::Range;

/// A phrase has at most so many tokens; a note in brackets too.
const PHRASE_TOKENS: usize = 32;
const NOTE_TOKENS: usize = 14;
/// A name in quotation marks has at most so many tokens.
const QUOTED_TOKENS: usize = 9;
/// Words with a name behind them.
const CALLING: &[&str] = &["calling", "called", "calls", "named", "known", "call"];

/// A noun phrase whose head may act.
#[derive(Clone, Debug)]
pub struct Phrase {
    pub tokens: Range<usize>,
    /// Folded names that identify the actor: long and short form, or the head of a description.
    pub forms: Vec<String>,
    /// A long name and the short form that is introduced beside it.
    pub short_form: Option<(String, String)>,
    /// A proper name, and no description like "leftist guerrillas".
    pub is_named: bool,
    pub is_person: bool,
    /// The kind of body that its words describe, as the word lists number them.
    pub body: Option<usize>,
}

/// A sentence with its names.
pub struct Phrases<'a> {
    pub text: &'a Text<'a>,
    pub mentions: Vec<Mention>,
    pub words: &'a QuestionWords,
    pub lexicon: &'a Lexicon,
    /// By token: the name that it is part of.
    owner: Vec<Option<usize>>,
}

impl<'a> Phrases<'a> {
    pub fn new(text: &'a Text<'a>, lexicon: &'a Lexicon, words: &'a QuestionWords) -> Self {
        let mentions = text.mentions();
        let owner = |token: &Token| mentions.iter().position(|mention| mention.span.contains(token.span));
        let owner = text.tokens().iter().map(owner).collect();
        Self { text, mentions, words, lexicon, owner }
    }

    pub fn token(&self, at: usize) -> &Token {
        &self.text.tokens()[at]
    }

    pub fn fold(&self, at: usize) -> &str {
        self.text.tokens().get(at).map_or("", |token| &*token.fold)
    }

    pub fn key(&self, at: usize) -> String {
        self.words.key(self.lexicon, self.fold(at))
    }

    /// Whether a list of stems has the word at a token.
    pub fn is_stem(&self, list: Stems, at: usize) -> bool {
        self.words.has_stem(list, &self.key(at))
    }

    /// Whether a list of words has the word at a token.
    pub fn is_word(&self, list: Words, at: usize) -> bool {
        self.words.has_word(list, self.fold(at))
    }

    fn mention(&self, at: usize) -> Option<&Mention> {
        self.owner.get(at).copied().flatten().map(|mention| &self.mentions[mention])
    }

    /// Whether a token is part of a name that can act.
    pub fn in_name(&self, at: usize) -> bool {
        self.mention(at).is_some_and(|mention| mention.kind != Kind::Place)
    }

    pub fn is_owned(&self, at: usize) -> bool {
        self.owner[at].is_some()
    }

    /// The phrases that may name an actor, in order.
    pub fn all(&self) -> Vec<Phrase> {
        let mut phrases = vec![];
        let mut at = 0;
        while at < self.text.tokens().len() {
            let is_verb = self.is_stem(Stems::Accusing, at) && !self.is_owned(at);
            let is_time = at > 0 && self.token(at).kind == TokenKind::Number && self.fold(at - 1) == "at";
            let end = if is_verb || is_time { at } else { self.run(at) };
            match end > at {
                true => {
                    let phrase = self.phrase(at, end);
                    at = phrase.as_ref().map_or(end, |phrase| phrase.tokens.end);
                    phrases.extend(phrase);
                }
                false => at += 1,
            }
        }
        phrases
    }

    /// The phrase that begins with a run of nouns, with what follows its head.
    fn phrase(&self, start: usize, first: usize) -> Option<Phrase> {
        let (mut end, mut identity, mut called) = (first, first, None);
        let styled = (start..first).find(|at| self.is_word(Words::Styling, *at));
        let mut head = self.head(start..end)?;
        if let Some(at) = styled.filter(|at| at + 1 < first && !self.in_name(head)) {
            called = Some(at + 1..first);
        }
        let mut is_related = false;
        while end - start < PHRASE_TOKENS {
            let next = self.note(end).or_else(|| self.short_form(end));
            if let Some(next) = next {
                let run = self.run_on(next);
                // "RF [Red Front] outlaws": a noun behind the note is the head of the name.
                let is_head = |last: &usize| self.acts(*last) || self.in_name(end - 1) && self.is_member_noun(*last);
                let last = self.head(next..run).filter(is_head);
                if !self.acts(head) {
                    head = (end..next).rev().find(|at| self.in_name(*at)).unwrap_or(head);
                }
                end = if last.is_some() { run } else { next };
                head = last.filter(|last| !is_related && self.acts(*last)).unwrap_or(head);
            } else if self.fold(end) == "from" && self.is_word(Words::Members, head) && self.run(end + 1) > end + 1 {
                end = self.run(end + 1);
                head = self.head(first..end).unwrap_or(head);
            } else if self.fold(end) == "of"
                && (self.in_name(end + 1) || !self.is_gerund(end + 1))
                && (self.acts(head) || self.is_word(Words::Members, head))
            {
                let run = self.run(end + 1);
                if run == end + 1 {
                    break;
                }
                if self.is_word(Words::Members, head) {
                    head = self.head(end + 1..run).unwrap_or(head);
                }
                end = run;
            } else if let Some((tokens, is_name)) =
                self.link(end).filter(|_| self.acts(head) || self.is_word(Words::Members, head))
            {
                let run = self.run(end + tokens);
                if run == end + tokens {
                    break;
                }
                is_related |= !is_name;
                if is_name && (end..end + tokens).any(|at| CALLING.contains(&self.fold(at))) {
                    called = Some(end + tokens..run);
                }
                end = run;
            } else {
                break;
            }
            if !is_related {
                identity = end;
            }
        }
        // "military aircraft": a means and whose it is.
        let is_means = self.is_word(Words::Members, head) && (start..end).any(|at| self.words.body(self.fold(at)).is_some());
        if !self.acts(head) && styled.is_none() && !is_means {
            return None;
        }
        self.describe(start..end, start..identity, head, called)
    }

    fn describe(
        &self,
        tokens: Range<usize>,
        identity: Range<usize>,
        head: usize,
        called: Option<Range<usize>>,
    ) -> Option<Phrase> {
        let is_person = self.mention(head).is_some_and(|mention| mention.kind == Kind::Person);
        let mut named: Vec<&Mention> = vec![];
        for mention in identity.clone().filter_map(|at| self.mention(at)) {
            let fits = match is_person {
                true => mention.kind == Kind::Person,
                false => matches!(mention.kind, Kind::Organisation | Kind::Other),
            };
            if fits && !mention.demonym && !named.iter().any(|known| known.span == mention.span) {
                named.push(mention);
            }
        }
        let mut forms: Vec<String> = named.iter().map(|mention| self.stripped(bare(&mention.canonical))).collect();
        forms.extend(self.quoted(identity.clone()));
        forms.extend(called.map(|range| bare(&self.statement(&range))).filter(|name| !forms.contains(name)));
        let has_person = identity.clone().any(|at| self.mention(at).is_some_and(|mention| mention.kind == Kind::Person));
        if forms.is_empty() && has_person {
            forms.push(bare(&self.statement(&identity)));
        } else if forms.is_empty() && self.is_unknown(head) {
            forms.push(self.fold(head).to_owned());
        }
        forms.retain(|form| !self.is_plain(form));
        forms.dedup();
        let short_form = named.iter().find_map(|short| {
            let long = &self.mentions[short.acronym_of?];
            Some((long.canonical.trim_start_matches("The ").to_owned(), short.canonical.clone()))
        });
        let body = identity.filter_map(|at| self.words.body(self.fold(at))).min();
        let is_named = !forms.is_empty();
        if !is_named {
            // "rebels" and "guerrillas" of one account are the same.
            let kind = body.filter(|body| *body != self.words.forces());
            forms.push(kind.map_or_else(|| self.lexicon.lemma(self.fold(head)), |body| format!("body {body}")));
        }
        Some(Phrase { tokens, forms, short_form, is_named, is_person, body })
    }

    /// A name without words of description at its end: "fmln urban commandos".
    fn stripped(&self, form: String) -> String {
        let head = |word: &str| self.lexicon.classes(word).has(Class::OrgHead);
        let plain = |word: &str| {
            self.words.has_word(Words::Describing, word)
                || self.lexicon.classes(word).has(Class::Actor)
                || self.words.has_word(Words::Members, word)
        };
        let words: Vec<&str> = form.split(' ').collect();
        let is_short = words[0].len() <= 7
            && (self.lexicon.classes(words[0]).is_empty() || self.lexicon.classes(words[0]).has(Class::OrgAcronym));
        if is_short && words[1..].iter().all(|word| plain(word) || self.words.body(word).is_some()) {
            return words[0].to_owned();
        }
        let kept = words.iter().rposition(|word| !plain(word) || head(word)).map_or(0, |last| last + 1);
        match words[..kept].iter().any(|word| head(word) || self.lexicon.classes(word).is_empty()) {
            true => words[..kept].join(" "),
            false => form,
        }
    }

    /// Whether a name is made of words that describe bodies alone: "guerrillas", "urban commandos".
    fn is_plain(&self, form: &str) -> bool {
        let plain = |word: &str| {
            let classes = self.lexicon.classes(word);
            let other = [Class::Actor, Class::Demonym, Class::Place, Class::GenericModifier];
            let is_vague = self.words.body(word).is_some_and(|body| body != self.words.forces());
            is_vague || other.iter().any(|class| classes.has(*class)) || self.words.has_word(Words::Describing, word)
        };
        form.split([' ', '-']).all(plain)
    }

    /// Names in quotation marks inside a phrase.
    fn quoted(&self, range: Range<usize>) -> Option<String> {
        let open = range.clone().find(|at| is_quote(self.token(*at)))?;
        let close = (open + 1..range.end).find(|at| is_quote(self.token(*at)))?;
        let inside = Span::new(self.token(open).span.end, self.token(close).span.start);
        (close > open + 1).then(|| bare(inside.slice(self.text.source())))
    }

    /// The last word of a run.
    fn head(&self, run: Range<usize>) -> Option<usize> {
        run.rev().find(|at| self.token(*at).is_word() && !self.token(*at).is_possessive())
    }

    /// Whether the word at the head of a phrase is somebody who can act.
    fn acts(&self, head: usize) -> bool {
        match self.mention(head) {
            Some(mention) if mention.kind == Kind::Place => {
                let is_body = self.token(head).is(Class::Actor) || self.words.body(self.fold(head)).is_some();
                mention.demonym && self.fold(head).ends_with('s') || is_body
            }
            Some(_) => true,
            None if head > 0 && self.in_name(head - 1) && !self.is_stem(Stems::Acts, head) => true,
            None => self.token(head).is(Class::Actor) || self.words.body(self.fold(head)).is_some() || self.is_unknown(head),
        }
    }

    /// A plural noun behind a name: those who belong to it.
    fn is_member_noun(&self, at: usize) -> bool {
        self.fold(at).ends_with('s') && !self.is_stem(Stems::Acts, at) && !self.is_word(Words::Means, at)
    }

    /// A word that no list has: where it is written like a name, it is one.
    fn is_unknown(&self, at: usize) -> bool {
        let token = self.token(at);
        let is_plain = self.is_stem(Stems::Acts, at)
            || self.words.has_word(Words::Means, &token.fold)
            || self.words.has_word(Words::Describing, &token.fold);
        let is_number = self.lexicon.number(&token.fold).is_some();
        let is_strange = token.is_word() && token.is_capital() && token.classes.is_empty() && token.fold.len() > 2;
        is_strange && at > 0 && !is_plain && !is_number
    }

    /// "accused the army of killing": another verb follows.
    fn is_gerund(&self, at: usize) -> bool {
        let at = at + usize::from(self.text.tokens().get(at).is_some_and(is_quote));
        self.fold(at).ends_with("ing")
    }

    /// One past a note in brackets or dashes that follows: "[Red Front]", "(RF)".
    fn note(&self, at: usize) -> Option<usize> {
        let close = match self.fold(at) {
            "[" => "]",
            "(" => ")",
            _ => return None,
        };
        (at + 1..self.text.tokens().len().min(at + NOTE_TOKENS)).find(|end| self.fold(*end) == close).map(|end| end + 1)
    }

    /// One past a short form between commas: "the Red Front, RF, has".
    fn short_form(&self, at: usize) -> Option<usize> {
        let is_short = self.fold(at) == ","
            && self.in_name(at + 1)
            && !self.in_name(at + 2)
            && self.fold(at + 2) == ","
            && self.token(at + 1).case == crate::text::Case::Upper
            && (2..=6).contains(&self.fold(at + 1).len());
        let is_acronym = is_short && !self.lexicon.classes(self.fold(at + 1)).any(ClassSet::INFLECTED);
        is_acronym.then_some(at + 3)
    }

    /// Words that tie a phrase to a name: "calling itself" says who it is, "paid by" whom it belongs to.
    fn link(&self, at: usize) -> Option<(usize, bool)> {
        let at_phrase = |phrase: &&String| phrase.split(' ').enumerate().all(|(n, word)| self.fold(at + n) == word);
        let longest = |list: &[String]| list.iter().filter(at_phrase).map(|phrase| phrase.split(' ').count()).max();
        longest(&self.words.phrases.naming).map(|tokens| (tokens, true)).or_else(|| {
            let tokens = longest(&self.words.phrases.relating)?;
            Some((tokens, false))
        })
    }

    /// One past the nouns behind a note; an article would begin another phrase.
    fn run_on(&self, from: usize) -> usize {
        if from < self.text.tokens().len() && self.token(from).is(Class::Determiner) { from } else { self.run(from) }
    }

    /// One past a run of articles, adjectives, nouns and names.
    pub fn run(&self, from: usize) -> usize {
        let tokens = self.text.tokens();
        let (mut at, mut has_word, mut has_actor) = (from, false, false);
        while at < tokens.len() && at - from < PHRASE_TOKENS {
            let token = &tokens[at];
            if let Some(mention) = self.mention(at) {
                has_actor |= mention.kind != Kind::Place;
                has_word = true;
                at = tokens.partition_point(|token| token.span.start < mention.span.end);
                continue;
            }
            if let Some(close) = self.closing_quote(at).filter(|_| !self.opens(from, at)) {
                (has_actor, has_word) = (true, true);
                at = close + 1;
                continue;
            }
            if let Some(next) = self.note(at).filter(|_| {
                !has_word && at > from && (at..at + 2).any(|at| self.owner.get(at + 1).is_some_and(Option::is_some))
            }) {
                (has_actor, has_word) = (true, true);
                at = next;
                continue;
            }
            if has_word && self.link(at).is_some() {
                break;
            }
            let goes_on = if token.kind == TokenKind::Mark {
                let is_joined = token.is_dash() && !token.fold.starts_with("--") && at > from && self.is_noun(at + 1);
                is_quote(token) && (self.is_noun(at + 1) || has_word && self.opens(from, at)) || is_joined
            } else if token.is_possessive() {
                has_word && self.is_noun(at + 1) && !self.is_stem(Stems::Acts, at + 1)
            } else if token.is(Class::Determiner) || token.is(Class::Adverb) && self.is_word(Words::Describing, at) {
                !has_word
                    && !token.is(Class::Negation)
                    && !matches!(self.fold(at), "no" | "this" | "that" | "any" | "such" | "what" | "which" | "whose")
            } else if token.kind == TokenKind::Number {
                !has_actor
            } else if self.is_verb(at) {
                !has_word && at > from && self.is_noun(at + 1) && !self.is_verb(at + 1)
            } else {
                let breaks = has_actor
                    && (self.is_stem(Stems::Acts, at) || token.fold.ends_with("ing") && self.words.body(&token.fold).is_none());
                self.is_noun(at) && !breaks
            };
            if !goes_on {
                break;
            }
            if token.is_word() && !token.is(Class::Determiner) && !self.is_verb(at) {
                has_word = true;
                has_actor |= token.is(Class::Actor) || self.words.body(self.fold(at)).is_some();
            }
            at += 1;
        }
        match has_word {
            true => at,
            false => from,
        }
    }

    /// The quotation mark that closes a name which one at a token opens.
    fn closing_quote(&self, at: usize) -> Option<usize> {
        let next = self.text.tokens().get(at + 1).filter(|_| is_quote(self.token(at)))?;
        let close = (at + 2..self.text.tokens().len().min(at + 2 + QUOTED_TOKENS)).find(|end| is_quote(self.token(*end)))?;
        let is_name = (next.is_capital() || next.kind == TokenKind::Number)
            && (at + 1..close)
                .all(|at| !self.is_verb(at) && !self.token(at).is(Class::Auxiliary) && !self.token(at).is(Class::Pronoun));
        let is_tight = next.gap == Gap::None && self.token(close).gap == Gap::None;
        let is_adverb = close == at + 2 && self.is_adverb(at + 1);
        (is_name && is_tight && !is_adverb && !self.is_stem(Stems::Acts, at + 1)).then_some(close)
    }

    /// Whether a quotation mark opened in a run that is still open.
    fn opens(&self, from: usize, at: usize) -> bool {
        (from..at).filter(|at| is_quote(self.token(*at))).count() % 2 == 1
    }

    pub fn is_adverb(&self, at: usize) -> bool {
        let token = self.token(at);
        let is_noun = ["mily", "mbly", "pply"].iter().any(|ending| token.fold.ends_with(ending));
        token.is(Class::Adverb) || self.owner[at].is_none() && token.fold.len() > 5 && token.fold.ends_with("ly") && !is_noun
    }

    /// A word that may stand in a noun phrase after its article.
    fn is_noun(&self, at: usize) -> bool {
        let Some(token) = self.text.tokens().get(at) else { return false };
        let timed = token.is(Class::Weekday) || token.is(Class::Month) || token.is(Class::RelativeDay);
        if &*token.fold == "responsible" {
            return false;
        }
        let says = token.classes.any(ClassSet::SPEECH) && token.fold.ends_with('s');
        self.owner[at].is_some()
            || !says && !self.is_adverb(at) && token.is_word() && !token.is_possessive() && !token.is_function() && !timed
    }

    /// A past form that is no adjective of the word lists.
    pub fn is_verb(&self, at: usize) -> bool {
        let token = self.token(at);
        token.is_word() && self.owner[at].is_none() && self.lexicon.is_past(&token.fold) && !self.is_word(Words::Describing, at)
    }

    /// The words of a phrase on one line, without the marks and possessive at its end.
    pub fn statement(&self, tokens: &Range<usize>) -> String {
        let mut tokens = tokens.clone();
        while tokens.len() > 1 && (self.token(tokens.end - 1).is_possessive() || self.token(tokens.end - 1).is_mark(",")) {
            tokens.end -= 1;
        }
        let span = Span::new(self.token(tokens.start).span.start, self.token(tokens.end - 1).span.end);
        let line = one_line(span.slice(self.text.source()));
        match line.matches(['"', '\u{201c}', '\u{201d}']).count() % 2 {
            0 => line,
            _ => line.replace(['"', '\u{201c}', '\u{201d}'], ""),
        }
    }
}

fn is_quote(token: &Token) -> bool {
    matches!(&*token.fold, "\"" | "\u{201c}" | "\u{201d}" | "''" | "``")
}

/// A name folded, on one line, without its article.
fn bare(name: &str) -> String {
    let folded = fold(&one_line(name));
    folded.strip_prefix("the ").unwrap_or(&folded).trim_end_matches([',', '.']).to_owned()
}
