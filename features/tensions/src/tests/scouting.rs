//! Suite of the tables of agents, on every backend.

use super::{add, answered_strike, documents, evidence, limits, remove, response, store, tension};
use crate::{
    cycle::order::{Counts, CycleOrder, CycleOrderId, CycleTask, CycleTaskId, OrderKind, OrderLease, Stage},
    response::{RespondsTo, Response, ResponseId, ResponseKind},
    store::{StrainBatch, TaskResult},
    story::{StoryPart, StorySentence},
    tension::{Evidence, Tension, TensionId, TensionOrigin, TensionState},
};
use domain::{ClaimId, CollectionId, CollectionKind, Scope, UserId};
use engine::StoreError;
use testkit::{TestBackend, id};

fn order(backend: &TestBackend, user: UserId, kind: OrderKind) -> CycleOrder {
    CycleOrder::new(CycleOrderId(id()), kind, user, backend.now())
}

/// Adds an order with one task of the scout.
async fn task(backend: &TestBackend, user: UserId, collection: CollectionId, tension: &Tension) -> CycleTask {
    let order = order(backend, user, OrderKind::Scout);
    assert!(store(backend).add_order(&order).await.unwrap());
    let task = CycleTask::new(CycleTaskId(id()), order.id, Stage::Scout, collection, Some(tension.id));
    store(backend).add_tasks(std::slice::from_ref(&task), &[]).await.unwrap();
    task
}

