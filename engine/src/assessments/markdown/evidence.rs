//! Evidence sections: matrix, sources, checks and citations.

use super::{
    MarkdownSource,
    text::{MarkdownPage, day, exact, markers, plain},
};
use domain::{
    PublicationDate,
    assessment::{Basis, Citation, Marker, SourceStatement, checks},
    claim::Attribution,
};
use std::{collections::BTreeMap, fmt::Write};

/// Length of an evidence excerpt in the matrix, in characters.
const WORDS_CHARS: usize = 70;

impl MarkdownSource<'_> {
    pub(super) fn matrix(&self, out: &mut MarkdownPage) {
        let body = &self.assessment.body;
        if body.evidence_matrix.is_empty() {
            return;
        }
        out.section("Evidence matrix");
        out.line("CC very consistent, C consistent, N neutral, I inconsistent, II very inconsistent.");
        let mut table = String::from("| Evidence | Credibility | Relevance |");
        let mut rule = String::from("| --- | --- | --- |");
        for hypothesis in &body.hypotheses {
            let _ = write!(table, " {} |", plain(&hypothesis.id));
            rule.push_str(" --- |");
        }
        let _ = write!(table, "\n{rule}");
        for row in &body.evidence_matrix {
            let (credibility, relevance) = (row.credibility.as_str(), row.relevance.as_str());
            let _ = write!(table, "\n| [{}] {} | {credibility} | {relevance} |", row.citation, self.words_of(row.citation));
            for hypothesis in &body.hypotheses {
                let rating = row.ratings.get(&hypothesis.id).map_or_else(|| "–".to_owned(), |rating| format!("{rating:?}"));
                let _ = write!(table, " {rating} |");
            }
        }
        out.line(table);
    }

    /// Returns the beginning of a cited claim.
    fn words_of(&self, marker: Marker) -> String {
        let citation = self.assessment.citations.iter().find(|citation| citation.marker == marker);
        let said = citation.map_or("", |citation| citation.content.as_deref().unwrap_or(&citation.quote));
        match said.char_indices().nth(WORDS_CHARS) {
            Some((end, _)) => format!("{}…", plain(&said[..end])),
            None => plain(said),
        }
    }

    /// Writes what the report rests on, as the program counts it.
    pub(super) fn basis(&self, out: &mut MarkdownPage) {
        let Basis { lines, primary_sources } = Basis::new(self.assessment);
        if lines.is_empty() && primary_sources.is_empty() {
            return;
        }
        out.section("What it rests on");
        out.items(lines.iter().map(|line| self.marked(line)).collect());
        if !primary_sources.is_empty() {
            out.line("Quoted through others, not cited at first hand:");
            out.items(primary_sources.iter().map(|source| self.marked(&source.line)).collect());
        }
    }

    pub(super) fn sources(&self, out: &mut MarkdownPage) {
        let Some(sources) = &self.assessment.sources else { return };
        out.section("Sources");
        out.line(counts(sources));
        let owners = sources.owners.iter();
        out.items(owners.map(|one| format!("{}: {} ({})", plain(&one.outlet), plain(&one.owner), plain(&one.link))).collect());
        if !sources.searched_in_vain.is_empty() {
            out.line("Searched in vain:");
            let searches = sources.searched_in_vain.iter();
            out.items(searches.map(|search| format!("{} — {}", plain(&search.what), plain(&search.why))).collect());
        }
        if !sources.plan_changes.is_empty() {
            out.line("Changes of the plan while it ran:");
            out.items(sources.plan_changes.iter().map(|note| plain(&note.sentence())).collect());
        }
    }

    pub(super) fn checks(&self, out: &mut MarkdownPage) {
        let Some(checks) = &self.assessment.checks else { return };
        out.section("Checks");
        out.line(format!("{}.", checks.score()));
        let found = checks.findings.iter().map(|finding| ("Not passed", finding));
        let found = found.chain(checks.remarks.iter().map(|remark| ("Remark", remark))).map(|(kind, finding)| {
            let (title, at) = (checks::title(&finding.check), finding.at.replace(['`', '\n'], " "));
            format!("**{kind}: {title}.** {} (`{at}`)", plain(&finding.text))
        });
        out.items(found.collect());
    }

    pub(super) fn citations(&self, out: &mut MarkdownPage) {
        // Without citations, an assessment says so; a brief need not.
        if self.assessment.citations.is_empty() && !self.assessment.kind.is_assessment() {
            return;
        }
        out.section("Citations");
        for citation in &self.assessment.citations {
            out.line(self.citation(citation));
        }
    }

    fn citation(&self, citation: &Citation) -> String {
        let mut text = format!("{}. “{}”", citation.marker, plain(&citation.quote));
        if let Some(content) = citation.content.as_deref().filter(|content| *content != citation.quote) {
            let _ = write!(text, "  \n   {}", plain(content));
        }
        let speaker = citation.speaker.as_deref().map(|speaker| format!("{} in ", plain(speaker))).unwrap_or_default();
        let opinion = if citation.is_opinion() { ", opinion" } else { "" };
        let _ = write!(
            text,
            "  \n   {speaker}{}, {}{opinion} ({}), {}. `{}`",
            plain(&citation.document_title),
            plain(&citation.source_name()),
            published(citation.published_at.as_ref()),
            attribution(citation.attribution),
            citation.document_path.replace(['`', '\n'], " "),
        );
        if let Some(found) = citation.finding(self.findings) {
            let _ = write!(text, "  \n   **{}** ({}): {}", found.state.words(), exact(found.at), plain(&found.note));
        }
        text
    }

    /// Writes where each quote stands, by hashes, and the origins with several citations.
    pub(super) fn provenance(&self, out: &mut MarkdownPage) {
        let citations = &self.assessment.citations;
        if citations.is_empty() {
            return;
        }
        out.section("Provenance");
        out.items(citations.iter().map(place).collect());
        let mut origins: BTreeMap<&str, Vec<Marker>> = BTreeMap::new();
        for citation in citations {
            origins.entry(citation.origin_key()).or_default().push(citation.marker);
        }
        origins.retain(|_, cited| cited.len() > 1);
        if !origins.is_empty() {
            out.line("Citations of one origin, which repeat one text:");
            out.items(origins.iter().map(|(origin, cited)| format!("{}: {}", plain(origin), markers(cited))).collect());
        }
    }
}

