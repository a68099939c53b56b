//! Tests of teams and of reports that are made visible to others: what those may read, and what stays closed.

use super::{AnsweredQuestion, answered};
use crate::prelude::*;
use domain::UserId;
use engine::{accounts::own_collection, graph::ClaimQuery};

const REPORT: [(&str, &str); 1] = [POLICE_REPORT];

/// Asks with more fields of the form, and waits for the answer.
async fn ask_and_wait(app: &App, browser: &mut Browser, fields: &[(&str, &str)]) -> (AnsweredQuestion, String) {
    answered(app, browser, &[&[("question", QUESTION)][..], fields].concat(), &REPORT).await
}

async fn person(app: &App, name: &str) -> UserId {
    app.program.engine.accounts.user_by_name(name).await.unwrap().unwrap().0.id
}

/// Creates a team of Ada, which Bob joins, and returns its id.
async fn north(app: &App, ada: &mut Browser, bob: &mut Browser) -> String {
    assert_eq!(ada.post("/teams", &[("name", "North desk")]).await.location(), "/teams");
    let team = app.program.engine.teams.teams(None).await.unwrap().remove(0).0.id.to_string();
    assert_eq!(ada.post(&format!("/teams/{team}/add"), &[("person", "Bob")]).await.location(), "/teams");
    assert_eq!(bob.post(&format!("/teams/{team}/accept"), &[]).await.location(), "/teams");
    team
}

