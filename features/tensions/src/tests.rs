//! Suite of the tables, on every backend.

mod extracted;
#[cfg(feature = "figures")]
mod figures;
mod reads;
mod routes;
mod sample;
mod scouting;
mod script;
mod scripted;
mod watched;

use crate::{
    heat::thousandths,
    response::{EventLimits, RespondsTo, Response, tests::event},
    settings::TensionSettings,
    snapshots::record_batch,
    store::{CandidateGroup, OriginTexts, RelatedTension, SCHEMA, StrainBatch, TensionStore},
    tension::{Evidence, EvidenceDay, Severity, Tension, TensionId, TensionOrigin, TensionState, day_number},
    view::HeatOverview,
};
use domain::{ClaimId, CollectionId, CollectionKind, DocumentId, ObjectId, Scope, UserId, document::Document, user::User};
use engine::{
    StoreError,
    accounts::{Accounts, AuditEntry},
    library::{DependentRows, Documents},
};
use extracted::items_of_a_document_are_stored_once;
use feature::{Schema, region::Region};
use reads::{
    heat_in_memory_is_computed_again_after_each_change, the_search_finds_active_tensions_by_all_words,
    the_terms_of_the_heat_lead_to_the_statements_that_they_count,
};
use scouting::{
    a_link_that_exists_is_kept, a_merged_link_keeps_the_last_sight_of_its_response,
    a_tension_of_a_scout_is_corroborated_by_further_origins,
    a_tension_of_an_agent_goes_with_the_first_of_its_documents_elsewhere, an_explanation_from_private_documents_stays_private,
    an_order_is_held_by_one_process, the_most_neglected_tensions_are_scouted_first, the_result_of_a_task_is_stored_once,
};
use testkit::{TestBackend, assert_no_other_person_reads, assert_rows_go_with_their_objects, assert_transfer, capture, id};

static SCHEMAS: [&Schema; 1] = [&SCHEMA];

testkit::on_every_backend! { crate::tests::SCHEMAS;
    tensions_survive_a_transfer
    no_tension_is_read_by_another_person
    tensions_go_with_their_collection_and_evidence_with_its_document
    a_tension_is_seen_through_the_evidence_that_a_person_may_read
    a_search_is_stored_once
    a_merged_tension_leads_to_its_survivor
    snapshots_are_computed_from_the_dates_of_the_evidence
    tensions_that_cooled_are_found_with_their_responses
    rising_tensions_are_those_that_a_person_reads
    undated_evidence_decides_the_days_of_a_tension_where_none_is_dated
    the_result_of_a_task_is_stored_once
    the_most_neglected_tensions_are_scouted_first
    a_tension_of_a_scout_is_corroborated_by_further_origins
    a_tension_of_an_agent_goes_with_the_first_of_its_documents_elsewhere
    an_order_is_held_by_one_process
    a_link_that_exists_is_kept
    a_merged_link_keeps_the_last_sight_of_its_response
    an_explanation_from_private_documents_stays_private
    an_event_that_is_over_answers_nothing
    the_search_finds_active_tensions_by_all_words
    the_terms_of_the_heat_lead_to_the_statements_that_they_count
    heat_in_memory_is_computed_again_after_each_change
    items_of_a_document_are_stored_once
    nothing_stays_of_deleted_documents
    the_preview_of_deleting_counts_tensions_that_go_with_their_evidence
    a_dismissed_tension_takes_no_more_evidence_until_it_is_restored
    the_strongest_latest_statement_leads_a_tension
    a_text_that_connects_others_makes_them_one_origin
    tables_with_rows_are_those_of_which_a_person_reads_one
}

fn store(backend: &TestBackend) -> TensionStore {
    TensionStore::from(backend.store.clone())
}

/// Moments up to which events are over now, by the default settings.
fn limits(backend: &TestBackend) -> EventLimits {
    TensionSettings::default().event_limits(backend.now())
}

async fn documents(backend: &TestBackend, collection: CollectionId, texts: &[&str]) -> Vec<Document> {
    let captures: Vec<_> = texts.iter().map(|text| capture(collection, text, text)).collect();
    backend.store.add_documents(&captures).await.unwrap().0
}

