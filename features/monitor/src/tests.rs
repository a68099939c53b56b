//! Suite of the tables, on every backend.

mod beliefs;
#[cfg(feature = "figures")]
mod figures;
mod judge;
#[cfg(feature = "figures")]
mod labelled;
mod matching;
mod routes;
mod standing;

use crate::{
    dates::{DAY_MS, DueAnswer, DueItem},
    interest::{Feedback, Interest, InterestId, InterestState, MatchId, tests::draft},
    score::{Explanation, ScoredTerm, TermKind},
    standing::{RunState, StandingId, StandingQuestion, StandingRun, Timing},
    store::{MatchDraft, MonitorStore, ROWS, SCHEMA},
};
use domain::{
    AssessmentId, CollectionKind, InvestigationId, ModelCallId, ObjectId, Timestamp, UserId, agent::AgentRole,
    budget::CallOutcome, event::EventKind, investigation::FollowKind,
};
use engine::{
    accounts::Accounts,
    assessments::{Assessments, compare},
    budget::{BudgetRequest, Caps, Ledger, Reservation, Settlement},
    events::Events,
    investigations::Investigations,
    library::Documents,
    sessions::Sessions,
};
use feature::{ProductMark, ReadPair, Schema};
use protocol::model::{Price, Usage};
use std::collections::{BTreeSet, HashMap};
use testkit::{
    TestBackend, assert_no_other_person_reads, assert_rows_go_with_their_objects, assert_transfer, capture, id,
    stored_assessment,
};

static SCHEMAS: [&Schema; 1] = [&SCHEMA];

testkit::on_every_backend! { crate::tests::SCHEMAS;
    all_tables_survive_a_transfer
    no_row_is_read_by_another_person
    rows_go_with_their_person_and_their_reports
    interests_are_kept_within_the_limit_and_lose_the_vector_of_an_old_sentence
    a_match_is_stored_once_and_answered_once
    many_matches_are_stored_at_once_without_those_of_removed_interests
    matches_of_muted_and_paused_interests_are_not_shown
    reports_arrive_in_order_and_only_their_readers_find_them
    only_readers_of_a_collection_find_its_documents
    changes_of_belief_are_read_from_the_events_of_the_newer_report
    a_day_that_is_over_stays_open_until_it_is_answered
    a_due_time_has_one_run
    costs_of_runs_are_summed_for_each_question
}

fn store(backend: &TestBackend) -> MonitorStore {
    MonitorStore::from(backend.store.clone())
}

fn interest(backend: &TestBackend, user: UserId, sentence: &str) -> Interest {
    Interest {
        id: InterestId(id()),
        user,
        state: InterestState::Active,
        draft: draft(sentence),
        muted_until: None,
        tuned: String::new(),
        reason: String::new(),
        created_at: backend.now(),
        changed_at: backend.now(),
    }
}

fn match_draft(backend: &TestBackend, interest: &Interest) -> MatchDraft {
    let terms = vec![ScoredTerm { kind: TermKind::Words, part: 50, weight: 25, hits: vec!["grain".into()] }];
    MatchDraft {
        id: MatchId(id()),
        interest: interest.id,
        sentence: interest.draft.sentence.clone(),
        product: ObjectId(id()),
        arrived_at: backend.now(),
        explanation: Explanation { score: 50, terms },
        is_borderline: false,
    }
}

/// A question that is asked every Monday at nine.
fn standing_question(backend: &TestBackend, user: UserId) -> StandingQuestion {
    StandingQuestion {
        id: StandingId(id()),
        user,
        question: "Is the lock open?".into(),
        follows: None,
        timing: Timing::Cron { pattern: "0 9 * * 1".into(), time_zone: "UTC".into() },
        budget_micros: None,
        is_paused: false,
        counted_from: backend.now(),
        created_at: backend.now(),
    }
}

