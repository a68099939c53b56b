//! Watched objects of other features: what their watchers read of them, and the look for changes.
//!
//! Invariant: an object is shown, compared and notified of only as its kind answers for the person who watches it.

use crate::{
    settings::WatchingSettings,
    store::{ObjectChange, WatchingStore},
    watch::WatchId,
};
use domain::{ObjectId, Timestamp, UserId, user::User};
use engine::StoreResult;
use feature::{WatchedKind, WatchedObject, WatchedSign, Web};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// An object of another feature that a person watches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectWatch {
    pub id: WatchId,
    pub user: UserId,
    /// Key of its kind.
    pub kind: String,
    pub object: ObjectId,
    pub at: Timestamp,
}

/// Result of a request to watch an object.
pub enum ObjectOutcome {
    /// With the address of the object.
    Watched(String),
    NotFound,
    TooMany,
}

/// Watches an object that `user` reads.
pub async fn watch_object(web: &Web, user: &User, kind: &str, object: &str) -> StoreResult<ObjectOutcome> {
    let kind = web.watched.iter().copied().find(|one| one.key == kind);
    let (Some(kind), Ok(object)) = (kind, object.parse::<ObjectId>()) else { return Ok(ObjectOutcome::NotFound) };
    let Some(found) = (kind.find)(web.clone(), user.clone(), vec![object]).await?.pop() else {
        return Ok(ObjectOutcome::NotFound);
    };
    let signs = (kind.signs)(web.clone(), user.clone(), vec![object]).await?.pop();
    let signs = signs.map(|one| one.signs).unwrap_or_default();
    let watch = ObjectWatch {
        id: WatchId(web.engine.ids.next()),
        user: user.id,
        kind: kind.key.to_owned(),
        object,
        at: web.engine.clock.now(),
    };
    let limit = web.settings.get::<WatchingSettings>().per_person;
    let is_added = WatchingStore::new(web).add_object(&watch, &signs, limit).await?;
    Ok(if is_added { ObjectOutcome::Watched(found.href) } else { ObjectOutcome::TooMany })
}

/// Returns the kinds of some watches with those of each.
fn by_kind<'a>(web: &Web, watches: &'a [ObjectWatch]) -> Vec<(WatchedKind, Vec<&'a ObjectWatch>)> {
    let of_kind =
        |kind: &WatchedKind| -> Vec<&'a ObjectWatch> { watches.iter().filter(|watch| watch.kind == kind.key).collect() };
    let kinds = web.watched.iter().map(|kind| (*kind, of_kind(kind)));
    kinds.filter(|(_, watches)| !watches.is_empty()).collect()
}

/// Returns the ids of the objects of some watches, each once.
fn object_ids(watches: &[&ObjectWatch]) -> Vec<ObjectId> {
    let ids: BTreeSet<ObjectId> = watches.iter().map(|watch| watch.object).collect();
    ids.into_iter().collect()
}

/// Returns the objects of some watches that `viewer` reads now, by watch.
pub async fn readable_objects(
    web: &Web,
    viewer: &User,
    watches: &[ObjectWatch],
) -> StoreResult<HashMap<WatchId, WatchedObject>> {
    let mut readable = HashMap::new();
    for (kind, watches) in by_kind(web, watches) {
        let found = (kind.find)(web.clone(), viewer.clone(), object_ids(&watches)).await?;
        let found: HashMap<ObjectId, WatchedObject> = found.into_iter().map(|one| (one.id, one)).collect();
        for watch in watches {
            if let Some(object) = found.get(&watch.object) {
                readable.insert(watch.id, object.clone());
            }
        }
    }
    Ok(readable)
}

/// Returns what changed since a time in the objects that `viewer` watches and reads now, newest first.
pub async fn readable_changes(web: &Web, viewer: &User, since: Timestamp) -> StoreResult<Vec<(ObjectChange, WatchedObject)>> {
    let changes = WatchingStore::new(web).changes(viewer.id, since).await?;
    let watches: Vec<ObjectWatch> = changes.iter().map(|change| change.watch.clone()).collect();
    let objects = readable_objects(web, viewer, &watches).await?;
    let readable = |change: ObjectChange| {
        let object = objects.get(&change.watch.id)?.clone();
        Some((change, object))
    };
    Ok(changes.into_iter().filter_map(readable).collect())
}

/// Looks at the objects of one round.
pub async fn look_once(web: &Web) -> StoreResult<()> {
    look_before(web, web.engine.clock.now()).await?;
    Ok(())
}

/// Looks at every watched object, round by round, and returns the number of watches.
pub async fn look_all(web: &Web) -> StoreResult<usize> {
    let (before, mut compared) = (web.engine.clock.now(), 0);
    loop {
        match look_before(web, before).await? {
            0 => return Ok(compared),
            number => compared += number,
        }
    }
}

/// Returns the result of a step; none where it failed, which is logged: one failing watch does not stop the others.
pub fn or_logged<T>(web: &Web, result: StoreResult<T>) -> Option<T> {
    match result {
        Ok(found) => Some(found),
        Err(error) => {
            web.engine.note_failure(&error);
            tracing::warn!(%error, "look at a watch failed, retrying in the next round");
            None
        }
    }
}

/// Compares the signs of the objects of one round, last looked at before a time. Returns the number of watches.
async fn look_before(web: &Web, before: Timestamp) -> StoreResult<usize> {
    let (engine, store) = (&web.engine, WatchingStore::new(web));
    let due = store.due_objects(before, web.settings.get::<WatchingSettings>().per_round).await?;
    end_missing(web, &store, &due).await?;
    let mut people: BTreeMap<UserId, Vec<ObjectWatch>> = BTreeMap::new();
    for watch in &due {
        people.entry(watch.user).or_default().push(watch.clone());
    }
    for (user, watches) in people {
        // Of what a person reads no more, nothing is compared, until they read it again.
        let mut signs: HashMap<WatchId, Vec<WatchedSign>> = HashMap::new();
        if let Some(user) = engine.accounts.user(user).await? {
            for (kind, watches) in by_kind(web, &watches) {
                let read = (kind.signs)(web.clone(), user.clone(), object_ids(&watches)).await;
                let found = or_logged(web, read).unwrap_or_default();
                let found: HashMap<ObjectId, Vec<WatchedSign>> = found.into_iter().map(|one| (one.id, one.signs)).collect();
                for watch in watches {
                    signs.insert(watch.id, found.get(&watch.object).cloned().unwrap_or_default());
                }
            }
        }
        for watch in &watches {
            let signs = signs.get(&watch.id).map(Vec::as_slice).unwrap_or_default();
            store.record_signs(watch.id, signs, engine.clock.now()).await?;
        }
    }
    Ok(due.len())
}

/// Ends the watches of objects that are gone, and leads those of merged ones to the survivors.
async fn end_missing(web: &Web, store: &WatchingStore, watches: &[ObjectWatch]) -> StoreResult<()> {
    for (kind, watches) in by_kind(web, watches) {
        let ids = object_ids(&watches);
        let Some(existing) = or_logged(web, (kind.existing)(web.clone(), ids.clone()).await) else { continue };
        let existing: HashMap<ObjectId, ObjectId> = existing.into_iter().collect();
        for id in ids {
            match existing.get(&id) {
                Some(now) if *now == id => {}
                survivor => store.end_object(kind.key, id, survivor.copied()).await?,
            }
        }
    }
    Ok(())
}
