//! Many at once, and people who must not see each other's documents.

use super::prelude::*;
use engine::{library, models::RoleModels};
use futures::stream;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_concurrent_questions_keep_the_documents_of_two_people_apart() {
    let (ada_says, bob_says) = ("Quillon Harrow set the fire at the Tolm depot", "Vesper Tarn set the fire at the Tolm depot");
    let papers = |who: &str, secret: &str| -> Vec<Paper> {
        let told = format!("The police said that {secret}. The Tolm depot burned on Thursday. {secret}, a witness told {who}.");
        let mut papers = three_reports();
        papers.push(Paper::new(&format!("{who}.txt"), &format!("{who} Confidential"), "2031-05-05", &told));
        papers
    };
    let mut world = World::new(40).await;
    let (ada, bob) = (world.person("ada").await, world.person("bob").await);
    let (of_ada, of_bob) = (world.collection(&ada).await, world.collection(&bob).await);
    world.ingest(of_ada, &papers("ada", ada_says)).await;
    world.ingest(of_bob, &papers("bob", bob_says)).await;
    let asked_by_ada = world.ask(&ada, of_ada, FIRE_QUESTION).await;
    let asked_by_bob = world.ask(&bob, of_bob, FIRE_QUESTION).await;
    world.start(4);
    for (asked, own, other) in [(asked_by_ada, "Quillon", "Vesper"), (asked_by_bob, "Vesper", "Quillon")] {
        let (ended, events) = world.end_of(asked.id).await;
        assert_eq!(ended.progress.status, Status::Completed);
        let text = without_ids(&world.assessment(&ended).await);
        assert!(text.contains(own), "{text}");
        assert!(!text.contains(other), "{text}");
        let events = serde_json::to_string(&events).unwrap();
        assert!(!events.contains(other), "{events}");
        let mut said = BTreeSet::new();
        for session in world.engine.sessions.sessions(ended.id).await.unwrap() {
            for call in world.engine.sessions.calls(session.id).await.unwrap() {
                assert!(!call.result.contains(other), "{}: {}", call.tool, call.result);
                said.insert(call.result.contains(own));
            }
        }
        assert!(said.contains(&true));
    }
    let hidden = world.engine.assessments.latest(&Scope::from(of_bob), &AssessmentQuery::newest(10)).await.unwrap().assessments;
    assert_eq!(hidden.len(), 1, "one's own alone");
    world.close().await;
}

#[tokio::test]
async fn documents_of_others_count_as_new_and_readable_ones_as_known() {
    let world = World::new(42).await;
    let (ada, bea) = (world.person("ada").await, world.person("bea").await);
    let (of_ada, of_bea) = (world.collection(&ada).await, world.collection(&bea).await);
    let put = async |collection, reader: &Scope, paths: [&str; 2]| {
        let text = |path: &str| format!("It is said of {}.", path.rsplit('/').next().unwrap_or(path));
        let files = paths.map(|path| Ok(Paper::new(path, "Gazette", "2031-05-02", &text(path)).read()));
        let report = library::ingest(&world.engine, collection, reader, None, stream::iter(files), |_| {}).await.unwrap();
        (report.stored, report.known.len() as u64)
    };
    let (hers, both) = (Scope::from(of_bea), Scope::new(vec![of_ada, of_bea]));
    assert_eq!(put(of_ada, &Scope::from(of_ada), ["a.txt", "b.txt"]).await, (2, 0));
    assert_eq!(put(of_bea, &hers, ["a.txt", "c.txt"]).await, (2, 0), "she may not know that ada has one of them");
    assert_eq!(put(of_bea, &hers, ["c.txt", "d.txt"]).await, (1, 1));
    assert_eq!(put(of_bea, &both, ["b.txt", "e.txt"]).await, (2, 1), "it is hers now, and was there to read before");
    assert_eq!(put(of_bea, &hers, ["f.txt", "again/f.txt"]).await, (2, 1), "two files with one text are two rows");
    let total = world.engine.documents.list(&hers, &DocumentQuery::default()).await.unwrap().total;
    assert_eq!(total, 2 + 1 + 2 + 2, "the library has as many rows as were counted");
    world.close().await;
}

/// Twenty people ask the same of the same reports, each of copies of their own.
async fn asked_by_twenty(world: &World) -> Vec<Investigation> {
    let mut asked = vec![];
    for n in 0..20 {
        let person = world.person(&format!("person {n}")).await;
        let collection = world.collection(&person).await;
        world.ingest(collection, &three_reports()).await;
        asked.push(world.ask(&person, collection, FIRE_QUESTION).await);
    }
    asked
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twenty_investigations_at_once_all_complete() {
    let mut world = World::new(41).await;
    let asked = asked_by_twenty(&world).await;
    world.start(4);
    let mut assessments = BTreeSet::new();
    for investigation in asked {
        let (ended, _) = world.end_of(investigation.id).await;
        assert_eq!(ended.progress.status, Status::Completed);
        assessments.insert(without_ids(&world.assessment(&ended).await));
    }
    assert_eq!(assessments.len(), 1, "the same documents give the same assessment, whoever else asks");
    assert_eq!(world.engine.queue.depth().await.unwrap(), [0, 0, 0]);
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twenty_concurrent_investigations_complete_and_leave_no_reservation() {
    for (seed, wire) in [(43, ApiKind::Anthropic), (44, ApiKind::Openai)] {
        let transcript = Transcript { then: Fallback::Brief, ..Transcript::default() };
        let server = Server::start(Options { transcript, ..Options::default() }).await.unwrap();
        let models = chain(wire, &server);
        let mut world = World::open(&folder(), seed, |parts| parts.role_models = RoleModels::single(models)).await;
        let asked = asked_by_twenty(&world).await;
        world.start(4);
        let mut cited = BTreeSet::new();
        for investigation in asked {
            let (ended, _) = world.end_of(investigation.id).await;
            world.engine.drain().await;
            assert_eq!(ended.progress.status, Status::Completed, "{wire:?}: {:?}", ended.reason);
            let stored = world.assessment(&ended).await;
            assert!(!stored.is_partial);
            let quotes: BTreeSet<String> = stored.assessment.citations.iter().map(|citation| citation.quote.clone()).collect();
            cited.insert(quotes);
            assert_eq!(world.engine.work_orders.documents_read(ended.id).await.unwrap().len(), 3, "{wire:?}");
            let (spent, [_, user]) =
                (world.engine.ledger.spent(ended.id).await.unwrap(), day_keys(ended.created_at, ended.owner));
            let used = world.engine.ledger.used(BudgetLevel::User, &user).await.unwrap();
            assert_eq!((used.tokens, used.micros), (spent.tokens(), spent.cost_micros), "{wire:?}");
            assert!(spent.cost_micros > 0);
        }
        assert_eq!(cited.len(), 1, "all of them cite the same sentences");
        assert!(cited.pop_first().unwrap().len() > 3);
        assert_eq!(world.engine.queue.depth().await.unwrap(), [0, 0, 0]);
        assert!(server.log().entries.iter().all(|entry| entry.refused.is_none()), "{wire:?}");
        world.close().await;
    }
}