/// A report of a person, in a private collection of theirs.
async fn report(backend: &TestBackend, name: &str) -> (UserId, AssessmentId) {
    let (person, collection) = backend.person(name).await;
    let investigation = backend.investigation(person, collection).await;
    let stored = stored_assessment(backend, investigation, &[collection], "The lock is closed.");
    (person, backend.store.put(&stored).await.unwrap())
}

async fn all_tables_survive_a_transfer(backend: &TestBackend) {
    let store = store(backend);
    let (ada, _) = report(backend, "ada").await;
    let kept = interest(backend, ada, "Grain transit");
    assert!(store.add_interest(&kept, 5).await.unwrap());
    store.put_vectors("m", &[(kept.id, "Grain transit".into(), vec![1, -1])], backend.now()).await.unwrap();
    store.add_matches("report", &[match_draft(backend, &kept)], backend.now()).await.unwrap();
    store.mark_seen(ada, backend.now()).await.unwrap();
    store.set_mark("report", backend.now()).await.unwrap();
    assert!(store.add_standing(&standing_question(backend, ada), 5).await.unwrap());
    assert_transfer(backend, &SCHEMAS).await;
}

async fn no_row_is_read_by_another_person(backend: &TestBackend) {
    assert_no_other_person_reads(backend, &SCHEMA, &[]).await;
}

async fn rows_go_with_their_person_and_their_reports(backend: &TestBackend) {
    assert_rows_go_with_their_objects(backend, &SCHEMA, &[]).await;
}

async fn interests_are_kept_within_the_limit_and_lose_the_vector_of_an_old_sentence(backend: &TestBackend) {
    let store = &store(backend);
    let (ada, bob) = (backend.user("ada").await, backend.user("bob").await);
    let first = interest(backend, ada, "Grain transit");
    assert!(store.add_interest(&first, 1).await.unwrap());
    assert!(!store.add_interest(&interest(backend, ada, "Wages"), 1).await.unwrap(), "the limit holds");
    assert_eq!(store.interests(ada).await.unwrap(), std::slice::from_ref(&first));
    assert_eq!(store.interest(bob, first.id).await.unwrap(), None);
    assert!(!store.update_interest(&Interest { user: bob, ..first.clone() }).await.unwrap());
    assert!(!store.remove_interest(bob, first.id).await.unwrap());

    let missing = store.without_vector("m", 9).await.unwrap();
    assert_eq!(missing, [(first.id, "Grain transit".to_owned())]);
    store.put_vectors("m", &[(first.id, "Grain transit".into(), vec![100, -100])], backend.now()).await.unwrap();
    let active = async || store.active_interests("m", Timestamp::from_micros(0), None, 9).await.unwrap();
    assert_eq!(active().await[0].1, Some(vec![100, -100]));
    let changed = Interest { draft: draft("Wages of dockers"), ..first.clone() };
    assert!(store.update_interest(&changed).await.unwrap());
    assert_eq!(active().await[0].1, None);
    let before = store.index_state().await.unwrap();
    let paused = Interest { state: InterestState::Paused, changed_at: backend.now().plus_ms(1), ..changed };
    assert!(store.update_interest(&paused).await.unwrap());
    assert!(active().await.is_empty() && store.index_state().await.unwrap() != before);
    assert_eq!(store.inactive_since(paused.changed_at, 9).await.unwrap(), [paused.id]);
}

