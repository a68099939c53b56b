//! A whole installation goes into an archive and comes out the same; stopped anywhere it goes on; what is damaged is refused.

use super::{prelude::*, world::SeededIds};
use adapters::{
    embed::HashingEmbedder,
    graph::{EmbeddedArchive, GraphConfig, SqliteGraph},
    sql::Store,
};
use domain::{
    ContestId, MergeId, NoteId, TeamId,
    annotation::{Contest, ContestedItem, ContestedValue, Exclusion, Note, Tag},
    document::{Credits, DocumentDetails},
    fetch::FeedGroup,
    team::Team,
    visibility::Visibility,
};
use engine::{
    Ids, StoreError,
    archive::{
        ArchiveRecord, ArchiveStore, CombinedStore, Digests, ImportRun, ImportState, PageSize, RecordKind, RecordSource,
        Snapshot, SnapshotPages, TransferConfig, TransferError, TransferReport, TransferStep, copy,
        file::{ArchiveSource, Manifest, Writer, check, write},
        graph,
    },
    embeddings::{Embedder, backfill_once},
    graph::{ClaimQuery, EntityProposal, EntityRef, GraphWrite, NewClaim, NewRelationship, Resolve, resolve::Cascade},
    investigations::{Investigations, ManageAccess},
    library::{Capture, CreditedDocument},
    teams::TeamChange,
};

const ALL: PageSize = PageSize { records: 1_000, bytes: usize::MAX };

fn archive_store(world: &World) -> Arc<dyn ArchiveStore> {
    let graph = SqliteGraph::new(&world.store, GraphConfig::default()).unwrap();
    Arc::new(EmbeddedArchive::new(world.store.clone(), graph, Arc::new(Cascade::default())))
}

/// A world after an investigation, with merges, vectors, a removed collection and a file that could not be read.
async fn furnished(folder: &Folder) -> (World, Investigation) {
    let mut world = World::open(folder, 71, |_| {}).await;
    let (investigation, _) = world.investigate(&three_reports(), FIRE_QUESTION).await;
    assert_eq!(investigation.progress.status, Status::Completed);
    let engine = &world.engine;
    let at = engine.clock.now();
    let rejected = [RejectedFile { path: "bad.pdf".into(), reason: "encrypted".into() }];
    engine.documents.add_rejected(investigation.collection_id, Some(investigation.id), &rejected).await.unwrap();
    let query = EntityQuery { candidates: 50, ..EntityQuery::default() };
    let found = engine.graph.find_entities(&investigation.scope, &query).await.unwrap();
    let found: Vec<EntityId> = found.into_iter().map(|candidate| candidate.item.id).collect();
    assert!(found.len() >= 4, "{found:?}");
    let ids: Vec<MergeId> = (0..3).map(|_| MergeId(engine.ids.next())).collect();
    engine.graph.merge(ids[0], found[0], found[1], None, at).await.unwrap();
    engine.graph.merge(ids[1], found[2], found[0], None, at).await.unwrap();
    engine.graph.merge(ids[2], found[2], found[3], None, at).await.unwrap();
    engine.graph.undo_merge(ids[2]).await.unwrap();
    engine.graph.remove_collection(CollectionId(engine.ids.next())).await.unwrap();
    let manager = ManageAccess { user: investigation.owner, scope: Scope::default() };
    engine.investigations.archive(&[investigation.id], &manager, Some(at)).await.unwrap();
    let later = Investigation { id: InvestigationId(engine.ids.next()), ..investigation.clone() };
    engine.investigations.add(&later).await.unwrap();
    engine.investigations.join_thread(later.id, investigation.id, FollowKind::Rerun).await.unwrap();
    annotated(engine, &investigation).await;
    make_visible(&world, &investigation).await;
    searched(engine, &investigation).await;
    credited(engine, &investigation).await;
    let embedder = HashingEmbedder::new(24);
    while backfill_once(&*engine.graph, &embedder, 40).await.unwrap().pending > 0 {}
    (world, investigation)
}

