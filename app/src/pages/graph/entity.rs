//! Overview of an entity: names, properties, relationships, and the assessments that mention it.

use super::{
    ClaimItem, EntityTab, EntityTabs, Visit, id_in_path, neighbourhood::NeighbourhoodPicture, outlet::OutletSection, query,
    render_page, strength, support, value_text, when,
};
use crate::{atoms::numbered_link, parts::assessment::AskButton, prelude::*};
use domain::{
    MergeId, Precision,
    entity::{DatedValue, Entity, EvidencedValue},
    subgraph::GraphEdge,
};
use std::cmp::Reverse;
use views::graph::{AssessmentMention, ClaimLine, EntityView, RelationshipLine};

/// Value of `sort` that puts the entities with the latest relationship first.
const BY_TIME: &str = "time";

/// An entity, and the merge that led to its page, if that still stands.
type EntityVisit = (EntityView, Option<MergeId>);

async fn load_entity(id: String, merged: Option<MergeId>) -> Result<Visit<EntityVisit>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let Ok(id) = id.parse::<EntityId>() else { return Err(AppError::not_found("entity")) };
    let page = engine.entity_view(&viewer, id).await?.ok_or_else(|| AppError::not_found("entity"))?;
    if page.entity.id != id {
        crate::session::see_other(&format!("/entities/{}", page.entity.id));
    }
    let merged = match merged {
        Some(merge) if engine.is_merged_by(&viewer, id, merge).await? => Some(merge),
        _ => None,
    };
    Ok(Visit { viewer, page: (page, merged) })
}

#[component]
pub fn EntityPage() -> impl IntoView {
    let is_by_time = query("sort").as_deref() == Some(BY_TIME);
    let merged = query("merged").and_then(|id| id.parse().ok());
    render_page(load_entity(id_in_path(), merged), move |Visit { viewer, page: (page, merged) }| {
        view! { <PageBody viewer page is_by_time merged /> }.into_any()
    })
}

#[component]
fn PageBody(
    viewer: User,
    page: EntityView,
    is_by_time: bool,
    /// Merge that led here.
    merged: Option<MergeId>,
) -> impl IntoView {
    let EntityView { entity, outlet, mut relationships, max_relationships, newest, assessments } = page;
    let (id, name) = (entity.id, entity.canonical_name.clone());
    let (may_merge, own_name) = (viewer.role.may(Action::Investigate), name.clone());
    let question = format!("What is new about {name}?");
    let place = Slot::Entity { viewer: viewer.clone(), entity: id };
    let (shown, strongest) = (name.clone(), relationships.clone());
    if is_by_time {
        relationships.sort_by_key(|line| Reverse(latest(&line.edge)));
    }
    view! {
        <Title text=name.clone() />
        <Frame viewer nav=NavItem::Entities>
            <Breadcrumbs above=[("Entities", "/entities".to_owned())] here=name.clone() />
            <p class="overline">{entity.kind.clone()}</p>
            <h1>{name}</h1>
            <Names aliases=entity.aliases.clone() />
            {merged.filter(|_| may_merge).map(|merge| view! { <MergeNotice merge /> })}
            <EntityTabs id tab=EntityTab::Overview />
            {may_merge.then(|| view! {
                <AskButton draft=question text="Ask about it" />
                <form method="get" action="/entities">
                    <input type="hidden" name="merge" value=id.to_string() />
                    <button class="quiet" name="q" value=own_name>"Merge with another…"</button>
                    <a class="button quiet" href=format!("/entities/{id}/split")>"Split…"</a>
                    <a class="button quiet" href=format!("/reviews/merges?entity={id}")>"Past merges"</a>
                </form>
            })}
            <div class="with-margin" data-panels="">
                <div>
                    <Summary entity=entity.clone() />
                    <Timeline id claims=newest />
                    {outlet.map(|profile| view! { <OutletSection id profile /> })}
                    <NeighbourhoodPicture name=shown relationships=strongest />
                    <Relationships id relationships max=max_relationships is_by_time />
                </div>
                <div class="margin">
                    <Properties entity />
                    <Pieces at=place />
                    <Mentions assessments title="In assessments" />
                </div>
            </div>
        </Frame>
    }
    .into_any()
}