async fn a_match_is_stored_once_and_answered_once(backend: &TestBackend) {
    let store = &store(backend);
    let (ada, bob) = (backend.user("ada").await, backend.user("bob").await);
    let mut kept = interest(backend, ada, "Grain transit");
    assert!(store.add_interest(&kept, 5).await.unwrap());
    let (start, now) = (backend.now().plus_ms(-1), backend.now());
    let first = match_draft(backend, &kept);
    let again = MatchDraft { id: MatchId(id()), ..first.clone() };
    store.add_matches("report", &[first.clone(), again], now).await.unwrap();
    let known = store.known_matches("report", &[kept.id], &[first.product, ObjectId(id())]).await.unwrap();
    assert_eq!(known, [(kept.id, first.product)]);
    let shown = store.matches(ada, now, start, 9).await.unwrap();
    assert_eq!(shown.iter().map(|one| (one.id, one.score)).collect::<Vec<_>>(), [(first.id, 50)]);
    assert_eq!(store.stored_match(bob, first.id).await.unwrap(), None);
    let edited = Interest { draft: draft("Wages"), ..kept.clone() };
    assert!(!shown[0].is_edited && store.update_interest(&edited).await.unwrap());
    let then = store.stored_match(ada, first.id).await.unwrap().expect("the match");
    assert!(then.is_edited && then.sentence == "Grain transit", "a match keeps its sentence");
    assert!(store.update_interest(&kept).await.unwrap());
    assert_eq!(store.count_unseen(ada, now, start).await.unwrap().matches, 1);
    assert_eq!(store.count_unseen(ada, now, now).await.unwrap().matches, 0);
    assert_eq!(store.count_matches(ada, start).await.unwrap(), HashMap::from([(kept.id, 1)]));
    assert!(
        store.count_matches(ada, now).await.unwrap().is_empty() && store.count_matches(bob, start).await.unwrap().is_empty()
    );

    kept.tuned = kept.draft.tune(Feedback::Wrong, &shown[0].terms);
    assert!(store.record_feedback(first.id, Feedback::Wrong, &kept).await.unwrap());
    assert!(!store.record_feedback(first.id, Feedback::More, &kept).await.unwrap());
    assert_eq!(store.interest(ada, kept.id).await.unwrap().unwrap().draft.weights.words, 15);
    assert_eq!(store.matches(ada, now, start, 9).await.unwrap(), []);

    let waiting = MatchDraft { is_borderline: true, ..match_draft(backend, &kept) };
    store.add_matches("report", std::slice::from_ref(&waiting), now).await.unwrap();
    assert_eq!(store.matches(ada, now, start, 9).await.unwrap(), []);
    assert_eq!(store.borderline(start, 0, 9).await.unwrap(), [], "no decision is left");
    assert_eq!(store.borderline(start, 1, 9).await.unwrap()[0].id, waiting.id);
    store.decide_match(waiting.id, true, now).await.unwrap();
    assert_eq!(store.matches(ada, now, start, 9).await.unwrap()[0].id, waiting.id);
    assert_eq!(store.borderline(start, 1, 9).await.unwrap(), []);
    store.remove_old_matches(now.plus_ms(1)).await.unwrap();
    assert_eq!(store.matches(ada, now, start, 9).await.unwrap(), []);
}

async fn many_matches_are_stored_at_once_without_those_of_removed_interests(backend: &TestBackend) {
    let store = &store(backend);
    let ada = backend.user("ada").await;
    let (kept, removed) = (interest(backend, ada, "Grain transit"), interest(backend, ada, "Wages"));
    for one in [&kept, &removed] {
        assert!(store.add_interest(one, 5).await.unwrap());
    }
    let vectors =
        [(kept.id, "Grain transit".to_owned(), vec![1, -1]), (removed.id, "an older sentence".to_owned(), vec![2, 2])];
    store.put_vectors("m", &vectors, backend.now()).await.unwrap();
    let stored: Vec<_> = store.with_vectors(&[kept.id, removed.id], Some("m")).await.unwrap();
    let stored: Vec<_> = stored.into_iter().filter_map(|(one, vector)| Some((one.id, vector?))).collect();
    assert_eq!(stored, [(kept.id, vec![1, -1])], "a vector belongs to the sentence as it is now");

    // More than two statements take.
    let mut matches: Vec<MatchDraft> = (0..=2 * ROWS).map(|_| match_draft(backend, &kept)).collect();
    matches.push(match_draft(backend, &removed));
    assert!(store.remove_interest(ada, removed.id).await.unwrap());
    let (start, now) = (backend.now().plus_ms(-1), backend.now());
    store.add_matches("report", &matches[..1], now).await.unwrap();
    store.add_matches("report", &matches, now).await.unwrap();
    let products: Vec<ObjectId> = matches.iter().map(|one| one.product).collect();
    let known = store.known_matches("report", &[kept.id, removed.id], &products).await.unwrap();
    assert_eq!(known.len(), 2 * ROWS + 1);
    assert_eq!(store.count_unseen(ada, now, start).await.unwrap().matches, 2 * ROWS as u64 + 1);
}

