//! An order that names a part of the library reads exactly that part.

use super::prelude::*;

/// More than one answer holds, and more than the tool gives at once.
const BEFORE: usize = 620;
const AFTER: usize = 150;

fn papers(from: usize, to: usize) -> Vec<Paper> {
    let paper = |n: usize| Paper::new(&format!("{n}.txt"), "Post", "2031-05-05", &format!("Barge {n} left at noon."));
    (from..to).map(paper).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_reads_all_its_documents_while_others_arrive() {
    let folder = folder();
    let world = World::open(&folder, 6, |_| {}).await;
    let investigation = world.ask_about(&papers(0, BEFORE), "Which barge left?").await;
    let scope = &investigation.scope;
    let as_of = world.engine.documents.list(scope, &DocumentQuery::default()).await.unwrap().as_of;
    world.ingest(investigation.collection_id, &papers(BEFORE, BEFORE + AFTER)).await;
    world.close().await;

    let guidance = format!("documents as_of={as_of} offset=0 limit={BEFORE}");
    let order = ("create_work_order", json!({"objective": "Read the library.", "source_guidance": [guidance]}));
    let analyst = Script::new(vec![calls(vec![order]), says("ordered"), calls(vec![assessment(1.0)])], After::Empty);
    let mut world = World::open(&folder, 7, |parts| parts.role_models.analyst = analyst.into()).await;
    world.start(1);
    world.end_of(investigation.id).await;
    let read = world.engine.work_orders.documents_read(investigation.id).await.unwrap();
    let read: BTreeSet<_> = read.into_iter().map(|(_, document)| document).collect();
    let named = DocumentQuery { as_of: Some(as_of), limit: 5_000, ..DocumentQuery::default() };
    let named = world.engine.documents.list(scope, &named).await.unwrap().documents;
    assert_eq!(named.len(), BEFORE);
    assert_eq!(read, named.into_iter().map(|document| document.id).collect());
    world.close().await;
}