#[tokio::test]
async fn a_colleague_reads_the_report_without_its_documents() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    let mut eve = app.signed_in("eve", Role::Reader).await;
    let (report, _) = ask_and_wait(&app, &mut ada, &[]).await;
    let team = north(&app, &mut ada, &mut bob).await;

    // Without the agreement to show the quotes nothing changes, and the form keeps the choice.
    let refused = ada.post(&report.visibility(), &[("visibility", &team), ("report", &report.assessment)]).await;
    assert_eq!(refused.location(), format!("{}?error=quotes_not_agreed&visibility={team}", report.report()));
    let page = ada.get(refused.location()).await.text();
    assert!(page.contains("Tick the box") && page.contains("<details open name=\"actions\" class=\"readers\""), "{page}");
    assert_eq!(bob.get(&report.report()).await.status, 404);

    let choice = [("visibility", &*team), ("quotes", "agreed"), ("report", &report.assessment)];
    let saved = ada.post(&report.visibility(), &choice).await;
    assert_eq!(saved.location(), format!("{}?saved=visibility", report.report()));
    assert!(ada.get(saved.location()).await.text().contains("Team North desk"));
    assert!(app.acts().await.iter().any(|act| act == "change_visibility"));

    let investigation = format!("/investigations/{}", report.investigation);
    let open = [
        report.report(),
        format!("{}/evidence", report.report()),
        format!("{}/work", report.report()),
        format!("{0}/compare?with={1}", report.report(), report.assessment),
        format!("{}/history", report.report()),
        format!("{}/export.md", report.report()),
        format!("{}/export.json", report.report()),
        investigation.clone(),
        format!("/api/v1/assessments/{}", report.assessment),
        format!("/api/v1/investigations/{}", report.investigation),
    ];
    let scope = app.program.engine.accounts.scope_of(person(&app, "ada").await).await.unwrap();
    let every = ClaimQuery { candidates: 100, ..ClaimQuery::default() };
    let claims = app.program.engine.graph.find_claims(&scope, &every).await.unwrap();
    let entity = claims.iter().find_map(|found| found.item.entity_ids.first()).expect("a claim about an entity");
    let closed = [
        format!("/entities/{entity}"),
        format!("/documents/{}", report.document),
        format!("/claims/{}", report.claim),
        format!("/api/v1/documents/{}", report.document),
        format!("{investigation}/sessions"),
        format!("/api/v1/investigations/{}/events", report.investigation),
    ];
    for path in &open {
        assert_eq!(bob.get(path).await.status, 200, "{path}");
        assert_eq!(eve.get(path).await.status, 404, "{path}");
        let page = bob.get(path).await.text();
        assert!(closed.iter().all(|closed| !page.contains(&format!("\"{closed}"))), "{path} leads to what is closed");
    }
    for path in &closed {
        assert_eq!(bob.get(path).await.status, 404, "{path}");
        assert_eq!(ada.get(path).await.status, 200, "{path}");
    }
    assert!(bob.get(&report.report()).await.text().contains("not shared with you"));
    assert!(!bob.get("/documents").await.text().contains("two.txt"));
    assert!(!bob.get("/search?q=fire&kind=claims").await.text().contains("Red Tide"));

    // Lists, search and the API find it, with its owner and readers.
    for path in ["/", "/assessments", "/assessments?visibility=team", "/search?q=fire"] {
        assert!(bob.get(path).await.text().contains(&report.report()), "{path}");
        assert!(!eve.get(path).await.text().contains(&report.report()), "{path}");
    }
    assert!(!bob.get("/assessments?visibility=workspace").await.text().contains(&report.report()));
    assert!(!bob.get("/assessments?owner=me").await.text().contains(&report.report()));
    let row = bob.get("/assessments").await.text();
    assert!(row.contains("ada") && row.contains("Team North desk"), "{row}");
    assert_eq!(bob.get("/api/v1/investigations").await.json()[0]["id"], *report.investigation);

    // Bob may ask on, for himself, and changes nothing.
    let page = bob.get(&report.report()).await.text();
    assert!(page.contains("Ask a follow-up") && !page.contains("Delete…") && !page.contains("name=\"visibility\""), "{page}");
    let form = [("id", &*report.investigation)];
    assert_eq!(bob.post("/investigations/archive", &form).await.location(), "/assessments?error=not_found");
    assert_eq!(bob.post("/investigations/delete", &form).await.location(), "/assessments?error=not_found");
    bob.post(&format!("{}/notes", report.report()), &[("note", "Ask the harbour master.")]).await;
    assert!(ada.get(&report.report()).await.text().contains("Ask the harbour master."), "who may read it may write a note");
    let answer = bob.post(&report.visibility(), &[("visibility", "private"), ("report", &report.assessment)]).await;
    assert!(answer.location().contains("error=not_allowed"), "{}", answer.location());
    let stop = bob.post(&format!("{investigation}/stop"), &[]).await;
    assert!(stop.location().contains("error=not_allowed"), "{}", stop.location());

    // Private again: as if it did not exist.
    ada.post(&report.visibility(), &[("visibility", "private")]).await;
    for path in &open {
        assert_eq!(bob.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn a_follow_up_belongs_to_the_asker_and_reads_only_their_documents() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    let choice = [("visibility", "workspace"), ("quotes", "agreed")];
    let (report, address) = ask_and_wait(&app, &mut ada, &choice).await;
    assert_eq!(address, format!("/investigations/{}", report.investigation));
    assert!(ada.get(&report.report()).await.text().contains("Everyone"));
    let (next, _) = ask_and_wait(&app, &mut bob, &[("follows", &report.investigation), ("kind", "follow_up")]).await;
    let engine = &app.program.engine;
    let load = async |id: &str| engine.investigations.investigation(id.parse().unwrap()).await.unwrap().unwrap();
    let (first, second) = (load(&report.investigation).await, load(&next.investigation).await);
    assert_ne!(first.owner, second.owner);
    assert!(!second.scope.sees(first.collection_id), "the documents of Ada stay hers");
    assert!(bob.get(&next.report()).await.text().contains(&report.report()), "it stands in the thread");
    assert!(!ada.get(&report.report()).await.text().contains(&next.assessment), "the follow-up is private to Bob");
    assert_eq!(ada.get(&next.report()).await.status, 404);
}

#[tokio::test]
async fn members_read_a_collection_that_its_owner_opened_to_their_team() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    let mut eve = app.signed_in("eve", Role::Admin).await;
    let (report, _) = ask_and_wait(&app, &mut ada, &[]).await;
    let team = north(&app, &mut ada, &mut bob).await;
    let document = app.program.engine.accounts.collections_of(person(&app, "ada").await).await.unwrap();
    let collection = document.iter().find(|found| found.name == "Uploads").unwrap().id;
    let (page, address) = (format!("/documents?collection={collection}"), format!("/collections/{collection}/team"));
    assert!(ada.get(&page).await.text().contains("only you"));
    assert!(!bob.get(&page).await.text().contains("/team\""), "only its owner chooses the readers");
    for other in [&mut bob, &mut eve] {
        assert_eq!(other.post(&address, &[("team", &team)]).await.location(), "/documents?error=not_found");
    }

    let open = [
        report.report(),
        format!("/documents/{}", report.document),
        format!("/claims/{}", report.claim),
        format!("/investigations/{}/sessions", report.investigation),
        format!("/api/v1/documents/{}", report.document),
    ];
    let statuses = async |browser: &mut Browser| {
        let mut found = vec![];
        for path in &open {
            found.push(browser.get(path).await.status);
        }
        found
    };
    assert_eq!(statuses(&mut bob).await, [404; 5]);
    let saved = format!("{page}&readers=saved");
    assert_eq!(ada.post(&address, &[("team", &team)]).await.location(), saved);
    assert!(ada.get(&saved).await.text().contains("Saved: you and team North desk can read it now."));
    assert!(ada.get(&report.report()).await.text().contains("Team North desk"), "the report says who reads it");
    assert_eq!(statuses(&mut bob).await, [200; 5]);
    assert_eq!(statuses(&mut eve).await, [404; 5], "an administrator is no member");
    let filter = bob.get("/documents").await.text();
    assert!(filter.contains(">Uploads<") && !filter.contains("Uploads (ada)"), "one name needs no owner: {filter}");
    let engine = &app.program.engine;
    let bobs_account = engine.accounts.user(person(&app, "bob").await).await.unwrap().unwrap();
    own_collection(engine, &bobs_account, CollectionKind::Private, "Uploads").await.unwrap();
    let filter = bob.get("/documents").await.text();
    assert!(filter.contains(">Uploads<") && filter.contains(">Uploads (ada)<"), "{filter}");
    let library = bob.get("/documents").await.text();
    assert!(library.contains("two.txt") && !library.contains("type=\"checkbox\""), "{library}");
    assert!(bob.get("/teams").await.text().contains(&page));
    assert!(bob.get(&format!("/documents/delete?id={}", report.document)).await.text().contains("Nothing to delete"));
    let gone = bob.post("/documents/delete", &[("id", &report.document)]).await;
    assert_eq!(gone.location(), "/documents?error=not_found", "only its owner deletes");
    let archived = bob.post("/documents/archive", &[("id", &report.document)]).await;
    assert_eq!(archived.location(), "/documents?error=not_found", "only its owner archives");
    let document = format!("/documents/{}", report.document);
    let (tag, ours) = (format!("{document}/tag"), [("tag", "ours")]);
    assert_eq!(bob.post(&tag, &ours).await.location(), format!("{document}#notes"), "a reader tags");
    assert_eq!(eve.post(&tag, &ours).await.location(), "/documents?error=not_found");
    let shared = bob.get(&document).await.text();
    assert!(shared.contains(">ours<") && !shared.contains("/documents/archive"), "{shared}");

    // Who leaves, and everybody once it is closed, reads no more.
    let bobs_id = person(&app, "bob").await.to_string();
    ada.post(&format!("/teams/{team}/remove"), &[("member", &bobs_id)]).await;
    assert_eq!(statuses(&mut bob).await, [404; 5]);
    ada.post(&format!("/teams/{team}/add"), &[("person", "bob")]).await;
    assert_eq!(statuses(&mut bob).await, [404; 5], "an invitation opens nothing");
    bob.post(&format!("/teams/{team}/accept"), &[]).await;
    assert_eq!(statuses(&mut bob).await, [200; 5]);
    assert_eq!(ada.post(&address, &[("team", "")]).await.location(), saved);
    assert!(ada.get(&saved).await.text().contains("Saved: only you can read it now."));
    assert_eq!(statuses(&mut bob).await, [404; 5]);
    ada.post(&address, &[("team", &team)]).await;
    ada.post(&format!("/teams/{team}/delete"), &[]).await;
    assert_eq!(statuses(&mut bob).await, [404; 5]);
    assert_eq!(statuses(&mut ada).await, [200; 5]);
    assert!(app.acts().await.iter().any(|act| act == "open_collection"));
}