pub async fn the_result_of_a_task_is_stored_once(backend: &TestBackend) {
    let store = store(backend);
    let (ada, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one", "two"]).await;
    let parent = tension(backend, collection, "Fear of raids");
    add(backend, &parent, &[(&found[0], 1)]).await;
    let task = task(backend, ada, collection, &parent).await;
    let child = Tension { confidence: 0.4, origin: TensionOrigin::Scout, ..tension(backend, collection, "Threats") };
    let (event, link) = response(backend, &parent, "Vigil");
    let give = Response { id: ResponseId(id()), kind: ResponseKind::Give, document: Some(found[1].id), ..event.clone() };
    let proof = evidence(&found[1], child.first_day);
    let mut result = TaskResult::new(task.id);
    result.counts.insert("responses_new".into(), 2);
    result.strain =
        StrainBatch { tensions: vec![child.clone()], evidence: vec![(child.id, proof.clone())], ..StrainBatch::default() };
    result.spawned = vec![(child.id, parent.id, 1)];
    result.strain.model = "m".into();
    result.strain.responses = vec![(event.clone(), None), (give.clone(), Some(vec![1.0, 0.0]))];
    result.strain.links = vec![(event.id, link.clone()), (give.id, link.clone())];
    result.scouted = Some((parent.id, vec!["who pays for the raids".into()]));
    let sentence = StorySentence {
        part: StoryPart::Eases,
        text: "A vigil brings people together.".into(),
        source: event.id.0,
        document: None,
    };
    result.story = Some((parent.id, vec![sentence.clone()]));
    store.finish_task(&result, backend.now()).await.unwrap();
    assert!(matches!(store.finish_task(&result, backend.now()).await, Err(StoreError::Stale(_))));

    let scope = Scope::from(collection);
    assert_eq!(store.responses_to(&scope, &[parent.id]).await.unwrap().len(), 2);
    assert_eq!(store.parents(&scope, child.id).await.unwrap(), [(parent.id, "Fear of raids".to_owned())]);
    assert_eq!(store.evidence(&scope, child.id, 0, 5).await.unwrap().0, [proof]);
    assert_eq!(store.future_queries(&scope, parent.id).await.unwrap(), ["who pays for the raids"]);
    let (_, other) = backend.person("bob").await;
    let unseen = store.future_queries(&Scope::from(other), parent.id).await.unwrap();
    assert!(unseen.is_empty(), "a query may hold what a private document says: {unseen:?}");
    assert_eq!(store.story(&scope, parent.id).await.unwrap(), [sentence]);
    let known = store.known_responses(&scope, "m").await.unwrap();
    let vectors: Vec<_> = known.iter().filter_map(|one| one.vector.clone().map(|vector| (one.id, vector))).collect();
    assert_eq!(vectors, [(give.id, vec![1.0, 0.0])]);
    let scouted = store.tension(&scope, parent.id).await.unwrap().unwrap().response_scouted_at;
    assert_eq!(scouted, Some(backend.now()));
    let tasks = store.tasks(task.order, Stage::Scout).await.unwrap();
    assert_eq!(tasks.iter().map(|task| (task.is_ended, task.counts["responses_new"])).collect::<Vec<_>>(), [(true, 2)]);
}

pub async fn the_most_neglected_tensions_are_scouted_first(backend: &TestBackend) {
    let store = store(backend);
    let (_, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one"]).await;
    let weak = Tension { confidence: 0.49, ..tension(backend, collection, "Weak") };
    let sure = Tension { confidence: 0.9, ..tension(backend, collection, "Sure") };
    let [served, plain, dismissed] = ["Served", "Plain", "Dismissed"].map(|title| tension(backend, collection, title));
    for one in [&weak, &sure, &served, &plain, &dismissed] {
        add(backend, one, &[(&found[0], 1)]).await;
    }
    let (event, link) = response(backend, &served, "Talks");
    store.add_response(&event, &link).await.unwrap();
    store.set_state(dismissed.id, &TensionState::Dismissed("A film.".into())).await.unwrap();
    let scope = Scope::from(collection);
    let titles = async |limit: u32| -> Vec<String> {
        let before = backend.now().plus_ms(-14 * 86_400_000);
        let targets = store.targets(&scope, 0.5, before, limits(backend), limit).await.unwrap();
        targets.into_iter().map(|one| one.title).collect()
    };
    assert_eq!(titles(9).await, ["Sure", "Plain", "Served"], "fewest responses first, then by confidence");
    assert_eq!(titles(1).await, ["Sure"]);

    let (ada, _) = backend.person("bob").await;
    let mut result = TaskResult::new(task(backend, ada, collection, &sure).await.id);
    result.scouted = Some((sure.id, vec![]));
    store.finish_task(&result, backend.now()).await.unwrap();
    assert_eq!(titles(9).await, ["Plain", "Served"]);
    let (feast, link) = response(backend, &plain, "Feast");
    store.add_response(&Response { kind: ResponseKind::Give, ..feast }, &link).await.unwrap();
    backend.clock.forward_ms(86_400_000);
    assert_eq!(titles(9).await, ["Served", "Plain"], "an event that is over answers nothing");
    backend.clock.forward_ms(14 * 86_400_000);
    assert_eq!(titles(9).await.len(), 3, "after 14 days it is scouted again");
}

pub async fn a_tension_of_a_scout_is_corroborated_by_further_origins(backend: &TestBackend) {
    let store = store(backend);
    let (ada, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one", "two", "three"]).await;
    let parent = tension(backend, collection, "Parent");
    add(backend, &parent, &[(&found[0], 1)]).await;
    let child = Tension { confidence: 0.4, origin: TensionOrigin::Scout, ..tension(backend, collection, "Child") };
    let mut result = TaskResult::new(task(backend, ada, collection, &parent).await.id);
    let rows: Vec<(TensionId, Evidence)> =
        found[..2].iter().map(|document| (child.id, evidence(document, child.first_day))).collect();
    result.strain = StrainBatch { tensions: vec![child.clone()], evidence: rows, ..StrainBatch::default() };
    result.spawned = vec![(child.id, parent.id, 2)];
    store.finish_task(&result, backend.now()).await.unwrap();
    let scope = Scope::from(collection);
    assert_eq!(store.corroborate(CycleOrderId(id()), &scope, 0.5, 1).await.unwrap(), 0, "its own pages corroborate nothing");

    let again = Evidence { claim: ClaimId(id()), ..evidence(&found[1], child.first_day) };
    let more = StrainBatch { evidence: vec![(child.id, again)], ..StrainBatch::default() };
    store.record(&more, backend.now()).await.unwrap();
    assert_eq!(store.corroborate(CycleOrderId(id()), &scope, 0.5, 1).await.unwrap(), 0, "nor does a known origin");
    let more = StrainBatch { evidence: vec![(child.id, evidence(&found[2], child.first_day))], ..StrainBatch::default() };
    store.record(&more, backend.now()).await.unwrap();
    assert_eq!(store.corroborate(CycleOrderId(id()), &scope, 0.5, 1).await.unwrap(), 1);
    assert_eq!(store.corroborate(CycleOrderId(id()), &scope, 0.5, 1).await.unwrap(), 0);
    assert_eq!(store.tension(&scope, child.id).await.unwrap().unwrap().confidence, 0.5);
}

pub async fn a_tension_of_an_agent_goes_with_the_first_of_its_documents_elsewhere(backend: &TestBackend) {
    let store = store(backend);
    let (ada, hers) = backend.person("ada").await;
    let shared = backend.collection(ada, CollectionKind::Shared).await;
    let found = documents(backend, shared, &["one", "two"]).await;
    let inferred = Tension { origin: TensionOrigin::Curiosity, ..tension(backend, hers, "Fear of raids") };
    add(backend, &inferred, &[(&found[0], 1), (&found[1], 1)]).await;
    let refresh = async || {
        let removed = store.remove_orphans().await.unwrap();
        while store.refresh_changed(5, backend.now()).await.unwrap() > 0 {}
        removed
    };
    assert_eq!((refresh().await, refresh().await), (0, 0), "its own collection has no document that states it");
    assert_eq!(store.due_leads(TensionId(uuid::Uuid::nil()), 5).await.unwrap(), []);
    remove(backend, found[1].id).await;
    assert_eq!(refresh().await, 1, "its words may be those of the document that is gone");
}

pub async fn an_order_is_held_by_one_process(backend: &TestBackend) {
    let store = store(backend);
    let (ada, _) = backend.person("ada").await;
    let (bob, _) = backend.person("bob").await;
    let due = CycleOrder { due_at: Some(backend.now()), is_shared: true, ..order(backend, ada, OrderKind::Cycle) };
    assert!(store.add_order(&due).await.unwrap());
    let twin = CycleOrder { id: CycleOrderId(id()), ..due.clone() };
    assert!(!store.add_order(&twin).await.unwrap(), "one order per occurrence of the schedule");
    assert_eq!(store.last_due().await.unwrap(), due.due_at);
    let own = order(backend, ada, OrderKind::Scout);
    assert!(store.add_order(&own).await.unwrap());
    assert_eq!(store.orders(ada, 9).await.unwrap().len(), 2);
    assert_eq!(
        store.orders(bob, 9).await.unwrap(),
        std::slice::from_ref(&due),
        "what a person ordered for themselves is theirs"
    );

    let [stale, lease] = [(); 2].map(|()| OrderLease { order: due.id, holder: id() });
    let minute = || (backend.now(), backend.now().plus_ms(60_000));
    assert!(store.take_order(stale, minute().0, minute().1).await.unwrap());
    assert!(!store.take_order(lease, minute().0, minute().1).await.unwrap());
    backend.clock.forward_ms(61_000);
    assert!(store.take_order(lease, minute().0, minute().1).await.unwrap(), "its process died");
    assert!(!store.renew_order(stale, minute().1).await.unwrap() && store.renew_order(lease, minute().1).await.unwrap());
    store.begin_stage(due.id, Stage::Mapping, backend.now()).await.unwrap();
    let counts = Counts::from([("links".to_owned(), 2)]);
    store.add_links(due.id, &[]).await.unwrap();
    store.end_stage(stale, Stage::Mapping, &Counts::new(), "", backend.now()).await.unwrap();
    assert_eq!(store.stage_runs(&[due.id]).await.unwrap()[0].figures(), "0 links", "a stale process ends nothing");
    store.end_stage(lease, Stage::Mapping, &counts, "", backend.now()).await.unwrap();
    let runs = store.stage_runs(&[due.id]).await.unwrap();
    assert_eq!((runs.len(), runs[0].figures().as_str(), runs[0].ended_at), (1, "2 links", Some(backend.now())));
    store.postpone_order(stale, backend.now(), "of a stale process").await.unwrap();
    store.end_order(stale, backend.now()).await.unwrap();
    store.postpone_order(lease, backend.now(), "the model is down").await.unwrap();
    assert_eq!(store.open_orders().await.unwrap()[0].reason, "the model is down");
    store.end_order(lease, backend.now()).await.unwrap();
    assert_eq!(store.open_orders().await.unwrap().iter().map(|one| one.id).collect::<Vec<_>>(), [own.id]);
}

/// A merge into a tension that others see takes along what private documents explain to its own readers only.
pub async fn an_explanation_from_private_documents_stays_private(backend: &TestBackend) {
    let store = store(backend);
    let (ada, hers) = backend.person("ada").await;
    let shared = backend.collection(ada, CollectionKind::Shared).await;
    let (open, private) = (documents(backend, shared, &["open"]).await, documents(backend, hers, &["private"]).await);
    let (strike, own) = (tension(backend, shared, "Strike"), tension(backend, hers, "Own"));
    add(backend, &strike, &[(&open[0], 1)]).await;
    add(backend, &own, &[(&private[0], 1)]).await;
    let (known, link) = response(backend, &own, "Known to all");
    store.add_response(&Response { collection: shared, ..known }, &link).await.unwrap();
    let (secret, link) = response(backend, &own, "Her own");
    store.add_response(&secret, &link).await.unwrap();
    store.merge(strike.id, own.id, backend.now()).await.unwrap();
    let links = store.responses_to(&Scope::from(shared).with(hers), &[strike.id]).await.unwrap();
    assert_eq!(links.iter().map(|one| one.response.id).collect::<Vec<_>>(), [secret.id]);
    assert_eq!(store.responses_to(&Scope::from(shared), &[strike.id]).await.unwrap(), []);
}

/// A merge of two links to one response keeps its last sight, by which an event without a date is over.
pub async fn a_merged_link_keeps_the_last_sight_of_its_response(backend: &TestBackend) {
    let store = store(backend);
    let (strike, talks, link) = answered_strike(backend).await;
    let other = tension(backend, strike.collection, "Other");
    let found = documents(backend, strike.collection, &["two"]).await;
    add(backend, &other, &[(&found[0], 1)]).await;
    backend.clock.forward_ms(1_000);
    let seen = RespondsTo { tension: other.id, last_seen: backend.now(), ..link.clone() };
    store.add_links(CycleOrderId(id()), &[(talks.id, seen)]).await.unwrap();
    store.merge(strike.id, other.id, backend.now()).await.unwrap();
    let links = store.responses_to(&Scope::from(strike.collection), &[strike.id]).await.unwrap();
    let times: Vec<_> = links.iter().map(|one| (one.link.first_seen, one.link.last_seen)).collect();
    assert_eq!(times, [(link.first_seen, backend.now())]);
}

/// A link with another mechanism keeps the first words.
pub async fn a_link_that_exists_is_kept(backend: &TestBackend) {
    let store = store(backend);
    let (strike, talks, link) = answered_strike(backend).await;
    backend.clock.forward_ms(1_000);
    let again = RespondsTo { mechanism: "other".into(), last_seen: backend.now(), ..link };
    store.add_links(CycleOrderId(id()), &[(talks.id, again)]).await.unwrap();
    let links = store.responses_to(&Scope::from(strike.collection), &[strike.id]).await.unwrap();
    assert_eq!(links.len(), 1);
    assert_eq!((links[0].link.mechanism.as_str(), links[0].link.last_seen), ("mediation", backend.now()));
}
