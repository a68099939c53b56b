//! Suite of graph archives: a copy on any backend gives the same answers and accepts further writes.

use super::prelude::*;
use engine::{
    archive::{ArchiveStore, Digests, PageSize, RecordSource, SnapshotPages, graph},
    embeddings::VectorKind,
};

const SMALL: PageSize = PageSize { records: 3, bytes: usize::MAX };

/// Something of every kind that a graph keeps.
async fn furnish(fixture: &GraphFixture) -> Scope {
    let (home, shared) = (collection(), collection());
    let mut first = DocumentWrite::new(home, "a");
    let (lock, keeper, outlet) =
        (first.entity("Varrow Lock", "place"), first.entity("Mara Quist", "person"), first.entity("Radio Ebrin", "outlet"));
    first.write.entities[keeper].aliases = vec!["M. Quist".into()];
    first.write.entities[outlet].external_ids.insert("wikidata".into(), "Q7".into());
    first.write.outlet = Some(EntityRef::New(outlet));
    let opened = first.claim("Mara Quist opened the Varrow Lock.", &[keeper, lock]);
    let dated = first.dated("The lock was opened on Thursday.", "2031-05-02");
    first.write.claims[dated].occurred =
        DateRange::new(PartialDate::parse("2031-05-02").unwrap(), PartialDate::parse("2031-06"));
    let link = first.link(keeper, lock, "opened", &[opened]);
    let relationship = &mut first.write.relationships[link];
    (relationship.weight, relationship.bidirectional) = (Some(0.75), true);
    relationship.confidence = Some(Confidence::try_from(0.5).unwrap());
    relationship.timestamp = Timestamp::parse("2031-05-02T09:30:00.123456Z");
    (relationship.since, relationship.until) = (PartialDate::parse("2029"), PartialDate::parse("2031-05-02"));
    first.same(keeper, EntityRef::New(outlet), &[opened]);
    let update = first.update(EntityRef::New(lock), &[opened]);
    update.summary = Some("A lock on the Varrow.".into());
    update.properties.insert(PropertyKey::try_from("gates".to_owned()).unwrap(), PropertyValue::Integer(2));
    update.is_stub = Some(false);
    let written = fixture.write(&first).await;

    let mut second = mention(shared, "b", "Varrow Lock", "The lock was shut again.").beside(&[home]);
    let person = second.entity("Orrin", "person");
    let fled = second.claim("Orrin fled.", &[person]);
    second.write.claims[fled].occurred = DateRange::new(PartialDate::parse("1969-12").unwrap(), None);
    let again = second.link(0, person, "was left by", &[fled]);
    second.write.relationships[again].existing_claims = vec![ClaimId(written.claims[0].id.0)];
    // Twice: what is there stays as it is.
    fixture.write(&second).await;
    fixture.write(&first).await;
    fixture.write(&mention(shared, "c", "Orrin", "Orrin was flooded.")).await;
    let mut place = DocumentWrite::new(shared, "d");
    let orrin = place.entity("Orrin", "place");
    place.claim("Orrin lies on the Varrow.", &[orrin]);
    fixture.write(&place).await;

    let at = first.write.at;
    let (survivor, merged) = (written.entities[0].id, written.entities[1].id);
    let undone = MergeId(id());
    fixture.graph.merge(undone, survivor, written.entities[2].id, None, at).await.unwrap();
    fixture.graph.undo_merge(undone).await.unwrap();
    fixture.graph.merge(MergeId(id()), survivor, merged, Some(UserId(id())), at).await.unwrap();
    fixture.graph.remove_collection(collection()).await.unwrap();
    for kind in VectorKind::ALL {
        let texts = fixture.graph.without_vector("tiny", kind, 100).await.unwrap();
        let vectors: Vec<_> =
            texts.iter().enumerate().map(|(i, text)| (text.id, vec![0.1, i as f32, -0.25, 1.0 / 3.0])).collect();
        fixture.graph.put_vectors("tiny", kind, &vectors).await.unwrap();
    }
    Scope::new(vec![home, shared])
}