#[tokio::test]
async fn a_question_without_the_agreement_starts_private() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    let (report, address) = ask_and_wait(&app, &mut ada, &[("visibility", "workspace")]).await;
    assert_eq!(address, format!("/investigations/{}?error=quotes_not_agreed&visibility=workspace", report.investigation));
    assert_eq!(bob.get(&report.report()).await.status, 404);
    let form = ada.get("/investigations/new").await.text();
    assert!(form.contains("Everyone with an account") && form.contains("name=\"quotes\""), "{form}");
}

#[tokio::test]
async fn an_administrator_changes_what_they_may_read() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut root = app.signed_in("root", Role::Admin).await;
    let (report, _) = ask_and_wait(&app, &mut ada, &[]).await;
    let private = [("visibility", "private")];
    assert_eq!(root.post(&report.visibility(), &private).await.location(), "/?error=not_found");
    ada.post(&report.visibility(), &[("visibility", "workspace"), ("quotes", "agreed")]).await;
    assert!(root.get(&report.report()).await.text().contains("Archive"));
    let done = root.post(&report.visibility(), &private).await.location().to_owned();
    assert_eq!(done, format!("/investigations/{}?saved=visibility", report.investigation));
    assert_eq!(root.get(&report.report()).await.status, 404);
}

#[tokio::test]
async fn a_team_is_managed_by_its_creator_and_left_by_its_members() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    let mut eve = app.signed_in("eve", Role::Reader).await;
    assert!(ada.get("/teams").await.text().contains("No teams yet"));
    assert!(eve.get("/teams").await.text().contains("You are not in a team"));
    assert_eq!(eve.post("/teams", &[("name", "X")]).await.location(), "/teams?error=not_allowed&kept=1");
    let team = north(&app, &mut ada, &mut bob).await;
    let at = |act: &str| format!("/teams/{team}/{act}");
    assert_eq!(bob.post("/teams", &[("name", "north DESK")]).await.location(), "/teams?error=team_name_taken&kept=1");
    let unknown = ada.post(&at("add"), &[("person", "zoe")]).await.location().to_owned();
    assert_eq!(unknown, format!("/teams?team={team}&error=no_such_person&kept=1"));
    assert!(ada.get(&unknown).await.text().contains("value=\"zoe\""));
    assert_eq!(
        ada.post(&at("rename"), &[("name", " ")]).await.location(),
        format!("/teams?team={team}&error=team_name_bad&kept=1")
    );
    assert_eq!(ada.post(&at("rename"), &[("name", "South desk")]).await.location(), "/teams");

    // A member sees it, may leave it, and may do no more.
    let page = bob.get("/teams").await.text();
    assert!(page.contains("South desk") && page.contains("Leave") && !page.contains("Rename"), "{page}");
    assert!(!eve.get("/teams").await.text().contains("South desk"));
    let [adas_id, bobs_id] = [person(&app, "ada").await.to_string(), person(&app, "bob").await.to_string()];
    assert_eq!(bob.post(&at("remove"), &[("member", &adas_id)]).await.location(), "/teams?error=not_found");
    assert_eq!(bob.post(&at("remove"), &[("member", &bobs_id)]).await.location(), "/teams");
    assert!(!bob.get("/teams").await.text().contains("South desk"));
    assert_eq!(ada.post(&at("delete"), &[]).await.location(), "/teams");
    let acts = app.acts().await;
    for act in ["create_team", "invite_team_member", "join_team", "rename_team", "remove_team_member", "delete_team"] {
        assert!(acts.iter().any(|found| found == act), "{acts:?}");
    }
}

