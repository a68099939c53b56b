//! The dateline of a report: "SAN SALVADOR, 3 JAN 90 (ACAN-EFE) -- [TEXT]", "BEIRUT, Lebanon (AP) —".

use super::span::Span;
use super::tokens::{Gap, TokenKind};
use super::{Case, Class, ClassSet, Text, TimeExpression};

/// Where and when a report was filed, and by whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Dateline {
    /// From the place to the last bracketed note before the first sentence.
    pub span: Span,
    pub place: Option<Span>,
    pub outlet: Option<Span>,
    pub date: Option<TimeExpression>,
}

/// A dateline stands among the first paragraphs and has at most so many tokens before its dash.
const PARAGRAPHS_MAX: u32 = 4;
const TOKENS_MAX: usize = 40;

impl Text<'_> {
    /// The dateline, where the text has one.
    pub fn dateline(&self) -> Option<Dateline> {
        let mut start = 0;
        while let Some(first) = self.tokens.get(start).filter(|token| token.paragraph < PARAGRAPHS_MAX) {
            let end = start + self.tokens[start..].partition_point(|token| token.paragraph == first.paragraph);
            if let Some(found) = self.dateline_at(start, end.min(start + TOKENS_MAX)) {
                return Some(found);
            }
            start = end;
        }
        None
    }

    /// The name of who filed a report; with its place where it is no name by itself: "Ebrin Domestic Service".
    pub fn filed_by(&self, line: &Dateline) -> Option<String> {
        const ORDINARY: ClassSet = ClassSet::from_classes(&[
            Class::Common,
            Class::OrgModifier,
            Class::OrgHead,
            Class::OutletHead,
            Class::GenericModifier,
        ]);
        let outlet = line.outlet?;
        let name = super::one_line(outlet.slice(self.source)).replace(" - ", "-");
        let is_ordinary = self.tokens[self.token_range(outlet)].iter().all(|token| token.classes.any(ORDINARY));
        let place = line.place.filter(|_| is_ordinary).map(|place| super::one_line(place.slice(self.source)));
        Some(place.map_or(name.clone(), |place| format!("{place} {name}")))
    }

    fn dateline_at(&self, start: usize, end: usize) -> Option<Dateline> {
        let Some(dash) = self.dash_outside_brackets(start, end) else { return self.credit_at(start, end) };
        let before = &self.tokens[start..dash];
        let opens = before[0].is_capital() || before[0].is_mark("(");
        if !opens || before.iter().any(|token| token.is_mark(".") && token.gap != Gap::None) {
            return None;
        }
        let outlet = before.iter().position(|token| token.is_mark("(")).and_then(|_| self.outlet_before(start, dash));
        let place_end = start + before.iter().position(|token| token.kind != TokenKind::Word).unwrap_or(before.len());
        let date = self.times_in(start..dash, None).into_iter().next();
        let upper = before[..place_end - start].iter().all(|token| token.case == Case::Upper);
        if !(outlet.is_some() || date.is_some() || upper) || outlet.is_none() && place_end == start || place_end - start > 6 {
            return None;
        }
        let ordinary = before.iter().filter(|token| token.case == Case::Lower).count();
        if ordinary > 2 {
            return None;
        }
        let place = (place_end > start).then(|| self.span_of(start..place_end));
        let end = self.skip_notes(dash + 1);
        let span = self.span_of(start..end);
        Some(Dateline { span, place, outlet, date })
    }

    /// "Port Calder (AP) The ferry …", "(CNN) The ferry …": a place and an agency in brackets without a dash, at the top of the text.
    fn credit_at(&self, start: usize, end: usize) -> Option<Dateline> {
        const PLACE_TOKENS_MAX: usize = 5;
        const AGENCY: ClassSet = ClassSet::from_classes(&[Class::OrgAcronym, Class::OutletHead]);
        let open = (start..end.min(start + PLACE_TOKENS_MAX + 1)).find(|at| self.tokens[*at].is_mark("("))?;
        let close = self.closing(open, end).filter(|_| start == 0)?;
        let named = self.tokens[start..open].iter().all(|token| token.is_capital() || token.kind == TokenKind::Mark);
        let agency = self.tokens[open + 1].classes.any(AGENCY) && self.tokens[open + 1].is_capital();
        let sentence = self.tokens[..end].get(close + 1).is_some_and(|next| next.is_capital() && next.gap == Gap::Space);
        (named && agency && sentence).then(|| Dateline {
            span: self.span_of(start..close + 1),
            place: (open > start).then(|| self.span_of(start..open)),
            outlet: Some(self.span_of(open + 1..close)),
            date: None,
        })
    }

    /// The first spaced dash that no bracket holds: the second of "(ACAN - EFE) -- [TEXT]".
    fn dash_outside_brackets(&self, start: usize, end: usize) -> Option<usize> {
        let mut at = start;
        while at < end {
            if let Some(close) = self.closing(at, end) {
                at = close;
            } else if at > start && self.tokens[at].is_dash() && self.is_dateline_dash(at) {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    fn is_dateline_dash(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let spaced = token.gap != Gap::None || token.fold.len() > 1;
        spaced && self.tokens.get(at + 1).is_some_and(|next| next.gap != Gap::None || next.is_mark("[") || token.fold.len() > 1)
    }

    /// The outlet in the last parentheses before the dash, unless it is the country: "MEXICO CITY (MEXICO), … (REUTER) --".
    fn outlet_before(&self, start: usize, dash: usize) -> Option<Span> {
        let open = (start..dash).rev().find(|at| self.tokens[*at].is_mark("("))?;
        let close = self.closing(open, dash)?;
        let inside = self.span_of(open + 1..close);
        let country = self.lexicon.country_of(inside.slice(self.source)).is_some();
        (!inside.is_empty() && !country).then_some(inside)
    }

    /// One past the bracketed notes that start at a token.
    fn skip_notes(&self, mut at: usize) -> usize {
        while self.tokens.get(at).is_some_and(|token| token.is_mark("[")) {
            let Some(close) = self.closing(at, self.tokens.len()) else { break };
            let speaker = self.tokens.get(close + 1).is_some_and(|next| next.is_mark("\""));
            if speaker && self.cue_at(at + 1, Class::Tag).is_none() {
                break;
            }
            at = close + 1;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::super::Lexicon;
    use super::*;

    fn check(text: &str, expect: Option<(&str, Option<&str>, Option<&str>)>) {
        let found = Text::new(Lexicon::english(), text).dateline();
        let date = found.as_ref().and_then(|line| line.date.as_ref()?.start).map(|day| day.to_string());
        let found = found.as_ref().map(|line| {
            (line.place.unwrap_or_default().slice(text), line.outlet.map(|outlet| outlet.slice(text)), date.as_deref())
        });
        assert_eq!(found, expect);
    }

    #[test]
    fn wire_and_agency_datelines_are_read() {
        check(
            "SAN SALVADOR, 3 JAN 90 (ACAN-EFE) -- [TEXT] IT RAINED.",
            Some(("SAN SALVADOR", Some("ACAN-EFE"), Some("1990-01-03"))),
        );
        check(
            "MEXICO CITY (MEXICO), 22 SEP 89 (REUTER) -- [ARTICLE] IT RAINED.",
            Some(("MEXICO CITY", Some("REUTER"), Some("1989-09-22"))),
        );
        check(
            "CLANDESTINE, 8 JAN 90 (RADIO VENCEREMOS)-- [TEXT] IT RAINED.",
            Some(("CLANDESTINE", Some("RADIO VENCEREMOS"), Some("1990-01-08"))),
        );
        check("BEIRUT, Lebanon (AP) — It rained.", Some(("BEIRUT", Some("AP"), None)));
        check("WASHINGTON — It rained.", Some(("WASHINGTON", None, None)));
        check("LIMA, 3 JAN 90 (ACAN - EFE) -- [TEXT] IT RAINED.", Some(("LIMA", Some("ACAN - EFE"), Some("1990-01-03"))));
        check("(Reuters) - It rained.", Some(("", Some("Reuters"), None)));
        check("Port Calder (CNN Business) It rained.", Some(("Port Calder", Some("CNN Business"), None)));
    }

    #[test]
    fn the_agency_of_a_dateline_is_named() {
        let filed_by = |text: &str| {
            let text = Text::new(Lexicon::english(), text);
            text.dateline().and_then(|line| text.filed_by(&line))
        };
        assert_eq!(filed_by("EBRIN CITY, 3 JAN 90 (DOMESTIC SERVICE) -- IT RAINED.").unwrap(), "EBRIN CITY DOMESTIC SERVICE");
        assert_eq!(filed_by("LIMA, 3 JAN 90 (ACAN - EFE) -- IT RAINED.").unwrap(), "ACAN-EFE");
        assert_eq!(filed_by("WASHINGTON — It rained."), None);
    }

    #[test]
    fn an_ordinary_dash_makes_no_dateline() {
        check("The army - or what was left of it - withdrew.", None);
        check("Smith, the minister - a lawyer - resigned.", None);
        check("Port Calder (north) It rained.", None);
    }
}