/// Returns the latest date of a relationship, else the publication of the latest claim that states it.
fn latest(edge: &GraphEdge) -> Option<Timestamp> {
    edge.until.or(edge.since).map(|date| date.last_moment()).or(edge.last_published)
}

/// The outcome of a merge, which can be undone here.
#[component]
fn MergeNotice(merge: MergeId) -> impl IntoView {
    view! {
        <div class="notice" role="status">
            <p>"The two entities are one now."</p>
            <form method="post" action=format!("/reviews/merges/{merge}/undo")>
                <button type="submit" class="quiet">"Undo"</button>
            </form>
        </div>
    }
}

#[component]
fn Names(aliases: Vec<String>) -> impl IntoView {
    (!aliases.is_empty()).then(|| view! { <p class="muted">"Also known as " {aliases.join(", ")}</p> })
}

#[component]
fn Summary(entity: Entity) -> impl IntoView {
    match entity.summary {
        Some(EvidencedValue { value, claim_ids }) => {
            let claims = claim_links(claim_ids.into_iter().map(|id| id.to_string()).collect());
            view! { <p class="entity-summary">{value} " " {claims}</p> }.into_any()
        }
        None if entity.is_stub => {
            view! { <p class="muted">"Known by name only, from what documents say of others."</p> }.into_any()
        }
        None => ().into_any(),
    }
}

/// The newest claims about an entity by the day of their publication, and the way to all of them.
#[component]
fn Timeline(id: EntityId, claims: Vec<ClaimLine>) -> impl IntoView {
    (!claims.is_empty()).then(|| {
        let days = by_day(claims).into_iter().map(|(day, lines)| {
            let items = lines.into_iter().map(|line| view! { <ClaimItem line /> }).collect_view();
            view! { <h3>{day}</h3> <ol class="claim-list">{items}</ol> }
        });
        let days = days.collect_view();
        view! {
            <section aria-labelledby="timeline-title">
                <h2 id="timeline-title">"Timeline"</h2>
                {days}
                <p><a href=format!("/entities/{id}/claims")>"All claims, by month"</a></p>
            </section>
        }
    })
}

/// Groups claims by the day, month or year of their publication, in their order.
fn by_day(claims: Vec<ClaimLine>) -> Vec<(String, Vec<ClaimLine>)> {
    let mut days: Vec<(String, Vec<ClaimLine>)> = vec![];
    for line in claims {
        let day = match line.claim.published {
            Some(published) if published.precision == Precision::Minute => format::day(published.value),
            Some(published) => format::published(published),
            None => "Undated".to_owned(),
        };
        match days.last_mut() {
            Some((last, lines)) if *last == day => lines.push(line),
            _ => days.push((day, vec![line])),
        }
    }
    days
}

/// Links to the claims behind a value, numbered.
pub(super) fn claim_links(ids: Vec<String>) -> AnyView {
    let links = ids
        .into_iter()
        .enumerate()
        .map(|(n, id)| {
            let label = format!("Claim {} behind this", n + 1);
            view! { {numbered_link(format!("/claims/{id}"), label, n + 1)} " " }
        })
        .collect_view();
    view! { <span class="cites">{links}</span> }.into_any()
}

#[component]
fn Properties(entity: Entity) -> impl IntoView {
    let Entity { properties, mut history, external_ids, last_updated, embedding_pending, .. } = entity;
    let rows = properties
        .into_iter()
        .map(|(key, EvidencedValue { value, claim_ids })| {
            let claims = claim_links(claim_ids.into_iter().map(|id| id.to_string()).collect());
            let history = history.remove(&key).map(|values| view! { <ValueHistory values /> });
            view! { <dt>{format::sentence_case(key.as_str())}</dt><dd>{value_text(&value)} " " {claims} {history}</dd> }
        })
        .collect_view();
    let ids = external_ids
        .into_iter()
        .map(|(system, id)| {
            let shown = match address(&system, &id) {
                // The address tells the other site who asks: it opens only on a click, without a referrer.
                Some(href) => view! { <a href=href rel="noreferrer">{id}</a> }.into_any(),
                None => view! { <code>{id}</code> }.into_any(),
            };
            view! { <dt>{system}</dt><dd>{shown}</dd> }
        })
        .collect_view();
    view! {
        <section aria-labelledby="facts-title">
            <h2 id="facts-title">"Details"</h2>
            <dl class="facts">
                {rows}
                {ids}
                <dt>"Updated"</dt>
                <dd><time datetime=last_updated.to_string()>{format::minute(last_updated)}</time></dd>
                {embedding_pending.then(|| view! { <dt>"Search"</dt><dd>"By words. Search by meaning follows."</dd> })}
            </dl>
        </section>
    }
}