async fn matches_of_muted_and_paused_interests_are_not_shown(backend: &TestBackend) {
    let store = &store(backend);
    let ada = backend.user("ada").await;
    let kept = interest(backend, ada, "Grain transit");
    assert!(store.add_interest(&kept, 5).await.unwrap());
    let (start, now) = (backend.now().plus_ms(-1), backend.now());
    store.add_matches("report", &[match_draft(backend, &kept)], now).await.unwrap();
    let muted = Interest { muted_until: Some(now.plus_ms(DAY_MS)), ..kept.clone() };
    let paused = Interest { state: InterestState::Paused, ..kept.clone() };
    for (changed, now, shown) in [(&muted, now, 0), (&muted, now.plus_ms(DAY_MS), 1), (&paused, now, 0), (&kept, now, 1)] {
        assert!(store.update_interest(changed).await.unwrap());
        assert_eq!(store.matches(ada, now, start, 9).await.unwrap().len(), shown, "{:?}", changed.state);
    }
}

async fn reports_arrive_in_order_and_only_their_readers_find_them(backend: &TestBackend) {
    let store = &store(backend);
    let start = ProductMark::before(backend.now());
    let (ada, first) = report(backend, "ada").await;
    backend.clock.forward_ms(1);
    let (bob, second) = report(backend, "bob").await;
    let arrived = async |after: ProductMark, limit: u32| {
        let rows = store.arrived_reports(after, limit).await.unwrap();
        rows.into_iter().map(|row| (row.id, row.at)).collect::<Vec<_>>()
    };
    let all = arrived(start, 9).await;
    assert_eq!(all.iter().map(|(id, _)| id.0).collect::<Vec<_>>(), [first.0, second.0]);
    assert_eq!(arrived(start, 1).await, all[..1]);
    assert_eq!(arrived(ProductMark { at: all[0].1, id: first.0 }, 9).await, all[1..]);
    let ids = [ObjectId(first.0), ObjectId(second.0)];
    for (reader, own) in [(ada, first), (bob, second)] {
        let found = store.readable_reports(reader, &ids).await.unwrap();
        assert_eq!(found.iter().map(|row| row.id.0).collect::<Vec<_>>(), [own.0]);
        assert_eq!(found[0].summary.bottom_line, "The lock is closed.");
        assert_eq!(store.newest_reports(reader, start.at, 9).await.unwrap(), found);
    }
    let pairs = [ada, bob].map(|reader| ids.map(|id| (reader, id))).concat();
    let read: BTreeSet<ReadPair> = store.read_reports(&pairs).await.unwrap().into_iter().collect();
    assert_eq!(read, BTreeSet::from([(ada, ids[0]), (bob, ids[1])]));
    let owned = store.owned_reports(start, 9).await.unwrap();
    assert_eq!(owned.iter().map(|one| (one.id, one.owner)).collect::<Vec<_>>(), [(first, ada), (second, bob)]);
    let shared = backend.collection(ada, CollectionKind::Shared).await;
    let shared = stored_assessment(backend, backend.investigation(ada, shared).await, &[shared], "The lock is open.");
    let shared = ObjectId(backend.store.put(&shared).await.unwrap().0);
    assert_eq!(store.read_reports(&[(bob, shared)]).await.unwrap(), [(bob, shared)]);
}

