//! Causal language: what a sentence says brought about what.

use std::ops::Range;

use super::span::Span;
use super::tokens::{Gap, Token, TokenKind};
use super::{Class, ClassSet, Text};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    Positive,
    /// "not because of …", "did not lead to …".
    Negative,
}

/// A causal link that a sentence states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    pub cause: Span,
    pub effect: Span,
    pub cue: Span,
    pub polarity: Polarity,
    /// The cue lays blame or names the doer: "blamed on", "responsible for".
    pub blame: bool,
}

/// A sentence with more tokens is no sentence, and one with more links says nothing.
const SENTENCE_TOKENS_MAX: usize = 400;
const CAUSES_MAX: usize = 8;

impl Text<'_> {
    /// The causal links of a sentence, in the order of their cues.
    pub fn causes(&self, sentence: Span) -> Vec<Cause> {
        let range = self.token_range(sentence);
        let mut causes = Vec::new();
        let mut at = range.start;
        while at < range.end && causes.len() < CAUSES_MAX && range.len() <= SENTENCE_TOKENS_MAX {
            let after = self.cue_at(at, Class::CauseAfter);
            let Some(len) = after.or_else(|| self.cue_at(at, Class::CauseBefore)).filter(|len| at + len <= range.end) else {
                at += 1;
                continue;
            };
            let cue = at..at + len;
            causes.extend(self.cause(&range, cue.clone(), after.is_some()));
            at = cue.end;
        }
        causes
    }

    fn cause(&self, range: &Range<usize>, cue: Range<usize>, cause_follows: bool) -> Option<Cause> {
        let left = self.clause_before(range, cue.start);
        let mut right = cue.end..self.clause_end(cue.end, range.end);
        let opens = left.is_empty();
        let (cause, effect) = match (cause_follows, opens) {
            (true, false) => (right, left),
            (true, true) => {
                // "Because of the flood, the road was closed."
                let comma = (cue.end..range.end).find(|at| self.tokens[*at].is_mark(","))?;
                right.end = comma;
                (right, comma + 1..self.clause_end(comma + 1, range.end))
            }
            (false, false) => (left, right),
            (false, true) => return None,
        };
        let (cause, effect) = (self.trimmed_tokens(cause)?, self.trimmed_tokens(effect)?);
        let negated = cue.start > range.start
            && (cue.start.saturating_sub(2).max(range.start)..cue.start).any(|at| self.tokens[at].is(Class::Negation));
        let blame = self.find_cue(cue.clone(), Class::Blame).is_some();
        Some(Cause {
            cause: self.span_of(cause),
            effect: self.span_of(effect),
            cue: self.span_of(cue),
            polarity: if negated { Polarity::Negative } else { Polarity::Positive },
            blame,
        })
    }

    /// The clause before a cue: back to a semicolon, or to the beginning.
    fn clause_before(&self, range: &Range<usize>, cue: usize) -> Range<usize> {
        let start =
            (range.start..cue).rev().find(|at| matches!(&*self.tokens[*at].fold, ";" | ":")).map_or(range.start, |at| at + 1);
        let said =
            |at: &usize| &*self.tokens[*at].fold == "that" && *at > start && self.tokens[*at - 1].classes.any(ClassSet::SPEECH);
        let start = (start..cue).rev().find(said).map_or(start, |at| at + 1);
        let mut end = cue;
        while end > start
            && (self.tokens[end - 1].is(Class::Auxiliary)
                || self.tokens[end - 1].kind == TokenKind::Mark
                || self.tokens[end - 1].is(Class::Negation)
                || matches!(&*self.tokens[end - 1].fold, "which" | "that" | "and" | "thereby"))
        {
            end -= 1;
        }
        let content = self.tokens[start..end].iter().any(|token| token.is_word() && !token.is_function());
        if content { start..end } else { start..start }
    }

    fn clause_end(&self, from: usize, end: usize) -> usize {
        let end = self.without_attribution(from, end);
        (from..end)
            .find(|at| {
                let token = &self.tokens[*at];
                matches!(&*token.fold, ";" | ":")
                    || token.is_mark(".") && token.gap == Gap::None && *at + 1 == end
                    || self.cue_at(*at, Class::AttributionCue).is_some()
            })
            .unwrap_or(end)
    }

    /// Leaves out a speaker at the end: "…, the institute said on Sunday".
    fn without_attribution(&self, from: usize, end: usize) -> usize {
        const TOKENS_MAX: usize = 16;
        let Some(comma) = (from..end).rev().find(|at| self.tokens[*at].is_mark(",")).filter(|comma| end - comma <= TOKENS_MAX)
        else {
            return end;
        };
        let spoken = &self.tokens[comma + 1..end];
        let speech = spoken.iter().any(|token| token.is(Class::Say) && !token.is(Class::Preposition));
        if speech && !spoken.iter().any(|token| &*token.fold == "that") { comma } else { end }
    }

    /// Without marks and words of grammar at the ends.
    fn trimmed_tokens(&self, range: Range<usize>) -> Option<Range<usize>> {
        let Range { mut start, mut end } = range;
        let joint = |token: &Token| {
            token.kind == TokenKind::Mark && !matches!(&*token.fold, "\"" | "[" | "(" | "$" | "\u{201c}")
                || token.is(Class::Conjunction)
        };
        while start < end && joint(&self.tokens[start]) {
            start += 1;
        }
        while end > start && joint(&self.tokens[end - 1]) && !matches!(&*self.tokens[end - 1].fold, "]" | ")") {
            end -= 1;
        }
        self.tokens.get(start..end)?.iter().any(|token| token.is_word() && !token.is_function()).then_some(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Lexicon;
    use super::*;

    fn check(text: &str, expect: &[(&str, &str)]) {
        let causes = Text::new(Lexicon::english(), text).causes(Span::whole(text));
        let found: Vec<_> = causes.iter().map(|cause| (cause.cause.of(text), cause.effect.of(text))).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn causes_stand_on_either_side() {
        check("The bridge fell because of the flood.", &[("the flood", "The bridge fell")]);
        check("Because of the flood, the road was closed.", &[("the flood", "the road was closed")]);
        check("The drought led to hunger.", &[("The drought", "hunger")]);
        check("THE CLASH RESULTED IN ONE DEAD TERRORIST.", &[("THE CLASH", "ONE DEAD TERRORIST")]);
        check("The fire was caused by a bomb.", &[("a bomb", "The fire")]);
        check("The army left.", &[]);
    }

    #[test]
    fn a_denied_cause_is_negative() {
        let text = "The strike did not lead to hunger.";
        let causes = Text::new(Lexicon::english(), text).causes(Span::whole(text));
        assert_eq!(causes[0].polarity, Polarity::Negative);
    }
}