/// Every value that was stated of a property, newest evidence first.
#[component]
fn ValueHistory(values: Vec<DatedValue>) -> impl IntoView {
    let count = values.len();
    let items = values
        .into_iter()
        .map(|DatedValue { value, claim_ids, first, last }| {
            let claims = claim_links(claim_ids.into_iter().map(|id| id.to_string()).collect());
            let days = [first, last].map(|at| at.map(format::day));
            let published = match days {
                [Some(first), Some(last)] if first == last => format!("published {first}"),
                [Some(first), Some(last)] => format!("published {first} to {last}"),
                _ => "no date".to_owned(),
            };
            view! { <li>{value_text(&value)} <span class="muted">{format!(" {published} ")}</span> {claims}</li> }
        })
        .collect_view();
    view! {
        <details class="value-history">
            <summary>{format!("{count} values stated")}</summary>
            <ol>{items}</ol>
        </details>
    }
}

/// Returns the page of an id in a well-known system.
fn address(system: &str, id: &str) -> Option<String> {
    let is_plain = !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric());
    match system {
        "wikidata" if is_plain => Some(format!("https://www.wikidata.org/wiki/{id}")),
        "lei" if is_plain => Some(format!("https://search.gleif.org/#/record/{id}")),
        "iso_country" | "iso3166" | "iso_3166_1" if is_plain => {
            Some(format!("https://www.iso.org/obp/ui/#iso:code:3166:{}", id.to_uppercase()))
        }
        "cik" if is_plain => Some(format!("https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK={id}")),
        _ => None,
    }
}

#[component]
fn Relationships(id: EntityId, relationships: Vec<RelationshipLine>, max: usize, is_by_time: bool) -> impl IntoView {
    let count = relationships.len();
    if count == 0 {
        let text = "No relationships yet. They come from documents that say how this entity is linked to others.";
        return view! { <section><h2>"Relationships"</h2><p>{text}</p></section> }.into_any();
    }
    let title = match count {
        count if count >= max => format!("The {count} strongest relationships; weaker ones are not shown"),
        count => format::count(count as u64, "relationship", "relationships"),
    };
    let groups = by_kind(relationships)
        .into_iter()
        .map(|(kind, lines)| {
            let heading = format!("{} ({})", format::capitalised(&kind), lines.len());
            let mut before = None;
            let rows = lines.into_iter().map(|line| {
                let is_named = before.replace(line.other.id) != Some(line.other.id);
                view! { <RelationshipRow id line is_named /> }
            });
            let rows = rows.collect_view();
            view! {
                <tbody role="rowgroup">
                    <tr role="row" class="group"><th role="rowheader" scope="rowgroup" colspan="5">{heading}</th></tr>
                    {rows}
                </tbody>
            }
            .into_any()
        })
        .collect_view();
    let (by_strength, by_time) = ((!is_by_time).then_some("true"), is_by_time.then_some("true"));
    view! {
        <section aria-labelledby="relationships-title">
            <h2 id="relationships-title">{title}</h2>
            <p class="sorts">
                "Sort by "
                <a href=format!("/entities/{id}") aria-current=by_strength>"strength"</a> " "
                <a href=format!("/entities/{id}?sort={BY_TIME}") aria-current=by_time>"time"</a>
            </p>
            <table role="table" class="stacked relationships">
                <Columns names=&["Entity", "Relationship", "When", "Strength", "Evidence"] numbers=&["Strength"] />
                {groups}
            </table>
        </section>
    }
    .into_any()
}

/// Groups relationships by the kind of the other entity, in the order of their first; those with one entity stand together.
fn by_kind(relationships: Vec<RelationshipLine>) -> Vec<(String, Vec<RelationshipLine>)> {
    let mut groups: Vec<(String, Vec<RelationshipLine>)> = vec![];
    for line in relationships {
        match groups.iter_mut().find(|(kind, _)| *kind == line.other.kind) {
            Some((_, lines)) => {
                let last = lines.iter().rposition(|other| other.other.id == line.other.id);
                lines.insert(last.map_or(lines.len(), |last| last + 1), line);
            }
            None => groups.push((line.other.kind.clone(), vec![line])),
        }
    }
    groups
}

