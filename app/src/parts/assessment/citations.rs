//! The citations: as a list in lines, and as panels that their numbers open. Each panel leads to the quoted line of its document.

use crate::{
    atoms::{PageFindingMark, cite},
    live::PageLinks,
    parts::assessment::{CitationActions, EvidenceFilter, is_excluded},
    prelude::*,
};
use domain::{assessment::Hypothesis, fetch::PageFinding};
use std::collections::{BTreeMap, BTreeSet};

/// Citations of a page of the list.
const PAGE_ROWS: usize = 25;

/// One page of the citations, a line for each. The panel that its number opens has the rest.
#[component]
pub fn Citations(
    id: AssessmentId,
    citations: Vec<Citation>,
    /// Answers for or against which they are cited.
    hypotheses: Vec<Hypothesis>,
    findings: Vec<PageFinding>,
    filter: EvidenceFilter,
    /// Page from 1.
    page: usize,
) -> impl IntoView {
    let last = citations.len().div_ceil(PAGE_ROWS).max(1);
    let page = page.clamp(1, last);
    let is_empty = citations.is_empty();
    let rows = citations.into_iter().skip((page - 1) * PAGE_ROWS).take(PAGE_ROWS).map(|citation| {
        let finding = citation.finding(&findings).cloned();
        let bearing = bearing(citation.marker, &hypotheses);
        let source = credit(&citation);
        let excluded = is_excluded(citation.marker).then(|| view! { " " <Badge tone=Tone::Warning text="Excluded" /> });
        view! {
            <li class="citation">
                {cite(citation.marker)}
                <span class="citation-line">{citation.quote}</span>
                <span>{source}</span>
                <span><Day published=citation.published_at /></span>
                <span>{bearing} {excluded} <PageFindingMark finding /></span>
            </li>
        }
    });
    let rows = rows.collect_view();
    let (address, fields) = (Tab::Evidence.address(id), filter.fields(EvidenceView::List));
    view! {
        <Section id="citations">
            {is_empty.then(|| view! { <p class="muted">"No citations."</p> })}
            <ol class="citations">{rows}</ol>
            <PageLinks label="Pages of citations" address name="page" fields page=page as u64 last=last as u64 />
        </Section>
    }
}

/// The answers for and against which a citation is given, in words: `for H1, H3, against H2`.
fn bearing(marker: Marker, hypotheses: &[Hypothesis]) -> String {
    let side = |word: &str, markers: fn(&Hypothesis) -> &[Marker]| {
        let ids: Vec<&str> =
            hypotheses.iter().filter(|one| markers(one).contains(&marker)).map(|one| one.id.as_str()).collect();
        (!ids.is_empty()).then(|| format!("{word} {}", ids.join(", ")))
    };
    let sides = [side("for", |one| one.supporting.as_slice()), side("against", |one| one.against.as_slice())];
    sides.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The citations as panels beside the text: the style sheet shows the one that the address names, so that the reader stays at the sentence
/// and Back closes it. On paper they are notes.
#[component]
pub fn EvidencePanels(
    citations: Vec<Citation>,
    findings: Vec<PageFinding>,
    /// Documents that the reader may not open.
    closed: BTreeSet<DocumentId>,
    /// The citations that the page holds; all of them where it is not given.
    #[prop(optional)]
    held: Option<KnownMarkers>,
) -> impl IntoView {
    let origins = by_origin(&citations);
    let shown = citations.iter().filter(|citation| held.as_ref().is_none_or(|held| held.contains(&citation.marker)));
    let panels = shown.map(|citation| {
        let finding = citation.finding(&findings).cloned();
        let repeated = repetition(citation, &origins);
        let href = address(citation, &closed);
        view! { <Panel citation=citation.clone() href finding repeated /> }
    });
    let panels: Vec<_> = panels.collect();
    (!panels.is_empty()).then(|| view! { <section class="panels" aria-label="Citations">{panels}</section> })
}

#[component]
fn Panel(citation: Citation, href: Option<String>, finding: Option<PageFinding>, repeated: Option<String>) -> impl IntoView {
    let whole = citation.clone();
    let (marker, source) = (citation.marker, credit(&citation));
    let content = citation.content.filter(|content| *content != citation.quote);
    view! {
        <aside class="cite-panel" id=format!("c{marker}") tabindex="-1" aria-label=format!("Citation {marker}")>
            <p class="panel-head"><span class="citation-marker">{marker}</span> <a class="panel-close" href="#closed">"Close"</a></p>
            <blockquote>{citation.quote}</blockquote>
            {content.map(|content| view! { <p class="citation-claim">{content}</p> })}
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
