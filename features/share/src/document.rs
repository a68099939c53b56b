//! The page of a link as one HTML document: style inside, no script, nothing loaded but the picture that previews show.

use app::format;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::{
    Timestamp,
    assessment::{Marker, Segment, segments, unmarked},
};
use feature::{
    SharedObject,
    shareable::{SharedBar, SharedGraph, SharedSection, SharedSource, SharedTable},
};
use leptos::prelude::*;
use sha2::{Digest, Sha256};
use std::{collections::BTreeSet, sync::LazyLock};

const STYLE: &str = include_str!("page.css");
/// Maximum length of a quotation, in characters.
const MAX_QUOTE_CHARS: usize = 400;
/// Maximum size of a page, in bytes. Sources are left out above it.
const MAX_PAGE_BYTES: usize = 60_000;
/// Maximum length of a label in a picture, in characters.
const MAX_LABEL_CHARS: usize = 24;
/// Distance of a label below its entity, in units of the picture.
const LABEL_BELOW: u32 = 44;
/// Characters of the description in previews.
const MAX_DESCRIPTION_CHARS: usize = 200;

/// Content security policy of every answer to strangers: the style of this file, pictures of this server, and nothing else.
pub static POLICY: LazyLock<String> = LazyLock::new(|| policy("'none'"));
/// Policy of a preview, which a page of this server shows in a frame.
pub static PREVIEW_POLICY: LazyLock<String> = LazyLock::new(|| policy("'self'"));

fn policy(frames: &str) -> String {
    let style = BASE64_STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {frames}"
    )
}

/// Facts about a link that its page shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFrame {
    /// User name of the person who shares.
    pub sharer: String,
    pub note: String,
    pub shows_quotes: bool,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    /// Public address of the page; none where it is not configured.
    pub address: Option<String>,
    /// Path of the evidence bundle; none where the link has none.
    pub bundle: Option<String>,
}

/// Returns the document of an object, of at most 60,000 bytes.
pub fn page_of_link(mut object: SharedObject, frame: &PageFrame) -> String {
    let total = object.sources.len();
    loop {
        let html = draw_page(&object, frame, total - object.sources.len());
        if html.len() <= MAX_PAGE_BYTES || object.sources.is_empty() {
            return html;
        }
        object.sources.truncate(object.sources.len() / 2);
    }
}

/// Returns the one page of all tokens that lead nowhere.
pub fn refused_page() -> String {
    let text = "This link does not work (any more). Ask whoever sent it.";
    message_page("Link does not work", text)
}

/// Returns a page with one sentence.
pub fn message_page(title: &str, text: &str) -> String {
    let (heading, text) = (title.to_owned(), text.to_owned());
    let body = to_html(move || {
        view! { <main class="message"><p class="mark" aria-hidden="true">"◎"</p><h1>{heading}</h1><p>{text}</p></main> }
            .into_any()
    });
    document(title, "", &body)
}

fn draw_page(object: &SharedObject, frame: &PageFrame, left_out: usize) -> String {
    let known: BTreeSet<Marker> = object.sources.iter().map(|source| source.marker).collect();
    let shows_text = frame.shows_quotes || !object.is_quoted;
    let description = match shows_text {
        true => format::abridged(&unmarked(&object.finding), MAX_DESCRIPTION_CHARS),
        false => String::new(),
    };
    let preview = preview_tags(&object.title, &description, frame.address.as_deref());
    let (page, frame) = (object.clone(), frame.clone());
    let body = to_html(move || body(page, frame, &known, left_out));
    document(&object.title, &preview, &body)
}

fn to_html(draw: impl FnOnce() -> AnyView) -> String {
    Owner::new().with(|| draw().to_html())
}

fn document(title: &str, head: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><meta name=\"robots\" content=\"noindex, nofollow, noarchive\">\
         <title>{}</title>{head}<style>{STYLE}</style></head><body>{body}</body></html>",
        format::escape_html(title)
    )
}

/// Returns the Open Graph tags of a page; the picture needs an address.
fn preview_tags(title: &str, description: &str, address: Option<&str>) -> String {
    let tag = |name: &str, value: &str| format!("<meta property=\"{name}\" content=\"{}\">", format::escape_html(value));
    let mut tags = tag("og:type", "article") + &tag("og:title", title) + &tag("og:description", description);
    if let Some(address) = address {
        tags += &tag("og:url", address);
        tags += &tag("og:image", &format!("{address}/picture.png"));
        tags += "<meta name=\"twitter:card\" content=\"summary_large_image\">";
    }
    tags
}