async fn only_readers_of_a_collection_find_its_documents(backend: &TestBackend) {
    let store = &store(backend);
    let (ada, own) = backend.person("ada").await;
    let (bob, shared) = (backend.user("bob").await, backend.collection(ada, CollectionKind::Shared).await);
    let captures = [capture(own, "own.txt", "The lock is closed."), capture(shared, "open.txt", "The lock is open.")];
    let (documents, _) = backend.store.add_documents(&captures).await.unwrap();
    let [own, open] = [&documents[0], &documents[1]].map(|document| ObjectId(document.id.0));
    let pairs = [(ada, own), (ada, open), (bob, own), (bob, open)];
    let read: BTreeSet<ReadPair> = store.read_documents(&pairs).await.unwrap().into_iter().collect();
    assert_eq!(read, BTreeSet::from([(ada, own), (ada, open), (bob, open)]));
}

async fn changes_of_belief_are_read_from_the_events_of_the_newer_report(backend: &TestBackend) {
    let store = &store(backend);
    let start = ProductMark::before(backend.now());
    let (ada, earlier_id) = report(backend, "ada").await;
    let (bob, assessment_id) = report(backend, "bob").await;
    let scope = backend.store.scope_of(bob).await.unwrap().read_by(bob);
    let newer = backend.store.assessment(&scope, assessment_id).await.unwrap().expect("a report").assessment;
    let change = compare(&newer, &newer).belief_change();
    let other = EventKind::AssessmentWritten { assessment_id, bottom_line: "The lock is closed.".into() };
    let event = EventKind::BeliefChanged { assessment_id, earlier_id, change };
    backend.store.append_all(newer.investigation_id, backend.now(), vec![other, event]).await.unwrap();
    let arrived = store.arrived_beliefs(start, 9).await.unwrap();
    let found: Vec<_> = arrived.iter().map(|row| (row.report.id.0, row.earlier, &row.change)).collect();
    assert_eq!(found, [(assessment_id.0, earlier_id, &change)]);
    assert_eq!(store.beliefs_by_id(&[ObjectId(assessment_id.0), ObjectId(earlier_id.0)]).await.unwrap(), arrived);
    for (reader, found) in [(ada, vec![]), (bob, arrived)] {
        assert_eq!(store.newest_beliefs(reader, start.at, 9).await.unwrap(), found);
        assert_eq!(store.readable_beliefs(reader, &[ObjectId(assessment_id.0)]).await.unwrap(), found);
    }
}

async fn a_day_that_is_over_stays_open_until_it_is_answered(backend: &TestBackend) {
    let store = &store(backend);
    let (ada, assessment) = report(backend, "ada").await;
    let bob = backend.user("bob").await;
    let now = backend.now();
    let item = |item: &str, user: UserId, due_at: Timestamp| DueItem {
        assessment,
        item: item.into(),
        user,
        text: "The court decides.".into(),
        due_at,
        ask_at: due_at,
    };
    let (over, ahead) = (item("I1", ada, now.plus_ms(-DAY_MS)), item("I2", ada, now.plus_ms(DAY_MS)));
    // Another person does not read the report.
    let hidden = item("I3", bob, now.plus_ms(-DAY_MS));
    store.add_due_items(&[over.clone(), ahead.clone(), hidden]).await.unwrap();
    store.add_due_items(std::slice::from_ref(&over)).await.unwrap();
    assert_eq!(store.open_items(ada, now, 9).await.unwrap(), std::slice::from_ref(&over));
    let until = now.plus_ms(1_000 * DAY_MS);
    assert_eq!(store.open_items(ada, until, 9).await.unwrap(), [over.clone(), ahead.clone()]);
    assert_eq!(store.due_soon(ada, now, until, 9).await.unwrap(), [ahead.clone(), over.clone()], "the day ahead first");
    assert_eq!(store.open_items(bob, now, 9).await.unwrap(), []);
    assert_eq!(store.count_unseen(ada, now, now.plus_ms(-2 * DAY_MS)).await.unwrap().due, 1);
    assert_eq!(store.count_unseen(ada, now, now).await.unwrap().due, 0);

    let answer = async |user: UserId, answer: DueAnswer| {
        store.answer_item(user, (assessment, "I1"), answer, now, now.plus_ms(2 * DAY_MS)).await.unwrap()
    };
    assert!(!answer(bob, DueAnswer::Happened).await);
    assert!(answer(ada, DueAnswer::Later).await);
    assert_eq!(store.due_soon(ada, now, until, 9).await.unwrap(), [ahead], "what is put off is left out");
    assert_eq!(store.open_items(ada, now, 9).await.unwrap(), []);
    assert_eq!(store.open_items(ada, now.plus_ms(2 * DAY_MS), 1).await.unwrap()[0].item, "I1");
    assert!(answer(ada, DueAnswer::DidNot).await && !answer(ada, DueAnswer::Happened).await);
    assert_eq!(store.open_items(ada, now.plus_ms(2 * DAY_MS), 9).await.unwrap().len(), 1);

    let (eve, collection) = backend.person("eve").await;
    let mut versions = vec![];
    for _ in 0..2 {
        let investigation = backend.investigation(eve, collection).await;
        let stored = stored_assessment(backend, investigation, &[collection], "The lock is closed.");
        versions.push((investigation, backend.store.put(&stored).await.unwrap()));
    }
    let items = versions.iter().map(|(_, assessment)| DueItem { assessment: *assessment, user: eve, ..over.clone() });
    store.add_due_items(&items.collect::<Vec<_>>()).await.unwrap();
    Investigations::join_thread(&backend.store, versions[1].0, versions[0].0, FollowKind::Rerun).await.unwrap();
    let asked = store.open_items(eve, now, 9).await.unwrap();
    assert_eq!(asked.iter().map(|one| one.assessment).collect::<Vec<_>>(), [versions[1].1], "the newest version asks");
}

