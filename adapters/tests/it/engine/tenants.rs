//! Isolation of tenants in decisions and questions: merges, and the collections of refused questions.

use super::prelude::*;
use crate::conformance::graph::fixture::mention;
use domain::{
    TeamId,
    investigation::{Reading, Terms},
    team::Team,
};
use engine::{
    accounts,
    graph::{
        resolve::Cascade,
        reviews::{self, MergeOutcome},
    },
    investigations::{self, InvestigationRequest, Reach, ReachRequest, StartError},
    library::{ExtractedFile, RejectedQuery},
    teams::TeamChange,
};
use futures::stream;

async fn entity(engine: &Engine, home: CollectionId, name: &str) -> EntityId {
    let sheet = mention(home, name, name, &format!("{name} met."));
    engine.graph.write(&[sheet.write], &Cascade::default()).await.unwrap()[0].entities[0].id
}

fn by(user: &User) -> Actor {
    Actor { user: Some(user.id), address: None }
}

/// Opens a collection to a team of two.
async fn share(engine: &Engine, owner: &User, with: &User, home: CollectionId) {
    let entry = AuditEntry { at: engine.clock.now(), user: None, address: None, act: "share".into(), object: String::new() };
    let name = format!("{} {}", owner.name, with.name);
    let team = Team { id: TeamId(engine.ids.next()), name, created_by: owner.id, created_at: engine.clock.now() };
    assert!(engine.teams.add_team(&team, &entry).await.unwrap());
    assert!(engine.teams.change_team(team.id, &TeamChange::Add(with.id), &entry).await.unwrap());
    engine.teams.open_collection(home, Some(team.id), &entry).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn private_documents_do_not_change_the_graph_of_others() {
    let world = World::new(41).await;
    let engine = &world.engine;
    let (mallory, rita, bob, carl) =
        (world.person("mallory").await, world.person("rita").await, world.person("bob").await, world.person("carl").await);
    let root = User { role: Role::Admin, ..world.person("root").await };
    let open = accounts::own_collection(engine, &root, CollectionKind::Shared, "Open").await.unwrap().id;
    let (hers, his) = (world.collection(&mallory).await, world.collection(&bob).await);
    let all = Scope::from(open);
    let [halvek, norlin] = [entity(engine, open, "Halvek Shipping").await, entity(engine, open, "Norlin Ferries").await];
    let bridge = entity(engine, hers, "Zed Quillfeather").await;
    let both = engine.accounts.scope_of(mallory.id).await.unwrap();
    let before = engine.graph.entities(&all, &[halvek, norlin]).await.unwrap();

    // Asked the wrong way round, the open side survives.
    let merged = reviews::merge(engine, &both, by(&mallory), bridge, halvek).await.unwrap();
    assert!(matches!(merged, MergeOutcome::Done { survivor, .. } if survivor == halvek), "{merged:?}");
    assert_eq!(engine.graph.entities(&all, &[halvek, norlin]).await.unwrap(), before, "others see what they saw");
    assert!(engine.merges_view(&rita, None).await.unwrap().merges.is_empty());
    let listed = engine.merges_view(&root, None).await.unwrap().merges;
    assert_eq!(listed[0].merge.merged_name, bridge.to_string(), "administrators see that there is one");

    // Through the private one, a second joins in the open only: everybody sees it and can take it back.
    let joined = reviews::merge(engine, &both, by(&mallory), bridge, norlin).await.unwrap();
    let MergeOutcome::Done { merge, .. } = joined else { panic!("{joined:?}") };
    let listed = engine.merges_view(&rita, None).await.unwrap().merges;
    assert_eq!((listed.len(), listed[0].merge.merged_name.as_str()), (1, "Norlin Ferries"));
    assert!(reviews::undo_merge(engine, &all, &rita, by(&rita), merge).await.unwrap());
    assert_eq!(engine.graph.entities(&all, &[halvek, norlin]).await.unwrap(), before);
    let unseen = entity(engine, hers, "Quill Works").await;
    assert_eq!(reviews::merge(engine, &all, by(&rita), unseen, norlin).await.unwrap(), MergeOutcome::Unknown, "out of sight");

    // Each is read by somebody who does not read the other.
    let (one, other) = (entity(engine, hers, "Ash Company").await, entity(engine, his, "Birch League").await);
    share(engine, &mallory, &carl, hers).await;
    share(engine, &bob, &mallory, his).await;
    let both = engine.accounts.scope_of(mallory.id).await.unwrap();
    assert_eq!(reviews::merge(engine, &both, by(&mallory), one, other).await.unwrap(), MergeOutcome::Divided);
    let own = entity(engine, world.collection(&mallory).await, "Cedar House").await;
    assert!(matches!(reviews::merge(engine, &both, by(&mallory), one, own).await.unwrap(), MergeOutcome::Done { .. }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_question_leaves_no_collection() {
    let world = World::open(&folder(), 42, |parts| parts.config.max_collections = 2).await;
    let engine = &world.engine;
    let ada = world.person("ada").await;
    accounts::upload_collection(engine, &ada).await.unwrap();
    let count = async || {
        let all = engine.accounts.collections_of(ada.id).await.unwrap();
        all.into_iter().filter(|collection| collection.owner == ada.id).count()
    };
    let ask = async |question: &'static str, unreadable: Vec<RejectedFile>| {
        let wanted = ReachRequest {
            id: InvestigationId(engine.ids.next()),
            owner: &ada,
            question,
            reading: Reading::Added,
            chosen: &[],
            follows: None,
            shared_name: None,
        };
        let Reach { collection, scope, new } = investigations::reach(engine, wanted).await.unwrap();
        let terms = Terms { reading: Reading::Added, ..Terms::default() };
        let files: Vec<Result<ExtractedFile, RejectedFile>> = unreadable.into_iter().map(Err).collect();
        let files = (!files.is_empty()).then(|| stream::iter(files).boxed());
        let request = InvestigationRequest {
            new_collection: new,
            scope,
            terms,
            files,
            ..InvestigationRequest::new(&ada, question, collection)
        };
        investigations::start(engine, request, |_| {}).await
    };
    for question in ["", "?", "Who sold it?"] {
        ask(question, vec![]).await.unwrap_err();
        assert_eq!(count().await, 1, "{question}");
    }
    let torn = RejectedFile { path: "torn.pdf".into(), reason: "It is encrypted.".into() };
    let refused = ask("Who sold it?", vec![torn.clone()]).await;
    let Err(StartError::NothingToRead(id, _)) = refused else { panic!("{refused:?}") };
    assert_eq!(count().await, 1, "its collection is gone");
    let query = RejectedQuery { investigation: Some(id), offset: 0, limit: 5 };
    let scope = engine.accounts.scope_of(ada.id).await.unwrap();
    assert_eq!(engine.documents.rejected(&scope, &query).await.unwrap(), (vec![torn], 1), "its reason stays");
    world.collection(&ada).await;
    let refused = ask("Who sold it?", vec![]).await;
    assert!(matches!(refused, Err(StartError::TooManyCollections { max: 2 })), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_finds_the_collection_that_its_killed_start_made() {
    let world = World::new(46).await;
    let (engine, ada) = (&world.engine, world.person("ada").await);
    let id = InvestigationId(engine.ids.next());
    let reach = async || {
        let wanted = ReachRequest {
            id,
            owner: &ada,
            question: "Who sold it?",
            reading: Reading::Added,
            chosen: &[],
            follows: None,
            shared_name: None,
        };
        investigations::reach(engine, wanted).await.unwrap()
    };
    let first = reach().await;
    engine.accounts.ensure_collection(&first.new.expect("a collection to be made")).await.unwrap();
    let again = reach().await;
    assert_eq!((again.collection, again.new), (first.collection, None));
}