fn tension(backend: &TestBackend, collection: CollectionId, title: &str) -> Tension {
    let today = day_number(backend.now());
    Tension {
        id: TensionId(id()),
        collection,
        origin: TensionOrigin::Extraction,
        theme: "work".into(),
        kind: "strike".into(),
        title: title.into(),
        statement: format!("{title}: dockers walked out."),
        region: Region { code: "642".into() },
        severity: Severity::Serious,
        confidence: 0.5,
        state: TensionState::Active,
        first_day: today,
        last_day: today,
        cause_heat: 0.0,
        response_scouted_at: None,
        created_at: backend.now(),
    }
}

fn evidence(document: &Document, day: i64) -> Evidence {
    Evidence {
        claim: ClaimId(id()),
        document: document.id,
        origin: document.text_sha256.clone(),
        is_against: false,
        severity: Severity::Severe,
        day: EvidenceDay::dated(day),
    }
}

fn undated_evidence(document: &Document, day: i64) -> Evidence {
    Evidence { day: EvidenceDay { day, is_undated: true }, ..evidence(document, day) }
}

/// Stores a tension with evidence from documents, days ago.
async fn add(backend: &TestBackend, tension: &Tension, found: &[(&Document, i64)]) {
    let today = day_number(backend.now());
    let rows = found.iter().map(|(document, ago)| (tension.id, evidence(document, today - ago)));
    let batch = StrainBatch {
        documents: vec![],
        tensions: vec![tension.clone()],
        subjects: vec![(tension.id, format!("work/strike/{}", tension.title))],
        evidence: rows.collect(),
        ..StrainBatch::default()
    };
    store(backend).record(&batch, backend.now()).await.unwrap();
}

fn response(backend: &TestBackend, tension: &Tension, title: &str) -> (Response, RespondsTo) {
    let now = backend.now();
    let response = Response {
        collection: tension.collection,
        title: title.into(),
        summary: "Both sides meet.".into(),
        starts_at: Some(now),
        region: tension.region.clone(),
        created_at: now,
        ..event(None, None)
    };
    let link = RespondsTo {
        tension: tension.id,
        strength: 0.8,
        explanation: "They talk.".into(),
        mechanism: "mediation".into(),
        first_seen: now,
        last_seen: now,
    };
    (response, link)
}

