//! Language analysis without a model: sentences, datelines, names, times, numbers, attribution, relations.
//!
//! Pure functions over one text, in linear time, the same answer always. It knows English words from data files; other
//! languages and scripts give fewer results and never an error. Nothing here judges: that is the analyst's part.
//! Invariant: every span is a byte range of the given text, on character boundaries.

pub mod attribution;
pub mod class;
pub mod dateline;
pub mod entities;
pub mod forward;
mod furniture;
pub mod lexicon;
pub mod mentions;
pub mod numbers;
pub mod orders;
pub mod relations;
pub mod sentences;
pub mod span;
mod standing;
pub mod times;
pub mod tokens;

#[cfg(test)]
mod measure;

use std::ops::Range;

pub use class::{Class, ClassSet};
pub use entities::DocumentEntity;
pub use lexicon::{Lexicon, LexiconError, fold};
pub use mentions::{Kind, Mention};
pub use sentences::{Sentence, SentenceKind};
pub use span::Span;
pub use times::{Precision, TimeExpression};
pub use tokens::{Case, Gap, Token, TokenKind};

/// One text, read once; the analyses are its methods.
pub struct Text<'a> {
    source: &'a str,
    lexicon: &'a Lexicon,
    tokens: Vec<Token>,
    /// By paragraph: capitals say nothing about names here (text wholly in capitals, headings in title case).
    capitals: Vec<bool>,
    /// By paragraph: it has too few words of English grammar to be English prose.
    foreign: Vec<bool>,
}

/// A text with single spaces and no line breaks.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A paragraph with fewer words than this takes its use of capitals from the whole text.
const CAPITALS_WORDS_MIN: usize = 5;
/// A paragraph with fewer words than this has the language of the whole text.
const LANGUAGE_WORDS_MIN: usize = 20;
/// English prose has at least so many words of grammar in a hundred words; other languages share a few by chance.
const GRAMMAR_PERCENT_MIN: usize = 13;

impl<'a> Text<'a> {
    pub fn new(lexicon: &'a Lexicon, source: &'a str) -> Self {
        let tokens = tokens::tokenize(lexicon, source);
        let (capitals, foreign) = (capitals(&tokens), foreign(&tokens));
        Self { source, lexicon, tokens, capitals, foreign }
    }

    pub fn source(&self) -> &'a str {
        self.source
    }

    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The tokens that lie wholly inside a span.
    pub(super) fn token_range(&self, span: Span) -> Range<usize> {
        let start = self.tokens.partition_point(|token| token.span.start < span.start);
        let end = self.tokens.partition_point(|token| token.span.end <= span.end);
        start..end.max(start)
    }

    pub(super) fn in_capitals(&self, token: &Token) -> bool {
        self.capitals.get(token.paragraph as usize).copied().unwrap_or_default()
    }

    pub(super) fn is_foreign(&self, token: &Token) -> bool {
        self.foreign.get(token.paragraph as usize).copied().unwrap_or_default()
    }

    /// The span from one token to the token before another.
    pub(super) fn span_of(&self, range: Range<usize>) -> Span {
        match (self.tokens.get(range.start), self.tokens[..range.end.min(self.tokens.len())].last()) {
            (Some(first), Some(last)) if range.start < range.end => Span::new(first.span.start, last.span.end),
            _ => Span::default(),
        }
    }

    /// Number of tokens of the cue of a class that starts at a token: a word of the class, or a listed phrase.
    pub(super) fn cue_at(&self, at: usize, class: Class) -> Option<usize> {
        let token = self.tokens.get(at)?;
        match token.phrase {
            Some((len, classes)) if classes.has(class) => Some(len as usize),
            _ => token.is(class).then_some(1),
        }
    }

    /// The first cue of a class in a range of tokens.
    pub(super) fn find_cue(&self, range: Range<usize>, class: Class) -> Option<Range<usize>> {
        range.clone().find_map(|at| {
            let len = self.cue_at(at, class)?;
            (at + len <= range.end).then_some(at..at + len)
        })
    }

    /// The mark that closes the bracket at a token, within reason.
    pub(super) fn closing(&self, open: usize, end: usize) -> Option<usize> {
        const LONGEST_NOTE: usize = 40;
        let close = match &*self.tokens.get(open)?.fold {
            "[" => "]",
            "(" => ")",
            _ => return None,
        };
        (open + 1..end.min(open + LONGEST_NOTE)).find(|at| self.tokens[*at].is_mark(close))
    }
}

fn paragraphs(tokens: &[Token]) -> usize {
    tokens.last().map_or(0, |token| token.paragraph as usize + 1)
}

fn foreign(tokens: &[Token]) -> Vec<bool> {
    let mut counts = vec![(0usize, 0usize); paragraphs(tokens)];
    for token in tokens.iter().filter(|token| token.is_word()) {
        let (words, grammar) = &mut counts[token.paragraph as usize];
        *words += 1;
        *grammar += usize::from(token.is_function() && !token.is(Class::Connective));
    }
    let lacks_grammar = |words: usize, grammar: usize| grammar * 100 < words * GRAMMAR_PERCENT_MIN;
    let (words, grammar) = counts.iter().fold((0, 0), |sum, (words, grammar)| (sum.0 + words, sum.1 + grammar));
    let whole = words >= LANGUAGE_WORDS_MIN && lacks_grammar(words, grammar);
    let of = |&(words, grammar): &(usize, usize)| match words {
        0..LANGUAGE_WORDS_MIN => whole,
        _ => lacks_grammar(words, grammar),
    };
    counts.iter().map(of).collect()
}

fn capitals(tokens: &[Token]) -> Vec<bool> {
    let mut counts = vec![(0usize, 0usize, 0usize); paragraphs(tokens)];
    for token in tokens.iter().filter(|token| token.is_word() && token.fold.len() > 1) {
        let (words, upper, capital) = &mut counts[token.paragraph as usize];
        *words += usize::from(token.case != Case::Caseless);
        *upper += usize::from(token.case == Case::Upper);
        *capital += usize::from(token.is_capital() || token.is_function());
    }
    let (words, upper) = counts.iter().fold((0, 0), |sum, (words, upper, _)| (sum.0 + words, sum.1 + upper));
    let whole = words >= 3 && upper * 10 >= words * 8;
    let of = |&(words, upper, capital): &(usize, usize, usize)| match words {
        0..CAPITALS_WORDS_MIN => whole,
        _ => upper * 10 >= words * 7 || (capital == words && words <= 20),
    };
    counts.iter().map(of).collect()
}
