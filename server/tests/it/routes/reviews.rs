//! Tests of merging entities, undoing merges, and deciding about probable duplicates.

use crate::{graph_write::write_on_known_claim, prelude::*};
use domain::ReviewId;
use engine::graph::{EntityRef, SameAs, resolve::Cascade};
use std::cmp::Reverse;
use views::graph::ClaimsFilter;

const REPORTS: [(&str, &str); 2] = [
    ("one.txt", "PORT HALEN, March 3, 2031 -- Halvek Rail owns the grain store, the mayor Orrin Vale said on Monday."),
    ("two.txt", "PORT HALEN, March 4, 2031 -- Kestra Bank sued Linden Fund over the grain store, a court said on Tuesday."),
];

/// Two reports about one name.
const OF_ONE_NAME: [(&str, &str); 2] = [
    REPORTS[0],
    ("two.txt", "PORT HALEN, March 4, 2031 -- Halvek Rail sued Linden Fund over the grain store, a court said on Tuesday."),
];

async fn entities(app: &App, name: &str) -> Vec<(EntityId, String)> {
    let engine = &app.program.engine;
    let user = engine.accounts.user_by_name(name).await.unwrap().unwrap().0;
    let view = engine.entities_view(&user, "", "").await.unwrap();
    view.entities.into_iter().map(|entity| (entity.id, entity.name)).collect()
}

/// Signs an analyst in who asks about the reports, and waits for that many entities.
async fn ada_with_entities(app: &App, count: usize) -> (Browser, Vec<(EntityId, String)>) {
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    ada.ask("Who owns the grain store?", &REPORTS).await;
    let has_entities = async || entities(app, "ada").await.len() >= count;
    assert!(crate::eventually::eventually(has_entities).await, "entities are written");
    (ada, entities(app, "ada").await)
}

#[tokio::test]
async fn an_analyst_splits_an_entity() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    ada.ask("Who owns the grain store?", &OF_ONE_NAME).await;
    // The entity of both reports, with its claims.
    let of_both = async || {
        let engine = &app.program.engine;
        let user = engine.accounts.user_by_name("ada").await.unwrap().unwrap().0;
        for (id, name) in entities(&app, "ada").await {
            let view = engine.entity_claims_view(&user, id, ClaimsFilter::default()).await.unwrap().unwrap();
            if view.claims.len() > 1 {
                return Some((id, name, view.claims[0].claim.id.to_string()));
            }
        }
        None
    };
    assert!(crate::eventually::eventually(async || of_both().await.is_some()).await, "an entity has two claims");
    let (id, name, claim) = of_both().await.unwrap();
    let before = entities(&app, "ada").await;
    let address = format!("/entities/{id}/split");
    assert!(ada.get(&address).await.text().contains(&format!("name=\"claim\" value=\"{claim}\"")));
    let mut carl = app.signed_in("carl", Role::Reader).await;
    assert_eq!(carl.post(&address, &[("claim", claim.as_str())]).await.location(), format!("{address}?error=not_allowed"));
    assert_eq!(ada.post(&address, &[]).await.location(), format!("{address}?error=split_one_sided"));
    let new = ada.post(&address, &[("claim", claim.as_str())]).await.location().to_owned();
    let page = ada.get(&new).await.text();
    assert!(new.starts_with("/entities/") && page.contains(&name), "{new}: {page}");
    assert!(ada.get(&format!("{new}/claims")).await.text().contains(&claim));
    assert!(!ada.get(&format!("/entities/{id}/claims")).await.text().contains(&claim));
    assert!(entities(&app, "ada").await.len() > before.len());
    let acts: Vec<_> = app.program.engine.accounts.audit_log(20).await.unwrap().into_iter().map(|entry| entry.act).collect();
    assert!(acts.contains(&"split_entity".to_owned()), "{acts:?}");
}

