//! Routes of the feature.

use super::{SCHEMAS, interest, match_draft, report, standing::read_document, store};
use crate::{
    api::INTERESTS,
    dates::{DAY_MS, DueItem},
    interest::{InterestState, tests::draft},
    pages::{interests, pieces, schedule},
    store::MatchDraft,
};
use domain::{
    ClaimId, ObjectId, Scope, UserId,
    user::{Role, User},
};
use engine::{
    accounts::Accounts,
    graph::{ClaimQuery, EntityProposal, EntityRef},
};
use feature::{NotificationAnswer, Slot, testing::TestSite};
use leptos::prelude::*;
use testkit::{TestBackend, id};

async fn backend() -> TestBackend {
    testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interest_is_written_previewed_changed_exported_and_imported_by_its_person_alone() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let (user, _) = report(&backend, "ada").await;
    let (ada, bob) = (site.signed_in(user).await, site.signed_in(backend.user("bob").await).await);
    assert!(ada.get("/monitor").await.text().contains("Write an interest"));
    let preview = ada.get("/monitor/interests/new?preview=1&sentence=Who+opened+the+lock&threshold=35").await.text();
    assert!(preview.contains("Would have matched 1") && preview.contains("Who opened it?"), "{preview}");
    assert!(preview.contains("Looked at 1 product: of each kind the newest 100 at most."), "{preview}");
    for form in ["/monitor/interests/new?sentence", "/monitor/schedule/new?question"] {
        let page = ada.get(&format!("{form}=%3C/textarea%3E%3Cb%3E")).await.text();
        assert!(page.contains("&lt;/textarea>&lt;b>"), "{form}: {page}");
    }
    let refused = ada.post(interests::PAGE, &[("sentence", "?!")]).await;
    assert!(refused.location().starts_with(interests::NEW) && refused.location().ends_with("error=bad_interest"));
    let unknown = ada.post(interests::PAGE, &[("sentence", "Grain"), ("entities", "Unknown Ltd")]).await;
    assert!(unknown.location().ends_with("error=unknown_name"), "{}", unknown.location());
    let fields = [("sentence", "Grain transit"), ("regions", "Black Sea, Mali"), ("kind", "report"), ("threshold", "50")];
    assert_eq!(ada.post(interests::PAGE, &fields).await.location(), interests::PAGE);

    let kept = store(&backend).interests(user).await.unwrap();
    assert_eq!((kept[0].draft.regions.len(), kept[0].draft.kinds.len(), kept[0].draft.threshold), (2, 1, 50));
    let id = kept[0].id.to_string();
    let edited = [("id", id.as_str()), ("sentence", "Grain and insurers")];
    assert_eq!(bob.post(interests::PAGE, &edited).await.location(), interests::PAGE);
    assert_eq!(store(&backend).interests(user).await.unwrap(), kept, "another person gets an interest of their own");
    assert_eq!(ada.post(interests::PAGE, &edited).await.location(), interests::PAGE);
    assert!(ada.get(&format!("{}?id={id}", interests::NEW)).await.text().contains("Grain and insurers"));
    let change = "/monitor/interests/change";
    let not_found = "/monitor/interests?error=not_found";
    assert_eq!(bob.post(change, &[("id", &id), ("change", "delete")]).await.location(), not_found);
    assert_eq!(ada.post(change, &[("id", &id), ("change", "mute"), ("until", "x")]).await.location(), not_found);
    assert_eq!(ada.post(change, &[("id", &id), ("change", "mute"), ("until", "2099-01-01")]).await.location(), interests::PAGE);
    assert!(ada.get(interests::PAGE).await.text().contains("Muted until"));

    assert_eq!(ada.post(change, &[("id", &id), ("change", "pause")]).await.location(), interests::PAGE);
    let exported = ada.get(INTERESTS).await.json();
    assert_eq!(exported[0]["sentence"].as_str(), Some("Grain and insurers"));
    assert_eq!(exported[0]["is_paused"].as_bool(), Some(true));
    assert!(exported[0]["muted_until"].as_str().is_some_and(|until| until.starts_with("2099-01-01")), "{exported}");
    assert_eq!(ada.post(change, &[("id", &id), ("change", "delete")]).await.location(), interests::PAGE);
    let import = "/monitor/interests/import";
    assert_eq!(ada.post(import, &[("json", "[1]")]).await.location(), "/monitor/interests?error=bad_import");
    assert_eq!(ada.post(import, &[("json", &exported.to_string())]).await.location(), interests::PAGE);
    let lacking = r#"[{"sentence": "Grain", "kinds": ["none"]}]"#;
    let left_out = ada.post(import, &[("json", lacking)]).await;
    assert_eq!(left_out.location(), "/monitor/interests?error=interests_imported_in_part");
    assert_eq!(ada.get(INTERESTS).await.json(), exported);
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn weights_that_an_import_leaves_out_are_those_of_the_settings() {
    let backend = backend().await;
    let weights = serde_json::json!({"weights": {"likeness": 80, "words": 10}});
    let site = TestSite::with_settings(crate::feature(), &backend, weights);
    let user = backend.user("ada").await;
    let json =
        r#"[{"sentence": "Grain", "weights": {"words": 30, "tags": 40}}, {"sentence": "Wages", "weights": {"colour": 40}}]"#;
    let import = async |json: &str| {
        let sent = site.signed_in(user).await.post("/monitor/interests/import", &[("json", json)]).await;
        sent.location().to_owned()
    };
    assert_eq!(import(json).await, "/monitor/interests?error=bad_import", "a term that is unknown");
    assert_eq!(import(&json.replace("colour", "regions")).await, interests::PAGE);
    let kept = store(&backend).interests(user).await.unwrap();
    let weights = |sentence: &str| kept.iter().find(|one| one.draft.sentence == sentence).unwrap().draft.weights.as_array();
    assert_eq!((weights("Grain"), weights("Wages")), ([80, 30, 50, 20, 40], [80, 10, 50, 40, 20]));
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_are_shown_explained_answered_and_notified_while_their_person_reads_the_product() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let (user, assessment) = report(&backend, "ada").await;
    let (_, hidden) = report(&backend, "bob").await;
    let (store, ada) = (store(&backend), site.signed_in(user).await);
    let kept = interest(&backend, user, "Who opened the lock");
    assert!(store.add_interest(&kept, 9).await.unwrap());
    backend.clock.forward_ms(1_000);
    let shown = MatchDraft { product: ObjectId(assessment.0), ..match_draft(&backend, &kept) };
    let other = MatchDraft { product: ObjectId(hidden.0), ..match_draft(&backend, &kept) };
    store.add_matches("report", &[shown.clone(), other], backend.now()).await.unwrap();
    let page = ada.get("/monitor").await.text();
    for text in ["1 thing changed", "The lock is closed.", "Why this? Score 50", "Words 50 of 100, weight 25: grain"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let viewer = backend.store.user(user).await.unwrap().expect("an account");
    let (list, count) = (crate::notifications::SOURCE.list, crate::notifications::SOURCE.count);
    let listed = list(site.web.clone(), viewer.clone(), viewer.created_at, 9).await.unwrap();
    assert_eq!((&listed[0].topic, listed[0].interest), (&format!("monitor:match:{}", shown.id), Some(ObjectId(kept.id.0))));
    assert_eq!(list(site.web.clone(), viewer.clone(), backend.now(), 9).await.unwrap(), [], "nothing after it");
    assert_eq!(listed.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["Matches “Who opened the lock”"]);
    assert_eq!(count(site.web.clone(), user, viewer.created_at).await.unwrap(), 1);

    let answer = [("id", &*shown.id.to_string()), ("answer", "more")];
    let bob = site.signed_in(backend.user("eve").await).await;
    assert_eq!(bob.post("/monitor/feedback", &answer).await.location(), "/monitor?error=not_found");
    assert_eq!(ada.post("/monitor/feedback", &answer).await.location(), "/monitor");
    assert!(ada.get(interests::PAGE).await.text().contains("threshold 35 to 30"));
    assert_eq!(ada.post("/monitor/seen", &[]).await.location(), "/monitor");
    let page = ada.get("/monitor").await.text();
    assert!(page.contains("Nothing changed since") && page.contains("Earlier") && page.contains("more like this"), "{page}");
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_from_outside_of_the_browser_is_feedback_or_mutes_the_interest() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let (user, assessment) = report(&backend, "ada").await;
    let (store, eve) = (store(&backend), backend.user("eve").await);
    let kept = interest(&backend, user, "Who opened the lock");
    assert!(store.add_interest(&kept, 9).await.unwrap());
    let shown = MatchDraft { product: ObjectId(assessment.0), ..match_draft(&backend, &kept) };
    store.add_matches("report", std::slice::from_ref(&shown), backend.now()).await.unwrap();
    let topic = format!("monitor:match:{}", shown.id);
    let answer = async |person: UserId, topic: &str, answer: NotificationAnswer| {
        let person = backend.store.user(person).await.unwrap().expect("an account");
        (crate::notifications::SOURCE.answer)(site.web.clone(), person, topic.to_owned(), answer).await.unwrap()
    };
    assert!(!answer(eve, &topic, NotificationAnswer::Mute).await, "the match of another person");
    assert!(!answer(user, "watching:/teams", NotificationAnswer::Hide).await, "a topic of another feature");
    assert!(answer(user, &topic, NotificationAnswer::Mute).await);
    let month = backend.now().plus_ms(30 * DAY_MS);
    assert_eq!(store.interest(user, kept.id).await.unwrap().unwrap().muted_until, Some(month));
    let start = backend.now().plus_ms(-1);
    assert_eq!(store.matches(user, backend.now(), start, 9).await.unwrap(), []);
    assert_eq!(store.matches(user, month, start, 9).await.unwrap().len(), 1);
    assert!(answer(user, &topic, NotificationAnswer::Hide).await);
    assert_eq!(store.matches(user, month, start, 9).await.unwrap(), []);
    assert_eq!(store.interest(user, kept.id).await.unwrap().unwrap().draft.weights.words, 15);
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_day_is_answered_by_the_owner_of_the_report_alone() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let (user, assessment) = report(&backend, "ada").await;
    let at = backend.now().plus_ms(-DAY_MS);
    let item = DueItem { assessment, item: "I1".into(), user, text: "The court decides.".into(), due_at: at, ask_at: at };
    store(&backend).add_due_items(std::slice::from_ref(&item)).await.unwrap();
    let (ada, bob) = (site.signed_in(user).await, site.signed_in(backend.user("bob").await).await);
    let page = ada.get("/monitor").await.text();
    assert!(page.contains("The court decides.") && page.contains("It did not"), "{page}");
    assert!(!bob.get("/monitor").await.text().contains("The court decides."));
    let answer = [("assessment", &*assessment.to_string()), ("item", "I1"), ("answer", "happened")];
    assert_eq!(bob.post("/monitor/dates", &answer).await.location(), "/monitor?error=not_found");
    assert_eq!(ada.post("/monitor/dates", &answer).await.location(), "/monitor");
    let page = ada.get("/monitor").await.text().replace("<!>", "");
    assert!(page.contains("answered: it happened") && page.contains("kind=rerun") && !page.contains("It did not"), "{page}");
    assert!(!bob.get("/monitor").await.text().contains("The court decides."));
    let back = [("assessment", &*assessment.to_string()), ("item", "I1"), ("answer", "open")];
    assert_eq!(bob.post("/monitor/dates", &back).await.location(), "/monitor?error=not_found");
    assert_eq!(ada.post("/monitor/dates", &back).await.location(), "/monitor");
    let page = ada.get("/monitor").await.text().replace("<!>", "");
    assert!(page.contains("It did not") && !page.contains("answered: it happened"), "{page}");
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standing_question_is_saved_paused_and_deleted_by_its_person_alone() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let (user, assessment) = report(&backend, "ada").await;
    let (ada, bob) = (site.signed_in(user).await, site.signed_in(backend.user("bob").await).await);
    let form = format!("/monitor/schedule/new?assessment={assessment}");
    assert!(ada.get(&form).await.text().contains("Who opened it?"));
    assert!(!bob.get(&form).await.text().contains("Who opened it?"));
    let refused = ada.post(schedule::PAGE, &[("question", "Who?"), ("when", "pattern"), ("pattern", "* * * * *")]).await;
    assert!(refused.location().starts_with("/monitor/schedule/new?question=Who"), "{}", refused.location());
    let fields = [("question", "Who?"), ("when", "1"), ("time", "09:00"), ("time_zone", "UTC"), ("budget", "2,50")];
    assert_eq!(ada.post(schedule::PAGE, &fields).await.location(), schedule::PAGE);
    let page = ada.get(schedule::PAGE).await.text();
    assert!(page.contains("Every Monday at 09:00, UTC") && page.contains("2.50 in 30 days"), "{page}");
    let id = store(&backend).standing_of(user).await.unwrap()[0].id.to_string();
    let change = "/monitor/schedule/change";
    assert_eq!(bob.post(change, &[("id", &id), ("change", "delete")]).await.location(), "/monitor/schedule?error=not_found");
    assert_eq!(ada.post(change, &[("id", &id), ("change", "pause")]).await.location(), schedule::PAGE);
    assert!(ada.get(schedule::PAGE).await.text().contains("Paused"));
    assert_eq!(ada.post(change, &[("id", &id), ("change", "delete")]).await.location(), schedule::PAGE);
    assert!(ada.get(schedule::PAGE).await.text().contains("No question is asked by itself"));
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_are_sent_to_sign_in() {
    let backend = backend().await;
    backend.user("ada").await;
    let stranger = TestSite::new(crate::feature(), &backend).stranger();
    for page in ["/monitor", "/monitor/interests", "/monitor/interests/new", "/monitor/schedule", "/monitor/schedule/new"] {
        assert!(stranger.get(page).await.location().starts_with("/sign-in?next="), "{page}");
    }
    for form in ["/monitor/seen", "/monitor/feedback", "/monitor/dates", "/monitor/interests/import"] {
        assert_eq!(stranger.post(form, &[]).await.location(), "/sign-in", "{form}");
    }
    assert_eq!(stranger.get(INTERESTS).await.status, 401);
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proposal_is_accepted_on_the_page_of_interests() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let user = backend.user("ada").await;
    let (store, ada) = (store(&backend), site.signed_in(user).await);
    let mut proposed = interest(&backend, user, "Grain transit");
    proposed.state = InterestState::Proposed;
    proposed.draft = draft("Grain transit");
    assert!(store.add_interest(&proposed, 9).await.unwrap());
    assert!(ada.get(interests::PAGE).await.text().contains("Proposed"));
    let form = [("id", &*proposed.id.to_string()), ("change", "accept")];
    assert_eq!(ada.post("/monitor/interests/change", &form).await.location(), interests::PAGE);
    assert_eq!(store.interests(user).await.unwrap()[0].state, InterestState::Active);
    backend.close().await;
}

#[test]
fn the_pages_of_objects_lead_to_the_form_with_what_they_are_about() {
    let viewer = User::new(domain::UserId(id()), "ada", Role::Analyst, domain::Timestamp::from_micros(0));
    let assessment = domain::AssessmentId(id());
    let draw = |viewer: User| {
        let place = Slot::Assessment { viewer, assessment };
        Owner::new().with(|| pieces::watch_this(&place).map(|piece| piece.to_html()).unwrap_or_default())
    };
    let html = draw(viewer.clone());
    assert!(html.contains(&format!("?assessment={assessment}")) && html.contains("Watch this"), "{html}");
    assert!(html.contains("Ask again on a schedule"));
    assert!(!draw(User { role: Role::Reader, ..viewer.clone() }).contains("Ask again on a schedule"));
    let place = Slot::Comparison { later: assessment };
    let html = Owner::new().with(|| pieces::watch_this(&place).map(|piece| piece.to_html())).unwrap_or_default();
    assert!(html.contains("Watch this") && !html.contains("Ask again on a schedule"), "{html}");
    let (viewer_id, claim) = (viewer.id, ClaimId(id()));
    let html = Owner::new().with(|| pieces::watch_this(&Slot::Claim { viewer, claim }).map(|piece| piece.to_html()));
    assert!(html.is_some_and(|html| html.contains(&format!("?claim={claim}")) && html.contains("Watch this")));
    let title = "Strike in Romania".to_owned();
    let place = Slot::Object { viewer: viewer_id, kind: "tension", object: ObjectId(id()), title };
    let html = Owner::new().with(|| pieces::watch_this(&place).map(|piece| piece.to_html()).unwrap_or_default());
    assert!(html.contains("aria-label=\"Write an interest like this: Strike in Romania\""), "{html}");
    assert!(pieces::watch_this(&Slot::Bar { viewer: domain::UserId(id()), address: "/" }).is_none());
}

#[test]
fn a_search_and_a_saved_view_lead_to_the_form_with_their_words_and_entities() {
    let viewer = User::new(domain::UserId(id()), "ada", Role::Reader, domain::Timestamp::from_micros(0));
    let draw = |page: &'static str, query: &str, is_chosen: bool| {
        let place = Slot::Filters { page, viewer: viewer.clone(), query: query.to_owned(), is_chosen };
        Owner::new().with(|| pieces::watch_this(&place).map(|piece| piece.to_html()).unwrap_or_default())
    };
    let (one, other) = (id(), id());
    let html = draw("search", &format!("q=grain%20%26%20ports&sort=newest&outlet={one}"), true);
    assert!(html.contains("Watch this search") && html.contains("sentence=grain%20%26%20ports"), "{html}");
    assert!(html.contains(&format!("entity={one}")) && !html.contains("newest"), "{html}");
    let html = draw("graph", &format!("seed={one}&seed={other}&claims=2"), true);
    assert!(html.contains("Watch this view") && html.contains(&one.to_string()) && html.contains(&other.to_string()), "{html}");
    assert!(draw("assessments", "tag=harbour", true).contains("sentence=harbour"), "a tag is what it is about");
    assert_eq!(draw("assessments", "owner=me", true), "", "it names no subject");
    assert_eq!(draw("search", "", false), "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn entities_of_a_view_and_a_claim_fill_the_form_of_those_who_read_them() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let (user, collection) = backend.person("ada").await;
    let (ada, bob) = (site.signed_in(user).await, site.signed_in(backend.user("bob").await).await);
    let named = |name: &str| EntityProposal { claims: vec![0], ..EntityProposal::new(&*site.web.engine.ids, name, "person") };
    let (vael, holm) = (named("Jonas Vael"), named("Rhea Holm"));
    let address = format!("{}?entity={},{}", interests::NEW, vael.id, holm.id);
    read_document(&site.web, collection, "Jonas Vael opened the quay.", vec![vael], EntityRef::New(0)).await;
    read_document(&site.web, collection, "Rhea Holm closed the gate.", vec![holm], EntityRef::New(0)).await;
    let form = ada.get(&address).await.text();
    assert!(form.contains("Jonas Vael; Rhea Holm") || form.contains("Rhea Holm; Jonas Vael"), "{form}");
    let hidden = bob.get(&address).await.text();
    assert!(!hidden.contains("Vael") && !hidden.contains("Holm"), "{hidden}");

    let query = ClaimQuery { candidates: 9, ..ClaimQuery::default() };
    let claims = site.web.engine.graph.find_claims(&Scope::from(collection), &query).await.unwrap();
    let claim = claims.into_iter().map(|one| one.item).find(|claim| claim.content.contains("Vael")).unwrap();
    let address = format!("{}?claim={}", interests::NEW, claim.id);
    assert!(ada.get(&address).await.text().contains("Jonas Vael opened the quay."));
    assert!(!bob.get(&address).await.text().contains("Vael"));
    backend.close().await;
}
