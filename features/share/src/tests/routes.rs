//! Routes of the feature: pages of strangers, and those of people who share.

use super::SCHEMAS;
use crate::{document::POLICY, pages_cache::PagesCache, settings::ShareSettings, store::ShareStore};
use domain::{
    AssessmentId, ClaimId, TeamId, UserId,
    assessment::Citation,
    claim::{Attribution, Span},
    team::Team,
    user::{Role, User},
    visibility::Visibility,
};
use engine::{
    accounts::{AccountChange, Accounts, AuditEntry, hash_token},
    assessments::Assessments,
    library::Documents,
    teams::{TeamChange, Teams},
};
use feature::{
    BundlePort, Feature, Slot,
    testing::{TestAnswer, TestBrowser, TestSite},
};
use testkit::{TestBackend, capture, id, sha256, stored_assessment};

const DAY_MS: i64 = 86_400_000;
const FILE: &str = "inbox/keeper-notes.txt";
const QUOTE: &str = "I opened the gate myself.";

/// The feature beside one that writes bundles: the file names its reader, its object and its salt.
const fn feature_with_bundles() -> Feature {
    crate::feature().bundles(BundlePort {
        kind: Slot::ASSESSMENT,
        write: |_, request| {
            Box::pin(async move { Ok(Some(format!("{} {} {}", request.person.name, request.object, request.salt))) })
        },
    })
}

pub(super) async fn backend() -> TestBackend {
    testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server")
}

fn entry(backend: &TestBackend, act: &str) -> AuditEntry {
    AuditEntry { at: backend.now(), user: None, act: act.into(), object: String::new(), address: None }
}

/// A person with an assessment that cites a private file and a web page.
pub(super) async fn person_with_report(backend: &TestBackend, name: &str) -> (UserId, AssessmentId) {
    let (person, collection) = backend.person(name).await;
    let captures = [FILE, "https://news.example/lock"].map(|path| {
        let mut one = capture(collection, path, QUOTE);
        one.document.outlet = None;
        one
    });
    let documents = backend.store.add_documents(&captures).await.unwrap().0;
    let citation = |(place, document): (usize, &domain::document::Document)| Citation {
        marker: place as u32 + 1,
        claim_id: ClaimId(id()),
        content: Some("The keeper opened the gate.".into()),
        speaker: None,
        speaker_entity: None,
        document_id: document.id,
        document_sha256: document.sha256.clone(),
        text_sha256: sha256(QUOTE.as_bytes()),
        document_title: document.title.clone(),
        document_path: document.path.clone(),
        origin: None,
        quote: QUOTE.into(),
        span: Span { start: 0, end: QUOTE.len() as u64 },
        outlet: None,
        published_at: None,
        attribution: Attribution::Primary,
    };
    let investigation = backend.investigation(person, collection).await;
    let finding = "The keeper did, say keeper-notes.txt and the press [1] [2].";
    let mut stored = stored_assessment(backend, investigation, &[collection], finding);
    stored.assessment.citations = documents.iter().enumerate().map(citation).collect();
    (person, backend.store.put(&stored).await.unwrap())
}

/// Shares a report with the bundle, as the form proposes it, and returns the path of the page.
pub(super) async fn share(browser: &TestBrowser, report: AssessmentId, quotes: &str, days: &str) -> String {
    post_link(browser, report, &[("quotes", quotes), ("bundle", "1"), ("days", days), ("note", "See")]).await
}

/// Shares a report with some fields of the form, and returns the path of the page.
async fn post_link(browser: &TestBrowser, report: AssessmentId, fields: &[(&str, &str)]) -> String {
    let object = report.to_string();
    let mut form = vec![("kind", "assessment"), ("object", object.as_str())];
    form.extend(fields);
    let answer = browser.post("/shares", &form).await;
    let token = answer.location().strip_prefix("/shares?link=").expect("a token").to_owned();
    assert!(token.len() >= 22, "128 bits: {token}");
    format!("/s/{token}")
}

