//! An assessment as Markdown: complete, for people, with the citations as a numbered list at the end.
//!
//! Invariant: words from outside are written so that they stay words; only `analysis` is Markdown already.

use domain::{
    Published, Timestamp,
    assessment::{Assessment, Citation, Direction, Grounded, Hypothesis, Marker},
    claim::Attribution,
    fetch::PageFinding,
    likelihood::percent,
};
use std::fmt::Write;

/// The whole assessment, with what the citation watch has found since. The same gives the same text.
pub fn markdown(assessment: &Assessment, findings: &[PageFinding]) -> String {
    let body = &assessment.body;
    let mut out = Page(String::new());
    out.line(format!("# {}", plain(&body.title)));
    out.line(format!("*Question:* {}", plain(&assessment.question)));
    out.line(format!("**{}**", plain(&body.bottom_line)));
    found_later(&mut out, &assessment.citations, findings);
    out.line(format!("Overall confidence: {}", grounded(&body.overall_confidence)));
    judgements(&mut out, assessment);
    out.section("Analysis");
    out.line(body.analysis.trim());
    hypotheses(&mut out, &body.hypotheses);
    matrix(&mut out, assessment);
    indicators(&mut out, assessment);
    remainder(&mut out, assessment);
    citations(&mut out, &assessment.citations, findings);
    colophon(&mut out, assessment);
    out.0
}

/// Paragraphs with an empty line between them.
struct Page(String);

impl Page {
    fn line(&mut self, text: impl AsRef<str>) {
        self.0.push_str(text.as_ref());
        self.0.push_str("\n\n");
    }

    fn section(&mut self, title: &str) {
        self.line(format!("## {title}"));
    }

    /// A section with a list, or with a sentence where there is nothing to list.
    fn list(&mut self, title: &str, nothing: &str, items: Vec<String>) {
        self.section(title);
        if items.is_empty() {
            return self.line(nothing);
        }
        let list: String = items.iter().map(|item| format!("- {item}\n")).collect();
        self.line(list.trim_end());
    }
}

/// That cited pages are not as they were any more.
fn found_later(out: &mut Page, citations: &[Citation], findings: &[PageFinding]) {
    let concerned = citations.iter().filter(|citation| citation.finding(findings).is_some());
    let concerned: Vec<Marker> = concerned.map(|citation| citation.marker).collect();
    if !concerned.is_empty() {
        out.line(format!("**Since then:** pages are no longer as they were cited: {}. See there.", markers(&concerned)));
    }
}

fn judgements(out: &mut Page, assessment: &Assessment) {
    out.section("Key judgements");
    for judgement in &assessment.body.key_judgements {
        let likelihood = judgement.likelihood;
        out.line(format!(
            "**{}.** {} — {} ({}); confidence {} {}",
            plain(&judgement.id),
            plain(&judgement.statement),
            likelihood.term.words(),
            percent(likelihood.point),
            grounded(&judgement.confidence),
            markers(&judgement.citations),
        ));
    }
}

fn hypotheses(out: &mut Page, hypotheses: &[Hypothesis]) {
    out.section("Hypotheses");
    for hypothesis in hypotheses {
        out.line(format!(
            "### {}: {} — {}",
            plain(&hypothesis.id),
            plain(&hypothesis.statement),
            percent(hypothesis.probability)
        ));
        out.line(plain(&hypothesis.reasoning));
        let facts = [
            ("For", markers(&hypothesis.supporting)),
            ("Against", markers(&hypothesis.against)),
            ("Weaknesses", plain(&hypothesis.weaknesses)),
        ];
        let list: String = facts.iter().filter(|fact| !fact.1.is_empty()).map(|(k, v)| format!("- {k}: {v}\n")).collect();
        if !list.is_empty() {
            out.line(list.trim_end());
        }
    }
}

fn matrix(out: &mut Page, assessment: &Assessment) {
    let body = &assessment.body;
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
        let _ = write!(table, "\n| [{}] | {} | {} |", row.citation, row.credibility.as_str(), row.relevance.as_str());
        for hypothesis in &body.hypotheses {
            let rating = row.ratings.get(&hypothesis.id).map(|rating| format!("{rating:?}")).unwrap_or_default();
            let _ = write!(table, " {rating} |");
        }
    }
    out.line(table);
}

fn indicators(out: &mut Page, assessment: &Assessment) {
    let line = |indicator: &domain::assessment::Indicator| {
        let bearing = match indicator.direction {
            _ if indicator.hypotheses.is_empty() => "to watch".to_owned(),
            Direction::Supports => format!("supports {}", plain(&indicator.hypotheses.join(", "))),
            Direction::Weakens => format!("weakens {}", plain(&indicator.hypotheses.join(", "))),
        };
        let resolution = &indicator.resolution;
        let by = resolution.by.as_deref().map_or_else(|| "no date can be named".to_owned(), |by| format!("by {}", plain(by)));
        format!(
            "**{}.** {} ({bearing}). Resolved by: {} {} ({by}).",
            plain(&indicator.id),
            plain(&indicator.text),
            plain(&resolution.question),
            plain(&resolution.criteria),
        )
    };
    let items = assessment.body.indicators.iter().map(line).collect();
    out.list("Indicators", "None were found.", items);
}

