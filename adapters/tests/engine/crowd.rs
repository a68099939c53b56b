//! Many at once, and people who must not see each other's documents.

use super::{
    material::{FIRE_QUESTION, Paper, three_reports},
    world::{World, without_ids},
};
use domain::{Scope, investigation::Status};
use engine::assessments::AssessmentQuery;
use std::collections::BTreeSet;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_people_who_ask_at_once_see_nothing_of_each_others_documents() {
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

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twenty_investigations_at_once_all_complete() {
    let mut world = World::new(41).await;
    let mut asked = vec![];
    for n in 0..20 {
        let person = world.person(&format!("person {n}")).await;
        let collection = world.collection(&person).await;
        world.ingest(collection, &three_reports()).await;
        asked.push(world.ask(&person, collection, FIRE_QUESTION).await);
    }
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