#[tokio::test]
async fn a_member_is_invited_and_all_concerned_are_notified() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    let mut cleo = app.signed_in("cleo", Role::Reader).await;
    let (_, _) = ask_and_wait(&app, &mut bob, &[]).await;
    let team = north(&app, &mut ada, &mut bob).await;
    let uploads = app.program.engine.accounts.collections_of(person(&app, "bob").await).await.unwrap();
    let uploads = uploads.iter().find(|found| found.name == "Uploads").unwrap().id;
    bob.post(&format!("/collections/{uploads}/team"), &[("team", &team)]).await;
    for browser in [&mut ada, &mut bob] {
        browser.get("/notifications").await;
    }
    let add = format!("/teams/{team}/add");
    assert_eq!(ada.post(&add, &[("person", "cleo")]).await.location(), "/teams");
    for known in ["cleo", "bob", "ada"] {
        let again = ada.post(&add, &[("person", known)]).await.location().to_owned();
        assert_eq!(again, format!("/teams?team={team}&error=already_invited&kept=1"), "{known}");
    }
    assert!(cleo.get("/").await.text().contains("Notifications, 1 new"));
    assert!(cleo.get("/notifications").await.text().contains("ada invites you to this team"));
    let page = cleo.get("/teams").await.text();
    assert!(page.contains("Invitation to North desk") && !page.contains("since <time"), "no team yet: {page}");
    assert!(ada.get("/teams").await.text().contains("Invited"));
    assert!(!cleo.get("/documents").await.text().contains("two.txt"));
    assert!(bob.post(&format!("/teams/{team}/accept"), &[]).await.location().contains("not_found"), "of nobody else");

    let declined = cleo.post(&format!("/teams/{team}/decline"), &[]).await.location().to_owned();
    assert!(cleo.get(&declined).await.text().contains("Invitation declined."), "{declined}");
    assert!(cleo.post(&format!("/teams/{team}/accept"), &[]).await.location().contains("not_found"));
    ada.post(&format!("/teams/{team}/add"), &[("person", "cleo")]).await;
    cleo.post(&format!("/teams/{team}/accept"), &[]).await;
    assert!(cleo.get("/documents").await.text().contains("two.txt"));
    for browser in [&mut ada, &mut bob] {
        assert!(browser.get("/").await.text().contains("Notifications, 1 new"));
        assert!(browser.get("/notifications").await.text().contains("cleo joined this team"));
    }
    // The owner of an opened collection is notified also after leaving.
    let [bobs, cleos] = [person(&app, "bob").await.to_string(), person(&app, "cleo").await.to_string()];
    bob.post(&format!("/teams/{team}/remove"), &[("member", &bobs)]).await;
    ada.post(&format!("/teams/{team}/remove"), &[("member", &cleos)]).await;
    assert!(bob.get("/notifications").await.text().contains("cleo left this team"));
}