fn body(object: SharedObject, frame: PageFrame, known: &BTreeSet<Marker>, left_out: usize) -> AnyView {
    let SharedObject { title, facts, finding, bars, sections, graph, table, sources, method, is_quoted, .. } = object;
    let PageFrame { sharer, note, shows_quotes, created_at, expires_at, bundle, .. } = frame;
    let is_hidden = is_quoted && !shows_quotes;
    let about = format!("shared by {sharer} · {} · until {}", format::day(created_at), format::day(expires_at));
    let finding = match is_hidden {
        true => "This brief consists of quotations, which this link does not show.".to_owned(),
        false => finding,
    };
    let sections = if is_hidden { vec![] } else { sections };
    view! {
        <header><p><span class="mark" aria-hidden="true">"◎"</span> " AutOSINT · " {about}</p></header>
        <main>
            {(!note.is_empty()).then(|| view! { <p class="note">{note}</p> })}
            <h1>{title}</h1>
            {(!facts.is_empty()).then(|| view! { <p class="facts">{facts.join(" · ")}</p> })}
            {(!finding.is_empty()).then(|| view! { <p class="finding">{marked(&finding, known)}</p> })}
            {(!bars.is_empty()).then(|| view! { <ul class="bars">{bars.into_iter().map(bar).collect_view()}</ul> })}
            {sections.into_iter().map(|one| section(one, known)).collect_view()}
            {graph.map(|graph| view! { <div class="graph" inner_html=draw_graph(&graph)></div> })}
            {table.map(draw_table)}
            {(!sources.is_empty()).then(|| {
                let items = sources.into_iter().map(|one| source(one, shows_quotes)).collect_view();
                let left_out = (left_out > 0).then(|| view! { <p class="muted">{format::count(left_out as u64, "more source is", "more sources are")} " in the full report."</p> });
                view! { <section><h2>"Sources"</h2><ol class="sources">{items}</ol>{left_out}</section> }
            })}
        </main>
        <footer>
            <p>{method}</p>
            {bundle.map(|path| view! { <p id="bundle"><a class="bundle" href=path download>"Download the evidence bundle"</a></p> })}
        </footer>
    }
    .into_any()
}

/// Returns a text with its markers as links to the sources.
fn marked(text: &str, known: &BTreeSet<Marker>) -> AnyView {
    let parts = segments(text, known).into_iter().map(|segment| match segment {
        Segment::Text(text) => text.to_owned().into_any(),
        Segment::Marker(marker) => {
            let label = format!("Source {marker}");
            view! { <sup><a href=format!("#n{marker}") aria-label=label>{marker}</a></sup> }.into_any()
        }
    });
    parts.collect_view().into_any()
}

fn bar(bar: SharedBar) -> AnyView {
    let percent = bar.percent.min(100);
    view! {
        <li>
            <span>{bar.label}</span>
            <span class="number">{format!("{percent}\u{a0}%")}</span>
            <meter min="0" max="100" value=percent.to_string() aria-hidden="true"></meter>
        </li>
    }
    .into_any()
}

fn section(section: SharedSection, known: &BTreeSet<Marker>) -> AnyView {
    let lines = section.lines.iter().map(|line| view! { <li>{marked(line, known)}</li> }).collect_view();
    view! { <section><h2>{section.heading}</h2><ul>{lines}</ul></section> }.into_any()
}

/// Returns a graph as SVG; the table below it says the same in words.
fn draw_graph(graph: &SharedGraph) -> String {
    // A margin for the labels around the square of 1000.
    let mut svg =
        "<svg viewBox=\"-100 -60 1200 1120\" role=\"img\" aria-label=\"Picture of the relationships in the table below\">"
            .to_owned();
    for (source, target) in &graph.edges {
        if let (Some(source), Some(target)) = (graph.nodes.get(*source), graph.nodes.get(*target)) {
            svg.push_str(&format!("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>", source.x, source.y, target.x, target.y));
        }
    }
    for node in &graph.nodes {
        let (x, y, label) = (node.x, node.y, format::escape_html(&format::abridged(&node.label, MAX_LABEL_CHARS)));
        svg.push_str(&format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"14\"/><text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            y + LABEL_BELOW
        ));
    }
    svg + "</svg>"
}