/// Annotations of the assessment.
async fn annotated(engine: &Engine, investigation: &Investigation) {
    let stored = engine.assessments.of_investigation(&investigation.scope, investigation.id).await.unwrap().unwrap();
    let (assessment, user, at) = (stored.assessment.id, investigation.owner, engine.clock.now());
    let exclusion = Exclusion { marker: 1, reason: "a forgery".into(), by: user, name: String::new(), at };
    engine.annotations.exclude(assessment, &exclusion).await.unwrap();
    let contest = Contest {
        id: ContestId(engine.ids.next()),
        item: ContestedItem::Likelihood("J1".into()),
        value: ContestedValue::Percent(35),
        reason: "the log".into(),
        by: user,
        name: String::new(),
        at,
    };
    let limits = &engine.config.annotations;
    assert!(engine.annotations.contest(assessment, &contest, limits).await.unwrap());
    let cited = stored.assessment.citations[0].document_id;
    for subject in [assessment.into(), cited.into()] {
        assert!(engine.annotations.tag(subject, &Tag::parse("Harbour").unwrap(), user, at, limits).await.unwrap());
        let note = Note { id: NoteId(engine.ids.next()), text: "ask Ada".into(), by: user, name: String::new(), at };
        assert!(engine.annotations.note(subject, &note, limits).await.unwrap());
    }
    assert_eq!(engine.documents.archive_documents(&[cited], user, at).await.unwrap(), [cited]);
}

/// A team that may read the report, with somebody who joined and somebody who is invited.
async fn make_visible(world: &World, investigation: &Investigation) {
    let engine = &world.engine;
    let (id, created_by, at) = (TeamId(engine.ids.next()), investigation.owner, engine.clock.now());
    let entry = AuditEntry { at, user: None, act: "create_team".into(), object: "North".into(), address: None };
    let team = Team { id, name: "North".into(), created_by, created_at: at };
    assert!(engine.teams.add_team(&team, &entry).await.unwrap());
    let (joined, invited) = (world.person("bea").await.id, world.person("cem").await.id);
    for change in [TeamChange::Add(joined), TeamChange::Invite { person: invited, by: created_by }] {
        assert!(engine.teams.change_team(id, &change, &entry).await.unwrap());
    }
    engine.teams.set_visibility(investigation.id, Visibility::Team(id), &entry).await.unwrap();
    engine.teams.open_collection(investigation.collection_id, Some(id), &entry).await.unwrap();
}

/// A source that answered and led to a document, and a feed that somebody added.
async fn searched(engine: &Engine, investigation: &Investigation) {
    let (log, at, address) = (&engine.source_log, engine.clock.now(), "https://press.example/1".to_owned());
    let entry = AuditEntry { at, user: None, act: "switch_source".into(), object: "press".into(), address: None };
    log.switch_source("press", true, &entry).await.unwrap();
    log.source_answered("press", at, std::slice::from_ref(&address)).await.unwrap();
    let documents =
        engine.documents.list(&investigation.scope, &DocumentQuery { limit: 1, ..DocumentQuery::default() }).await.unwrap();
    log.address_led_to(&address, &[documents.documents[0].id]).await.unwrap();
    log.documents_yielded(&[(documents.documents[0].id, 2)]).await.unwrap();
    let feed = FeedEntry {
        title: "Press".into(),
        address: "https://press.example/feed".into(),
        group: FeedGroup::Outlets,
        region: "world".into(),
        language: "en".into(),
    };
    assert_eq!(log.add_feeds(&[feed], &entry).await.unwrap(), 1);
}

async fn credited(engine: &Engine, investigation: &Investigation) {
    let query = DocumentQuery { limit: 1, ..DocumentQuery::default() };
    let document = engine.documents.list(&investigation.scope, &query).await.unwrap().documents.remove(0);
    let credits = Credits { agency: Some("Coastal Wire".into()), byline: Some("Ana Lind".into()) };
    engine.documents.add_credits(&[CreditedDocument::new(&document, credits, &*engine.resolve)]).await.unwrap();
    let bytes = engine.documents.bytes(&investigation.scope, document.id).await.unwrap().unwrap();
    let text = engine.documents.texts(&investigation.scope, &[document.id]).await.unwrap().remove(0).text;
    let details = DocumentDetails { byline: Some("Ana Lind".into()), ..DocumentDetails::default() };
    engine.documents.add_documents(&[Capture { document, bytes, text, details }]).await.unwrap();
}

