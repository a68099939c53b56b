//! Statements about the future, with the day they speak of.

use std::ops::Range;

use chrono::NaiveDate;

use super::span::Span;
use super::times::TimeExpression;
use super::{Class, Text};

impl Text<'_> {
    /// The date after its publication that a sentence about the future names.
    pub fn due(&self, sentence: Span, published: Option<NaiveDate>) -> Option<TimeExpression> {
        let range = self.token_range(sentence);
        self.future_cue(&range)?;
        let times = self.times_in(range, published);
        let later = |time: &TimeExpression| match (time.end, published) {
            (Some(end), Some(published)) => end >= published,
            _ => true,
        };
        times.into_iter().find(|time| later(time) && !self.is_past_at(time.span))
    }

    /// Whether a past form binds a time: "unveiled in May", but not "will be unveiled in May".
    fn is_past_at(&self, time: Span) -> bool {
        let Some(at) = self.tokens.iter().position(|token| time.contains(token.span)) else { return false };
        let mut before = self.tokens[..at].iter().rev();
        let Some(mut verb) = before.next() else { return false };
        if verb.is(Class::TimePreposition) {
            let Some(next) = before.next() else { return false };
            verb = next;
        }
        let is_passive = before.next().is_some_and(|token| token.is(Class::PassiveInfinitive));
        self.lexicon.ends_like_past(&verb.fold) && !verb.is(Class::PlanForm) && !is_passive
    }

    pub(super) fn looks_forward(&self, range: &Range<usize>) -> bool {
        self.future_cue(range).is_some()
    }

    fn future_cue(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let mut from = range.start;
        while let Some(cue) = self.find_cue(from..range.end, Class::Future) {
            let before = (cue.start > range.start).then(|| &self.tokens[cue.start - 1]);
            let next = self.tokens[..range.end].get(cue.end);
            // "his will", "the will of", "free will": the noun.
            let noun = before.is_some_and(|token| {
                token.is(Class::Determiner)
                    || token.is(Class::Preposition)
                    || token.is(Class::OrgModifier)
                    || token.is_possessive()
            });
            let single = cue.len() == 1;
            let verb = next.is_some_and(|token| token.is_word() && !token.is(Class::Preposition));
            if !single || !noun && verb {
                return Some(cue);
            }
            from = cue.end;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::Lexicon;
    use super::*;

    fn check(text: &str, expect: Option<&str>) {
        let published = NaiveDate::from_ymd_opt(1990, 1, 10);
        let found = Text::new(Lexicon::english(), text).due(Span::whole(text), published);
        assert_eq!(found.map(|time| time.span.slice(text)), expect);
    }

    #[test]
    fn plans_and_expectations_look_forward() {
        check("Elections will be held on 25 February 1990.", Some("25 February 1990"));
        check("The bank is going to close next week.", Some("next week"));
        check("Against their will they left on 3 January 1990.", None);
        check("The army left.", None);
        check("The lander unveiled on 25 February 1990 will carry cargo.", None);
        check("The lander will be unveiled on 25 February 1990.", Some("25 February 1990"));
        check("The launch scheduled on 25 February 1990 will carry cargo.", Some("25 February 1990"));
    }
}
