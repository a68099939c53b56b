//! Teams, and what the visibility of an investigation opens to others and what it does not.

use super::prelude::*;
use domain::{
    EntityId, TeamId,
    team::Team,
    visibility::{Visibility, VisibilityKind},
};
use engine::{
    accounts::Accounts,
    assessments::{Assessments, StoredAssessment},
    investigations::{Investigations, ManageAccess},
    library::Documents,
    teams::{TeamChange, Teams},
};

async fn team(backend: &TestBackend, name: &str, creator: UserId) -> Team {
    let team = Team { id: TeamId(id()), name: name.into(), created_by: creator, created_at: backend.now() };
    assert!(backend.store.add_team(&team, &entry(backend, "create_team")).await.unwrap());
    team
}

async fn change(backend: &TestBackend, team: TeamId, change: TeamChange) -> bool {
    backend.store.change_team(team, &change, &entry(backend, "change_team")).await.unwrap()
}

async fn show(backend: &TestBackend, id: InvestigationId, visibility: Visibility) {
    backend.store.set_visibility(id, visibility, &entry(backend, "change_visibility")).await.unwrap();
}

/// A person, with the scope of their pages.
async fn reader(backend: &TestBackend, name: &str) -> (UserId, Scope) {
    let (user, _) = backend.person(name).await;
    (user, backend.store.scope_of(user).await.unwrap().read_by(user))
}

/// An assessed question of Ada, drawn from her private collection.
async fn report(backend: &TestBackend) -> (UserId, CollectionId, InvestigationId, StoredAssessment) {
    let (ada, hers) = backend.person("ada").await;
    let investigation = backend.investigation(ada, hers).await;
    let stored = stored_assessment(backend, investigation, &[hers], "The keeper did.");
    backend.store.put(&stored).await.unwrap();
    (ada, hers, investigation, stored)
}

/// Whether each way to read a report finds it; all agree.
async fn reads(backend: &TestBackend, scope: &Scope, stored: &StoredAssessment) -> bool {
    let (store, id) = (&backend.store, stored.assessment.investigation_id);
    let query = AssessmentQuery { text: Some("keeper".into()), limit: 5, ..Default::default() };
    let filter = InvestigationFilter { owner: scope.reader(), scope: Some(scope.clone()), limit: 5, ..Default::default() };
    let listed = Investigations::list(store, &filter).await.unwrap();
    let thread = store.thread(id, scope.reader().unwrap(), scope, 5).await.unwrap();
    let found = [
        store.assessment(scope, stored.assessment.id).await.unwrap().is_some(),
        store.of_investigation(scope, id).await.unwrap().is_some(),
        store.ids_of(scope, &[id]).await.unwrap().contains_key(&id),
        store.latest(scope, &query).await.unwrap().total == 1,
        store.about(scope, &stored.entity_ids, 5).await.unwrap().len() == 1,
        listed.iter().any(|found| found.id == id),
        thread.iter().any(|found| found.id == id),
        store.access(&[id], scope.reader().unwrap()).await.unwrap()[&id].includes_reader,
    ];
    assert!(found.iter().all(|one| *one == found[0]), "{found:?}");
    found[0]
}

pub async fn a_collection_opened_to_a_team_is_read_by_its_members(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, hers, investigation, stored) = report(backend).await;
    let (bob, eve) = (backend.user("bob").await, backend.user("eve").await);
    let north = team(backend, "North desk", ada).await;
    change(backend, north.id, TeamChange::Add(bob)).await;
    let scope = async |user: UserId| store.scope_of(user).await.unwrap().read_by(user);
    assert!(!reads(backend, &scope(bob).await, &stored).await);
    store.open_collection(hers, Some(north.id), &entry(backend, "open_collection")).await.unwrap();
    assert_eq!(store.opened_collections().await.unwrap().get(&hers), Some(&north.id));
    let bobs = scope(bob).await;
    assert!(bobs.sees(hers) && !scope(eve).await.sees(hers));
    assert!(store.assessment(&bobs, stored.assessment.id).await.unwrap().is_some());
    assert!(store.assessment(&scope(eve).await, stored.assessment.id).await.unwrap().is_none());
    let of_bob: Vec<CollectionId> = store.collections_of(bob).await.unwrap().into_iter().map(|found| found.id).collect();
    assert_eq!(Scope::new(of_bob).collections(), bobs.collections(), "one rule");
    let access = store.access(&[investigation], ada).await.unwrap().remove(&investigation).unwrap();
    assert_eq!((access.visibility, access.team.as_deref()), (Visibility::Team(north.id), Some("North desk")));
    change(backend, north.id, TeamChange::Remove(bob)).await;
    assert!(!scope(bob).await.sees(hers));
    change(backend, north.id, TeamChange::Add(bob)).await;
    change(backend, north.id, TeamChange::Delete).await;
    assert!(!scope(bob).await.sees(hers) && scope(ada).await.sees(hers));
    let access = store.access(&[investigation], ada).await.unwrap().remove(&investigation).unwrap();
    assert_eq!(access.visibility, Visibility::Private);
}

