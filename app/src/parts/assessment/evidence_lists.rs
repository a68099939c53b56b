//! Citations by day and by origin, and the documents that none of them uses.

use crate::prelude::*;
use domain::{
    assessment::{Evidence, speakers},
    document::Document,
};
use std::collections::BTreeMap;

/// Citations by the day of publication, undated ones last.
#[component]
pub fn Timeline(citations: Vec<Citation>) -> impl IntoView {
    let mut citations = citations;
    citations.sort_by_key(|citation| {
        (citation.published_at.is_none(), citation.published_at.map(|published| published.value), citation.marker)
    });
    let items = citations.into_iter().map(|citation| {
        view! {
            <li class="timeline-entry">
                <span class="timeline-day"><Day published=citation.published_at /></span>
                <div>
                    <p>
                        {super::citations::credit(&citation)} " "
                        <span class="muted">{format::attribution(citation.attribution)}</span> " "
                        <Cites markers=vec![citation.marker] />
                    </p>
                    <blockquote>{citation.quote}</blockquote>
                </div>
            </li>
        }
    });
    view! { <Section id="timeline"><ol class="timeline">{items.collect_view()}</ol></Section> }.into_any()
}

/// Citations by origin: those of one origin repeat one text. The origin with the most citations is first.
#[component]
pub fn Origins(citations: Vec<Citation>) -> impl IntoView {
    let total = format::count(Evidence::of_citations(&citations).origins as u64, "origin", "origins");
    let lead = format!("{} come from {total}.", format::count(citations.len() as u64, "citation", "citations"));
    let mut origins: BTreeMap<String, Vec<Citation>> = BTreeMap::new();
    for citation in citations {
        origins.entry(citation.origin_key().to_owned()).or_default().push(citation);
    }
    let mut origins: Vec<Vec<Citation>> = origins.into_values().collect();
    origins.sort_by_key(|cited| (std::cmp::Reverse(cited.len()), cited[0].marker));
    let items = origins.into_iter().map(|cited| {
        let mut sources: Vec<(String, String)> = vec![];
        for citation in &cited {
            let source = (citation.source_name(), citation.document_title.clone());
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        let sources = sources.into_iter().map(|(outlet, title)| {
            view! { <li><span class="citation-outlet">{outlet}</span> " " <cite>{title}</cite></li> }
        });
        let sources = sources.collect_view();
        let mut count = format::count(cited.len() as u64, "citation", "citations");
        let speakers = speakers(&cited).len();
        if speakers > 1 {
            count.push_str(&format!(", {speakers} speakers"));
        }
        let markers = cited.iter().map(|citation| citation.marker).collect();
        view! { <li class="origin"><ul>{sources}</ul><p class="muted">{count} " " <Cites markers /></p></li> }
    });
    view! { <Section id="origins"><p>{lead}</p><ol class="origins">{items.collect_view()}</ol></Section> }.into_any()
}

/// Documents that the investigation read and no citation uses.
#[component]
pub fn Unused(documents: Vec<Document>) -> impl IntoView {
    let is_empty = documents.is_empty();
    let items = documents.into_iter().map(|Document { id, title, outlet, published, .. }| {
        view! {
            <li>
                <a href=format!("/documents/{id}")>{title}</a> " "
                <span class="muted">{outlet.map(|outlet| format!("{outlet}, "))} <Day published=published /></span>
            </li>
        }
    });
    view! {
        <Section id="unused">
            {is_empty.then(|| view! { <p class="muted">"Every document that was read and that you may open is cited."</p> })}
            <ul class="notes">{items.collect_view()}</ul>
        </Section>
    }
}
