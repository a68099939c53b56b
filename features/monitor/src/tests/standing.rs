//! Standing questions with a clock that the tests move: missed runs, a repeated start, two processes, and documents that name somebody.

use super::{SCHEMAS, standing_question, store};
use crate::{
    dates::{DAY_MS, OVERLAP_MS},
    runs::{record_due, run_round, start_due},
    standing::{RunState, StandingQuestion, StandingRun, Timing, due_time},
};
use domain::{ClaimId, CollectionId, Timestamp, UserId, investigation::Trigger, user::User};
use engine::{
    accounts::{Accounts, upload_collection},
    graph::{EntityProposal, EntityRef, GraphWrite, NewClaim},
    investigations::{InvestigationFilter, Investigations},
    library::Documents,
};
use feature::{Web, testing::TestSite};
use testkit::{TestBackend, capture};

async fn backend() -> TestBackend {
    testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server")
}

/// A person with a document to read.
async fn reader(backend: &TestBackend) -> User {
    let id = backend.user("ada").await;
    let web = TestSite::new(crate::feature(), backend).web;
    let user = backend.store.user(id).await.unwrap().expect("an account");
    let uploads = upload_collection(&web.engine, &user).await.unwrap();
    backend.store.add_documents(&[capture(uploads.id, "log.txt", "The gate log of the lock is published.")]).await.unwrap();
    user
}

async fn asked(backend: &TestBackend, owner: UserId) -> usize {
    let filter = InvestigationFilter { owner: Some(owner), limit: 99, ..InvestigationFilter::default() };
    let found = Investigations::list(&backend.store, &filter).await.unwrap();
    assert!(found.iter().all(|one| one.trigger == Trigger::Schedule));
    found.len()
}

async fn runs(backend: &TestBackend, owner: UserId) -> Vec<StandingRun> {
    store(backend).runs_of(owner, Timestamp::from_micros(0), 99).await.unwrap()
}

