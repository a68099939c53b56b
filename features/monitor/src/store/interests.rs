//! Interests and their vectors.

use super::{MonitorStore, ROWS, json, parsed};
use crate::interest::{Interest, InterestDraft, InterestId, InterestState};
use adapters::sql::{
    execute,
    fault::Fault,
    read, rows,
    types::{Moment, count, id_list, word},
    values, write,
};
use domain::{Timestamp, UserId};
use engine::StoreResult;
use uuid::Uuid;

/// Columns of an `InterestRow`, of interests `n`.
macro_rules! interest_columns {
    () => {
        "n.id, n.user_id, n.state, n.sentence, n.entities, n.regions, n.tags, n.kinds, n.threshold, n.weights, n.muted_until, n.tuned,
         n.reason, n.created_at, n.changed_at"
    };
}

const OF_PERSON: &str =
    concat!("select ", interest_columns!(), " from interests n where n.user_id = $1 order by n.created_at desc, n.id desc");
const BY_ID: &str = concat!("select ", interest_columns!(), " from interests n where n.id = $1 and n.user_id = $2");
const WITH_VECTORS: &str = concat!(
    "select ",
    interest_columns!(),
    ", v.vector from interests n left join interest_vectors v on v.interest_id = n.id and v.model = $2
     where n.id in (select unhex(value) from json_each($1))"
);
/// Selects active interests after an id with their vectors of a model.
const ACTIVE: &str = concat!(
    "select ",
    interest_columns!(),
    ", v.vector from interests n left join interest_vectors v on v.interest_id = n.id and v.model = $1
     where n.state = 'active' and n.changed_at >= $2 and n.id > $3 order by n.id limit $4"
);
/// Adds an interest while the person has fewer than `$16`.
const ADD: &str = "
    insert into interests (id, user_id, state, sentence, entities, regions, tags, kinds, threshold, weights, muted_until, tuned, reason,
                           created_at, changed_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15
     where (select count(*) from interests n where n.user_id = $2) < $16";
const UPDATE: &str = "
    update interests set state = $3, sentence = $4, entities = $5, regions = $6, tags = $7, kinds = $8, threshold = $9, weights = $10,
           muted_until = $11, tuned = $12, changed_at = $13
     where id = $1 and user_id = $2";

/// End of the statement that stores vectors, after their rows `v`.
const PUT_VECTORS: &str = ")
    insert into interest_vectors (interest_id, model, vector)
    select n.id, v.model, v.vector from v join interests n on n.id = v.interest_id and n.sentence = v.sentence
     where 1 = 1
    on conflict (interest_id, model) do update set vector = excluded.vector";

#[derive(sqlx::FromRow)]
struct InterestRow {
    id: Uuid,
    user_id: Uuid,
    state: String,
    sentence: String,
    entities: String,
    regions: String,
    tags: String,
    kinds: String,
    threshold: i64,
    weights: String,
    muted_until: Option<Moment>,
    tuned: String,
    reason: String,
    created_at: Moment,
    changed_at: Moment,
}

#[derive(sqlx::FromRow)]
struct IndexedRow {
    #[sqlx(flatten)]
    row: InterestRow,
    vector: Option<Vec<u8>>,
}

impl InterestRow {
    fn interest(self) -> Result<Interest, Fault> {
        let draft = InterestDraft {
            sentence: self.sentence,
            entities: parsed("list of entities", &self.entities)?,
            regions: parsed("list of regions", &self.regions)?,
            tags: parsed("list of tags", &self.tags)?,
            kinds: parsed("list of kinds", &self.kinds)?,
            threshold: count(self.threshold)?,
            weights: parsed("weights", &self.weights)?,
        };
        Ok(Interest {
            id: InterestId(self.id),
            user: UserId(self.user_id),
            state: word("state of an interest", &self.state, InterestState::parse)?,
            draft,
            muted_until: self.muted_until.map(|until| until.0),
            tuned: self.tuned,
            reason: self.reason,
            created_at: self.created_at.0,
            changed_at: self.changed_at.0,
        })
    }
}

impl IndexedRow {
    fn indexed(self) -> Result<(Interest, Option<Vec<i8>>), Fault> {
        let vector = self.vector.map(|bytes| bytes.into_iter().map(u8::cast_signed).collect());
        Ok((self.row.interest()?, vector))
    }
}

/// State of all interests, by which an index in memory sees that it is behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexState {
    /// Number of active interests.
    pub active: u64,
    /// Time of the last change; none without interests.
    pub changed_at: Option<Timestamp>,
}