async fn pages(store: &dyn ArchiveStore, size: PageSize) -> SnapshotPages {
    SnapshotPages::new("a test".into(), graph::KINDS.to_vec(), store.snapshot().await.unwrap(), size).await.unwrap()
}

async fn digests(fixture: &GraphFixture) -> Digests {
    let store = fixture.archive_store().await;
    pages(&*store, SMALL).await.digests().await.unwrap()
}

/// Transfers twice, as after an interruption.
async fn copy_graph(from: &GraphFixture, to: &GraphFixture) {
    let (source, target) = (from.archive_store().await, to.archive_store().await);
    for size in [SMALL, PageSize { records: 100, ..SMALL }] {
        let mut pages = pages(&*source, size).await;
        while let Some(batch) = pages.next(&BTreeSet::new()).await.unwrap() {
            target.import(batch.kind, &batch.records).await.unwrap();
        }
    }
}

/// Every answer of a graph to a few questions.
async fn answers(fixture: &GraphFixture, scope: &Scope) -> String {
    let graph = &fixture.graph;
    let claims = ClaimQuery {
        text: Some("lock".into()),
        vector: Some(("tiny".into(), vec![0.1, 1.0, 0.0, 0.3])),
        candidates: 50,
        ..ClaimQuery::default()
    };
    let claims = graph.find_claims(scope, &claims).await.unwrap();
    let claims: Vec<_> = claims.into_iter().map(|hit| (hit.item, hit.text_matched, hit.similarity.is_some())).collect();
    let query = EntityQuery { text: Some("varrow orrin ebrin".into()), candidates: 50, ..EntityQuery::default() };
    let entities = graph.find_entities(scope, &query).await.unwrap();
    let entities: Vec<_> = entities.into_iter().map(|hit| (hit.item, hit.text_matched)).collect();
    let query = RelationshipQuery { text: Some("opened left".into()), candidates: 50, ..RelationshipQuery::default() };
    let links = graph.find_relationships(scope, &query).await.unwrap();
    let links: Vec<_> = links.into_iter().map(|hit| (hit.item, hit.text_matched)).collect();
    assert!(!claims.is_empty() && !entities.is_empty() && !links.is_empty());
    let reviews = (
        graph.reviews(scope, 0, 10).await.unwrap(),
        graph.merges(scope, engine::graph::ListedMerges::Named, 10).await.unwrap(),
    );
    let (counts, progress) = (fixture.counts(scope).await, graph.vector_progress("tiny").await.unwrap());
    format!("{claims:#?}\n{entities:#?}\n{links:#?}\n{reviews:#?}\n{counts:?} {progress:?}")
}

pub async fn a_graph_from_another_backend_is_imported_unchanged(fixture: &GraphFixture) {
    let source = sqlite().await.unwrap();
    let scope = furnish(&source).await;
    copy_graph(&source, fixture).await;
    let (sent, arrived) = (digests(&source).await, digests(fixture).await);
    for kind in graph::KINDS {
        assert!(sent.tally(kind).records > 0, "the test has no {kind}");
        assert_eq!(arrived.tally(kind), sent.tally(kind), "{kind}");
    }
    assert_eq!(answers(fixture, &scope).await, answers(&source, &scope).await);
    // And what is written from there on finds what has arrived.
    let known = fixture.write(&mention(scope.collections()[0], "e", "Mara Quist", "She was seen.")).await;
    assert!(!known.entities[0].is_new, "names are filed");
    source.store.close().await;
}

pub async fn a_graph_is_exported_to_another_backend_unchanged(fixture: &GraphFixture) {
    let scope = furnish(fixture).await;
    let target = sqlite().await.unwrap();
    copy_graph(fixture, &target).await;
    let (sent, arrived) = (digests(fixture).await, digests(&target).await);
    for kind in graph::KINDS {
        assert_eq!(arrived.tally(kind), sent.tally(kind), "{kind}");
    }
    assert_eq!(answers(&target, &scope).await, answers(fixture, &scope).await);
    target.store.close().await;
}