async fn due(web: &Web, question: &StandingQuestion, last: Option<&StandingRun>) -> Option<Timestamp> {
    due_time(web, question, last, web.engine.clock.now()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missed_runs_are_made_up_once_and_a_repeated_start_asks_nothing_again() {
    let backend = backend().await;
    let web = TestSite::new(crate::feature(), &backend).web;
    let ada = reader(&backend).await;
    let store = store(&backend);
    assert!(store.add_standing(&standing_question(&backend, ada.id), 9).await.unwrap());
    run_round(&web).await.unwrap();
    assert_eq!(asked(&backend, ada.id).await, 0, "it is not due yet");
    backend.clock.forward_ms(30 * DAY_MS);
    record_due(&web).await.unwrap();
    let due = store.due_runs(backend.now(), 9).await.unwrap();
    let [run] = &due[..] else { panic!("one run for all that were missed: {due:?}") };
    start_due(&web).await.unwrap();
    assert_eq!(asked(&backend, ada.id).await, 1);
    // As if the process had died after the investigation was stored, and before the run was.
    store.remove_standing(ada.id, run.standing).await.unwrap();
    assert!(
        store.add_standing(&StandingQuestion { id: run.standing, ..standing_question(&backend, ada.id) }, 9).await.unwrap()
    );
    store.add_run(run).await.unwrap();
    run_round(&web).await.unwrap();
    assert_eq!(asked(&backend, ada.id).await, 1, "the investigation has the id of the run");
    let after = runs(&backend, ada.id).await;
    assert_eq!(after.iter().map(|run| run.state).collect::<Vec<_>>(), [RunState::Started]);
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_waits_makes_up_for_those_that_come_due_meanwhile() {
    let backend = backend().await;
    let web = TestSite::new(crate::feature(), &backend).web;
    let ada = reader(&backend).await;
    let timing = Timing::Cron { pattern: "0 9 * * *".into(), time_zone: "UTC".into() };
    let daily = StandingQuestion { timing, ..standing_question(&backend, ada.id) };
    let store = store(&backend);
    assert!(store.add_standing(&daily, 9).await.unwrap());
    backend.clock.forward_ms(DAY_MS);
    record_due(&web).await.unwrap();
    let due = store.due_runs(backend.now(), 9).await.unwrap();
    let [run] = &due[..] else { panic!("one run: {due:?}") };
    // As if its start had failed.
    store.put_off_run(&StandingRun { attempts: 1, ..run.clone() }, backend.now().plus_ms(3 * DAY_MS)).await.unwrap();
    backend.clock.forward_ms(2 * DAY_MS);
    run_round(&web).await.unwrap();
    assert_eq!((asked(&backend, ada.id).await, runs(&backend, ada.id).await.len()), (0, 1), "no second run waits");
    backend.clock.forward_ms(DAY_MS);
    run_round(&web).await.unwrap();
    run_round(&web).await.unwrap();
    assert_eq!((asked(&backend, ada.id).await, runs(&backend, ada.id).await.len()), (1, 1), "it made up for the others");
    backend.clock.forward_ms(DAY_MS);
    record_due(&web).await.unwrap();
    assert_eq!(runs(&backend, ada.id).await.len(), 2);
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_at_once_ask_a_question_once() {
    let backend = backend().await;
    let (one, other) = (TestSite::new(crate::feature(), &backend).web, TestSite::new(crate::feature(), &backend).web);
    let ada = reader(&backend).await;
    assert!(store(&backend).add_standing(&standing_question(&backend, ada.id), 9).await.unwrap());
    backend.clock.forward_ms(8 * DAY_MS);
    let (first, second) = tokio::join!(run_round(&one), run_round(&other));
    assert!(first.is_ok() || second.is_ok());
    run_round(&one).await.unwrap();
    assert_eq!((asked(&backend, ada.id).await, runs(&backend, ada.id).await.len()), (1, 1));
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_may_not_start_is_skipped_with_the_reason() {
    let backend = backend().await;
    let web = TestSite::new(crate::feature(), &backend).web;
    let ada = reader(&backend).await;
    let question = StandingQuestion { budget_micros: Some(0), ..standing_question(&backend, ada.id) };
    assert!(store(&backend).add_standing(&question, 9).await.unwrap());
    backend.clock.forward_ms(8 * DAY_MS);
    run_round(&web).await.unwrap();
    let runs = runs(&backend, ada.id).await;
    let [run] = &runs[..] else { panic!("one run: {runs:?}") };
    assert_eq!((run.state, run.note.as_str()), (RunState::Skipped, "the budget of 30 days is used up"));
    assert_eq!(asked(&backend, ada.id).await, 0);
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_is_due_once_on_its_day_and_not_for_the_time_of_a_pause() {
    let backend = backend().await;
    let web = TestSite::new(crate::feature(), &backend).web;
    let ada = backend.user("ada").await;
    let weekly = standing_question(&backend, ada);
    let once = StandingQuestion { timing: Timing::Once(backend.now().plus_ms(DAY_MS)), ..weekly.clone() };
    assert_eq!(due(&web, &once, None).await, None);
    backend.clock.forward_ms(8 * DAY_MS);
    let at = due(&web, &weekly, None).await.expect("a Monday has passed");
    let resumed = StandingQuestion { counted_from: backend.now(), ..weekly.clone() };
    assert_eq!(due(&web, &resumed, None).await, None);
    let day = due(&web, &once, None).await.expect("its day has come");
    let run = StandingRun {
        standing: weekly.id,
        due_at: at.max(day),
        investigation: domain::InvestigationId(testkit::id()),
        state: RunState::Skipped,
        note: String::new(),
        changed_at: backend.now(),
        attempts: 0,
    };
    assert_eq!((due(&web, &weekly, Some(&run)).await, due(&web, &once, Some(&run)).await), (None, None));
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_nightly_question_is_due_once_in_each_night_when_the_clocks_change() {
    let backend = backend().await;
    let web = TestSite::new(crate::feature(), &backend).web;
    let ada = backend.user("ada").await;
    let timing = Timing::Cron { pattern: "30 2 * * *".into(), time_zone: "Europe/Paris".into() };
    // In 2031 the clocks go forward on 30 March at 01:00 UTC, and back on 26 October at 01:00 UTC.
    for (from, nights) in [
        ("2031-03-29T12:00:00Z", ["2031-03-30T01:00:00Z", "2031-03-31T00:30:00Z"]),
        ("2031-10-25T12:00:00Z", ["2031-10-26T00:30:00Z", "2031-10-27T01:30:00Z"]),
    ] {
        let from = Timestamp::parse(from).unwrap();
        let question = StandingQuestion { timing: timing.clone(), counted_from: from, ..standing_question(&backend, ada) };
        let mut runs: Vec<StandingRun> = vec![];
        // Two days in steps of ten minutes, as a server without pauses looks.
        for step in 0..2 * DAY_MS / 600_000 {
            let now = from.plus_ms(step * 600_000);
            let Some(due_at) = due_time(&web, &question, runs.last(), now).await.unwrap() else { continue };
            let (standing, investigation) = (question.id, domain::InvestigationId(testkit::id()));
            let (state, note, attempts) = (RunState::Started, String::new(), 0);
            runs.push(StandingRun { standing, due_at, investigation, state, note, changed_at: now, attempts });
        }
        let due: Vec<Timestamp> = runs.iter().map(|run| run.due_at).collect();
        assert_eq!(due, nights.map(|night| Timestamp::parse(night).unwrap()));
    }
    backend.close().await;
}

/// Stores a document with one claim about an entity, as it is read.
pub async fn read_document(web: &Web, collection: CollectionId, text: &str, entities: Vec<EntityProposal>, about: EntityRef) {
    let (engine, name) = (&web.engine, format!("{}.txt", testkit::id()));
    let (documents, _) = engine.documents.add_documents(&[capture(collection, &name, text)]).await.unwrap();
    let claim = NewClaim::quoted(ClaimId(testkit::id()), text, 0, vec![about]);
    let write = GraphWrite::new(documents[0].id, collection, name, engine.clock.now());
    let write = GraphWrite { claims: vec![claim], entities, completes_document: true, ..write };
    engine.graph.write(&[write], &*engine.resolve).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_is_due_when_a_document_that_is_read_later_names_somebody() {
    let backend = backend().await;
    let web = TestSite::new(crate::feature(), &backend).web;
    let (ada, collection) = backend.person("ada").await;
    let person = |name: &str| EntityProposal { claims: vec![0], ..EntityProposal::new(&*web.engine.ids, name, "person") };
    let vael = person("Jonas Vael");
    let timing = Timing::Names(vael.id);
    let about_vael = EntityRef::Existing(vael.id);
    read_document(&web, collection, "Jonas Vael opened the quay.", vec![vael], EntityRef::New(0)).await;
    backend.clock.forward_ms(1);
    let question = StandingQuestion { timing, ..standing_question(&backend, ada) };
    assert_eq!(due(&web, &question, None).await, None, "it was read before");
    backend.clock.forward_ms(1);
    read_document(&web, collection, "Rhea Holm closed the gate.", vec![person("Rhea Holm")], EntityRef::New(0)).await;
    assert_eq!(due(&web, &question, None).await, None, "it names another person");
    backend.clock.forward_ms(1);
    read_document(&web, collection, "Vael stayed away.", vec![], about_vael).await;
    assert_eq!(due(&web, &question, None).await, Some(backend.now()));

    let store = store(&backend);
    assert!(store.add_standing(&question, 9).await.unwrap());
    backend.clock.forward_ms(DAY_MS);
    let resumed = StandingQuestion { counted_from: backend.now(), ..question.clone() };
    backend.clock.forward_ms(DAY_MS);
    read_document(&web, collection, "The gate stays closed.", vec![person("Mara Quill")], EntityRef::New(0)).await;
    assert_eq!(due(&web, &resumed, None).await, None);
    let looked = store.standing(question.id).await.unwrap().expect("the question").counted_from;
    assert_eq!(looked, backend.now().plus_ms(-OVERLAP_MS), "it is not read again");
    backend.close().await;
}