fn draw_table(table: SharedTable) -> AnyView {
    let heads = table.heads.into_iter().map(|head| view! { <th scope="col">{head}</th> }).collect_view();
    let row = |cells: Vec<String>| {
        let cells = cells.into_iter().map(|cell| view! { <td>{cell}</td> }).collect_view();
        view! { <tr>{cells}</tr> }
    };
    let rows = table.rows.into_iter().map(row).collect_view();
    view! {
        <section>
            <h2>{table.caption}</h2>
            <table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>
        </section>
    }
    .into_any()
}

fn source(source: SharedSource, shows_quotes: bool) -> AnyView {
    let SharedSource { marker, name, title, href, published, quote } = source;
    let published = published.map(|day| format!(", {day}"));
    let title = title.map(|title| match href {
        Some(href) => view! { ": " <a href=href target="_blank" rel="noopener noreferrer nofollow">{title}</a> }.into_any(),
        None => view! { ": " {title} }.into_any(),
    });
    let quote = (shows_quotes && !quote.is_empty())
        .then(|| view! { <blockquote>{format!("“{}”", format::abridged(&quote, MAX_QUOTE_CHARS))}</blockquote> });
    view! { <li id=format!("n{marker}") value=marker.to_string()><p>{name} {published} {title}</p>{quote}</li> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use feature::shareable::SharedNode;

    fn frame(shows_quotes: bool) -> PageFrame {
        let at = Timestamp::from_micros(1_900_000_000_000_000);
        let address = Some("https://osint.example/s/token".to_owned());
        PageFrame {
            sharer: "ada".into(),
            note: "<b>".into(),
            shows_quotes,
            created_at: at,
            expires_at: at,
            address,
            bundle: None,
        }
    }

    fn object(sources: u32) -> SharedObject {
        let source =
            |marker| SharedSource { quote: "ä".repeat(500), ..SharedSource::new(marker, Some("Gazette"), "a.txt", "x") };
        SharedObject {
            title: "Who \"opened\" <it>?".into(),
            finding: "The keeper did [1].".into(),
            sources: (1..=sources).map(source).collect(),
            ..SharedObject::default()
        }
    }

    #[test]
    fn a_page_is_escaped_and_loads_nothing() {
        let html = page_of_link(object(1), &frame(true));
        assert!(html.contains("<title>Who &quot;opened&quot; &lt;it&gt;?</title>") && !html.contains("<b>"), "{html}");
        assert!(html.contains("href=\"#n1\"") && html.contains("id=\"n1\"") && html.contains("“ää"), "{html}");
        assert!(html.contains("content=\"https://osint.example/s/token/picture.png\""), "{html}");
        assert!(html.contains("noindex") && !html.contains("<script") && !html.contains("<link") && !html.contains("<img"));
        assert!(!page_of_link(object(1), &frame(false)).contains("ää"), "references only");
    }

    #[test]
    fn a_long_page_leaves_sources_out() {
        let html = page_of_link(object(200), &frame(true));
        assert!(html.len() <= MAX_PAGE_BYTES, "{}", html.len());
        assert!(html.contains("more sources are"), "{html}");
    }

    #[test]
    fn a_graph_is_drawn_with_escaped_labels_and_no_style_of_its_own() {
        let node = |label: &str, x| SharedNode { label: label.into(), x, y: 500 };
        let graph = SharedGraph { nodes: vec![node("<Guards>", 0), node("Lock", 1000)], edges: vec![(0, 1), (0, 9)] };
        let html = page_of_link(SharedObject { graph: Some(graph), ..object(0) }, &frame(true));
        assert!(html.contains("<line x1=\"0\" y1=\"500\" x2=\"1000\" y2=\"500\"/>"), "{html}");
        assert_eq!((html.matches("<line").count(), html.matches("<circle").count()), (1, 2), "{html}");
        assert!(html.contains(">&lt;Guards&gt;</text>") && !html.contains(" style="), "{html}");
    }

    #[test]
    fn a_bundle_is_linked_where_there_is_one() {
        let with_bundle = PageFrame { bundle: Some("/s/token/bundle.html".into()), ..frame(true) };
        assert!(page_of_link(object(1), &with_bundle).contains("href=\"/s/token/bundle.html\""));
        assert!(!page_of_link(object(1), &frame(true)).contains("evidence bundle"));
    }

    #[test]
    fn a_brief_of_quotations_shows_its_sources_alone() {
        let html = page_of_link(SharedObject { is_quoted: true, ..object(1) }, &frame(false));
        assert!(
            !html.contains("The keeper did") && html.contains("consists of quotations") && html.contains("Gazette"),
            "{html}"
        );
    }
}
