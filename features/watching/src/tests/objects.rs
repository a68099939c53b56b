//! Watched objects, of a kind that tests hide, merge and remove.

use super::{SCHEMAS, store};
use crate::{
    objects::{ObjectWatch, look_once},
    pages::objects::{OBJECTS, piece},
    store::WatchingStore,
    watch::WatchId,
};
use domain::{ObjectId, UserId};
use engine::StoreError;
use feature::{SignValue, Slot, WatchedKind, WatchedObject, WatchedSign, WatchedSigns, testing::TestSite};
use leptos::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
};
use testkit::{TestBackend, id};

static HIDDEN: Mutex<BTreeSet<ObjectId>> = Mutex::new(BTreeSet::new());
/// People whose ferries cannot be read.
static BROKEN: Mutex<BTreeSet<UserId>> = Mutex::new(BTreeSet::new());
/// Objects that are gone, with their survivors.
static GONE: Mutex<BTreeMap<ObjectId, Option<ObjectId>>> = Mutex::new(BTreeMap::new());

/// Ferries that sail whenever the clock moves.
const KINDS: &[WatchedKind] = &[WatchedKind {
    key: "ferry",
    title: "Ferries",
    find: |_, _, ids| {
        let ferry = |id: ObjectId| WatchedObject { id, title: "The old ferry".into(), href: format!("/ferries/{id}") };
        Box::pin(async move { Ok(readable(ids).into_iter().map(ferry).collect()) })
    },
    signs: |web, viewer, ids| {
        let value = SignValue::Latest(web.engine.clock.now());
        let signs = move |id: ObjectId| WatchedSigns { id, signs: vec![sign(value)] };
        let is_broken = BROKEN.lock().unwrap().contains(&viewer.id);
        Box::pin(async move {
            match is_broken {
                true => Err(StoreError::Invalid("a broken ferry".into())),
                false => Ok(readable(ids).into_iter().map(signs).collect()),
            }
        })
    },
    existing: |_, ids| {
        let now = |id: ObjectId| match GONE.lock().unwrap().get(&id) {
            Some(survivor) => survivor.map(|survivor| (id, survivor)),
            None => Some((id, id)),
        };
        Box::pin(async move { Ok(ids.into_iter().filter_map(now).collect()) })
    },
}];

fn readable(ids: Vec<ObjectId>) -> Vec<ObjectId> {
    let is_readable = |id: &ObjectId| !HIDDEN.lock().unwrap().contains(id) && !GONE.lock().unwrap().contains_key(id);
    ids.into_iter().filter(is_readable).collect()
}

fn sign(value: SignValue) -> WatchedSign {
    WatchedSign { name: "sailing", value, text: "The ferry sailed.".into() }
}

/// Watches a new ferry for a person.
async fn watched(backend: &TestBackend, user: UserId, signs: &[WatchedSign]) -> ObjectWatch {
    let watch = ObjectWatch { id: WatchId(id()), user, kind: "ferry".into(), object: ObjectId(id()), at: backend.now() };
    assert!(store(backend).add_object(&watch, signs, 5).await.unwrap());
    watch
}

pub async fn objects_are_watched_once_within_the_limit(backend: &TestBackend) {
    let store = &store(backend);
    let ada = backend.user("ada").await;
    let first = watched(backend, ada, &[]).await;
    let again = ObjectWatch { id: WatchId(id()), ..first.clone() };
    let other = ObjectWatch { object: ObjectId(id()), ..again.clone() };
    assert!(store.add_object(&again, &[], 1).await.unwrap(), "once is enough");
    assert!(!store.add_object(&other, &[], 1).await.unwrap(), "the limit holds");
    assert_eq!(store.objects(ada).await.unwrap(), std::slice::from_ref(&first));
    assert_eq!(store.objects(backend.user("bob").await).await.unwrap(), []);
    let survivor = ObjectId(id());
    store.end_object("ferry", first.object, Some(survivor)).await.unwrap();
    assert_eq!(store.objects(ada).await.unwrap(), [ObjectWatch { object: survivor, ..first }]);
    store.end_object("ferry", survivor, None).await.unwrap();
    assert_eq!(store.objects(ada).await.unwrap(), []);
}

