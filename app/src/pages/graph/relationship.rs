//! One relationship: its ends, its properties, and the claims that state it.

use super::{ClaimItem, Visit, claim::Origins, entity::Mentions, id_in_path, render_page};
use crate::prelude::*;
use std::collections::BTreeSet;
use views::graph::RelationshipView;

async fn load_relationship(id: String) -> Result<Visit<RelationshipView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let missing = || AppError::not_found("relationship");
    let id = id.parse::<domain::RelationshipId>().map_err(|_| missing())?;
    let page = engine.relationship_view(&viewer, id).await?.ok_or_else(missing)?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn RelationshipPage() -> impl IntoView {
    render_page(load_relationship(id_in_path()), |Visit { viewer, page }| view! { <PageBody viewer page /> }.into_any())
}

#[component]
fn PageBody(viewer: User, page: RelationshipView) -> impl IntoView {
    let RelationshipView { relationship, source, target, claims, origins, cited_in } = page;
    let total = relationship.claim_ids.len();
    let arrow = if relationship.bidirectional { "↔" } else { "→" };
    let title = format!("{} {arrow} {}", source.name, target.name);
    let sources: BTreeSet<&str> = claims.iter().map(|line| line.source.as_str()).collect();
    let sources = Vec::from_iter(sources).join(", ");
    let heading = match claims.len() {
        shown if shown < total => format!("{shown} of {total} claims that state it"),
        shown => format!("{} it", format::count(shown as u64, "claim states", "claims state")),
    };
    let claims = claims.into_iter().map(|line| view! { <ClaimItem line /> }).collect_view();
    let date = |date: Option<domain::PartialDate>| date.map(|date| date.to_string());
    view! {
        <Title text=format!("Relationship · {title}") />
        <Frame viewer nav=NavItem::Entities>
            <Breadcrumbs above=[("Graph", format!("/graph?seed={}&seed={}", source.id, target.id))] here=title />
            <p class="overline">"Relationship"</p>
            <h1 class="claim-title">
                <a href=format!("/entities/{}", source.id)>{source.name}</a> " " {arrow} " " {relationship.description} " " {arrow} " "
                <a href=format!("/entities/{}", target.id)>{target.name}</a>
            </h1>
            <div class="with-margin">
                <section aria-labelledby="claims-title">
                    <h2 id="claims-title">{heading}</h2>
                    <Origins origins />
                    <ol class="claim-list">{claims}</ol>
                </section>
                <div class="margin">
                    <section aria-labelledby="facts-title">
                        <h2 id="facts-title">"Details"</h2>
                        <dl class="facts">
                            {relationship.weight.map(|weight| view! { <dt>"Strength"</dt><dd>{format!("{weight:.2}")}</dd> })}
                            {date(relationship.since).map(|since| view! { <dt>"Since"</dt><dd>{since}</dd> })}
                            {date(relationship.until).map(|until| view! { <dt>"Until"</dt><dd>{until}</dd> })}
                            {relationship.timestamp.map(|at| view! { <dt>"Last confirmed"</dt><dd>{format::day(at)}</dd> })}
                            {(!sources.is_empty()).then(|| view! { <dt>"Stated by"</dt><dd>{sources}</dd> })}
                        </dl>
                    </section>
                    <Mentions assessments=cited_in title="Cited in" />
                </div>
            </div>
        </Frame>
    }
    .into_any()
}