#[tokio::test]
async fn a_question_reads_the_documents_of_a_team_only_where_they_are_chosen() {
    let (app, mut ada) = spawn_for("ada", Role::Analyst).await;
    let mut bob = app.signed_in("bob", Role::Analyst).await;
    let (_, _) = ask_and_wait(&app, &mut ada, &[]).await;
    let team = north(&app, &mut ada, &mut bob).await;
    let engine = &app.program.engine;
    let uploads = engine.accounts.collections_of(person(&app, "ada").await).await.unwrap();
    let uploads = uploads.iter().find(|found| found.name == "Uploads").unwrap().id;
    ada.post(&format!("/collections/{uploads}/team"), &[("team", &team)]).await;
    let nothing = bob.ask(QUESTION, &[]).await.location().to_owned();
    assert!(nothing.contains("error=no_documents"), "{nothing}");
    let chosen = [("question", QUESTION), ("reading", "chosen"), ("collection", &*uploads.to_string())];
    let address = bob.ask_with(&chosen, &[]).await.location().to_owned();
    let id = address.rsplit('/').next().unwrap().parse().unwrap();
    let investigation = engine.investigations.investigation(id).await.unwrap().unwrap();
    assert!(investigation.scope.sees(uploads));
    assert_eq!(investigation.web, WebAccess::On, "what others lend is no private file of the asker");
}
