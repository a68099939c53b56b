//! The citations: each quote opens its document at the quoted line. In the Brief, a marker opens its citation in a panel.

use crate::{
    atoms::{Badge, Cites, Day, PageFindingMark, Tone},
    format,
    parts::assessment::{CitationActions, Section},
};
use domain::{
    DocumentId,
    assessment::{Citation, Marker},
    fetch::PageFinding,
};
use leptos::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

#[component]
pub fn Citations(
    citations: Vec<Citation>,
    findings: Vec<PageFinding>,
    /// Documents that the reader may not open.
    closed: BTreeSet<DocumentId>,
) -> impl IntoView {
    let is_empty = citations.is_empty();
    let origins = by_origin(&citations);
    let items = citations.iter().map(|citation| {
        let finding = citation.finding(&findings).cloned();
        let same_origin = same_origin(citation, &origins).map(|other| other.marker).collect();
        let href = address(citation, &closed);
        view! { <Entry citation=citation.clone() href finding same_origin /> }
    });
    let items = items.collect_view();
    view! {
        <Section id="citations">
            {is_empty.then(|| view! { <p class="muted">"No citations."</p> })}
            <ol class="citations">{items}</ol>
        </Section>
    }
    .into_any()
}

/// The citations as panels beside the text: the style sheet shows the one that the address names, so that the reader stays at the sentence
/// and Back closes it. On paper they are notes.
#[component]
pub fn EvidencePanels(
    citations: Vec<Citation>,
    findings: Vec<PageFinding>,
    /// Documents that the reader may not open.
    closed: BTreeSet<DocumentId>,
    /// The citations that are notes on paper; all of them where it is not given.
    #[prop(optional)]
    notes: Option<BTreeSet<Marker>>,
) -> impl IntoView {
    let origins = by_origin(&citations);
    let panels = citations.iter().map(|citation| {
        let finding = citation.finding(&findings).cloned();
        let repeated = repetition(citation, &origins);
        let href = address(citation, &closed);
        let is_note = notes.as_ref().is_none_or(|notes| notes.contains(&citation.marker));
        view! { <Panel citation=citation.clone() href finding repeated is_note /> }
    });
    let panels: Vec<_> = panels.collect();
    (!panels.is_empty()).then(|| view! { <section class="panels" aria-label="Citations">{panels}</section> })
}

#[component]
fn Panel(
    citation: Citation,
    href: Option<String>,
    finding: Option<PageFinding>,
    repeated: Option<String>,
    is_note: bool,
) -> impl IntoView {
    let class = if is_note { "cite-panel" } else { "cite-panel only-on-screen" };
    let whole = citation.clone();
    let (marker, source) = (citation.marker, credit(&citation));
    view! {
        <aside class=class id=format!("c{marker}") tabindex="-1" aria-label=format!("Citation {marker}")>
            <p class="panel-head"><span class="citation-marker">{marker}</span> <a class="panel-close" href="#closed">"Close"</a></p>
            <blockquote>{citation.quote}</blockquote>
            <p class="citation-source">
                {citation.speaker.map(|speaker| view! { <span>{speaker} ", in"</span> })}
                {source}
                <Day published=citation.published_at />
                <span>{format::attribution(citation.attribution)}</span>
                <cite>{citation.document_title}</cite>
            </p>
            {repeated.map(|text| view! { <p class="muted">{text}</p> })}
            <PageFindingMark finding />
            {match href {
                Some(href) => view! { <p><a class="button outline" href=href>"Open document"</a></p> }.into_any(),
                None => view! { <p class="muted">{CLOSED}</p> }.into_any(),
            }}
            <CitationActions citation=whole />
        </aside>
    }
    .into_any()
}

/// Text in place of the link to a document that the reader may not open.
const CLOSED: &str = "The document was deleted, or is not shared with you.";

/// Outlet, host or file of a citation, and whether it is opinion.
pub(super) fn credit(citation: &Citation) -> AnyView {
    let (name, is_opinion) = (citation.source_name(), citation.is_opinion());
    view! {
        <span class="citation-outlet">{name}</span>
        {is_opinion.then(|| view! { " " <Badge tone=Tone::Quiet text="Opinion" /> })}
    }
    .into_any()
}

/// The address of the quoted line in its document; none where the reader may not open it.
pub(super) fn address(citation: &Citation, closed: &BTreeSet<DocumentId>) -> Option<String> {
    let (id, span) = (citation.document_id, citation.span);
    (!closed.contains(&id)).then(|| format!("/documents/{id}?quote={}-{}#quote", span.start, span.end))
}

/// A quote, as a link where there is an address.
pub(super) fn quote(href: Option<String>, text: String) -> AnyView {
    match href {
        Some(href) => view! { <a href=href>{text}</a> }.into_any(),
        None => text.into_any(),
    }
}

/// Citations by the id of their origin.
type Origins<'a> = BTreeMap<&'a str, Vec<&'a Citation>>;

fn by_origin(citations: &[Citation]) -> Origins<'_> {
    let mut origins = Origins::new();
    for citation in citations {
        if let Some(origin) = &citation.origin {
            origins.entry(origin.as_str()).or_default().push(citation);
        }
    }
    origins
}

/// Returns the other citations whose documents repeat the same text.
fn same_origin<'a>(citation: &'a Citation, origins: &'a Origins<'a>) -> impl Iterator<Item = &'a Citation> {
    let same = citation.origin.as_deref().and_then(|origin| origins.get(origin));
    same.into_iter().flatten().copied().filter(|other| other.marker != citation.marker)
}

/// The outlets of the other cited documents of the same origin, in a sentence.
fn repetition(citation: &Citation, origins: &Origins<'_>) -> Option<String> {
    let others = same_origin(citation, origins).filter(|other| other.document_id != citation.document_id);
    let outlets: BTreeSet<String> = others.map(Citation::source_name).collect();
    (!outlets.is_empty()).then(|| format!("One origin: the same text is also in {}.", Vec::from_iter(outlets).join(", ")))
}

#[component]
fn Entry(citation: Citation, href: Option<String>, finding: Option<PageFinding>, same_origin: Vec<Marker>) -> impl IntoView {
    let (whole, source) = (citation.clone(), credit(&citation));
    let content = citation.content.filter(|content| *content != citation.quote);
    let has_same = !same_origin.is_empty();
    view! {
        <li class="citation" id=format!("c{}", citation.marker) value=citation.marker>
            <span class="citation-marker" aria-hidden="true">{citation.marker}</span>
            <blockquote>{quote(href, citation.quote)}</blockquote>
            {content.map(|content| view! { <p class="citation-claim">{content}</p> })}
            <p class="citation-source">
                {citation.speaker.map(|speaker| view! { <span>{speaker} ", in"</span> })}
                {source}
                <Day published=citation.published_at />
                <span>{format::attribution(citation.attribution)}</span>
                <cite>{citation.document_title}</cite>
                {citation.origin.map(|origin| view! {
                    <span>"origin " <code>{origin}</code> {has_same.then(|| view! { ", as " <Cites markers=same_origin /> })}</span>
                })}
            </p>
            <PageFindingMark finding />
            <CitationActions citation=whole />
        </li>
    }
    .into_any()
}
