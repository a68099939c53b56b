//! Markdown export of an evidence brief: non-empty sections, without likelihood or confidence.

use super::{
    MarkdownSource,
    text::{MarkdownPage, date, demoted, markers, plain},
    without_links,
};
use domain::assessment::{Citation, Hypothesis, Marker, markers_beside};

/// Path of the guide on models.
const GUIDE: &str = "docs/models.md";

impl MarkdownSource<'_> {
    pub(super) fn brief(&self, out: &mut MarkdownPage) {
        let body = &self.assessment.body;
        self.title(out);
        out.line(demoted(&without_links(body.bottom_line.trim())));
        if let Some(disclosure) = &self.assessment.disclosure {
            out.line(format!("{} The guide: {GUIDE}", plain(disclosure)));
        }
        self.found_later(out);
        let quotes = body.key_judgements.iter().map(|quote| self.cited(&quote.statement, &quote.citations));
        section(out, "Further quotations", quotes.collect());
        let answers: Vec<String> = (1..).zip(&body.hypotheses).map(|(place, answer)| self.answer(place, answer)).collect();
        if !answers.is_empty() {
            out.section("Reported answers");
            out.line(answers.join("\n"));
        }
        if !body.analysis.trim().is_empty() {
            out.section("In detail");
            out.line(demoted(&without_links(body.analysis.trim())));
        }
        let contradictions = body.contradictions.iter().map(|one| self.cited(&one.text, &one.citations));
        section(out, "Numbers that differ", contradictions.collect());
        let announced = body.indicators.iter().map(|one| {
            let by = one.resolution.by.as_deref().map(|by| format!(" (by {})", date(by))).unwrap_or_default();
            self.marked(&one.text) + &by
        });
        section(out, "Announced", announced.collect());
        section(out, "Not known, according to the sources", body.gaps.iter().map(|gap| self.marked(&gap.text)).collect());
        let effects = body.impacts.iter().map(|impact| self.cited(&impact.effect, &impact.citations));
        section(out, "Effects, according to the sources", effects.collect());
        self.sources(out);
        self.citations(out);
        self.colophon(out);
        self.provenance(out);
    }

    /// Formats a statement with the citations it does not contain yet.
    pub(super) fn cited(&self, text: &str, citations: &[Marker]) -> String {
        format!("{} {}", self.marked(text), markers(&markers_beside(text, citations))).trim_end().to_owned()
    }

    /// Formats an answer with its rank, and the outlets that report or deny it.
    fn answer(&self, place: usize, answer: &Hypothesis) -> String {
        let sides = [("Reported by", &answer.supporting), ("Denial reported by", &answer.against)];
        let sides = sides.iter().filter(|(_, cited)| !cited.is_empty());
        let sides = sides.map(|(side, cited)| format!("\n   - {side}: {}", self.outlets_of(cited)));
        format!("{place}. {}{}", self.marked(&answer.statement), sides.collect::<String>())
    }

    /// `Tessin Courier [1], East Bank Radio [2]`.
    fn outlets_of(&self, cited: &[Marker]) -> String {
        let named = cited.iter().map(|marker| {
            let citation = self.assessment.citations.iter().find(|citation| citation.marker == *marker);
            let outlet = citation.map_or_else(|| "unknown outlet".to_owned(), Citation::source_name);
            format!("{} [{marker}]", plain(&outlet))
        });
        named.collect::<Vec<_>>().join(", ")
    }
}

/// Writes a section with a list, unless empty.
pub(super) fn section(out: &mut MarkdownPage, title: &str, items: Vec<String>) {
    if !items.is_empty() {
        out.section(title);
        out.items(items);
    }
}
