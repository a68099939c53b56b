//! Source statement: documents, origins, owners and fruitless searches.

use crate::prelude::*;
use domain::assessment::{InformationPeriod, SourceStatement};

#[component]
pub fn Sources(
    sources: SourceStatement,
    /// Of the cited documents.
    evidence: InformationPeriod,
) -> impl IntoView {
    let SourceStatement {
        documents_read, documents_cited, origins_cited, citations, first_hand, owners, searched_in_vain, ..
    } = sources;
    let owners = owners
        .into_iter()
        .map(|one| view! { <li>{one.outlet} ": " {one.owner} " " <span class="muted">"(" {one.link} ")"</span></li> });
    let owners: Vec<_> = owners.collect();
    let searches =
        searched_in_vain.into_iter().map(|search| view! { <li>{search.what} " " <span class="muted">{search.why}</span></li> });
    let searches: Vec<_> = searches.collect();
    view! {
        <Section id="sources">
            <dl class="facts">
                <dt>"Documents"</dt>
                <dd>
                    {format::grouped(documents_read)} " consulted, " {format::grouped(documents_cited)} " cited. "
                    <span class="muted">"Consulted: read for this question, or cited from earlier work."</span>
                </dd>
                <dt>"Origins"</dt>
                <dd>{format::grouped(origins_cited)}</dd>
                <dt>"First-hand"</dt>
                <dd>{format::grouped(first_hand)} " of " {format::count(citations, "citation", "citations")}</dd>
                <dt>"Cited ones published"</dt>
                <dd><Period period=evidence /></dd>
                {(!owners.is_empty()).then(|| view! { <dt>"Owners"</dt><dd><ul>{owners}</ul></dd> })}
                {(!searches.is_empty()).then(|| view! { <dt>"Fruitless searches"</dt><dd><ul>{searches}</ul></dd> })}
            </dl>
        </Section>
    }
}

/// From the first publication to the last.
#[component]
pub fn Period(period: InformationPeriod) -> impl IntoView {
    let InformationPeriod { from, until } = period;
    match from {
        Some(_) if from != until => view! { <Day published=from /> " to " <Day published=until /> }.into_any(),
        _ => view! { <Day published=until /> }.into_any(),
    }
}