async fn a_due_time_has_one_run(backend: &TestBackend) {
    let store = &store(backend);
    let (ada, bob) = (backend.user("ada").await, backend.user("bob").await);
    let question = standing_question(backend, ada);
    assert!(store.add_standing(&question, 1).await.unwrap());
    assert!(!store.add_standing(&standing_question(backend, ada), 1).await.unwrap(), "the limit holds");
    assert_eq!(store.standing_of(ada).await.unwrap(), std::slice::from_ref(&question));
    assert_eq!(store.open_standing(None, 9).await.unwrap(), std::slice::from_ref(&question));
    let run = |due_at: Timestamp| StandingRun {
        standing: question.id,
        due_at,
        investigation: InvestigationId(id()),
        state: RunState::Due,
        note: String::new(),
        changed_at: due_at,
        attempts: 0,
    };
    let (first, second) = (run(backend.now()), run(backend.now().plus_ms(DAY_MS)));
    store.add_run(&first).await.unwrap();
    store.add_run(&StandingRun { investigation: InvestigationId(id()), ..first.clone() }).await.unwrap();
    assert_eq!(store.due_runs(backend.now(), 9).await.unwrap(), std::slice::from_ref(&first));
    let failed = StandingRun { attempts: 1, ..first.clone() };
    store.put_off_run(&failed, backend.now().plus_ms(1)).await.unwrap();
    assert_eq!(store.due_runs(backend.now(), 9).await.unwrap(), [], "it waits");
    assert_eq!(store.due_runs(backend.now().plus_ms(1), 9).await.unwrap(), std::slice::from_ref(&failed));
    let started = StandingRun { state: RunState::Started, ..failed };
    store.end_run(&started).await.unwrap();
    store.end_run(&StandingRun { state: RunState::Skipped, note: "late".into(), ..first }).await.unwrap();
    assert_eq!(store.due_runs(backend.now(), 9).await.unwrap(), []);
    assert_eq!(store.started_runs(question.id, 9).await.unwrap(), std::slice::from_ref(&started));
    assert_eq!(store.spent_since(&[question.id], backend.now()).await.unwrap(), HashMap::new());
    store.add_run(&second).await.unwrap();
    assert_eq!(store.started_runs(question.id, 9).await.unwrap(), std::slice::from_ref(&started), "another is only due");
    assert_eq!(store.last_runs(&[question.id]).await.unwrap(), std::slice::from_ref(&second));
    store.remove_old_runs(backend.now().plus_ms(9 * DAY_MS)).await.unwrap();
    assert_eq!(store.runs_of(ada, backend.now(), 9).await.unwrap(), [second.clone(), started], "the last start stays");
    let second = StandingRun { state: RunState::Started, ..second };
    store.end_run(&second).await.unwrap();
    store.remove_old_runs(backend.now().plus_ms(9 * DAY_MS)).await.unwrap();
    assert_eq!(store.runs_of(ada, backend.now(), 9).await.unwrap(), [second]);
    assert_eq!(store.runs_of(bob, backend.now(), 9).await.unwrap(), []);

    assert!(!store.pause_standing(bob, question.id, true, backend.now()).await.unwrap());
    assert!(store.pause_standing(ada, question.id, true, backend.now()).await.unwrap());
    assert_eq!(store.open_standing(None, 9).await.unwrap(), []);
    assert!(!store.remove_standing(bob, question.id).await.unwrap());
    assert!(store.remove_standing(ada, question.id).await.unwrap());
    assert_eq!(store.runs_of(ada, backend.now(), 9).await.unwrap(), []);
}