fn remainder(out: &mut Page, assessment: &Assessment) {
    let body = &assessment.body;
    let gap = |gap: &domain::assessment::Gap| {
        format!("{} Impact: {} How to close it: {}", plain(&gap.text), plain(&gap.impact), plain(&gap.how_to_close))
    };
    out.list("Gaps", "None are known.", body.gaps.iter().map(gap).collect());
    let assumption = |one: &domain::assessment::Assumption| format!("{} If wrong: {}", plain(&one.text), plain(&one.if_wrong));
    out.list("Assumptions", "None were made.", body.assumptions.iter().map(assumption).collect());
    let impact =
        |one: &domain::assessment::Impact| format!("{}: {} {}", plain(&one.who), plain(&one.effect), markers(&one.citations));
    out.list("Impacts", "None were found.", body.impacts.iter().map(impact).collect());
    let outlet = |one: &domain::assessment::OutletNote| format!("**{}**: {}", plain(&one.name), plain(&one.notes));
    out.list("Outlets", "None were evaluated.", body.outlets.iter().map(outlet).collect());
    out.section("Change");
    out.line(match &body.change {
        Some(change) => format!("Since assessment {}: {}", change.previous_id, plain(&change.summary)),
        None => "This is the first assessment of the question.".to_owned(),
    });
}

fn citations(out: &mut Page, citations: &[Citation], findings: &[PageFinding]) {
    out.section("Citations");
    for citation in citations {
        let outlet = citation.outlet.as_deref().unwrap_or("outlet unknown");
        let later = citation
            .finding(findings)
            .map(|found| format!("  \n   **{}** ({}): {}", found.what.words(), day(found.at), plain(&found.note)));
        out.line(format!(
            "{}. “{}”  \n   {}, {} ({}), {}. `{}`, bytes {}–{} of text sha256 `{}`.{}",
            citation.marker,
            plain(&citation.quote),
            plain(&citation.document_title),
            plain(outlet),
            published(citation.published_at.as_ref()),
            attribution(citation.attribution),
            citation.document_path.replace(['`', '\n'], " "),
            citation.span.start,
            citation.span.end,
            citation.text_sha256,
            later.unwrap_or_default(),
        ));
    }
}

fn colophon(out: &mut Page, assessment: &Assessment) {
    let (producer, cost) = (&assessment.producer, &assessment.cost);
    out.section("How this was made");
    let mut list = format!(
        "- Assessment: {}\n- Investigation: {}\n- Provider: {}, model {}\n- Cost: {} {:.2}; {} tokens in, {} tokens out",
        assessment.id,
        assessment.investigation_id,
        plain(&producer.provider),
        plain(&producer.model),
        plain(&cost.currency),
        cost.amount,
        cost.tokens_in,
        cost.tokens_out,
    );
    for (role, hash) in &producer.prompts {
        let _ = write!(list, "\n- Prompt of {}: `{hash}`", plain(role));
    }
    out.0.push_str(&list);
    out.0.push('\n');
}

fn grounded(confidence: &Grounded) -> String {
    format!("**{}**: {}", confidence.level.as_str(), plain(&confidence.basis))
}

fn markers(markers: &[Marker]) -> String {
    markers.iter().map(|marker| format!("[{marker}]")).collect()
}

fn published(published: Option<&Published>) -> String {
    published.map_or_else(|| "undated".to_owned(), |published| day(published.value))
}

fn day(moment: Timestamp) -> String {
    moment.to_datetime().format("%-d %B %Y").to_string()
}

fn attribution(attribution: Attribution) -> &'static str {
    match attribution {
        Attribution::Primary => "primary",
        Attribution::Secondhand => "second-hand",
        Attribution::Unattributed => "unattributed",
        Attribution::Indirect => "indirect",
    }
}

/// Text from outside on one line, with what Markdown would read as markup escaped. A number and its percent sign stay together.
fn plain(text: &str) -> String {
    const NO_BREAK_SPACE: char = '\u{a0}';
    let mut out = String::with_capacity(text.len());
    let words = text.split(|c: char| c.is_whitespace() && c != NO_BREAK_SPACE).filter(|word| !word.is_empty());
    for word in words {
        if !out.is_empty() {
            out.push(' ');
        }
        for character in word.chars() {
            if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~') {
                out.push('\\');
            }
            out.push(character);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_stays_text() {
        assert_eq!(plain("a [link](x)\n# <b>*"), "a \\[link\\](x) \\# \\<b\\>\\*");
        assert_eq!(plain(" 50\u{a0}%\u{2028} of\r\n it "), "50\u{a0}% of it");
        assert_eq!(markers(&[1, 12]), "[1][12]");
    }
}