pub async fn a_team_has_a_name_of_its_own_and_members(backend: &TestBackend) {
    let store = &backend.store;
    let (ada, bob, eve) = (backend.user("ada").await, backend.user("bob").await, backend.user("eve").await);
    let north = team(backend, "North desk", ada).await;
    let south = team(backend, "South desk", bob).await;
    let twin = Team { id: TeamId(id()), name: "NORTH DESK".into(), ..south.clone() };
    assert!(!store.add_team(&twin, &entry(backend, "create_team")).await.unwrap());
    assert!(!change(backend, south.id, TeamChange::Rename("north desk".into())).await);
    assert!(change(backend, south.id, TeamChange::Rename("south Desk".into())).await);
    assert!(change(backend, north.id, TeamChange::Add(bob)).await);
    assert!(!change(backend, north.id, TeamChange::Add(bob)).await, "a member already");
    assert!(!change(backend, TeamId(id()), TeamChange::Add(bob)).await);
    let names = async |of: Option<UserId>| {
        let found = store.teams(of).await.unwrap().into_iter();
        let named = |(team, members): (Team, Vec<domain::team::TeamMember>)| {
            (team.name, members.into_iter().map(|member| member.name).collect::<Vec<_>>().join(" "))
        };
        found.map(named).collect::<Vec<_>>()
    };
    let both = [("North desk".to_owned(), "ada bob".to_owned()), ("south Desk".to_owned(), "bob".to_owned())];
    assert_eq!(names(None).await, both);
    assert_eq!(names(Some(bob)).await, both);
    assert_eq!(names(Some(ada)).await, both[..1]);
    assert_eq!(names(Some(eve)).await, []);
    assert!(change(backend, south.id, TeamChange::Remove(bob)).await);
    assert!(!change(backend, south.id, TeamChange::Remove(bob)).await);
    assert_eq!(names(Some(bob)).await[1].1, "", "its creator still sees it, without members");
    assert!(change(backend, north.id, TeamChange::Delete).await);
    assert_eq!(store.team(north.id).await.unwrap(), None);
    let acts = store.audit_log(20).await.unwrap().len();
    assert_eq!(acts, 6, "each change is recorded, and nothing that changed nothing");
}

pub async fn a_report_is_read_by_those_whom_its_visibility_includes(backend: &TestBackend) {
    let (ada, _, investigation, stored) = report(backend).await;
    let hers = backend.store.scope_of(ada).await.unwrap().read_by(ada);
    let (bob, his) = reader(backend, "bob").await;
    let (_, eves) = reader(backend, "eve").await;
    let north = team(backend, "North", ada).await;
    change(backend, north.id, TeamChange::Add(bob)).await;
    assert!(!reads(backend, &his, &stored).await);
    let kinds = async || {
        let of = async |kind| {
            let query = AssessmentQuery { visibility: Some(kind), limit: 5, ..Default::default() };
            backend.store.latest(&hers, &query).await.unwrap().total
        };
        [of(VisibilityKind::Private).await, of(VisibilityKind::Workspace).await, of(VisibilityKind::Team).await]
    };
    assert_eq!(kinds().await, [1, 0, 0]);

    show(backend, investigation, Visibility::Team(north.id)).await;
    assert!(reads(backend, &his, &stored).await && !reads(backend, &eves, &stored).await);
    assert_eq!(kinds().await, [0, 0, 1]);
    let access = backend.store.access(&[investigation], bob).await.unwrap().remove(&investigation).unwrap();
    assert_eq!((access.visibility, access.team.as_deref()), (Visibility::Team(north.id), Some("North")));
    assert_eq!((access.owner, access.owner_name.as_str(), access.is_fixed), (ada, "ada", false));

    show(backend, investigation, Visibility::Workspace).await;
    assert!(reads(backend, &his, &stored).await && reads(backend, &eves, &stored).await);
    assert_eq!(kinds().await, [0, 1, 0]);

    show(backend, investigation, Visibility::Team(north.id)).await;
    change(backend, north.id, TeamChange::Remove(bob)).await;
    assert!(!reads(backend, &his, &stored).await, "a former member");
    change(backend, north.id, TeamChange::Add(bob)).await;
    assert!(reads(backend, &his, &stored).await);
    change(backend, north.id, TeamChange::Delete).await;
    assert!(!reads(backend, &his, &stored).await, "the team is gone");
    assert_eq!(kinds().await, [1, 0, 0]);

    show(backend, investigation, Visibility::Workspace).await;
    show(backend, investigation, Visibility::Private).await;
    assert!(!reads(backend, &his, &stored).await);
    assert!(backend.store.assessment(&hers, stored.assessment.id).await.unwrap().is_some(), "its owner reads it all the time");
}