impl MonitorStore {
    /// Returns the interests of a person, newest first.
    pub async fn interests(&self, user: UserId) -> StoreResult<Vec<Interest>> {
        read!(self.0, conn => {
            let rows: Vec<InterestRow> = rows!(conn.fetch_all, OF_PERSON; user.0);
            rows.into_iter().map(InterestRow::interest).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns an interest of a person.
    pub async fn interest(&self, user: UserId, id: InterestId) -> StoreResult<Option<Interest>> {
        read!(self.0, conn => {
            let row: Option<InterestRow> = rows!(conn.fetch_optional, BY_ID; id.0, user.0);
            row.map(InterestRow::interest).transpose()?
        })
    }

    /// Returns interests of any person with their vectors of a model; without vectors where there is no model.
    pub async fn with_vectors(&self, ids: &[InterestId], model: Option<&str>) -> StoreResult<Vec<(Interest, Option<Vec<i8>>)>> {
        read!(self.0, conn => {
            let rows: Vec<IndexedRow> = rows!(conn.fetch_all, WITH_VECTORS; id_list(ids.iter().map(|id| id.0)),
                model.unwrap_or_default());
            rows.into_iter().map(IndexedRow::indexed).collect::<Result<_, Fault>>()?
        })
    }

    /// Adds an interest. Returns false when its person has `limit` already.
    pub async fn add_interest(&self, interest: &Interest, limit: u32) -> StoreResult<bool> {
        let (lock, draft) = (self.0.lock_of_person(), &interest.draft);
        write!(self.0, conn => {
            sqlx::query(lock).bind(interest.user.0).fetch_optional(&mut *conn).await?;
            let added = execute!(conn, ADD; interest.id.0, interest.user.0, interest.state.as_str(), &draft.sentence,
                json(&draft.entities), json(&draft.regions), json(&draft.tags), json(&draft.kinds), i64::from(draft.threshold),
                json(&draft.weights), interest.muted_until.map(Moment), &interest.tuned, &interest.reason,
                Moment(interest.created_at), Moment(interest.changed_at), i64::from(limit));
            added.rows_affected() > 0
        })
    }

    /// Stores the contents and state of an interest of its person, without its vectors where the sentence changed; returns whether there is
    /// one.
    pub async fn update_interest(&self, interest: &Interest) -> StoreResult<bool> {
        let draft = &interest.draft;
        write!(self.0, conn => {
            execute!(conn, "delete from interest_vectors where interest_id in
                    (select n.id from interests n where n.id = $1 and n.user_id = $2 and n.sentence <> $3)";
                interest.id.0, interest.user.0, &draft.sentence);
            let updated = execute!(conn, UPDATE; interest.id.0, interest.user.0, interest.state.as_str(), &draft.sentence,
                json(&draft.entities), json(&draft.regions), json(&draft.tags), json(&draft.kinds), i64::from(draft.threshold),
                json(&draft.weights), interest.muted_until.map(Moment), &interest.tuned, Moment(interest.changed_at));
            updated.rows_affected() > 0
        })
    }

    /// Removes an interest of a person with its matches; returns whether there was one.
    pub async fn remove_interest(&self, user: UserId, id: InterestId) -> StoreResult<bool> {
        write!(self.0, conn => {
            let removed = sqlx::query("delete from interests where id = $1 and user_id = $2").bind(id.0).bind(user.0);
            removed.execute(&mut *conn).await?.rows_affected() > 0
        })
    }

    /// Returns active interests that changed at or after a time, by id after another, with their vectors of a model.
    pub async fn active_interests(
        &self,
        model: &str,
        since: Timestamp,
        last: Option<InterestId>,
        limit: u32,
    ) -> StoreResult<Vec<(Interest, Option<Vec<i8>>)>> {
        let last = last.map_or(Uuid::nil(), |id| id.0);
        read!(self.0, conn => {
            let rows: Vec<IndexedRow> = rows!(conn.fetch_all, ACTIVE; model, Moment(since), last, i64::from(limit));
            rows.into_iter().map(IndexedRow::indexed).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns the interests without a place in an index that changed at or after a time, the newest first.
    pub async fn inactive_since(&self, since: Timestamp, limit: u32) -> StoreResult<Vec<InterestId>> {
        read!(self.0, conn => {
            let rows: Vec<Uuid> = values!(conn.fetch_all,
                "select n.id from interests n where n.changed_at >= $1 and n.state <> 'active' order by n.changed_at desc, n.id limit $2";
                Moment(since), i64::from(limit));
            rows.into_iter().map(InterestId).collect()
        })
    }

    /// Returns the state of all interests.
    pub async fn index_state(&self) -> StoreResult<IndexState> {
        read!(self.0, conn => {
            let (active, changed_at): (i64, Option<Moment>) = rows!(conn.fetch_one,
                "select (select count(*) from interests where state = 'active'), (select max(changed_at) from interests)");
            IndexState { active: count(active)?, changed_at: changed_at.map(|at| at.0) }
        })
    }

    /// Returns sentences of active interests without a vector of a model.
    pub async fn without_vector(&self, model: &str, limit: u32) -> StoreResult<Vec<(InterestId, String)>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String)> = rows!(conn.fetch_all,
                "select n.id, n.sentence from interests n where n.state = 'active'
                    and not exists (select 1 from interest_vectors v where v.interest_id = n.id and v.model = $1)
                  order by n.id limit $2"; model, i64::from(limit));
            rows.into_iter().map(|(id, sentence)| (InterestId(id), sentence)).collect()
        })
    }

    /// Stores vectors of sentences as they are now; the interests count as changed at `now`.
    pub async fn put_vectors(&self, model: &str, vectors: &[(InterestId, String, Vec<i8>)], now: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            for rows in vectors.chunks(ROWS) {
                let mut insert = sqlx::QueryBuilder::new("with v (interest_id, sentence, model, vector) as (");
                insert.push_values(rows, |mut row, (id, sentence, vector)| {
                    let bytes: Vec<u8> = vector.iter().map(|number| number.cast_unsigned()).collect();
                    row.push_bind(id.0).push_bind(sentence).push_bind(model).push_bind(bytes);
                });
                insert.push(PUT_VECTORS);
                insert.build().persistent(false).execute(&mut *conn).await?;
                execute!(conn, "update interests set changed_at = $2 where id in (select unhex(value) from json_each($1))";
                    id_list(rows.iter().map(|(id, ..)| id.0)), Moment(now));
            }
        })
    }
}