pub async fn a_sign_changes_with_another_state_or_a_later_time(backend: &TestBackend) {
    let store = &store(backend);
    let (ada, start) = (backend.user("ada").await, backend.now());
    let latest = |ms: i64| [sign(SignValue::Latest(start.plus_ms(ms)))];
    let state = |number: i64| [sign(SignValue::State(number))];
    for (before, after, is_change) in [
        (latest(5), latest(5), false),
        (latest(5), latest(3), false),
        (latest(5), latest(6), true),
        (state(5), state(5), false),
        (state(5), state(3), true),
    ] {
        let watch = watched(backend, ada, &before).await;
        let now = backend.now().plus_ms(9);
        assert_eq!(store.due_objects(now, 9).await.unwrap().last(), Some(&watch));
        store.record_signs(watch.id, &after, now).await.unwrap();
        assert_eq!(store.due_objects(now, 9).await.unwrap(), []);
        let changes = store.changes(ada, start).await.unwrap();
        assert_eq!(changes.iter().any(|change| change.watch == watch && change.at == now), is_change, "{before:?} {after:?}");
    }
    assert_eq!(store.count_unseen(ada).await.unwrap().changes, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watch_that_fails_does_not_stop_the_others() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let site = TestSite::new(crate::feature().watched(KINDS), &backend);
    let (ada, bob, start) = (backend.user("ada").await, backend.user("bob").await, backend.now());
    for user in [ada, bob] {
        watched(&backend, user, &[sign(SignValue::Latest(start))]).await;
    }
    BROKEN.lock().unwrap().insert(ada);
    backend.clock.forward_ms(1_000);
    look_once(&site.web).await.unwrap();
    let changes = async |user: UserId| store(&backend).changes(user, start).await.unwrap().len();
    assert_eq!((changes(ada).await, changes(bob).await), (0, 1));
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_a_watched_object_are_shown_while_its_person_reads_it() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let site = TestSite::new(crate::feature().watched(KINDS), &backend);
    let user = backend.user("ada").await;
    let ada = site.signed_in(user).await;
    let (first, second) = (ObjectId(id()), ObjectId(id()));
    let watch = async |kind: &str, object: ObjectId| {
        ada.post(OBJECTS, &[("kind", kind), ("object", &object.to_string())]).await.location().to_owned()
    };
    let look = async || {
        backend.clock.forward_ms(1_000);
        look_once(&site.web).await.unwrap();
        ada.get("/watching").await.text()
    };
    assert_eq!(watch("boat", first).await, "/watching?error=not_found");
    assert_eq!(watch("ferry", first).await, format!("/ferries/{first}"));
    let list = ada.get("/watching").await.text();
    assert!(list.contains("Ferries") && list.contains("Nothing changed yet"), "{list}");
    let list = look().await;
    assert!(list.contains("The ferry sailed.") && list.contains("Notifications, 1 new"), "{list}");
    let notifications = ada.get("/notifications").await.text();
    assert!(notifications.contains("The ferry sailed.") && notifications.contains("The old ferry"), "{notifications}");

    HIDDEN.lock().unwrap().insert(first);
    assert_eq!(watch("ferry", first).await, "/watching?error=not_found");
    let list = look().await;
    assert!(list.contains("may read no more") && !list.contains("ferry"), "{list}");
    assert!(!ada.get("/notifications").await.text().contains("ferry"));
    HIDDEN.lock().unwrap().remove(&first);

    let store = WatchingStore::from(backend.store.clone());
    GONE.lock().unwrap().insert(first, Some(second));
    look().await;
    let watches = store.objects(user).await.unwrap();
    assert_eq!(watches.iter().map(|watch| watch.object).collect::<Vec<_>>(), [second], "it goes on with the survivor");
    let form = [("watch", &*watches[0].id.to_string()), ("back", "1")];
    let bob = site.signed_in(backend.user("bob").await).await;
    assert_eq!(bob.post("/watching/objects/remove", &form).await.location(), "/watching?error=not_found");
    assert_eq!(ada.post("/watching/objects/remove", &form).await.location(), format!("/ferries/{second}"));
    assert_eq!(watch("ferry", second).await, format!("/ferries/{second}"));
    GONE.lock().unwrap().insert(second, None);
    assert!(!look().await.contains("Ferries"), "it goes with its object");
    backend.close().await;
}

#[test]
fn the_button_of_an_object_names_it() {
    let (kind, title) = ("ferry", "The old ferry".to_owned());
    let place = Slot::Object { viewer: UserId(id()), kind, object: ObjectId(id()), title };
    let html = Owner::new().with(|| piece(&place).map(|piece| piece.to_html()).unwrap_or_default());
    assert!(html.contains("aria-label=\"Watch The old ferry\""), "{html}");
}