#[tokio::test]
async fn an_analyst_merges_two_entities_and_undoes_it() {
    let app = spawn_app().await;
    let (mut ada, found) = ada_with_entities(&app, 2).await;
    let ((survivor, name), (merged, other)) = (found[0].clone(), found[1].clone());
    let pair = format!("/reviews/merge?left={survivor}&right={merged}");
    let preview = ada.get(&format!("{pair}&survivor={survivor}")).await.text();
    assert!(preview.contains(&name) && preview.contains(&other) && preview.contains("can be undone"), "{preview}");
    let moves = preview.contains(&format!(" of {other} move to {name}, with all names of {other}."));
    assert!(moves && preview.contains(&format!("{other} becomes part of {name}")), "{preview}");

    let into = async |ada: &mut Browser, address: &str| {
        let page = ada.get(address).await.text();
        let survivor = page.split("name=\"survivor\" value=\"").nth(1).and_then(|rest| rest.get(..36));
        survivor.expect("a survivor").parse::<EntityId>().unwrap()
    };
    let engine = &app.program.engine;
    let user = engine.accounts.user_by_name("ada").await.unwrap().unwrap().0;
    let mut sides = vec![];
    for id in [survivor, merged] {
        let view = engine.entity_claims_view(&user, id, ClaimsFilter::default()).await.unwrap().unwrap();
        sides.push((Reverse(view.total), id));
    }
    sides.sort_unstable();
    let likely = into(&mut ada, &pair).await;
    assert_eq!(likely, sides[0].1, "the one with more claims, else the older: {sides:?}");
    let turned = format!("/reviews/merge?left={merged}&right={survivor}");
    assert_eq!(into(&mut ada, &turned).await, likely, "whichever comes first");
    assert_eq!(into(&mut ada, &format!("{turned}&survivor={merged}")).await, merged);

    let form = [("survivor", survivor.to_string()), ("merged", merged.to_string())];
    let form: Vec<(&str, &str)> = form.iter().map(|(key, value)| (*key, value.as_str())).collect();
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    assert_eq!(bob.post("/reviews/merge", &form).await.location(), "/reviews?error=not_found", "unseen entities");
    let mut carl = app.signed_in("carl", Role::Reader).await;
    assert_eq!(carl.post("/reviews/merge", &form).await.location(), "/reviews?error=not_allowed");
    let page = ada.post("/reviews/merge", &form).await.location().to_owned();
    let merge = page.strip_prefix(&format!("/entities/{survivor}?merged=")).expect("the page of the survivor").to_owned();
    let merged_page = ada.get(&page).await.text();
    let undo = format!("action=\"/reviews/merges/{merge}/undo\"");
    assert!(merged_page.contains("The two entities are one now.") && merged_page.contains(&undo), "{merged_page}");
    assert_eq!(ada.get(&format!("/entities/{merged}")).await.location(), format!("/entities/{survivor}"));
    assert!(ada.get(&format!("/entities/{survivor}")).await.text().contains(&other), "the name is an alias");

    let merges = ada.get("/reviews/merges").await.text();
    assert!(merges.contains("Merged by ada, "), "{merges}");
    let undo = merges.split("action=\"/reviews/merges/").nth(1).and_then(|rest| rest.get(..36)).expect("an undo form");
    let undo = format!("/reviews/merges/{undo}/undo");
    assert_eq!(bob.post(&undo, &[]).await.location(), "/reviews/merges?error=not_found");
    let undone = ada.post(&undo, &[]).await.location().to_owned();
    assert!(ada.get(&undone).await.text().contains("The merge is undone"), "{undone}");
    assert!(!ada.get(&page).await.text().contains("The two entities are one now."), "the merge is undone");
    assert_eq!(entities(&app, "ada").await.len(), found.len());
    assert_eq!(ada.get(&format!("/entities/{merged}")).await.status, 200);
    let acts: Vec<_> = app.program.engine.accounts.audit_log(20).await.unwrap().into_iter().map(|entry| entry.act).collect();
    assert!(acts.contains(&"merge_entities".to_owned()) && acts.contains(&"undo_merge".to_owned()), "{acts:?}");
    assert_eq!(ada.get(&format!("/graph/export.graphml?seed={survivor}")).await.status, 200);
    let csv = ada.get(&format!("/graph/export.csv?seed={survivor}")).await;
    assert!(csv.header("content-type").unwrap().starts_with("text/csv"), "{}", csv.text());
    let from_list = ada.get(&format!("{pair}&page=1")).await.text();
    assert!(from_list.contains("name=\"page\" value=\"1\"") && from_list.contains("&amp;page=1\">Merge "), "{from_list}");
    let listed: Vec<(&str, &str)> = form.iter().copied().chain([("page", "1")]).collect();
    let next = ada.post("/reviews/merge", &listed).await.location().to_owned();
    assert_eq!(next, "/reviews?page=1&merged=1", "the next pair");
}

/// Writes that a document states two entities to be one.
async fn propose(app: &App, name: &str, one: EntityId, other: EntityId) -> ReviewId {
    let engine = &app.program.engine;
    let user = engine.accounts.user_by_name(name).await.unwrap().unwrap().0;
    let id = ReviewId(engine.ids.next());
    let same = SameAs { id, one: EntityRef::Existing(one), other: EntityRef::Existing(other), claims: vec![0] };
    let write = GraphWrite { same_as: vec![same], ..write_on_known_claim(engine, &user, &[one, other]).await };
    engine.graph.write(&[write], &Cascade::default()).await.unwrap();
    id
}

