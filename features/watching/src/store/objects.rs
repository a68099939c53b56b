//! Statements on watched objects of other features.

use super::WatchingStore;
use crate::{objects::ObjectWatch, watch::WatchId};
use adapters::sql::{execute, read, rows, types::Moment, values, write};
use domain::{ObjectId, Timestamp, UserId};
use engine::StoreResult;
use feature::{SignValue, WatchedSign};
use uuid::Uuid;

/// Change of a sign of a watched object. Its words name nothing of the object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectChange {
    pub watch: ObjectWatch,
    pub text: String,
    pub at: Timestamp,
}

/// Adds a watch while the person has fewer than `$6`.
const ADD: &str = "
    insert into watched_objects (id, user_id, kind, object_id, watched_at, looked_at)
    select $1, $2, $3, $4, $5, $5
     where (select count(*) from watched_objects w where w.user_id = $2) < $6
    on conflict (user_id, kind, object_id) do nothing";
const IS_WATCHED: &str = "select exists (select 1 from watched_objects where user_id = $1 and kind = $2 and object_id = $3)";
const OF_PERSON: &str = "
    select w.id, w.user_id, w.kind, w.object_id, w.watched_at from watched_objects w
     where w.user_id = $1 order by w.watched_at desc, w.id desc";
const DUE: &str = "
    select w.id, w.user_id, w.kind, w.object_id, w.watched_at from watched_objects w where w.looked_at < $1
     order by w.looked_at, w.id limit $2";
/// Stores a sign `$2` with the time `$5` of its change. A known one changes to another value if `$6`, else to a higher one.
const PUT_SIGN: &str = "
    insert into watched_signs (watch_id, name, value, words, changed_at)
    select w.id, $2, $3, $4, $5 from watched_objects w where w.id = $1
    on conflict (watch_id, name) do update
    set value = excluded.value, words = excluded.words, changed_at = excluded.changed_at
    where watched_signs.value < excluded.value or ($6 and watched_signs.value <> excluded.value)";
const CHANGES: &str = "
    select w.id, w.user_id, w.kind, w.object_id, w.watched_at, s.words, s.changed_at
      from watched_signs s join watched_objects w on w.id = s.watch_id
     where w.user_id = $1 and s.changed_at > $2
     order by s.changed_at desc, w.id, s.name";
/// Gives the watches of an object to the one that it became part of, unless their person watches that one, too.
const FOLLOW: &str = "
    update watched_objects set object_id = $3
     where kind = $1 and object_id = $2
       and not exists (select 1 from watched_objects o
                        where o.user_id = watched_objects.user_id and o.kind = $1 and o.object_id = $3)";

#[derive(sqlx::FromRow)]
struct ObjectRow {
    id: Uuid,
    user_id: Uuid,
    kind: String,
    object_id: Uuid,
    watched_at: Moment,
}

impl ObjectRow {
    fn watch(self) -> ObjectWatch {
        ObjectWatch {
            id: WatchId(self.id),
            user: UserId(self.user_id),
            kind: self.kind,
            object: ObjectId(self.object_id),
            at: self.watched_at.0,
        }
    }
}

#[derive(sqlx::FromRow)]
struct ChangeRow {
    #[sqlx(flatten)]
    watch: ObjectRow,
    words: String,
    changed_at: Moment,
}

/// Returns the number of a sign in the store, and whether any other one is a change.
const fn stored_value(value: SignValue) -> (i64, bool) {
    match value {
        SignValue::State(state) => (state, true),
        SignValue::Latest(at) => (at.as_micros(), false),
    }
}

/// Stores the signs of a watch in the transaction of a connection. The first ones have no `$changed_at`.
macro_rules! put_signs {
    ($conn:ident, $watch:expr, $signs:expr, $changed_at:expr) => {
        for sign in $signs {
            let (value, is_state) = stored_value(sign.value);
            adapters::sql::execute!($conn, PUT_SIGN; $watch, sign.name, value, &sign.text, $changed_at, is_state);
        }
    };
}

impl WatchingStore {
    /// Stores a watch with the signs of its object, unique per person and object. Returns false when the person has `limit` of them.
    pub async fn add_object(&self, watch: &ObjectWatch, signs: &[WatchedSign], limit: u32) -> StoreResult<bool> {
        let lock = self.0.lock_of_person();
        write!(self.0, conn => {
            sqlx::query(lock).bind(watch.user.0).fetch_optional(&mut *conn).await?;
            let added = execute!(conn, ADD; watch.id.0, watch.user.0, &watch.kind, watch.object.0, Moment(watch.at),
                i64::from(limit));
            let is_added = added.rows_affected() > 0;
            if is_added {
                put_signs!(conn, watch.id.0, signs, None::<Moment>);
            }
            is_added
                || values!(conn.fetch_one, IS_WATCHED; watch.user.0, &watch.kind, watch.object.0)
        })
    }

    /// Removes a watch of `user` on an object; returns whether there was one.
    pub async fn remove_object(&self, user: UserId, id: WatchId) -> StoreResult<bool> {
        self.remove("delete from watched_objects where id = $1 and user_id = $2", id.0, user).await
    }

    /// Returns the objects that a person watches, newest first. What the person may read of them, their kinds know.
    pub async fn objects(&self, user: UserId) -> StoreResult<Vec<ObjectWatch>> {
        read!(self.0, conn => {
            let rows: Vec<ObjectRow> = rows!(conn.fetch_all, OF_PERSON; user.0);
            rows.into_iter().map(ObjectRow::watch).collect()
        })
    }

    /// Returns watches whose objects were last looked at before a time, the longest ago first.
    pub async fn due_objects(&self, before: Timestamp, limit: u32) -> StoreResult<Vec<ObjectWatch>> {
        read!(self.0, conn => {
            let rows: Vec<ObjectRow> = rows!(conn.fetch_all, DUE; Moment(before), i64::from(limit));
            rows.into_iter().map(ObjectRow::watch).collect()
        })
    }

    /// Records a look at `now`; signs that differ from those of the last look are changes.
    pub async fn record_signs(&self, watch: WatchId, signs: &[WatchedSign], now: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            put_signs!(conn, watch.0, signs, Some(Moment(now)));
            execute!(conn, "update watched_objects set looked_at = $2 where id = $1"; watch.0, Moment(now));
        })
    }

    /// Returns the last change of each sign of the objects that a person watches since a time, newest first.
    pub async fn changes(&self, user: UserId, since: Timestamp) -> StoreResult<Vec<ObjectChange>> {
        read!(self.0, conn => {
            let rows: Vec<ChangeRow> = rows!(conn.fetch_all, CHANGES; user.0, Moment(since));
            let change =
                |row: ChangeRow| ObjectChange { watch: row.watch.watch(), text: row.words, at: row.changed_at.0 };
            rows.into_iter().map(change).collect()
        })
    }

    /// Removes the watches of an object that is gone; those of one that became part of another go on with that one.
    pub async fn end_object(&self, kind: &str, object: ObjectId, survivor: Option<ObjectId>) -> StoreResult<()> {
        write!(self.0, conn => {
            if let Some(survivor) = survivor {
                execute!(conn, FOLLOW; kind, object.0, survivor.0);
            }
            execute!(conn, "delete from watched_objects where kind = $1 and object_id = $2"; kind, object.0);
        })
    }
}
