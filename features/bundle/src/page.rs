//! The report as a page that needs no network and no script.
//!
//! Invariant: outside text is escaped; the only links are those to quotations.

use crate::{part::Part, passage::Quotation, report::ExportedReport};
use app::format::escape_html;
use domain::assessment::Marker;
use engine::assessments::markdown;
use pulldown_cmark::{BrokenLink, CowStr, Event, Options, Parser, html::push_html};
use std::{collections::BTreeSet, fmt::Write};

const STYLE: &str = include_str!("page.css");

/// Writes the page of a report. `public_key` signs the bundle.
pub fn write(report: &ExportedReport, public_key: &str) -> String {
    let markers = report.assessment.markers();
    let title = escape_html(report.assessment.heading());
    let body = html(&markdown(&report.assessment, &report.findings), &markers);
    let quotations: String = report.quotations.iter().map(quotation).collect();
    let without = report.quotations.iter().filter(|quotation| quotation.passage.is_none()).count();
    let deleted = match without {
        0 => String::new(),
        count => {
            format!(
                "<p>{count} of the quotes have no passage: the document was deleted, or the passage names a private file.</p>"
            )
        }
    };
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{title}</title>\n<style>\n{STYLE}</style></head>\n<body><main>\n{body}\n\
         <h2 id=\"quotations\">Quotations in context</h2>\n{deleted}{quotations}\n{}</main>",
        how_to_check(public_key)
    )
}

/// Renders exported Markdown; `[n]` of a citation is a link to its quotation.
fn html(text: &str, markers: &BTreeSet<Marker>) -> String {
    // Two markers side by side would be one link with a label.
    let text = text.replace("][", "] [");
    let link = |link: BrokenLink<'_>| {
        let marker = link.reference.parse::<Marker>().ok().filter(|marker| markers.contains(marker))?;
        Some((CowStr::from(format!("#c{marker}")), CowStr::from(String::new())))
    };
    let events = Parser::new_with_broken_link_callback(&text, Options::ENABLE_TABLES, Some(link)).map(|event| match event {
        Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
        other => other,
    });
    let mut html = String::with_capacity(text.len() * 2);
    push_html(&mut html, events);
    html
}

/// Writes a quotation with its passage and its source.
fn quotation(quotation: &Quotation) -> String {
    let Quotation { marker, title, source, address, published, captured_at, span, quote, .. } = quotation;
    let mut out = format!("<article id=\"c{marker}\"><h3>[{marker}] {}</h3>\n<blockquote>", escape_html(source));
    let parts = quotation.passage.as_ref().and_then(|passage| passage.split(*span));
    let (before, quote, after) = parts.unwrap_or(("", quote.as_str(), ""));
    let _ = write!(
        out,
        "{}<mark>{}</mark>{}</blockquote>\n<p>{}",
        escape_html(before),
        escape_html(quote),
        escape_html(after),
        escape_html(title)
    );
    let published = published.map_or_else(|| "undated".to_owned(), |published| published.to_string());
    let _ = write!(out, ", {published}");
    if let Some(address) = address {
        let _ = write!(out, ", {}", escape_html(address));
    }
    if let Some(captured_at) = captured_at {
        let _ = write!(out, ", captured at {captured_at}");
    }
    let Quotation { document_sha256, text_sha256, .. } = quotation;
    let _ = writeln!(
        out,
        ".</p>\n<p class=\"hash\">SHA-256 of the source: {}<br>SHA-256 of its text: {}, bytes {} to {}</p></article>",
        escape_html(document_sha256),
        escape_html(text_sha256),
        span.start,
        span.end
    );
    out
}

fn how_to_check(public_key: &str) -> String {
    let parts: Vec<&str> = Part::ALL.into_iter().map(Part::name).collect();
    format!(
        "<h2 id=\"check\">How to check this file</h2>\n\
         <p>Run <code>autosint verify FILE</code>, or save the script below and run <code>python3 verify.py FILE</code>. Both check \
         the hash of each part ({}), every quote against its passage, and the signature.</p>\n\
         <p>The public key is <code class=\"hash\">{public_key}</code>. The file cannot prove whose key that is, and anybody can \
         change the script in it. Ask the sender for the key in another way, and name it: <code>--key KEY</code>.</p>\n\
         <p>A passage is part of a source. With the text of the source (<code>--text TEXT</code>), both check it against the hash \
         above. Neither checks that the report judges well, or that a source is right.</p>\n<h2>Files</h2>\n\
         <p>The links below save them.</p>\n",
        parts.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_become_links_and_markup_from_outside_stays_text() {
        let html = html(
            "It burned [1][2], they say \\[1\\] and [9].\n\n<script>x</script> <!-- autosint:end page -->",
            &[1, 2].into(),
        );
        assert!(html.contains("<a href=\"#c1\">1</a> <a href=\"#c2\">2</a>, they say [1] and [9]"), "{html}");
        assert!(!html.contains("<script") && !html.contains("<!--"), "{html}");
    }
}