pub async fn a_visible_report_does_not_open_its_documents(backend: &TestBackend) {
    let (ada, hers, investigation, stored) = report(backend).await;
    let capture = capture(hers, "ada.txt", "The keeper opened the lock.");
    let (documents, _) = backend.store.add_documents(&[capture]).await.unwrap();
    let (_, his) = reader(backend, "bob").await;
    show(backend, investigation, Visibility::Workspace).await;
    assert!(reads(backend, &his, &stored).await);
    let seen = async |scope: &Scope| {
        let (store, id) = (&backend.store, documents[0].id);
        let listed = Documents::list(store, scope, &DocumentQuery { limit: 5, ..Default::default() }).await.unwrap().total;
        let found = [
            store.document(scope, id).await.unwrap().is_some(),
            store.texts(scope, &[id]).await.unwrap().len() == 1,
            store.bytes(scope, id).await.unwrap().is_some(),
            listed == 1,
        ];
        assert!(found.iter().all(|one| *one == found[0]), "{found:?}");
        found[0]
    };
    assert!(!seen(&his).await, "the documents stay with those who see their collection");
    assert!(seen(&backend.store.scope_of(ada).await.unwrap().read_by(ada)).await);
    assert!(!his.sees(hers), "a scope names its collections, which are also those of the graph");
}

pub async fn agents_do_not_read_reports_made_visible_by_others(backend: &TestBackend) {
    let (_, _, investigation, stored) = report(backend).await;
    let (_, his) = reader(backend, "bob").await;
    show(backend, investigation, Visibility::Workspace).await;
    assert!(reads(backend, &his, &stored).await);
    assert!(backend.store.search(&his, &"keeper".into(), 5).await.unwrap().is_empty(), "the search of agents");
    // What an investigation of his reads with.
    let agent = Scope::new(his.collections().to_vec());
    assert_eq!(backend.store.assessment(&agent, stored.assessment.id).await.unwrap(), None);
    assert_eq!(backend.store.of_investigation(&agent, investigation).await.unwrap(), None);
    assert!(backend.store.about(&agent, &stored.entity_ids, 5).await.unwrap().is_empty());
    assert!(backend.store.about(&his, &[EntityId(id())], 5).await.unwrap().is_empty());
}

pub async fn a_part_is_as_visible_as_its_question(backend: &TestBackend) {
    let (ada, hers, investigation, _) = report(backend).await;
    let part = Investigation { parent_id: Some(investigation), ..backend.an_investigation(ada, hers) };
    backend.store.add(&part).await.unwrap();
    let stored = stored_assessment(backend, part.id, &[hers], "A part.");
    backend.store.put(&stored).await.unwrap();
    let (bob, his) = reader(backend, "bob").await;
    let reads = async || backend.store.assessment(&his, stored.assessment.id).await.unwrap().is_some();
    assert!(!reads().await);
    show(backend, investigation, Visibility::Workspace).await;
    assert!(reads().await);
    let access = backend.store.access(&[part.id], bob).await.unwrap();
    assert_eq!(access[&part.id].visibility, Visibility::Workspace);
}

pub async fn an_administrator_manages_what_is_visible_to_them(backend: &TestBackend) {
    let (_, _, investigation, _) = report(backend).await;
    let (bob, his) = reader(backend, "bob").await;
    let admin = ManageAccess { user: bob, scope: his };
    let analyst = ManageAccess { user: bob, scope: Scope::default() };
    let archive =
        async |by: &ManageAccess| backend.store.archive(&[investigation], by, Some(backend.now())).await.unwrap().len();
    assert_eq!([archive(&admin).await, archive(&analyst).await], [0, 0]);
    show(backend, investigation, Visibility::Workspace).await;
    assert_eq!([archive(&analyst).await, archive(&admin).await], [0, 1]);
    assert_eq!(backend.store.archive(&[investigation], &admin, None).await.unwrap(), [investigation]);
    let (managed, contents) = backend.store.contents(&[investigation], &admin).await.unwrap();
    assert_eq!((managed.len(), contents.assessments), (1, 1));
}
