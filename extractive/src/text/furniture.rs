//! Page furniture: bylines, clocks, share buttons and advertisements, which belong to no sentence although they stand beside one.

use super::{Case, Class, Gap, Text, Token, TokenKind, sentences::is_quote};
use std::ops::Range;

/// A line of furniture has at most so many words.
const LINE_WORDS_MAX: usize = 14;
/// Longest name of a time zone: "AEST".
const ZONE_CHARS_MAX: usize = 4;

impl Text<'_> {
    /// The parts of a paragraph: a line of furniture ends the one before it and is one by itself.
    pub(super) fn blocks(&self, start: usize, end: usize) -> Vec<Range<usize>> {
        let breaks = (start + 1..end).filter(|at| self.tokens[*at].gap == Gap::Line);
        let borders: Vec<usize> = [start].into_iter().chain(breaks).chain([end]).collect();
        let mut blocks: Vec<(Range<usize>, bool)> = vec![];
        for line in borders.windows(2).map(|ends| ends[0]..ends[1]) {
            // What goes on in small letters is a wrapped sentence.
            let goes_on = self.tokens[..end].get(line.end).is_some_and(|next| next.case == Case::Lower);
            let is_furniture = !goes_on && self.is_furniture_line(line.clone());
            match blocks.last_mut() {
                Some((known, false)) if !is_furniture => known.end = line.end,
                _ => blocks.push((line, is_furniture)),
            }
        }
        blocks.into_iter().map(|(block, _)| block).collect()
    }

    /// One past the furniture that a range of tokens begins with: a headline, byline and clock before "Print this article" go with it.
    pub(super) fn furniture_end(&self, range: Range<usize>) -> Option<usize> {
        let opens = |at: usize| at == range.end || self.tokens[at].is_capital() || is_quote(&self.tokens[at]);
        let mut inside = range.clone().filter_map(|at| Some(at + self.clock(at, range.clone()).or_else(|| self.button(at))?));
        let last = inside.rfind(|end| *end <= range.end && opens(*end));
        // "Share Tweet The ferry sank": words that are buttons only at the beginning of a sentence.
        let words = range.clone().take_while(|at| self.tokens[*at].is(Class::Furniture) && self.is_plain_capital(*at)).count();
        let behind = range.start + words;
        let goes_on = |token: &Token| token.is_capital() && (words > 1 || token.is_function());
        let is_run = words > 0 && (behind == range.end || goes_on(&self.tokens[behind]));
        last.max(is_run.then_some(behind))
    }

    /// Whether a line is only furniture: "By Ann Vale", "12:26 PM", "Share Tweet", "Updated 3 May 2031, 14:05 GMT".
    fn is_furniture_line(&self, line: Range<usize>) -> bool {
        let is_short = line.clone().filter(|at| self.tokens[*at].is_word()).count() <= LINE_WORDS_MAX;
        let has_cue = || {
            line.clone().any(|at| self.cue_at(at, Class::Furniture).is_some() || self.clock(at, line.clone()).is_some())
                && self.tokens[line.start].case != Case::Lower
        };
        is_short && (self.is_byline(line.clone()) || has_cue() && self.has_only_furniture(line))
    }

    fn has_only_furniture(&self, line: Range<usize>) -> bool {
        let mut at = line.start;
        while at < line.end {
            let token = &self.tokens[at];
            let cue = self.cue_at(at, Class::Furniture).or_else(|| self.clock(at, line.clone()));
            let is_dated = token.kind != TokenKind::Word || token.is(Class::Month) || token.is(Class::Weekday);
            let joins = matches!(&*token.fold, "at" | "on" | "by" | "via" | "and") || is_zone(token);
            match cue {
                Some(tokens) => at += tokens,
                None if is_dated || joins => at += 1,
                None => return false,
            }
        }
        true
    }

    /// Number of tokens of a button of several words: "Print this article".
    fn button(&self, at: usize) -> Option<usize> {
        self.cue_at(at, Class::Furniture).filter(|tokens| *tokens > 1 && self.tokens[at].is_capital())
    }

    /// Number of tokens of a clock at the beginning, or behind a date or mark: "| 18 November 2019 12:26 PM".
    fn clock(&self, at: usize, range: Range<usize>) -> Option<usize> {
        let token = &self.tokens[at];
        let is_time = token.kind == TokenKind::Number && token.fold.split(':').filter(|part| part.len() <= 2).count() == 2;
        let is_apart =
            at == range.start || self.tokens[at - 1].kind != TokenKind::Word || self.tokens[at - 1].is(Class::Furniture);
        let word = |at: usize| self.tokens[..range.end].get(at);
        let half = word(at + 1).is_some_and(|next| matches!(next.fold.replace('.', "").as_str(), "am" | "pm"));
        let behind = at + 1 + usize::from(half);
        let zone = word(behind).is_some_and(is_zone);
        (is_time && is_apart && (half || zone)).then(|| 1 + usize::from(half) + usize::from(zone))
    }

    fn is_plain_capital(&self, at: usize) -> bool {
        self.tokens[at].case == Case::Capitalised
    }
}

/// "GMT", "ET".
fn is_zone(token: &Token) -> bool {
    token.case == Case::Upper && token.fold.ends_with('t') && (2..=ZONE_CHARS_MAX).contains(&token.fold.len())
}

#[cfg(test)]
mod tests {
    use super::super::{Lexicon, SentenceKind};
    use super::*;

    fn prose(text: &str) -> Vec<String> {
        let reading = Text::new(Lexicon::english(), text);
        let prose = reading.sentences().into_iter().filter(|sentence| sentence.kind == SentenceKind::Prose);
        prose.map(|sentence| super::super::one_line(sentence.span.slice(text))).collect()
    }

    #[test]
    fn furniture_is_no_part_of_a_sentence() {
        for text in [
            "Ferry sinks off Ebrin by Ann Vale | November 18, 2031 12:26 PM Print this article The ferry sank off Ebrin.",
            "Ferry sinks off Ebrin\nBy Ann Vale\n12:26 PM\nThe ferry sank off Ebrin.",
            "Ferry sinks off Ebrin\nBy Ann Vale, Port Calder\nPublished 3 May 2031, 14:05 GMT\nShare Tweet\nThe ferry sank off Ebrin.",
            "Updated: May 3, 2031 9:15 a.m. ET The ferry sank off Ebrin.",
            "Share this article The ferry sank off Ebrin.",
            "Advertisement The ferry sank off Ebrin.",
            "Share Tweet Email The ferry sank off Ebrin. Share this story",
            "The ferry sank off Ebrin. Advertisement",
            "The ferry sank off Ebrin.\nShare on Facebook\nPrint this page",
        ] {
            assert_eq!(prose(text), ["The ferry sank off Ebrin."], "{text}");
        }
    }

    #[test]
    fn words_of_furniture_in_prose_stay() {
        for text in [
            "Share prices fell on Monday.",
            "The ferry sank at 12:26 PM Police said on Monday.",
            "The guards were on watch until\n12:26 PM on Monday, when the ferry sank.",
            "The advertisement was seen by the captain.",
            "Facebook closed its office in Ebrin.",
            "Print media of the north sold out.",
            "SHARE PRICES OF THE FERRY LINE FELL.",
            "By Ann Vale, the captain of\nthe ferry, the log was kept.",
            "On 18 November 2031, 12:26 PM, the ferry sank.",
            "The letter was signed\nby Ann Vale and read at noon.",
        ] {
            assert_eq!(prose(text), [super::super::one_line(text)], "{text}");
        }
    }
}
