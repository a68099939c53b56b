//! Tests of what a view of an investigation reads of its events.

use super::prelude::*;
use engine::{accounts, events::Events};
use futures::stream::BoxStream;
use std::sync::atomic::AtomicUsize;

/// Events of a store, counted as they are read.
struct CountedEvents {
    inner: Arc<dyn Events>,
    read: Arc<AtomicUsize>,
}

impl CountedEvents {
    fn counted(&self, events: Vec<Event>) -> Vec<Event> {
        self.read.fetch_add(events.len(), Ordering::SeqCst);
        events
    }
}

#[async_trait]
impl Events for CountedEvents {
    async fn append(&self, id: InvestigationId, at: Timestamp, what: EventKind) -> StoreResult<Event> {
        self.inner.append(id, at, what).await
    }
    async fn append_all(&self, id: InvestigationId, at: Timestamp, what: Vec<EventKind>) -> StoreResult<()> {
        self.inner.append_all(id, at, what).await
    }
    async fn after(&self, id: InvestigationId, after: u64, limit: u32) -> StoreResult<Vec<Event>> {
        Ok(self.counted(self.inner.after(id, after, limit).await?))
    }
    async fn before(&self, id: InvestigationId, before: u64, limit: u32) -> StoreResult<Vec<Event>> {
        Ok(self.counted(self.inner.before(id, before, limit).await?))
    }
    async fn last(&self, id: InvestigationId) -> StoreResult<u64> {
        self.inner.last(id).await
    }
    fn follow(&self, id: InvestigationId, after: u64) -> BoxStream<'static, StoreResult<Event>> {
        self.inner.follow(id, after)
    }
}

#[tokio::test]
async fn a_view_reads_only_the_events_that_are_new() {
    let read = Arc::new(AtomicUsize::new(0));
    let count = read.clone();
    let world = World::open(&folder(), 61, |parts| {
        parts.config.pages.events_per_read = 20;
        parts.config.pages.log_events = 5;
        parts.events = Arc::new(CountedEvents { inner: parts.events.clone(), read: count });
    })
    .await;
    let ada = world.person("ada").await;
    let collection = world.collection(&ada).await;
    let investigation = world.ask(&ada, collection, "Who set the fire?").await;
    let ingested = || EventKind::DocumentsIngested { stored: 1, copies: 0, copied: vec![], rejected: 0 };
    let now = world.engine.clock.now();
    world.engine.events.append_all(investigation.id, now, (0..200).map(|_| ingested()).collect()).await.unwrap();
    let view = async || world.engine.investigation_view(&ada, investigation.id, 1).await.unwrap().unwrap();

    let first = view().await;
    assert!(first.live.documents.stored == 200 && first.log.len() == 5, "{:?}", first.live);
    assert_eq!(first.log.last().unwrap().sequence, first.live.last);
    read.store(0, Ordering::SeqCst);
    world.engine.events.append(investigation.id, now, ingested()).await.unwrap();
    let second = view().await;
    assert_eq!((second.live.documents.stored, second.log.len()), (201, 5));
    assert!(second.log.is_sorted_by_key(|event| event.sequence));
    assert_eq!(read.load(Ordering::SeqCst), 1 + 5, "the new event, and the log");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_new_claims_of_a_run_are_those_of_its_new_documents() {
    let mut world = World::new(62).await;
    let ada = world.person("ada").await;
    world.start(1);
    let (papers, mut read) = (three_reports(), vec![]);
    // The last run reads what the others have read.
    for (name, added) in [("first", &papers[..1]), ("second", &papers[1..]), ("third", &papers[3..])] {
        let collection = accounts::own_collection(&world.engine, &ada, CollectionKind::Private, name).await.unwrap().id;
        world.ingest(collection, added).await;
        read.push(collection);
        let asked = world.ask_within(&ada, collection, Scope::new(read.clone()), FIRE_QUESTION, None).await;
        world.end_of(asked.id).await;
        let view = world.engine.investigation_view(&ada, asked.id, 1).await.unwrap().unwrap();
        let shown = view.live.graph.unwrap_or_default().claims;
        let (of_its_documents, ..) = world.engine.graph.counts(&Scope::from(collection)).await.unwrap();
        assert_eq!(shown, of_its_documents, "{name}");
        assert_eq!(shown > 0, !added.is_empty(), "{name}");
    }
    world.close().await;
}