/// Bills a call of a model to an investigation.
async fn bill(backend: &TestBackend, user: UserId, investigation: InvestigationId, cost_micros: u64) {
    let session = backend.session(investigation, None);
    Sessions::start(&backend.store, &session, "{}").await.unwrap();
    let call = Reservation {
        id: ModelCallId(id()),
        user_id: user,
        investigation_id: investigation,
        is_stored: true,
        parent_id: None,
        session_id: session.id,
        role: AgentRole::Analyst,
        step: 1,
        attempt: 1,
        provider: "openai".into(),
        model: "m".into(),
        ask: BudgetRequest {
            prompt_tokens: 1,
            max_output_tokens: 1,
            min_output_tokens: 1,
            price: Price::default(),
            is_metered: true,
            is_final: false,
            is_part: false,
            is_of_object: false,
            depth_share: 1.0,
        },
        at: backend.now(),
        until: backend.now().plus_ms(1_000),
    };
    backend.store.reserve(&call, &Caps::default()).await.unwrap().unwrap();
    let settlement = Settlement {
        outcome: CallOutcome::Answered,
        message: None,
        usage: Usage::default(),
        cost_micros,
        latency_ms: 1,
        at: backend.now(),
    };
    backend.store.settle(call.id, &settlement).await.unwrap();
}

async fn costs_of_runs_are_summed_for_each_question(backend: &TestBackend) {
    let (store, now) = (&store(backend), backend.now());
    let (ada, collection) = backend.person("ada").await;
    let (mut questions, mut expected) = (vec![], HashMap::new());
    // Costs of the runs of each question; those of the last one are before the time from which costs count.
    for (costs, due_at) in [(vec![5_u64, 7], now), (vec![11], now), (vec![0], now), (vec![13], now.plus_ms(-DAY_MS))] {
        let question = standing_question(backend, ada);
        assert!(store.add_standing(&question, 9).await.unwrap());
        let total: u64 = costs.iter().sum();
        if due_at == now && total > 0 {
            expected.insert(question.id, total);
        }
        for (n, cost) in (0..).zip(costs) {
            let investigation = backend.investigation(ada, collection).await;
            bill(backend, ada, investigation, cost).await;
            let run = StandingRun {
                standing: question.id,
                due_at: due_at.plus_ms(n),
                investigation,
                state: RunState::Due,
                note: String::new(),
                changed_at: now,
                attempts: 0,
            };
            store.add_run(&run).await.unwrap();
            store.end_run(&StandingRun { state: RunState::Started, ..run }).await.unwrap();
        }
        questions.push(question.id);
    }
    assert_eq!(store.spent_since(&questions, now).await.unwrap(), expected);
    assert_eq!(store.spent_since(&questions[1..2], now).await.unwrap(), HashMap::from([(questions[1], 11)]));
    assert_eq!(store.spent_since(&[], now).await.unwrap(), HashMap::new());
}
