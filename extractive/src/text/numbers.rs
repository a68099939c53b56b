//! Numbers with what they count: "45 casualties", "about $3 billion", "at least two dozen soldiers".

use super::span::Span;
use super::tokens::{Gap, Token, TokenKind};
use super::{Class, Text};

/// A number that is no date.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberExpression {
    pub span: Span,
    pub value: f64,
    /// "percent", "km", "$".
    pub unit: Option<String>,
    /// The words that name what is counted.
    pub counted: Option<Span>,
}

/// The most words of a thing that is counted.
const COUNTED_WORDS_MAX: usize = 3;

impl Text<'_> {
    /// All numbers that are not part of a date or a name, in order.
    pub fn numbers(&self) -> Vec<NumberExpression> {
        let times = self.times_in(0..self.tokens.len(), None);
        let mut numbers: Vec<NumberExpression> = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let span = self.tokens[at].span;
            let time = times.partition_point(|time| time.span.end <= span.start);
            let dated = times.get(time).is_some_and(|time| time.span.overlaps(span));
            match self.value_at(at).filter(|_| !dated) {
                Some((value, len)) => {
                    numbers.extend(self.number(at, len, value));
                    at += len;
                }
                None => at += 1,
            }
        }
        numbers
    }

    /// The value and the number of tokens of the number that starts at a token.
    fn value_at(&self, at: usize) -> Option<(f64, usize)> {
        let token = &self.tokens[at];
        let mut value = match token.kind {
            TokenKind::Number => token.fold.replace(',', "").trim_end_matches("km").parse().ok()?,
            TokenKind::Word => self.spelled(&token.fold).or_else(|| self.a_dozen(at))?,
            TokenKind::Mark => return None,
        };
        let mut len = 1;
        while let Some(next) = self.tokens.get(at + len).filter(|next| next.gap != Gap::Paragraph) {
            match self.lexicon.number(&next.fold) {
                Some(scale) if scale >= 100.0 || &*next.fold == "dozen" || &*next.fold == "score" => value *= scale,
                Some(units) if token.kind == TokenKind::Word && units < 100.0 && value >= 20.0 && units < value => {
                    value += units
                }
                _ => break,
            }
            len += 1;
        }
        Some((value, len))
    }

    fn spelled(&self, word: &str) -> Option<f64> {
        let whole = self.lexicon.number(word);
        whole.or_else(|| {
            let (tens, units) = word.split_once('-')?;
            Some(self.lexicon.number(tens)? + self.lexicon.number(units)?)
        })
    }

    /// "a dozen", "a hundred": the article means one.
    fn a_dozen(&self, at: usize) -> Option<f64> {
        let article = matches!(&*self.tokens[at].fold, "a" | "an");
        (article && self.tokens.get(at + 1).is_some_and(|next| next.is(Class::Scale))).then_some(1.0)
    }

    fn number(&self, at: usize, len: usize, value: f64) -> Option<NumberExpression> {
        let before = at.checked_sub(1).map(|before| &self.tokens[before]).filter(|token| token.gap != Gap::Paragraph || at > 0);
        let money =
            before.is_some_and(|token| matches!(&*token.fold, "$" | "€" | "£" | "¥") && self.tokens[at].gap == Gap::None);
        let one = value == 1.0 && self.tokens[at].is_word();
        let code = before
            .is_some_and(|token| matches!(&*token.fold, "no" | "number" | "law" | "article" | "section" | "#" | "page" | "at"));
        if code || (before.is_some_and(|token| token.is_mark(".")) && self.tokens[at].gap == Gap::None) {
            return None;
        }
        let start = at - usize::from(money);
        let after = at + len;
        let unit = self.tokens.get(after).filter(|token| token.is(Class::Unit) || token.is_mark("%"));
        let unit_words = usize::from(unit.is_some());
        let counted = if money { None } else { self.counted(after + unit_words * usize::from(unit.is_some())) };
        if one && counted.is_none() && unit.is_none() {
            return None;
        }
        Some(NumberExpression {
            span: self.span_of(start..after + unit_words),
            value,
            unit: if money { before.map(|token| token.fold.to_string()) } else { unit.map(|token| token.fold.to_string()) },
            counted: counted.filter(|_| unit.is_none()),
        })
    }

    fn counted(&self, from: usize) -> Option<Span> {
        let mut start = from;
        while start < from + 4 && self.tokens.get(start).is_some_and(|token| token.is(Class::NumberSkip)) {
            start += 1;
        }
        let counts = |token: &&Token| {
            let verb = self.is_past_verb(token);
            token.is_word() && !token.is_function() && !token.is(Class::Month) && !verb && token.gap != Gap::Paragraph
        };
        let words = self.tokens.get(start..)?.iter().take(COUNTED_WORDS_MAX).take_while(counts).count();
        (words > 0).then(|| self.span_of(start..start + words))
    }

    /// A form like "died" or "wounded", which ends a noun phrase more often than it is part of one.
    pub(crate) fn is_past_verb(&self, token: &Token) -> bool {
        let word = &*token.fold;
        self.lexicon.ends_like_past(word) && word.len() > 4 && self.lexicon.lemma(word) != word
            || self.lexicon.is_irregular_verb(word)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Lexicon;
    use super::*;

    fn check(text: &str, expect: &[(&str, f64, Option<&str>)]) {
        let found = Text::new(Lexicon::english(), text).numbers();
        let found: Vec<_> = found
            .iter()
            .map(|number| (number.span.slice(text), number.value, number.counted.map(|span| span.slice(text))))
            .collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn numbers_name_what_they_count() {
        check("ABOUT 50 PEASANTS OF VARIOUS AGES", &[("50", 50.0, Some("PEASANTS"))]);
        check(
            "Some 1,200 leftist guerrillas died; twenty-one others fled.",
            &[("1,200", 1200.0, Some("leftist guerrillas")), ("twenty-one", 21.0, None)],
        );
        check("a dozen men", &[("a dozen", 12.0, Some("men"))]);
    }

    #[test]
    fn money_shares_and_scales_have_units() {
        check("$3 billion and 12.5 percent in 1990.", &[("$3 billion", 3e9, None), ("12.5 percent", 12.5, None)]);
        let number = &Text::new(Lexicon::english(), "at least 7 km").numbers()[0];
        assert_eq!(number.unit.as_deref(), Some("km"));
    }
}
