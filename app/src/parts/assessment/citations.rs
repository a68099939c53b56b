//! The citations: each quote opens its document at the quoted line.

use crate::{
    atoms::{Day, FindingMark},
    format,
    parts::assessment::Section,
};
use domain::{assessment::Citation, fetch::PageFinding};
use leptos::prelude::*;

#[component]
pub fn Citations(citations: Vec<Citation>, findings: Vec<PageFinding>) -> impl IntoView {
    let is_empty = citations.is_empty();
    let items = citations.into_iter().map(|citation| {
        let finding = citation.finding(&findings).cloned();
        view! { <Entry citation finding /> }
    });
    let items = items.collect_view();
    view! {
        <Section id="citations">
            {is_empty.then(|| view! { <p class="muted">"Nothing could be cited."</p> })}
            <ol class="citations">{items}</ol>
        </Section>
    }
    .into_any()
}

#[component]
fn Entry(citation: Citation, finding: Option<PageFinding>) -> impl IntoView {
    let span = citation.span;
    let href = format!("/documents/{}?quote={}-{}#quote", citation.document_id, span.start, span.end);
    view! {
        <li class="citation" id=format!("c{}", citation.marker) value=citation.marker>
            <span class="citation-marker" aria-hidden="true">{citation.marker}</span>
            <blockquote><a href=href>{citation.quote}</a></blockquote>
            <p class="citation-source">
                <span class="citation-outlet">{citation.outlet.unwrap_or_else(|| "outlet unknown".to_owned())}</span>
                <Day published=citation.published_at />
                <span>{format::attribution(citation.attribution)}</span>
                <cite>{citation.document_title}</cite>
            </p>
            <FindingMark finding />
        </li>
    }
    .into_any()
}