/// `[1] bytes 61–101 of text sha256 3c, document sha256 9f, origin 3c3c3c3c`.
fn place(citation: &Citation) -> String {
    let Citation { marker, span, text_sha256, document_sha256, .. } = citation;
    let origin = citation.origin.as_deref().map(|origin| format!(", origin {}", plain(origin))).unwrap_or_default();
    format!(
        "[{marker}] bytes {}–{} of text sha256 `{text_sha256}`, document sha256 `{document_sha256}`{origin}",
        span.start, span.end
    )
}

/// `12 documents were consulted, 2 of them cited, from 2 origins. First-hand: 1 of 3 citations.`
fn counts(sources: &SourceStatement) -> String {
    let plural = |count: u64, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let (read, cited) = (sources.documents_read, sources.documents_cited);
    format!(
        "{} consulted, {cited} of them cited, from {}. First-hand: {} of {}.",
        plural(read, "document was", "documents were"),
        plural(sources.origins_cited, "origin", "origins"),
        sources.first_hand,
        plural(sources.citations, "citation", "citations"),
    )
}

fn published(published: Option<&PublicationDate>) -> String {
    published.map_or_else(|| "undated".to_owned(), day)
}

fn attribution(attribution: Attribution) -> &'static str {
    match attribution {
        Attribution::Primary => "primary",
        Attribution::Secondhand => "second-hand",
        Attribution::Unattributed => "unattributed",
        Attribution::Indirect => "indirect",
    }
}