/// All of an answer that a stranger can compare.
fn compared(answer: &TestAnswer) -> (u16, String, String) {
    (answer.status, format!("{:?}", answer.headers), answer.text())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_shows_one_report_without_an_account_and_names_no_private_file() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let (ada, report) = person_with_report(&backend, "ada").await;
    let (ada, stranger) = (site.signed_in(ada).await, site.stranger());
    let (plain, quoted) = (share(&ada, report, "", "30").await, share(&ada, report, "1", "30").await);
    let page = stranger.get(&plain).await;
    let text = page.text();
    assert!(page.status == 200 && page.bytes() < 60_000, "{} {}", page.status, page.bytes());
    assert!(text.contains("The keeper did, say a private document and the press") && text.contains("href=\"#n1\""), "{text}");
    assert!(text.contains("https://news.example/lock") && text.contains("shared by ada"), "{text}");
    assert!(!text.contains("keeper-notes") && !text.contains(QUOTE) && !text.contains(&report.to_string()), "{text}");
    assert!(stranger.get(&quoted).await.text().contains(QUOTE));

    let header = |name: &str| page.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    assert_eq!(header("set-cookie"), None);
    assert_eq!(header("x-robots-tag").as_deref(), Some("noindex, nofollow, noarchive"));
    assert_eq!(header("content-security-policy").as_deref(), Some(POLICY.as_str()));
    let picture = stranger.get(&format!("{plain}/picture.png")).await;
    assert_eq!((picture.status, picture.headers["content-type"].to_str().unwrap()), (200, "image/png"));

    stranger.get(&plain).await;
    let list = ada.get("/shares").await.text();
    assert!(list.contains("2 views") && list.contains("1 view") && list.contains("Who opened it?"), "{list}");
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_that_leads_nowhere_gets_one_answer_for_every_reason() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let stranger = site.stranger();
    let guessed = compared(&stranger.get("/s/AAAAAAAAAAAAAAAAAAAAAA").await);
    assert_eq!(guessed.0, 404);
    assert_eq!(compared(&stranger.get("/s/x/picture.png").await), guessed);

    let (ada, report) = person_with_report(&backend, "ada").await;
    let browser = site.signed_in(ada).await;
    let revoked = share(&browser, report, "", "30").await;
    assert_eq!(stranger.get(&revoked).await.status, 200);
    backend.clock.forward_ms(1);
    let list = browser.get("/shares").await.text();
    let link = list.split("name=\"id\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert_eq!(browser.post("/shares/revoke", &[("id", link)]).await.location(), "/shares");
    assert_eq!(compared(&stranger.get(&revoked).await), guessed, "revoked");
    let acts: Vec<String> = backend.store.audit_log(9).await.unwrap().into_iter().map(|entry| entry.act).collect();
    assert_eq!(acts[..2], ["revoke_share_link", "share_link"]);

    let expired = share(&browser, report, "", "1").await;
    assert_eq!(stranger.get(&expired).await.status, 200);
    backend.clock.forward_ms(DAY_MS);
    assert_eq!(compared(&stranger.get(&expired).await), guessed, "expired");

    // The last administrator keeps the role, so there is another one.
    let root = User::new(UserId(id()), "root", Role::Admin, backend.now());
    assert!(backend.store.add_user(&root, Some("$argon2id$x"), None).await.unwrap());
    let fresh_ms = ShareSettings::default().fresh_ms.cast_signed();
    let demoted = share(&browser, report, "", "30").await;
    assert_eq!(stranger.get(&demoted).await.status, 200);
    for (role, status) in [(Role::Reader, 404), (Role::Analyst, 200)] {
        let entry = entry(&backend, "change_role");
        assert!(backend.store.change_user(ada, AccountChange::Role(role), &entry).await.unwrap());
        backend.clock.forward_ms(fresh_ms);
        let answer = stranger.get(&demoted).await;
        assert_eq!(answer.status, status, "{role:?}");
        assert!(status == 200 || compared(&answer) == guessed, "{role:?}");
    }

    let (eve, lost) = person_with_report(&backend, "eve").await;
    let scope = backend.store.scope_of(eve).await.unwrap();
    let stored = backend.store.assessment(&scope, lost).await.unwrap().expect("her report");
    let documents = Vec::from_iter(stored.assessment.cited());
    let lost = share(&site.signed_in(eve).await, lost, "", "30").await;
    assert_eq!(stranger.get(&lost).await.status, 200);
    backend.store.remove_documents(&documents, &entry(&backend, "delete_documents")).await.unwrap();
    backend.clock.forward_ms(fresh_ms);
    for _ in 0..2 {
        assert_eq!(compared(&stranger.get(&lost).await), guessed, "its documents were deleted");
    }

    // Fay reads a report of another person and its documents, until their collection is closed to her.
    let (dan, report) = person_with_report(&backend, "dan").await;
    let stored =
        backend.store.assessment(&backend.store.scope_of(dan).await.unwrap(), report).await.unwrap().expect("his report");
    let (fay, collection) = (backend.user("fay").await, stored.collections[0]);
    let team = Team { id: TeamId(id()), name: "North desk".into(), created_by: dan, created_at: backend.now() };
    assert!(backend.store.add_team(&team, &entry(&backend, "create_team")).await.unwrap());
    assert!(backend.store.change_team(team.id, &TeamChange::Add(fay), &entry(&backend, "add_member")).await.unwrap());
    let (investigation, visible) = (stored.assessment.investigation_id, Visibility::Team(team.id));
    backend.store.set_visibility(investigation, visible, &entry(&backend, "change_visibility")).await.unwrap();
    backend.store.open_collection(collection, Some(team.id), &entry(&backend, "open_collection")).await.unwrap();
    let lent = share(&site.signed_in(fay).await, report, "", "30").await;
    assert_eq!(stranger.get(&lent).await.status, 200);
    backend.store.open_collection(collection, None, &entry(&backend, "close_collection")).await.unwrap();
    backend.clock.forward_ms(fresh_ms);
    for _ in 0..2 {
        assert_eq!(compared(&stranger.get(&lent).await), guessed, "its sharer may open its documents no more");
    }
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn views_outlive_the_pages_in_memory() {
    let backend = backend().await;
    let site = TestSite::with_settings(crate::feature(), &backend, serde_json::json!({ "fresh_ms": 0 }));
    let (ada, report) = person_with_report(&backend, "ada").await;
    let path = share(&site.signed_in(ada).await, report, "", "30").await;
    let (cache, store) = (PagesCache::default(), ShareStore::new(&site.web));
    let page = cache.load(&site.web, path.trim_start_matches("/s/")).await.unwrap().expect("its page");
    for _ in 0..3 {
        cache.count_view(&site.web, &page).await;
    }
    let mut links = store.links(ada).await.unwrap();
    assert_eq!(links[0].views, 1, "the first view wrote the count");
    cache.write_views(&site.web, &mut links).await.unwrap();
    assert_eq!(links[0].views, 3, "the others, after the page left the memory");
    assert_eq!(store.links(ada).await.unwrap()[0].views, 3);
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_offers_the_bundle_where_its_person_chose_it_and_others_get_the_one_answer() {
    let backend = backend().await;
    let site = TestSite::with_settings(feature_with_bundles(), &backend, serde_json::json!({ "per_minute": 8 }));
    let (ada, report) = person_with_report(&backend, "ada").await;
    let (browser, stranger) = (site.signed_in(ada).await, site.stranger());
    let (plain, quoted) = (share(&browser, report, "", "30").await, share(&browser, report, "1", "30").await);
    let guessed = compared(&stranger.get("/s/AAAAAAAAAAAAAAAAAAAAAA/bundle.html").await);
    assert_eq!(guessed.0, 404);
    assert_eq!(compared(&stranger.get("/s/AAAAAAAAAAAAAAAAAAAAAA").await), guessed);
    assert_eq!(compared(&stranger.get(&format!("{plain}/bundle.html")).await), guessed, "references only");
    let unbundled = post_link(&browser, report, &[("quotes", "1"), ("days", "30")]).await;
    assert!(!stranger.get(&unbundled).await.text().contains("bundle.html"));
    assert_eq!(compared(&stranger.get(&format!("{unbundled}/bundle.html")).await), guessed, "its person did not choose it");

    let page = stranger.get(&quoted).await.text();
    let bundle = format!("{quoted}/bundle.html");
    assert!(page.contains(&format!("href=\"{bundle}\"")) && page.contains("Download the evidence bundle"), "{page}");
    let file = stranger.get(&bundle).await;
    let token = quoted.rsplit('/').next().unwrap();
    assert_eq!(file.text(), format!("ada {report} {}", hash_token(token)), "as its person reads it, with a salt of the link");
    let header = |name: &str| file.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    assert_eq!(header("content-disposition").as_deref(), Some("attachment; filename=\"report.html\""));
    assert_eq!(header("x-robots-tag").as_deref(), Some("noindex, nofollow, noarchive"));
    assert_eq!(header("set-cookie"), None);

    assert_eq!(stranger.get(&bundle).await.status, 200);
    assert_eq!(stranger.get(&bundle).await.status, 429, "the limit counts bundles, too");
    backend.clock.forward_ms(60_000);
    let list = browser.get("/shares").await.text();
    for link in list.split("name=\"id\" value=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert_eq!(browser.post("/shares/revoke", &[("id", link)]).await.location(), "/shares");
    }
    assert_eq!(compared(&stranger.get(&bundle).await), guessed, "revoked");
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_those_who_may_share_and_read_the_object_make_a_link() {
    let backend = backend().await;
    let (ada, report) = person_with_report(&backend, "ada").await;
    let bob = backend.user("bob").await;
    let site = TestSite::new(crate::feature(), &backend);
    let (bob, object) = (site.signed_in(bob).await, report.to_string());
    let form = format!("/shares/new?kind=assessment&object={object}");
    let fields = [("kind", "assessment"), ("object", object.as_str()), ("days", "30")];
    assert_eq!(bob.get(&form).await.status, 404);
    assert_eq!(bob.get(&form.replace("new", "preview")).await.status, 404);
    assert_eq!(bob.post("/shares", &fields).await.location(), "/shares?error=not_found");
    assert_eq!(site.stranger().get("/shares").await.location(), "/sign-in?next=/shares");

    let browser = site.signed_in(ada).await;
    assert!(browser.get(&form).await.text().contains("Share this assessment"));
    assert!(browser.get(&form.replace("new", "preview")).await.text().contains("The keeper did"));
    let wrong = browser.post("/shares", &[("kind", "assessment"), ("object", &object), ("days", "366")]).await;
    assert_eq!(wrong.location(), format!("{form}&error=bad_share_link"));

    let closed = TestSite::with_settings(crate::feature(), &backend, serde_json::json!({ "who": "admins" }));
    let browser = closed.signed_in(ada).await;
    assert_eq!(browser.get(&form).await.status, 403);
    assert_eq!(browser.post("/shares", &fields).await.location(), "/shares?error=not_allowed");
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_of_one_network_are_limited_alike_for_every_token() {
    let backend = backend().await;
    let site = TestSite::with_settings(crate::feature(), &backend, serde_json::json!({ "per_minute": 2 }));
    let (ada, report) = person_with_report(&backend, "ada").await;
    let (path, stranger) = (share(&site.signed_in(ada).await, report, "", "30").await, site.stranger());
    assert_eq!((stranger.get(&path).await.status, stranger.get(&path).await.status), (200, 200));
    let limited = stranger.get(&path).await;
    assert_eq!(limited.status, 429);
    assert_eq!(compared(&stranger.get("/s/guessed").await), compared(&limited));
    backend.clock.forward_ms(60_000);
    assert_eq!(stranger.get(&path).await.status, 200);
    backend.close().await;
}
