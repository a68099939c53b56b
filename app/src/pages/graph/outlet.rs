//! Section of an entity's page for what it is as an outlet: owners, base, record, and conflicts of interest.

use super::entity::claim_links;
use crate::prelude::*;
use domain::{
    ClaimId,
    outlet::{ConflictOfInterest, OutletBase, OutletOwnership, OutletProfile, OutletRecord, RecordLine},
};

/// Claims linked behind one statement.
const LINKED_CLAIMS: usize = 5;

#[component]
pub(super) fn OutletSection(id: EntityId, profile: OutletProfile) -> impl IntoView {
    let OutletProfile { owners, bases, record, conflicts } = profile;
    let has_owner = !owners.is_empty();
    view! {
        <section id="outlet" aria-labelledby="outlet-title">
            <h2 id="outlet-title">"As an outlet"</h2>
            <dl class="facts">
                <dt>"Owner"</dt>
                <dd><Owners owners /></dd>
                <dt>"Base"</dt>
                <dd><Bases bases /></dd>
            </dl>
            <Record id record />
            <Conflicts id has_owner conflicts />
        </section>
    }
}

fn links(claims: Vec<ClaimId>) -> AnyView {
    claim_links(claims.into_iter().take(LINKED_CLAIMS).map(|id| id.to_string()).collect())
}

#[component]
fn Owners(owners: Vec<OutletOwnership>) -> impl IntoView {
    if owners.is_empty() {
        return "Not known from documents that you may read.".into_any();
    }
    let items = owners.into_iter().map(|OutletOwnership { owner, name, link, claims }| {
        view! { <li><a href=format!("/entities/{owner}")>{name}</a> " " <span class="muted">{format!("“{link}” ")}</span> {links(claims)}</li> }
    });
    view! { <ul>{items.collect_view()}</ul> }.into_any()
}

#[component]
fn Bases(bases: Vec<OutletBase>) -> impl IntoView {
    if bases.is_empty() {
        return "Not known from documents that you may read.".into_any();
    }
    let items = bases.into_iter().map(|OutletBase { place, entity, claims }| {
        let place = match entity {
            Some(id) => view! { <a href=format!("/entities/{id}")>{place}</a> }.into_any(),
            None => place.into_any(),
        };
        view! { <li>{place} " " {links(claims)}</li> }
    });
    view! { <ul>{items.collect_view()}</ul> }.into_any()
}

/// The numbers of the record, each with its definition.
#[component]
fn Record(id: EntityId, record: OutletRecord) -> impl IntoView {
    let rows = record.lines().into_iter().map(|RecordLine { name, count, definition }| {
        view! {
            <tr role="row">
                <th role="rowheader" scope="row">{name}</th>
                <td role="cell" data-label="Number" class="number">{format::grouped(count)}</td>
                <td role="cell" data-label="Definition" class="muted">{definition}</td>
            </tr>
        }
    });
    view! {
        <h3 id="record-title">"Record"</h3>
        <table role="table" class="stacked" aria-labelledby="record-title">
            <Columns names=&["What", "Number", "Definition"] numbers=&["Number"] />
            <tbody role="rowgroup">{rows.collect_view()}</tbody>
        </table>
        <p><a href=format!("/entities/{id}/claims?published=1")>"Claims published by it"</a></p>
    }
}

#[component]
fn Conflicts(id: EntityId, has_owner: bool, conflicts: Vec<ConflictOfInterest>) -> impl IntoView {
    let lead = match (conflicts.is_empty(), has_owner) {
        (false, _) => "It published claims about its owner, or about an owner of its owner.",
        (true, true) => "It published no claims about its known owners or their owners.",
        (true, false) => "Not searched: no owner is known.",
    };
    let items = conflicts.into_iter().map(|ConflictOfInterest { party, name, through, claims, .. }| {
        let tie = through.map_or_else(|| "its owner".to_owned(), |owned| format!("owner of {owned}"));
        let text = format!("{} about {name}", format::count(claims, "claim", "claims"));
        view! { <li><a href=format!("/entities/{party}/claims?outlet={id}")>{text}</a> ", " {tie}</li> }
    });
    view! {
        <h3>"Conflicts of interest"</h3>
        <p>{lead}</p>
        <ul>{items.collect_view()}</ul>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::fixtures;

    #[test]
    fn an_outlet_shows_owner_base_record_and_conflicts_with_definitions() {
        let [outlet, owner, claim] = [fixtures::uuid(1), fixtures::uuid(2), fixtures::uuid(3)].map(EntityId);
        let claim = ClaimId(claim.0);
        let profile = OutletProfile {
            owners: vec![OutletOwnership { owner, name: "Halden line".into(), link: "owns".into(), claims: vec![claim] }],
            bases: vec![OutletBase { place: "Tessin".into(), entity: None, claims: vec![claim] }],
            record: fixtures::outlet_record(),
            conflicts: vec![ConflictOfInterest {
                party: owner,
                name: "Halden line".into(),
                through: None,
                claims: 7,
                newest: claim,
            }],
        };
        let html = Owner::new().with(|| view! { <OutletSection id=outlet profile /> }.to_html()).replace("<!>", "");
        for text in [
            "Halden line</a>",
            "Tessin",
            ">12</td>",
            "Of 40 relationships that these claims state: those that no other origin states.",
            "Its latest claims that you may read.",
            &format!("href=\"/entities/{owner}/claims?outlet={outlet}\">7 claims about Halden line</a>, its owner"),
        ] {
            assert!(html.contains(text), "{text}: {html}");
        }
    }
}