/// Stores a strike with a response that begins now.
async fn answered_strike(backend: &TestBackend) -> (Tension, Response, RespondsTo) {
    let (_, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one"]).await;
    let strike = tension(backend, collection, "Strike");
    add(backend, &strike, &[(&found[0], 1)]).await;
    let (talks, link) = response(backend, &strike, "Talks");
    store(backend).add_response(&talks, &link).await.unwrap();
    (strike, talks, link)
}

async fn no_tension_is_read_by_another_person(backend: &TestBackend) {
    assert_no_other_person_reads(backend, &SCHEMA, &[]).await;
}

async fn tensions_go_with_their_collection_and_evidence_with_its_document(backend: &TestBackend) {
    assert_rows_go_with_their_objects(backend, &SCHEMA, &[]).await;
}

async fn tensions_survive_a_transfer(backend: &TestBackend) {
    let store = store(backend);
    let (_, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one", "two"]).await;
    let (kept, merged) = (tension(backend, collection, "Kept"), tension(backend, collection, "Merged"));
    add(backend, &kept, &[(&found[0], 2)]).await;
    add(backend, &merged, &[(&found[1], 1)]).await;
    let (response, link) = response(backend, &kept, "Talks");
    store.add_response(&response, &link).await.unwrap();
    store.merge(kept.id, merged.id, backend.now()).await.unwrap();
    store.put_vectors("m", &[(kept.id, vec![0.5, -0.5])]).await.unwrap();
    record_batch(&store, &TensionSettings::default(), backend.now()).await.unwrap();
    let searched = StrainBatch { documents: vec![found[0].id], ..StrainBatch::default() };
    store.record(&searched, backend.now()).await.unwrap();
    assert_transfer(backend, &SCHEMAS).await;
}

async fn a_tension_is_seen_through_the_evidence_that_a_person_may_read(backend: &TestBackend) {
    let store = store(backend);
    let (ada, hers) = backend.person("ada").await;
    let shared = backend.collection(ada, CollectionKind::Shared).await;
    let (everybody, scope) = (Scope::from(shared), Scope::from(shared).with(hers));
    let open = documents(backend, shared, &["open"]).await;
    let private = documents(backend, hers, &["private"]).await;
    let (strike, secret) = (tension(backend, shared, "Strike"), tension(backend, hers, "Secret"));
    add(backend, &strike, &[(&open[0], 2), (&private[0], 1)]).await;
    add(backend, &secret, &[(&private[0], 1)]).await;

    let titles = async |scope: &Scope| -> Vec<String> {
        store.tensions(scope, limits(backend)).await.unwrap().into_iter().map(|one| one.tension.title).collect()
    };
    assert_eq!(titles(&everybody).await, ["Strike"]);
    assert_eq!(titles(&scope).await, ["Secret", "Strike"], "the latest evidence of their own collection first");
    assert_eq!(store.tension(&everybody, secret.id).await.unwrap(), None);
    let counts = async |scope: &Scope| {
        let counted: usize = store.recent_evidence(scope, 0).await.unwrap().values().map(Vec::len).sum();
        (store.evidence(scope, strike.id, 0, 25).await.unwrap().0.len(), counted)
    };
    assert_eq!((counts(&everybody).await, counts(&scope).await), ((1, 1), (2, 3)));
    let last_day = store.tension(&everybody, strike.id).await.unwrap().unwrap().last_day;
    assert_eq!(last_day, day_number(backend.now()) - 2, "a private document changes nothing that others see");

    remove(backend, open[0].id).await;
    assert_eq!(titles(&everybody).await, Vec::<String>::new(), "without evidence to read, nothing is seen");
    remove(backend, private[0].id).await;
    assert_eq!(titles(&scope).await, Vec::<String>::new());
}

async fn remove(backend: &TestBackend, document: DocumentId) {
    let entry =
        AuditEntry { at: backend.now(), user: None, act: "delete_documents".into(), object: String::new(), address: None };
    backend.store.remove_documents(&[document], &entry).await.unwrap();
}

async fn the_preview_of_deleting_counts_tensions_that_go_with_their_evidence(backend: &TestBackend) {
    let (ada, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one", "two"]).await;
    let (strike, threat) = (tension(backend, collection, "Strike"), tension(backend, collection, "Threat"));
    add(backend, &strike, &[(&found[0], 1)]).await;
    add(backend, &threat, &[(&found[0], 1), (&found[1], 1)]).await;
    let denial = Evidence { is_against: true, ..evidence(&found[1], strike.first_day) };
    let denied = StrainBatch { evidence: vec![(strike.id, denial)], ..StrainBatch::default() };
    store(backend).record(&denied, backend.now()).await.unwrap();
    let preview = async |documents: &[DocumentId]| -> Vec<(&'static str, u64)> {
        let rows: Vec<DependentRows> = backend.store.dependents(ada, documents).await.unwrap();
        rows.into_iter().map(|one| (one.one, one.rows)).collect()
    };
    let piece = "piece of evidence of tensions";
    assert_eq!(preview(&[found[0].id]).await, [("tension", 1), (piece, 2)], "a denial alone keeps no tension");
    assert_eq!(preview(&[found[1].id]).await, [(piece, 2)]);
    assert_eq!(preview(&[found[0].id, found[1].id]).await, [("tension", 2), (piece, 4)]);
}

async fn a_search_is_stored_once(backend: &TestBackend) {
    let store = store(backend);
    let (_, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one"]).await;
    let strike = tension(backend, collection, "Strike");
    let batch = StrainBatch {
        documents: vec![found[0].id],
        tensions: vec![strike.clone()],
        subjects: vec![(strike.id, "work/strike/642".into())],
        evidence: vec![(strike.id, evidence(&found[0], 20_000))],
        ..StrainBatch::default()
    };
    store.record(&batch, backend.now()).await.unwrap();
    let again = StrainBatch { tensions: vec![tension(backend, collection, "Twin")], ..batch };
    assert!(matches!(store.record(&again, backend.now()).await, Err(StoreError::Stale(_))));
    let scope = Scope::from(collection);
    assert_eq!(store.tensions(&scope, limits(backend)).await.unwrap().len(), 1, "nothing of the second search is stored");
    assert_eq!(store.searched(&scope).await.unwrap(), (1, Some(backend.now())));
    let known = store.known_subjects(&scope, &["work/strike/642".into(), "work/strike/250".into()]).await.unwrap();
    assert_eq!(known.iter().map(|one| (one.tension, one.first_day)).collect::<Vec<_>>(), [(strike.id, 20_000)]);
    assert_eq!(store.unsearched(5).await.unwrap(), [], "nothing was extracted yet");
}

async fn a_merged_tension_leads_to_its_survivor(backend: &TestBackend) {
    let store = store(backend);
    let (ada, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one", "two"]).await;
    let [first, second, third] = ["First", "Second", "Third"].map(|title| tension(backend, collection, title));
    add(backend, &first, &[(&found[0], 3)]).await;
    add(backend, &second, &[(&found[1], 1)]).await;
    add(backend, &third, &[(&found[1], 1)]).await;
    let (answer, link) = response(backend, &first, "Talks");
    store.add_response(&answer, &link).await.unwrap();
    store.merge(second.id, first.id, backend.now()).await.unwrap();
    store.merge(third.id, second.id, backend.now()).await.unwrap();
    let scope = Scope::from(collection);
    for id in [first.id, second.id, third.id] {
        assert_eq!(store.tension(&scope, id).await.unwrap().map(|one| one.id), Some(third.id));
    }
    let (bob, merged) = (backend.user("bob").await, ObjectId(first.id.0));
    let read = store.read_pairs(&[(ada, merged), (bob, merged), (ada, ObjectId(id()))]).await.unwrap();
    assert_eq!(read, [(ada, merged)], "it is private");
    let survivor = &store.tensions(&scope, limits(backend)).await.unwrap()[0];
    assert_eq!((survivor.responses, survivor.tension.first_day), (1, day_number(backend.now()) - 3));
    assert_eq!(store.evidence(&scope, third.id, 0, 2).await.unwrap().1, 3);
    let subject = ["work/strike/First".to_owned()];
    assert_eq!(store.known_subjects(&scope, &subject).await.unwrap()[0].tension, third.id);
    let again = store.merge(third.id, first.id, backend.now()).await;
    assert!(matches!(again, Err(StoreError::Stale(_))));
}

async fn snapshots_are_computed_from_the_dates_of_the_evidence(backend: &TestBackend) {
    let (store, settings) = (store(backend), TensionSettings::default());
    let (ada, hers) = backend.person("ada").await;
    let shared = backend.collection(ada, CollectionKind::Shared).await;
    let (open, private) = (documents(backend, shared, &["a", "b"]).await, documents(backend, hers, &["c"]).await);
    let strike = tension(backend, shared, "Strike");
    add(backend, &strike, &[(&open[0], 5), (&open[1], 0), (&private[0], 9)]).await;
    assert_eq!(record_batch(&store, &settings, backend.now()).await.unwrap(), 1);
    assert_eq!(record_batch(&store, &settings, backend.now()).await.unwrap(), 0, "the day is recorded");
    let (today, scope) = (day_number(backend.now()), Scope::from(shared));
    let snapshots = async || store.snapshots(strike.id).await.unwrap();
    let days = async || -> Vec<i64> { snapshots().await.iter().map(|(day, _)| day - today).collect() };
    assert_eq!(days().await, [-5, -4, -3, -2, -1, 0], "private evidence is no part of what everybody sees");
    let heats: Vec<i64> = snapshots().await.iter().map(|(_, heat)| *heat).collect();
    assert_eq!(thousandths(store.tension(&scope, strike.id).await.unwrap().unwrap().cause_heat), heats[5]);
    assert!(heats[5] > heats[4], "{heats:?}");

    backend.clock.forward_ms(86_400_000);
    assert_eq!(record_batch(&store, &settings, backend.now()).await.unwrap(), 1);
    assert_eq!(days().await.len(), 7);
    let more = StrainBatch { evidence: vec![(strike.id, evidence(&open[0], today - 8))], ..StrainBatch::default() };
    store.record(&more, backend.now()).await.unwrap();
    assert_eq!(record_batch(&store, &settings, backend.now()).await.unwrap(), 1);
    assert_eq!(days().await[0], -8, "late evidence changes the days that it is about");
}

async fn tensions_that_cooled_are_found_with_their_responses(backend: &TestBackend) {
    let (store, settings) = (store(backend), TensionSettings::default());
    let (_, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one", "two"]).await;
    let scope = Scope::from(collection);
    let (old, new) = (tension(backend, collection, "Old"), tension(backend, collection, "New"));
    add(backend, &old, &[(&found[0], 29)]).await;
    add(backend, &new, &[(&found[1], 0)]).await;
    record_batch(&store, &settings, backend.now()).await.unwrap();
    assert_eq!(store.eased(&scope, &new, 0.3, 0.15, 5).await.unwrap(), [], "nothing answered it");
    let (talks, link) = response(backend, &old, "Talks");
    store.add_response(&talks, &link).await.unwrap();
    let again = RespondsTo { mechanism: "arbitration".into(), ..link };
    store.add_response(&talks, &again).await.unwrap();
    let eased = store.eased(&scope, &new, 0.3, 0.15, 5).await.unwrap();
    assert_eq!(eased.iter().map(|one| one.id).collect::<Vec<_>>(), [old.id]);
    assert!(eased[0].peak > 0.39 && eased[0].heat < 0.15, "{eased:?}");
    assert_eq!(store.eased(&scope, &new, 0.3, 0.0, 5).await.unwrap(), []);
    let responses = store.responses_to(&scope, &[old.id, new.id]).await.unwrap();
    assert_eq!((responses.len(), responses[0].link.mechanism.as_str()), (1, "arbitration"));
    let (page, total) = store.responses(&scope, 0, 25).await.unwrap();
    assert_eq!((page[0].tension_title.as_str(), total), ("Old", 1));
    let last_day = day_number(backend.now()) - 29;
    let related = RelatedTension { id: old.id, title: "Old".into(), last_day };
    assert_eq!(store.related(&scope, &scope, &new, 5).await.unwrap(), [related]);
    assert_eq!(
        store.related(&scope, &Scope::default(), &new, 5).await.unwrap(),
        [],
        "nothing outside the collections of a merge"
    );
    assert_eq!(store.parents(&scope, new.id).await.unwrap(), []);
    assert_eq!(store.responses(&Scope::default(), 0, 25).await.unwrap(), (vec![], 0));

    let missing = store.without_vector::<TensionId>("m", 5).await.unwrap();
    assert_eq!(missing.len(), 2);
    store.put_vectors("m", &[(old.id, vec![1.0, 0.0]), (new.id, vec![0.6, 0.8])]).await.unwrap();
    assert_eq!(store.without_vector::<TensionId>("m", 5).await.unwrap(), []);
    let mut known = store.alike_candidates(&scope, &CandidateGroup::Theme("work".into()), "m").await.unwrap();
    known.sort_by_key(|one| one.id != old.id);
    assert_eq!(
        known.iter().map(|one| (one.id, one.last_day)).collect::<Vec<_>>(),
        [(old.id, last_day), (new.id, last_day + 29)]
    );
    assert!((engine::embeddings::cosine(&known[0].vector, &known[1].vector) - 0.6).abs() < 1e-6);
}

async fn rising_tensions_are_those_that_a_person_reads(backend: &TestBackend) {
    let (store, settings) = (store(backend), TensionSettings::default());
    let (ada, hers) = backend.person("ada").await;
    let sample = backend.collection(ada, CollectionKind::Sample).await;
    let (own, invented) = (documents(backend, hers, &["own"]).await, documents(backend, sample, &["invented"]).await);
    add(backend, &tension(backend, hers, "New"), &[(&own[0], 1)]).await;
    add(backend, &tension(backend, hers, "Old"), &[(&own[0], 20)]).await;
    add(backend, &tension(backend, sample, "Invented"), &[(&invented[0], 0)]).await;
    record_batch(&store, &settings, backend.now()).await.unwrap();
    let since = day_number(backend.now()) - 7;
    let rising = async |viewer: &User, limit: u32| -> Vec<(String, bool)> {
        let found = store.rising(viewer, since, settings.trend, limit).await.unwrap();
        found.into_iter().map(|one| (one.title, one.is_sample)).collect()
    };
    let (new, invented) = (("New".to_owned(), false), ("Invented".to_owned(), true));
    let mut ada = backend.store.user(ada).await.unwrap().unwrap();
    let bob = backend.user("bob").await;
    let bob = backend.store.user(bob).await.unwrap().unwrap();
    assert_eq!(rising(&ada, 5).await, [invented.clone(), new.clone()], "what rose most comes first, and what falls is missing");
    assert_eq!(rising(&ada, 1).await, std::slice::from_ref(&invented));
    assert_eq!(rising(&bob, 5).await, [invented]);
    ada.preferences.hides_sample = true;
    assert_eq!(rising(&ada, 5).await, std::slice::from_ref(&new));

    let (scope, today, unknown) = (Scope::from(hers), day_number(backend.now()), tension(backend, hers, "Unknown"));
    let undated = (0..3).map(|_| (unknown.id, undated_evidence(&own[0], today))).collect();
    add(backend, &unknown, &[]).await;
    store.record(&StrainBatch { evidence: undated, ..StrainBatch::default() }, backend.now()).await.unwrap();
    record_batch(&store, &settings, backend.now()).await.unwrap();
    let heat = store.tension(&scope, unknown.id).await.unwrap().unwrap().cause_heat;
    let expected = 1.0 - (-settings.severe_weight * settings.undated_share).exp();
    assert_eq!(thousandths(heat), thousandths(expected), "evidence without a date has heat");
    assert_eq!(rising(&ada, 5).await, [new], "and makes nothing rise");
}

async fn undated_evidence_decides_the_days_of_a_tension_where_none_is_dated(backend: &TestBackend) {
    let store = store(backend);
    let (_, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one"]).await;
    let (strike, today, scope) = (tension(backend, collection, "Strike"), day_number(backend.now()), Scope::from(collection));
    add(backend, &strike, &[]).await;
    let days = async |evidence: Evidence| {
        let batch = StrainBatch { evidence: vec![(strike.id, evidence)], ..StrainBatch::default() };
        store.record(&batch, backend.now()).await.unwrap();
        let tension = store.tension(&scope, strike.id).await.unwrap().unwrap();
        (today - tension.first_day, today - tension.last_day)
    };
    let undated = |ago: i64| undated_evidence(&found[0], today - ago);
    assert_eq!(days(undated(1)).await, (1, 1));
    assert_eq!(days(evidence(&found[0], today - 40)).await, (40, 40), "an old page that was read yesterday is old");
    assert_eq!(days(evidence(&found[0], today - 9)).await, (40, 9));
    assert_eq!(days(undated(0)).await, (40, 9));
    let (stored, _) = store.evidence(&scope, strike.id, 0, 5).await.unwrap();
    assert_eq!(stored.iter().filter(|one| one.day.is_undated).count(), 2);

    let old = tension(backend, collection, "Old");
    add(backend, &old, &[]).await;
    let long_ago = StrainBatch { evidence: vec![(old.id, undated(600))], ..StrainBatch::default() };
    store.record(&long_ago, backend.now()).await.unwrap();
    let overview = HeatOverview::load(&store, &TensionSettings::default(), &scope, 30, backend.now()).await.unwrap();
    let latest = |id: TensionId| overview.tensions.iter().find(|one| one.summary.tension.id == id).unwrap().latest;
    assert_eq!(latest(old.id), EvidenceDay { day: today - 600, is_undated: true }, "too old to count");
    assert_eq!(latest(strike.id), EvidenceDay::dated(today - 9));
    assert!(store.is_undated(&scope, old.id).await.unwrap() && !store.is_undated(&scope, strike.id).await.unwrap());
}

async fn tables_with_rows_are_those_of_which_a_person_reads_one(backend: &TestBackend) {
    let (ada, collection) = backend.person("ada").await;
    let bob = backend.user("bob").await;
    let found = async |person: UserId| {
        let tables = ["documents", "assessments", "tensions", "responses", "unknown"];
        Vec::from_iter(backend.store.tables_with_rows(person, &tables).await.unwrap())
    };
    assert_eq!(found(ada).await, Vec::<String>::new());
    let own = documents(backend, collection, &["own"]).await;
    assert_eq!(found(ada).await, ["documents"]);
    add(backend, &tension(backend, collection, "Strike"), &[(&own[0], 1)]).await;
    assert_eq!(found(ada).await, ["documents", "tensions"]);
    assert_eq!(found(bob).await, Vec::<String>::new(), "what others have is not shown to exist");
}

async fn an_event_that_is_over_answers_nothing(backend: &TestBackend) {
    let store = store(backend);
    let (strike, talks, _) = answered_strike(backend).await;
    let scope = Scope::from(strike.collection);
    let answers = async || store.tensions(&scope, limits(backend)).await.unwrap()[0].responses;
    assert_eq!(answers().await, 1);
    let (vigil, link) = response(backend, &strike, "Vigil");
    store.add_response(&Response { starts_at: None, ..vigil.clone() }, &link).await.unwrap();
    assert_eq!(answers().await, 2);
    backend.clock.forward_ms(86_400_000);
    assert_eq!(answers().await, 1);
    let states = async || (answers().await, store.heat_state(limits(backend)).await.unwrap());
    backend.clock.forward_ms(28 * 86_400_000);
    let before = states().await;
    backend.clock.forward_ms(86_400_000);
    let after = states().await;
    assert_eq!((before.0, after.0), (1, 0), "without a date it is over 30 days after it was seen");
    assert_ne!(before.1, after.1, "what is held in memory is out of date");
    store.remove_response(vigil.id, strike.id).await.unwrap();
    store.remove_response(talks.id, strike.id).await.unwrap();
    assert_eq!(store.responses_to(&scope, &[strike.id]).await.unwrap(), []);
}

async fn nothing_stays_of_deleted_documents(backend: &TestBackend) {
    let (store, settings) = (store(backend), TensionSettings::default());
    let (_, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["A", "B"]).await;
    let strike = tension(backend, collection, "Strike");
    add(backend, &strike, &[(&found[0], 9), (&found[1], 1)]).await;
    let scope = Scope::from(collection);
    let refresh = async || while store.refresh_changed(5, backend.now()).await.unwrap() > 0 {};
    let due = async || store.due_leads(TensionId(uuid::Uuid::nil()), 5).await.unwrap();
    refresh().await;
    assert_eq!(due().await[0].document, found[1].id, "the latest of the most severe");
    store.put_lead(strike.id, "Strike", "B says so.", found[1].id).await.unwrap();
    assert_eq!(due().await, []);
    record_batch(&store, &settings, backend.now()).await.unwrap();

    remove(backend, found[1].id).await;
    assert_eq!(store.remove_orphans().await.unwrap(), 0);
    refresh().await;
    assert_eq!(due().await[0].document, found[0].id);
    store.put_lead(strike.id, "Strike", "A says so.", found[0].id).await.unwrap();
    let kept = store.tension(&scope, strike.id).await.unwrap().unwrap();
    assert_eq!((kept.statement.as_str(), kept.last_day), ("A says so.", day_number(backend.now()) - 9));

    remove(backend, found[0].id).await;
    assert_eq!(store.remove_orphans().await.unwrap(), 1);
    let c = documents(backend, collection, &["C"]).await;
    let known = store.known_subjects(&scope, &["work/strike/Strike".into()]).await.unwrap();
    assert_eq!((known.len(), c.len()), (0, 1), "C begins a tension of its own");
}

async fn a_dismissed_tension_takes_no_more_evidence_until_it_is_restored(backend: &TestBackend) {
    let store = store(backend);
    let (_, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one"]).await;
    let strike = tension(backend, collection, "Strike");
    add(backend, &strike, &[(&found[0], 1)]).await;
    store.put_vectors("m", &[(strike.id, vec![1.0])]).await.unwrap();
    let (scope, subjects) = (Scope::from(collection), ["work/strike/Strike".to_owned()]);
    let strikes = CandidateGroup::Kind("strike".into());
    let counts = async || {
        let known = store.known_subjects(&scope, &subjects).await.unwrap().len();
        let candidates = store.alike_candidates(&scope, &strikes, "m").await.unwrap().len();
        (known, candidates, store.dismissed_texts(&scope, &subjects).await.unwrap())
    };
    assert_eq!(counts().await, (1, 1, vec![]));
    let dismissed = TensionState::Dismissed("A film.".into());
    assert!(store.set_state(strike.id, &dismissed).await.unwrap());
    assert_eq!(store.tension(&scope, strike.id).await.unwrap().unwrap().state, dismissed);
    assert_eq!(counts().await, (0, 0, vec![(subjects[0].clone(), found[0].text_sha256.clone())]));
    assert_eq!(store.dismissed_texts(&Scope::default(), &subjects).await.unwrap(), []);
    assert!(store.set_state(strike.id, &TensionState::Active).await.unwrap());
    assert_eq!(counts().await, (1, 1, vec![]));
    assert!(!store.set_state(TensionId(id()), &TensionState::Active).await.unwrap());
}

async fn the_strongest_latest_statement_leads_a_tension(backend: &TestBackend) {
    let store = store(backend);
    let (_, collection) = backend.person("ada").await;
    let found = documents(backend, collection, &["one", "two"]).await;
    let strike = tension(backend, collection, "Strike");
    add(backend, &strike, &[(&found[0], 3)]).await;
    let lead = async || {
        let due = store.due_leads(TensionId(uuid::Uuid::nil()), 5).await.unwrap().remove(0);
        store.put_lead(strike.id, &due.title, &format!("Statement {}.", due.claim), due.document).await.unwrap();
        due.claim
    };
    lead().await;
    let today = day_number(backend.now());
    for (severity, day, is_lead) in
        [(Severity::Serious, today, false), (Severity::Severe, today - 4, false), (Severity::Severe, today - 1, true)]
    {
        store.put_vectors("m", &[(strike.id, vec![1.0])]).await.unwrap();
        let more = Evidence { severity, ..evidence(&found[1], day) };
        let claim = more.claim;
        let batch = StrainBatch { evidence: vec![(strike.id, more)], ..StrainBatch::default() };
        store.record(&batch, backend.now()).await.unwrap();
        assert_eq!(lead().await == claim, is_lead, "{severity:?} on {day}");
        assert_eq!(
            store.without_vector::<TensionId>("m", 5).await.unwrap().len(),
            usize::from(is_lead),
            "another text has another vector"
        );
    }
}

async fn a_text_that_connects_others_makes_them_one_origin(backend: &TestBackend) {
    let store = store(backend);
    let (ada, hers) = backend.person("ada").await;
    let shared = backend.collection(ada, CollectionKind::Shared).await;
    let (open, private) = (documents(backend, shared, &["a", "b"]).await, documents(backend, hers, &["c"]).await);
    let strike = tension(backend, shared, "Strike");
    add(backend, &strike, &[(&open[0], 2), (&open[1], 1), (&private[0], 1)]).await;
    let scope = Scope::from(shared);
    let texts = [&open[0], &open[1], &private[0]].map(|document| document.text_sha256.clone());
    let joined = OriginTexts { origin: texts[1].clone(), texts: texts.to_vec(), scope: scope.clone() };
    let batch = StrainBatch { origins: vec![joined], ..StrainBatch::default() };
    store.record(&batch, backend.now()).await.unwrap();
    let (evidence, _) = store.evidence(&scope.with(hers), strike.id, 0, 5).await.unwrap();
    let origin = |document: &Document| evidence.iter().find(|one| one.document == document.id).map(|one| one.origin.clone());
    assert_eq!((origin(&open[0]), origin(&open[1])), (Some(texts[1].clone()), Some(texts[1].clone())));
    assert_eq!(origin(&private[0]), Some(texts[2].clone()), "outside the scope nothing changes");
}