async fn archive_of(store: &dyn ArchiveStore, config: &TransferConfig) -> (Vec<u8>, Manifest) {
    let mut pages =
        SnapshotPages::new("here".into(), store.kinds(), store.snapshot().await.unwrap(), config.page()).await.unwrap();
    let mut writer = Writer::new(Vec::new(), "0.0.0", "a test".into(), Timestamp::from_micros(1_900_000_000_000_000)).unwrap();
    write(&mut writer, &mut pages, &mut |_| {}).await.unwrap();
    let (written, bytes) = writer.finish().unwrap();
    (bytes, written.manifest)
}

fn source(archive: &[u8], target: &Arc<dyn ArchiveStore>) -> Result<ArchiveSource<std::io::Cursor<Vec<u8>>>, TransferError> {
    let checked = check(archive, &**target, &mut |_| {})?;
    ArchiveSource::new(std::io::Cursor::new(archive.to_vec()), checked, target.clone())
}

async fn restore(archive: &[u8], world: &World, target: &Arc<dyn ArchiveStore>) -> Result<TransferReport, TransferError> {
    let mut source = source(archive, target)?;
    copy(&mut source, &**target, &world.store, &*world.engine.clock, &small(), &mut |_| {}).await
}

/// Small batches, so that there are many.
const fn small() -> TransferConfig {
    TransferConfig { batch_records: 40, batch_kib: 64 }
}