#[tokio::test]
async fn a_pair_shows_its_evidence_and_the_author_of_its_decision() {
    let app = spawn_app().await;
    let (mut ada, found) = ada_with_entities(&app, 2).await;
    let (one, other) = (&found[0], &found[1]);
    let review = propose(&app, "ada", one.0, other.0).await;
    let pairs = ada.get("/reviews").await.text();
    assert!(pairs.contains("Proposed by a document. A document says so"), "{pairs}");
    assert!(pairs.contains("<blockquote>") && pairs.contains("?quote="), "{pairs}");

    let decide = format!("/reviews/{review}/decide");
    assert_eq!(ada.post(&decide, &[("decision", "apart")]).await.location(), format!("/reviews?page=1&apart={review}"));
    assert!(ada.get(&format!("/reviews?page=1&apart={review}")).await.text().contains("Kept apart."));
    assert!(!ada.get("/reviews?apart=../../people").await.text().contains("Kept apart."), "an id and nothing else");
    let apart = ada.get("/reviews/apart").await.text();
    assert!(apart.contains("Kept apart by ada") && apart.contains(&one.1) && apart.contains(&other.1), "{apart}");
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    assert!(!bob.get("/reviews/apart").await.text().contains(&decide), "pairs that bob does not see");
    assert_eq!(ada.post(&decide, &[("decision", "reopen")]).await.location(), "/reviews/apart");
    assert!(!ada.get("/reviews/apart").await.text().contains("Kept apart by"));
    assert!(ada.get("/reviews").await.text().contains(&decide));
}

#[tokio::test]
async fn chosen_pairs_are_decided_at_once_and_each_can_be_undone() {
    let app = spawn_app().await;
    let (mut ada, found) = ada_with_entities(&app, 3).await;
    let mut reviews = vec![];
    for (one, other) in [(0, 1), (1, 2), (0, 2)] {
        reviews.push(propose(&app, "ada", found[one].0, found[other].0).await.to_string());
    }
    let form = |decision: &'static str| -> Vec<(&str, &str)> {
        let ids = reviews.iter().map(|id| ("id", id.as_str()));
        ids.chain([("decision", decision), ("page", "1")]).collect()
    };
    let pairs = ada.get("/reviews").await.text();
    assert!(reviews.iter().all(|id| pairs.contains(&format!("name=\"id\" value=\"{id}\""))), "{pairs}");

    let mut carl = app.signed_in("carl", Role::Reader).await;
    assert_eq!(carl.post("/reviews/decide", &form("merge")).await.location(), "/reviews?error=not_allowed");
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    for decision in ["merge", "apart"] {
        assert_eq!(bob.post("/reviews/decide", &form(decision)).await.location(), "/reviews?error=not_found&page=1");
    }
    assert_eq!(ada.post("/reviews/decide", &[("decision", "merge")]).await.location(), "/reviews?error=nothing_chosen&page=1");
    let most = app.program.engine.config.pages.reviews as usize;
    let many = vec![("id", reviews[0].as_str()); most + 1];
    assert_eq!(ada.post("/reviews/decide", &many).await.location(), "/reviews?error=too_many_chosen&page=1");

    let kept = ada.post("/reviews/decide", &form("apart")).await.location().to_owned();
    assert_eq!(kept, "/reviews?page=1&kept=3");
    assert!(ada.get(&kept).await.text().contains("3 pairs kept apart."));
    assert_eq!(ada.get("/reviews/apart").await.text().matches("Kept apart by ada").count(), 3);
    for id in &reviews {
        ada.post(&format!("/reviews/{id}/decide"), &[("decision", "reopen")]).await;
    }
    let merged = ada.post("/reviews/decide", &form("merge")).await.location().to_owned();
    assert_eq!(merged, "/reviews?page=1&merged=2", "the third pair is one by then");
    assert_eq!(entities(&app, "ada").await.len(), found.len() - 2);
    let merges = ada.get("/reviews/merges").await.text();
    assert_eq!(merges.matches("Merged by ada, ").count(), 2, "{merges}");
    let acts: Vec<_> = app.program.engine.accounts.audit_log(50).await.unwrap().into_iter().map(|entry| entry.act).collect();
    assert_eq!(acts.iter().filter(|act| *act == "merge_entities").count(), 2, "{acts:?}");
    assert_eq!(acts.iter().filter(|act| *act == "keep_entities_apart").count(), 3, "{acts:?}");
}
