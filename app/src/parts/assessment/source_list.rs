//! Source list of a printed report: each citation with its quote, outlet, date and address.

use crate::prelude::*;

/// Digits of a hash that identify a text on paper.
const HASH_DIGITS: usize = 16;

#[component]
pub fn SourceList(citations: Vec<Citation>) -> impl IntoView {
    (!citations.is_empty()).then(|| {
        let items = citations.into_iter().map(|citation| view! { <Source citation /> }).collect_view();
        view! { <Section id="source-list"><ol class="source-list">{items}</ol></Section> }
    })
}

#[component]
fn Source(citation: Citation) -> impl IntoView {
    let (marker, source) = (citation.marker, super::citations::credit(&citation));
    let hash: String = citation.text_sha256.chars().take(HASH_DIGITS).collect();
    view! {
        <li id=format!("c{marker}") value=marker>
            <span class="citation-marker">{marker}</span>
            <div>
                <blockquote>{citation.quote}</blockquote>
                <p>
                    {citation.speaker.map(|speaker| view! { <span>{speaker} ", in "</span> })}
                    <strong>{source}</strong> ", "
                    <cite>{citation.document_title}</cite> ", " <Day published=citation.published_at /> ", "
                    {format::attribution(citation.attribution)}
                </p>
                <p class="source-address">{citation.document_path} " · SHA-256 " {hash}</p>
            </div>
        </li>
    }
}