async fn digests(store: &dyn ArchiveStore) -> Digests {
    let snapshot = store.snapshot().await.unwrap();
    SnapshotPages::new("here".into(), store.kinds(), snapshot, ALL).await.unwrap().digests().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_archive_gives_everything_back() {
    let (world, investigation) = furnished(&folder()).await;
    let before = archive_store(&world);
    let (archive, manifest) = archive_of(&*before, &small()).await;
    for kind in before.kinds() {
        let empty = [
            "secrets",
            "model_choices",
            "trials",
            "model_calls",
            "reviews",
            "audit_log",
            "web_captures",
            "citation_watch",
            "session_addresses",
            "investigation_addresses",
            "plan_changes",
        ];
        assert!(manifest.kinds[kind.0].records > 0 || empty.contains(&kind.0), "the test has no {kind}");
    }
    let other = World::new(72).await;
    let after = archive_store(&other);
    let received = restore(&archive, &other, &after).await.unwrap();
    assert!(!received.resumed);
    assert_eq!(digests(&*before).await, digests(&*after).await);
    assert_eq!(archive_of(&*after, &small()).await.1.kinds, manifest.kinds, "and it can go on from there");

    let (was, is) = (world.assessment(&investigation).await, other.assessment(&investigation).await);
    assert_eq!(serde_json::to_string(&was.assessment).unwrap(), serde_json::to_string(&is.assessment).unwrap());
    same_answers(&world, &other, &investigation.scope).await;
    let again = restore(&archive, &other, &after).await;
    assert!(matches!(&again, Err(TransferError::NotEmpty { .. })), "{again:?}");
    other.close().await;
    world.close().await;
}

/// Both stores give the same answers.
async fn same_answers(one: &World, other: &World, scope: &Scope) {
    let (a, b) = (&one.engine, &other.engine);
    assert_eq!(a.graph.counts(scope).await.unwrap(), b.graph.counts(scope).await.unwrap());
    let vector = HashingEmbedder::new(24).embed(&["who set the fire".into()]).await.unwrap().remove(0);
    let claims = ClaimQuery {
        text: Some("Tolm depot fire".into()),
        vector: Some(("hashing".into(), vector)),
        candidates: 50,
        ..ClaimQuery::default()
    };
    let found = |engine: &Engine| {
        let (graph, scope, claims) = (engine.graph.clone(), scope.clone(), claims.clone());
        async move {
            let found = graph.find_claims(&scope, &claims).await.unwrap();
            found.into_iter().map(|hit| (hit.item, hit.text_matched, hit.similarity.map(f64::to_bits))).collect::<Vec<_>>()
        }
    };
    let (was, is) = (found(a).await, found(b).await);
    assert!(was.iter().any(|(_, text, similarity)| *text && similarity.is_some()));
    assert_eq!(was, is);
    let query = EntityQuery { candidates: 100, ..EntityQuery::default() };
    let entities = |found: Vec<engine::graph::Candidate<domain::entity::Entity>>| {
        found.into_iter().map(|hit| hit.item).collect::<Vec<_>>()
    };
    let was = entities(a.graph.find_entities(scope, &query).await.unwrap());
    assert_eq!(was, entities(b.graph.find_entities(scope, &query).await.unwrap()));
    assert!(was.iter().all(|entity| !entity.embedding_pending), "vectors came along");
    let proposal = EntityProposal::new(&*a.ids, &was[0].canonical_name, &was[0].kind);
    let cascade = Cascade::default();
    let known = a.graph.match_candidates(scope, std::slice::from_ref(&proposal), &cascade).await.unwrap();
    assert!(!known[0].is_empty(), "names are filed");
    assert_eq!(known, b.graph.match_candidates(scope, &[proposal], &cascade).await.unwrap());
    let words = DocumentQuery { text: Some("inspector".into()), limit: 10, ..DocumentQuery::default() };
    let (was, is) = (a.documents.list(scope, &words).await.unwrap(), b.documents.list(scope, &words).await.unwrap());
    assert_eq!((was.documents, was.total), (is.documents, is.total));
}

/// Dies before or after one of the writes.
struct FailingArchive {
    inner: Arc<dyn ArchiveStore>,
    /// Only writes of this kind are counted.
    only: Option<RecordKind>,
    fatal: u64,
    passed: AtomicU64,
}

impl FailingArchive {
    fn at(inner: &Arc<dyn ArchiveStore>, fatal: u64) -> Self {
        Self { inner: inner.clone(), only: None, fatal, passed: AtomicU64::new(0) }
    }

    fn point(&self, kind: Option<RecordKind>) -> StoreResult<()> {
        if self.only.is_some() && self.only != kind {
            return Ok(());
        }
        match self.passed.fetch_add(1, Ordering::SeqCst) == self.fatal {
            true => Err(StoreError::Unavailable("killed".into())),
            false => Ok(()),
        }
    }
}

#[async_trait]
impl ArchiveStore for FailingArchive {
    fn kinds(&self) -> Vec<RecordKind> {
        self.inner.kinds()
    }

    async fn snapshot(&self) -> StoreResult<Box<dyn Snapshot>> {
        self.point(None)?;
        self.inner.snapshot().await
    }

    async fn import(&self, kind: RecordKind, records: &[ArchiveRecord]) -> StoreResult<()> {
        self.point(Some(kind))?;
        self.inner.import(kind, records).await?;
        self.point(Some(kind))
    }

    fn canonical(&self, kind: RecordKind, line: &str) -> StoreResult<String> {
        self.inner.canonical(kind, line)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_restore_killed_at_any_point_continues_and_ends_identical() {
    let (world, _) = furnished(&folder()).await;
    let before = archive_store(&world);
    let expected = digests(&*before).await;
    let (archive, _) = archive_of(&*before, &small()).await;
    let template = folder();
    World::open(&template, 1, |_| {}).await.close().await;
    let mut points = 0;
    loop {
        let other = World::open(&super::kill::copy(&template), 73, |_| {}).await;
        let target = archive_store(&other);
        let doomed = FailingArchive::at(&target, points);
        let mut whole = source(&archive, &target).unwrap();
        let died = copy(&mut whole, &doomed, &other.store, &*other.engine.clock, &small(), &mut |_| {}).await;
        if died.is_ok() {
            other.close().await;
            break;
        }
        let begun = other.store.last_import().await.unwrap();
        assert!(begun.is_none_or(|arrival| arrival.ended_at.is_none()), "half of it never counts as all");
        restore(&archive, &other, &target).await.unwrap_or_else(|error| panic!("point {points}: {error}"));
        assert_eq!(digests(&*target).await, expected, "point {points}");
        assert!(other.store.last_import().await.unwrap().unwrap().ended_at.is_some());
        other.close().await;
        points += super::kill::kill_step() as u64;
    }
    println!("{points} kill points, resumed to an identical end");
    assert!(points > 50, "{points}");
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_restore_needs_an_empty_target_or_one_interrupted_from_the_same_archive() {
    let (world, _) = furnished(&folder()).await;
    let before = archive_store(&world);
    let (archive, _) = archive_of(&*before, &small()).await;
    let other = World::new(74).await;
    let target = archive_store(&other);
    other.person("bob").await;
    let refused = restore(&archive, &other, &target).await;
    assert!(matches!(&refused, Err(TransferError::NotEmpty { kind: RecordKind("users"), records: 1 })), "{refused:?}");
    let third = World::new(75).await;
    third.store.begin_import("another archive", third.engine.clock.now()).await.unwrap();
    let refused = restore(&archive, &third, &archive_store(&third)).await;
    assert!(matches!(&refused, Err(TransferError::HalfFilled { source_id }) if source_id == "another archive"), "{refused:?}");
    for world in [world, other, third] {
        world.close().await;
    }
}

/// A store on which somebody begins to work in the very moment in which it is noted that it is being filled.
struct BegunOn<'a>(&'a Store);

#[async_trait]
impl ImportState for BegunOn<'_> {
    async fn workers(&self, now: Timestamp) -> StoreResult<usize> {
        self.0.workers(now).await
    }

    async fn last_import(&self) -> StoreResult<Option<ImportRun>> {
        self.0.last_import().await
    }

    async fn begin_import(&self, source: &str, at: Timestamp) -> StoreResult<()> {
        self.0.begin_import(source, at).await?;
        begin_to_work(self.0, at).await;
        Ok(())
    }

    async fn cancel_import(&self, source: &str) -> StoreResult<()> {
        self.0.cancel_import(source).await
    }

    async fn end_import(&self, source: &str, at: Timestamp) -> StoreResult<()> {
        self.0.end_import(source, at).await
    }
}

const WORKER: HolderId = HolderId(Uuid::from_u128(7));

/// As a worker that has been killed afterwards.
async fn begin_to_work(store: &Store, at: Timestamp) {
    store.register_holder(WORKER, ProcessRole::WorkerOnly, at.plus_ms(60_000)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_restore_refuses_a_store_in_use() {
    let (world, _) = furnished(&folder()).await;
    let (archive, _) = archive_of(&*archive_store(&world), &small()).await;
    let other = World::new(76).await;
    let target = archive_store(&other);
    begin_to_work(&other.store, other.engine.clock.now()).await;
    let refused = restore(&archive, &other, &target).await;
    assert!(matches!(refused, Err(TransferError::InUse { workers: 1 })), "{refused:?}");
    assert!(other.store.last_import().await.unwrap().is_none(), "what was refused at once left no trace");

    let third = World::new(77).await;
    let target = archive_store(&third);
    let (mut from, clock) = (source(&archive, &target).unwrap(), third.engine.clock.clone());
    let refused = copy(&mut from, &*target, &BegunOn(&third.store), &*clock, &small(), &mut |_| {}).await;
    assert!(matches!(refused, Err(TransferError::InUse { workers: 1 })), "{refused:?}");
    assert!(third.store.last_import().await.unwrap().is_none(), "who was there first can go on, and start again");
    third.store.register_holder(WORKER, ProcessRole::WorkerOnly, clock.now()).await.unwrap();
    restore(&archive, &third, &target).await.unwrap();
    for world in [world, other, third] {
        world.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_damaged_or_cut_archive_is_refused_and_the_part_is_named() {
    let (world, _) = furnished(&folder()).await;
    let target = archive_store(&world);
    let (archive, manifest) = archive_of(&*target, &small()).await;
    let refuse = |bytes: &[u8]| check(bytes, &*target, &mut |_| {}).err();
    assert!(refuse(&archive).is_none());
    let ids = SeededIds::by(5);
    let mut harmless = 0;
    for _ in 0..400 {
        let draw = ids.next().as_u128();
        let (place, bit) = ((draw >> 32) as usize % archive.len(), (draw & 7) as u32);
        let mut flipped = archive.clone();
        flipped[place] ^= 1 << bit;
        match refuse(&flipped) {
            Some(TransferError::Damaged { part, .. }) => assert!(!part.is_empty()),
            Some(TransferError::Truncated { .. } | TransferError::NotAnArchive(_) | TransferError::Newer { .. }) => {}
            Some(other) => panic!("{place} {bit}: {other}"),
            // The padding behind an entry and the blocks at the end hold nothing.
            None => {
                assert_eq!(archive[place], 0, "a flip at {place} was not seen");
                harmless += 1;
            }
        }
    }
    println!("400 flipped bits: {} refused, {harmless} where nothing is kept", 400 - harmless);
    for cut in [0, 100, 511, 512, 5_000, archive.len() / 2, archive.len() - 3_000] {
        let refused = refuse(&archive[..cut]);
        assert!(
            matches!(refused, Some(TransferError::Truncated { .. } | TransferError::NotAnArchive(_))),
            "{cut}: {refused:?}"
        );
    }
    let part = &manifest.parts[manifest.parts.len() / 2];
    let first = archive.windows(part.name.len()).position(|name| name == part.name.as_bytes()).unwrap();
    let mut flipped = archive.clone();
    flipped[first + 520] ^= 1;
    let said = refuse(&flipped).unwrap().to_string();
    assert!(said.contains(&part.name) && said.contains("use another copy"), "{said}");
    world.close().await;
}

#[tokio::test]
async fn a_newer_format_and_a_foreign_file_are_distinguished() {
    let world = World::new(76).await;
    let target = archive_store(&world);
    let (archive, _) = archive_of(&*target, &small()).await;
    let refuse = |bytes: &[u8]| check(bytes, &*target, &mut |_| {}).err().map(|error| error.to_string()).unwrap_or_default();
    let place = archive.windows(11).position(|text| text == b"\"format\": 1").unwrap();
    let mut newer = archive.clone();
    newer[place + 10] = b'7';
    assert!(refuse(&newer).contains("format 7"), "{}", refuse(&newer));
    assert!(refuse(&newer).contains("update autosint"));
    assert!(refuse(b"PK\x03\x04 some zip file").contains("not an autosint archive"));
    assert!(refuse(b"").contains("not an autosint archive"));
    world.close().await;
}

/// A document of eight claims and four keepers, one of whom relieves another.
fn a_document(engine: &Engine, collection: CollectionId, number: usize) -> GraphWrite {
    let ids = &*engine.ids;
    let keeper = |n: usize| format!("Keeper {} of lock {}", (number * 7 + n * 3) % 97, (number + n) % 89);
    let claim = |n: u64| {
        let content = format!("Keeper saw barge {n} pass lock {} on day {number}", number % 89);
        NewClaim::quoted(ClaimId(ids.next()), &content, n * 100, vec![EntityRef::New(n as usize % 4)])
    };
    let (id, source, target) = (RelationshipId(ids.next()), EntityRef::New(0), EntityRef::New(1));
    let relieves = NewRelationship::new(id, source, target, "relieves at the lock", vec![0]);
    GraphWrite {
        entities: (0..4).map(|n| EntityProposal::new(ids, &keeper(n), "person")).collect(),
        claims: (0..8).map(claim).collect(),
        relationships: vec![NewRelationship { weight: Some(0.25), ..relieves }],
        ..GraphWrite::new(DocumentId(ids.next()), collection, format!("{number:06}"), engine.clock.now())
    }
}

/// Many of them.
async fn fill(world: &World, documents: usize) {
    let person = world.person("ada").await;
    let collection = world.collection(&person).await;
    let cascade: Arc<dyn Resolve> = Arc::new(Cascade::default());
    for number in 0..documents {
        world.engine.graph.write(&[a_document(&world.engine, collection, number)], &*cascade).await.unwrap();
    }
}

/// Changes of others to a graph before it is read.
enum Meanwhile {
    Grow,
    /// When it is read for the second time.
    Shrink,
}

/// A graph beside a state elsewhere, on which others work.
struct SharedGraph {
    inner: Arc<dyn ArchiveStore>,
    engine: Engine,
    collection: CollectionId,
    meanwhile: Meanwhile,
    /// Number of times it was looked at.
    looks: AtomicU64,
}

impl SharedGraph {
    fn new(world: &World, collection: CollectionId, meanwhile: Meanwhile) -> Self {
        Self { inner: archive_store(world), engine: world.engine.clone(), collection, meanwhile, looks: AtomicU64::default() }
    }
}

#[async_trait]
impl ArchiveStore for SharedGraph {
    fn kinds(&self) -> Vec<RecordKind> {
        graph::KINDS.to_vec()
    }

    async fn snapshot(&self) -> StoreResult<Box<dyn Snapshot>> {
        match (&self.meanwhile, self.looks.fetch_add(1, Ordering::SeqCst)) {
            (Meanwhile::Grow, _) => {
                let mut write = a_document(&self.engine, self.collection, 1);
                write.entities[0] = EntityProposal::new(&*self.engine.ids, "Oskar Feld", "person");
                self.engine.graph.write(&[write], &Cascade::default()).await?;
            }
            (Meanwhile::Shrink, 1) => self.engine.graph.remove_collection(self.collection).await?,
            (Meanwhile::Shrink, _) => {}
        }
        self.inner.snapshot().await
    }

    async fn import(&self, kind: RecordKind, records: &[ArchiveRecord]) -> StoreResult<()> {
        self.inner.import(kind, records).await
    }

    fn canonical(&self, kind: RecordKind, line: &str) -> StoreResult<String> {
        self.inner.canonical(kind, line)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_graph_that_loses_a_collection_during_the_export_is_exported_again() {
    let (world, investigation) = furnished(&folder()).await;
    let graph = SharedGraph::new(&world, investigation.collection_id, Meanwhile::Shrink);
    let both = CombinedStore::new(Arc::new(world.store.clone()), Arc::new(graph));
    let read = || async {
        let pages = SnapshotPages::new("here".into(), both.kinds(), both.snapshot().await.unwrap(), ALL).await;
        pages.unwrap().digests().await
    };
    let refused = read().await;
    assert!(matches!(refused, Err(TransferError::Store(StoreError::Stale(_)))), "{refused:?}");
    assert!(read().await.is_ok(), "what was removed before is no reason");
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_graph_that_grows_during_the_export_has_no_dangling_references() {
    let (world, investigation) = furnished(&folder()).await;
    let before = digests(&*archive_store(&world)).await;
    let graph = SharedGraph::new(&world, investigation.collection_id, Meanwhile::Grow);
    let both = CombinedStore::new(Arc::new(world.store.clone()), Arc::new(graph));
    let (archive, _) = archive_of(&both, &small()).await;
    let other = World::new(79).await;
    let target = archive_store(&other);
    restore(&archive, &other, &target).await.unwrap();
    let after = digests(&*target).await;
    let late = digests(&*archive_store(&world)).await;
    for kind in [graph::DOCUMENTS, graph::CLAIMS, graph::RELATIONSHIPS] {
        assert_eq!(after.tally(kind), before.tally(kind), "{kind}");
        assert!(late.tally(kind).records > before.tally(kind).records, "{kind}");
    }
    // Oskar Feld has more evidence by now, but not here.
    assert_eq!(after.tally(graph::FACTS).records, before.tally(graph::FACTS).records);
    other.close().await;
    world.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_claims_stopped_in_the_middle_end_identical() {
    let world = World::new(77).await;
    fill(&world, 125).await;
    let embedder = HashingEmbedder::new(24);
    while backfill_once(&*world.engine.graph, &embedder, 4_000).await.unwrap().pending > 0 {}
    let before = archive_store(&world);
    let expected = digests(&*before).await;
    assert_eq!(expected.tally(graph::CLAIMS).records, 1_000);
    let other = World::new(78).await;
    let target = archive_store(&other);
    let config = TransferConfig { batch_records: 100, ..TransferConfig::default() };
    let begun = Instant::now();
    let pages = || async {
        SnapshotPages::new("the old one".into(), before.kinds(), before.snapshot().await.unwrap(), config.page()).await.unwrap()
    };
    let doomed = FailingArchive { only: Some(graph::CLAIMS), ..FailingArchive::at(&target, 11) };
    let died = copy(&mut pages().await, &doomed, &other.store, &*other.engine.clock, &config, &mut |_| {}).await;
    assert!(died.is_err());
    let there = digests(&*target).await.tally(graph::CLAIMS).records;
    assert!((1..1_000).contains(&there), "{there}");
    let mut skipped = 0;
    let mut on_step = |step| skipped += u64::from(matches!(step, TransferStep::Skipped(_, records) if records > 0));
    let received = copy(&mut pages().await, &*target, &other.store, &*other.engine.clock, &config, &mut on_step).await;
    assert!(received.unwrap().resumed && skipped > 0);
    println!("1,000 claims carried, stopped at {there} and resumed, in {:.1} s", begun.elapsed().as_secs_f64());
    assert_eq!(digests(&*target).await, expected);
    let counts: BTreeMap<&str, u64> = target.kinds().iter().map(|kind| (kind.0, expected.tally(*kind).records)).collect();
    println!("{counts:?}");
    other.close().await;
    world.close().await;
}
