//! Pages of the knowledge graph: entities, claims, and the explorer.

mod claim;
mod entities;
mod entity;
mod entity_claims;
mod explorer;
mod neighbourhood;
mod outlet;
mod relationship;
mod reviews;
mod reviews_past;
mod split;

pub use claim::ClaimPage;
pub use entities::EntitiesPage;
pub use entity::EntityPage;
pub use entity_claims::EntityClaimsPage;
pub use explorer::{AddedNodes, AddedNodesFuture, ExplorerPage, lay_over};
pub use relationship::RelationshipPage;
pub use reviews::{MergePage, ReviewsPage};
pub use reviews_past::{KeptApartPage, MergesPage};
pub use split::SplitPage;
#[cfg(test)]
pub(super) use {entity_claims::PageBody as EntityClaimsWhole, reviews::Pairs as PairsWhole, reviews::PastList};

use super::{Visit, id_in_path, number, query, render_page};
use crate::prelude::*;
use domain::{entity::PropertyValue, subgraph::GraphEdge};
use views::graph::ClaimLine;

/// Tab of an entity's page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EntityTab {
    Overview,
    Claims,
}

/// Tabs of an entity's page, as links.
#[component]
fn EntityTabs(id: EntityId, tab: EntityTab) -> impl IntoView {
    let link = |is_current: bool, href: String, text: &'static str| {
        view! { <li><a href=href aria-current=is_current.then_some("page")>{text}</a></li> }
    };
    view! {
        <nav class="report-tabs" aria-label="Parts of the entity">
            <ul>
                {link(tab == EntityTab::Overview, format!("/entities/{id}"), "Overview")}
                {link(tab == EntityTab::Claims, format!("/entities/{id}/claims"), "Claims")}
                {link(false, format!("/graph?seed={id}"), "Graph")}
            </ul>
        </nav>
    }
    .into_any()
}

/// A claim in a list, with its quote and document. A statement that is its quote is printed once.
#[component]
fn ClaimItem(line: ClaimLine) -> impl IntoView {
    let ClaimLine { claim, source } = line;
    let span = claim.span;
    let document = format!("/documents/{}?quote={}-{}#quote", claim.document_id, span.start, span.end);
    let says = claim.speaker.map(|speaker| format!("{speaker} · "));
    // Line breaks of the document make no other statement.
    let is_quote = claim.content.split_whitespace().eq(claim.quote.split_whitespace());
    let statement = view! { <a href=format!("/claims/{}", claim.id)>{claim.content}</a> };
    let text = match is_quote {
        true => view! { <blockquote>{statement}</blockquote> }.into_any(),
        false => view! { <p>{statement}</p> <blockquote>{claim.quote}</blockquote> }.into_any(),
    };
    view! {
        <li>
            {text}
            <p class="muted">
                {says} {claim.mode.as_str()} " · " {format::attribution(claim.attribution)} " · "
                <a href=document>{source}</a> ", " <Day published=claim.published />
            </p>
        </li>
    }
}

/// `since 2030`, `2029 to 2031`, `until March 2031`; nothing without a date.
fn period(edge: &GraphEdge) -> Option<String> {
    let text = |date: PartialDate| date.to_string();
    match (edge.since.map(text), edge.until.map(text)) {
        (Some(since), Some(until)) => Some(format!("{since} to {until}")),
        (Some(since), None) => Some(format!("since {since}")),
        (None, Some(until)) => Some(format!("until {until}")),
        (None, None) => None,
    }
}

/// `reported 3 May 2031`, `reported 3 May 2031 to 4 Jul 2031`: publication of the first and the last claim that states it.
fn reported(edge: &GraphEdge) -> Option<String> {
    let [first, last] = [edge.first_published, edge.last_published].map(|at| at.map(format::day));
    match (first, last) {
        (Some(first), Some(last)) if first != last => Some(format!("reported {first} to {last}")),
        (first, last) => first.or(last).map(|day| format!("reported {day}")),
    }
}

/// Period of a relationship, else when it was reported.
fn when(edge: &GraphEdge) -> AnyView {
    let reported = || reported(edge).map(|text| view! { <span class="muted">{text}</span> });
    period(edge).map_or_else(|| reported().into_any(), IntoAny::into_any)
}

/// `0.80`, or a dash.
fn strength(edge: &GraphEdge) -> String {
    edge.weight.map_or_else(|| "–".to_owned(), |weight| format!("{weight:.2}"))
}

/// `3 claims`, with how many of them do not assert it.
fn support(edge: &GraphEdge) -> String {
    let claims = format::count(u64::from(edge.claims), "claim", "claims");
    match edge.claims.saturating_sub(edge.asserted) {
        0 => claims,
        _ if edge.is_unasserted() => format!("{claims}, none asserted"),
        unsure => format!("{claims}, {unsure} not asserted"),
    }
}

/// Value of a property for readers.
fn value_text(value: &PropertyValue) -> String {
    fn list<T: ToString>(values: &[T]) -> String {
        values.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
    }
    let yes_or_no = |value: &bool| if *value { "yes" } else { "no" };
    match value {
        PropertyValue::Bool(value) => yes_or_no(value).to_owned(),
        PropertyValue::Integer(value) => value.to_string(),
        PropertyValue::Number(value) => value.to_string(),
        PropertyValue::Text(value) => value.clone(),
        PropertyValue::Bools(values) => values.iter().map(yes_or_no).collect::<Vec<_>>().join(", "),
        PropertyValue::Integers(values) => list(values),
        PropertyValue::Numbers(values) => list(values),
        PropertyValue::Texts(values) => values.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::fixtures;
    use domain::Timestamp;

    #[test]
    fn a_relationship_without_dates_says_when_it_was_reported() {
        let mut edge = fixtures::relationship(2, "firm", 3, 1.0).edge;
        assert_eq!((period(&edge), reported(&edge)), (None, None));
        edge.last_published = Timestamp::parse("2031-05-03");
        assert_eq!(reported(&edge).as_deref(), Some("reported 3 May 2031"));
        edge.first_published = Timestamp::parse("2031-03-04");
        assert_eq!(reported(&edge).as_deref(), Some("reported 4 Mar 2031 to 3 May 2031"));
        assert!(when(&edge).to_html().contains("reported"));
        edge.since = PartialDate::parse("2030");
        assert_eq!(when(&edge).to_html(), "since 2030");
    }
}