#[component]
fn RelationshipRow(
    id: EntityId,
    line: RelationshipLine,
    /// Whether the other entity is shown; else it is that of the row above.
    is_named: bool,
) -> impl IntoView {
    let RelationshipLine { edge, other } = line;
    let (arrow, words) = match (edge.bidirectional, edge.source == id) {
        (true, _) => ("↔", "both ways"),
        (false, true) => ("→", "from this entity"),
        (false, false) => ("←", "to this entity"),
    };
    let partner = match is_named {
        true => {
            view! { <a href=format!("/entities/{}", other.id)>{other.name}</a> " " <span class="muted">{other.kind}</span> }
                .into_any()
        }
        false => view! { <span class="repeated">{other.name}</span> }.into_any(),
    };
    view! {
        <tr role="row">
            <th role="rowheader" scope="row">{partner}</th>
            <td role="cell" data-label="Relationship"><span aria-hidden="true">{arrow}</span> <span class="hidden">{words}</span> " " <a href=format!("/relationships/{}", edge.id)>{edge.description.clone()}</a></td>
            <td role="cell" data-label="When">{when(&edge)}</td>
            <td role="cell" data-label="Strength" class="number">{strength(&edge)}</td>
            <td role="cell" data-label="Evidence">{support(&edge)}</td>
        </tr>
    }
}

/// Assessments as links; nothing without any.
#[component]
pub(super) fn Mentions(assessments: Vec<AssessmentMention>, title: &'static str) -> impl IntoView {
    (!assessments.is_empty()).then(|| {
        let items = assessments
            .into_iter()
            .map(|AssessmentMention { id, question, is_sample }| {
                view! { <li><a href=format!("/assessments/{id}")>{question}</a> " " <SampleBadge is_shown=is_sample /></li> }
            })
            .collect_view();
        view! {
            <section aria-labelledby="mentions-title">
                <h2 id="mentions-title">{title}</h2>
                <ul class="copies">{items}</ul>
            </section>
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::fixtures;
    use domain::{PublicationDate, PublishedBasis, claim::Claim};

    #[test]
    fn relationships_with_one_entity_are_grouped() {
        let line = |other, kind, number: u32| {
            let mut line = fixtures::relationship(other, kind, number, 1.0);
            line.edge.description = number.to_string();
            line
        };
        let lines = vec![line(2, "firm", 1), line(3, "firm", 2), line(4, "person", 3), line(2, "firm", 4), line(2, "firm", 5)];
        let order = |(kind, lines): (String, Vec<RelationshipLine>)| {
            let order: Vec<String> = lines.into_iter().map(|line| line.edge.description).collect();
            format!("{kind} {}", order.join(" "))
        };
        let groups: Vec<String> = by_kind(lines).into_iter().map(order).collect();
        assert_eq!(groups, ["firm 1 4 5 2", "person 3"]);
    }

    #[test]
    fn the_timeline_groups_claims_by_day() {
        let claim = fixtures::document_view().claims.remove(0);
        let line = |published| ClaimLine { claim: Claim { published, ..claim.clone() }, source: "Courier".into() };
        let on = |day: &str, precision| {
            Timestamp::parse(day).map(|value| PublicationDate { value, precision, basis: PublishedBasis::Stated })
        };
        let lines = vec![
            line(on("2031-05-04", Precision::Minute)),
            line(on("2031-05-04", Precision::Day)),
            line(on("2031-05-01", Precision::Month)),
            line(None),
        ];
        let days: Vec<String> = by_day(lines).into_iter().map(|(day, lines)| format!("{day}: {}", lines.len())).collect();
        assert_eq!(days, ["4 May 2031: 2", "May 2031: 1", "Undated: 1"]);
    }

    #[test]
    fn an_external_id_links_to_a_public_page_where_one_is_known() {
        assert_eq!(address("wikidata", "Q42").as_deref(), Some("https://www.wikidata.org/wiki/Q42"));
        assert_eq!(address("iso_country", "fr").as_deref(), Some("https://www.iso.org/obp/ui/#iso:code:3166:FR"));
        assert_eq!((address("wikidata", "Q4/../2"), address("ticker", "ABC")), (None, None));
    }
}
