//! Matches of interests, and the visits at which a person marked all as seen.

use super::{MonitorStore, ROWS, json, open_items, parsed};
use crate::{
    interest::{Feedback, Interest, InterestId, MatchId},
    score::{Explanation, ScoredTerm},
};
use adapters::{
    newest_version, read_assessment,
    sql::{
        execute,
        fault::Fault,
        read, rows,
        types::{Moment, count, id_list},
        values, write,
    },
};
use domain::{ObjectId, Timestamp, UserId};
use engine::StoreResult;
use std::collections::HashMap;
use uuid::Uuid;

/// Columns of a `MatchRow`, of matches `m` of interests `n`.
macro_rules! match_columns {
    () => {
        "m.id, m.interest_id, n.user_id, m.sentence, m.sentence <> n.sentence as is_edited, m.source, m.product_id, m.score, m.terms, m.feedback, m.matched_at,
         m.judged_at is not null as is_judged from interest_matches m join interests n on n.id = m.interest_id"
    };
}

/// Matches that are shown: of interests that are not paused or muted at `$2`, without those that their person called wrong.
macro_rules! shown {
    () => {
        " n.user_id = $1 and m.state = 'shown' and m.feedback <> 'not' and n.state = 'active'
          and (n.muted_until is null or n.muted_until <= $2) and m.matched_at > $3"
    };
}

const SHOWN: &str =
    concat!("select ", match_columns!(), " where ", shown!(), " order by m.matched_at desc, m.score desc, m.id limit $4");
/// Counts shown matches, and open items of dates, after `$3`.
const UNSEEN: &str = concat!(
    "select (select count(*) from interest_matches m join interests n on n.id = m.interest_id where ",
    shown!(),
    "), (select count(*)",
    open_items!(),
    " and d.ask_at > $3)"
);
const BY_ID: &str = concat!("select ", match_columns!(), " where n.user_id = $1 and m.id = $2");
const BORDERLINE: &str = concat!(
    "select ",
    match_columns!(),
    " where m.state = 'borderline'
        and (select count(*) from interest_matches j join interests o on o.id = j.interest_id
              where o.user_id = n.user_id and j.judged_at > $1) < $2
      order by m.matched_at, m.id limit $3"
);
/// Beginning and end of the statement that adds matches; between them stand their rows. SQLite needs a condition before `on conflict`, which
/// may belong to the join otherwise. Of two rows for one pair the earlier id stays.
const ADD: &str = "with v (id, interest_id, sentence, product_id, arrived_at, score, terms, state, source, matched_at) as (";
const ADDED: &str = ")
    insert into interest_matches (id, interest_id, sentence, source, product_id, arrived_at, score, terms, state, feedback, matched_at,
                                  judged_at)
    select v.id, n.id, v.sentence, v.source, v.product_id, v.arrived_at, v.score, v.terms, v.state, '', v.matched_at, null
      from v join interests n on n.id = v.interest_id
     where 1 = 1 order by v.id
    on conflict (interest_id, source, product_id) do nothing";
/// Removes sessions of decisions whose match is gone.
const STRAY_SESSIONS: &str = "
    delete from agent_sessions
     where owner_kind = $1 and not exists (select 1 from interest_matches m where m.id = agent_sessions.owner_id)";

/// Match to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchDraft {
    pub id: MatchId,
    pub interest: InterestId,
    /// Sentence of the interest that was scored.
    pub sentence: String,
    pub product: ObjectId,
    /// Arrival of the product.
    pub arrived_at: Timestamp,
    pub explanation: Explanation,
    /// Whether a model decides before it is shown.
    pub is_borderline: bool,
}

/// Numbers of notifications of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnseenCounts {
    pub matches: u64,
    /// Days of reports that are over.
    pub due: u64,
}

/// Match of an interest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredMatch {
    pub id: MatchId,
    pub interest: InterestId,
    pub user: UserId,
    /// Sentence of the interest when it matched.
    pub sentence: String,
    /// Whether the interest has another sentence by now.
    pub is_edited: bool,
    /// Key of the source of the product.
    pub source: String,
    pub product: ObjectId,
    pub score: u8,
    pub terms: Vec<ScoredTerm>,
    pub feedback: Option<Feedback>,
    pub matched_at: Timestamp,
    /// Whether a model decided on it.
    pub is_judged: bool,
}

#[derive(sqlx::FromRow)]
struct MatchRow {
    id: Uuid,
    interest_id: Uuid,
    user_id: Uuid,
    sentence: String,
    is_edited: bool,
    source: String,
    product_id: Uuid,
    score: i64,
    terms: String,
    feedback: String,
    matched_at: Moment,
    is_judged: bool,
}

impl MatchRow {
    fn stored(self) -> Result<StoredMatch, Fault> {
        Ok(StoredMatch {
            id: MatchId(self.id),
            interest: InterestId(self.interest_id),
            user: UserId(self.user_id),
            sentence: self.sentence,
            is_edited: self.is_edited,
            source: self.source,
            product: ObjectId(self.product_id),
            score: count(self.score)?,
            terms: parsed("list of terms", &self.terms)?,
            feedback: Feedback::parse(&self.feedback),
            matched_at: self.matched_at.0,
            is_judged: self.is_judged,
        })
    }
}

impl MonitorStore {
    /// Returns which of some pairs of an interest and a product of a source are stored.
    pub async fn known_matches(
        &self,
        source: &str,
        interests: &[InterestId],
        products: &[ObjectId],
    ) -> StoreResult<Vec<(InterestId, ObjectId)>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, Uuid)> = rows!(conn.fetch_all, "select m.interest_id, m.product_id from interest_matches m
                  where m.source = $1 and m.product_id in (select unhex(value) from json_each($2))
                    and m.interest_id in (select unhex(value) from json_each($3))";
                source, id_list(products.iter().map(|id| id.0)), id_list(interests.iter().map(|id| id.0)));
            rows.into_iter().map(|(interest, product)| (InterestId(interest), ObjectId(product))).collect()
        })
    }

    /// Stores matches of a source, in statements of many rows. Known pairs stay, and those of removed interests are left out.
    pub async fn add_matches(&self, source: &str, matches: &[MatchDraft], now: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            for rows in matches.chunks(ROWS) {
                let mut insert = sqlx::QueryBuilder::new(ADD);
                insert.push_values(rows, |mut row, one| {
                    row.push_bind(one.id.0)
                        .push_bind(one.interest.0)
                        .push_bind(&one.sentence)
                        .push_bind(one.product.0)
                        .push_bind(Moment(one.arrived_at))
                        .push_bind(i64::from(one.explanation.score))
                        .push_bind(json(&one.explanation.terms))
                        .push_bind(if one.is_borderline { "borderline" } else { "shown" })
                        .push_bind(source)
                        .push_bind(Moment(now));
                });
                insert.push(ADDED);
                insert.build().persistent(false).execute(&mut *conn).await?;
            }
        })
    }

    /// Returns the matches of a person after a time that are shown at `now`, newest first.
    pub async fn matches(&self, user: UserId, now: Timestamp, after: Timestamp, limit: u32) -> StoreResult<Vec<StoredMatch>> {
        read!(self.0, conn => {
            let rows: Vec<MatchRow> = rows!(conn.fetch_all, SHOWN; user.0, Moment(now), Moment(after), i64::from(limit));
            rows.into_iter().map(MatchRow::stored).collect::<Result<_, Fault>>()?
        })
    }

    /// Counts what a person was notified of after a time, up to `now`; also matches of products that they read no more.
    pub async fn count_unseen(&self, user: UserId, now: Timestamp, after: Timestamp) -> StoreResult<UnseenCounts> {
        read!(self.0, conn => {
            let (matches, due): (i64, i64) = rows!(conn.fetch_one, UNSEEN; user.0, Moment(now), Moment(after));
            UnseenCounts { matches: count(matches)?, due: count(due)? }
        })
    }

    /// Counts the matches of each interest of a person after a time, also of products that they read no more; interests without one are left
    /// out.
    pub async fn count_matches(&self, user: UserId, after: Timestamp) -> StoreResult<HashMap<InterestId, u64>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, i64)> = rows!(conn.fetch_all,
                "select m.interest_id, count(*) from interest_matches m join interests n on n.id = m.interest_id
                  where n.user_id = $1 and m.state = 'shown' and m.matched_at > $2 group by m.interest_id";
                user.0, Moment(after));
            let mut counts: HashMap<InterestId, u64> = HashMap::new();
            for (id, number) in rows {
                counts.insert(InterestId(id), count(number)?);
            }
            counts
        })
    }

    /// Returns a match of a person.
    pub async fn stored_match(&self, user: UserId, id: MatchId) -> StoreResult<Option<StoredMatch>> {
        read!(self.0, conn => {
            let row: Option<MatchRow> = rows!(conn.fetch_optional, BY_ID; user.0, id.0);
            row.map(MatchRow::stored).transpose()?
        })
    }

    /// Records the first answer of a person to a match, with the interest as it changed; returns false after another answer.
    pub async fn record_feedback(&self, id: MatchId, feedback: Feedback, tuned: &Interest) -> StoreResult<bool> {
        write!(self.0, conn => {
            let recorded = execute!(conn,
                "update interest_matches set feedback = $2 where id = $1 and interest_id = $3 and feedback = ''"; id.0,
                feedback.as_str(), tuned.id.0);
            let is_first = recorded.rows_affected() > 0;
            if is_first {
                execute!(conn, "update interests set threshold = $2, weights = $3, tuned = $4, changed_at = $5 where id = $1";
                    tuned.id.0, i64::from(tuned.draft.threshold), json(&tuned.draft.weights), &tuned.tuned,
                    Moment(tuned.changed_at));
            }
            is_first
        })
    }

    /// Returns matches that wait for a decision, of people with fewer than `per_person` decisions since a time.
    pub async fn borderline(&self, since: Timestamp, per_person: u32, limit: u32) -> StoreResult<Vec<StoredMatch>> {
        read!(self.0, conn => {
            let rows: Vec<MatchRow> = rows!(conn.fetch_all, BORDERLINE; Moment(since), i64::from(per_person), i64::from(limit));
            rows.into_iter().map(MatchRow::stored).collect::<Result<_, Fault>>()?
        })
    }

    /// Counts the decisions for a person since a time.
    pub async fn judged_since(&self, user: UserId, since: Timestamp) -> StoreResult<u32> {
        read!(self.0, conn => {
            let judged: i64 = values!(conn.fetch_one,
                "select count(*) from interest_matches m join interests n on n.id = m.interest_id
                  where n.user_id = $1 and m.judged_at > $2"; user.0, Moment(since));
            count(judged)?
        })
    }

    /// Records the decision on a match.
    pub async fn decide_match(&self, id: MatchId, is_match: bool, now: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn,
                "update interest_matches set state = $2, judged_at = $3, matched_at = $3 where id = $1 and state = 'borderline'";
                id.0, if is_match { "shown" } else { "refused" }, Moment(now));
        })
    }

    /// Puts a match that waits for a decision behind the others.
    pub async fn put_off_match(&self, id: MatchId, now: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "update interest_matches set matched_at = $2 where id = $1 and state = 'borderline'"; id.0,
                Moment(now));
        })
    }

    /// Removes matches from before a time, and the sessions of decisions whose match is gone.
    pub async fn remove_old_matches(&self, before: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "delete from interest_matches where matched_at < $1"; Moment(before));
            execute!(conn, "delete from interest_matches where state = 'borderline' and arrived_at < $1"; Moment(before));
            execute!(conn, STRAY_SESSIONS; crate::judge::PAIR.as_str());
        })
    }

    /// Returns when a person marked all as seen; none: never.
    pub async fn seen_at(&self, user: UserId) -> StoreResult<Option<Timestamp>> {
        read!(self.0, conn => {
            let seen_at: Option<Moment> = values!(conn.fetch_optional, "select seen_at from monitor_visits where user_id = $1";
                user.0);
            seen_at.map(|at| at.0)
        })
    }

    /// Records that a person marked all as seen.
    pub async fn mark_seen(&self, user: UserId, now: Timestamp) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "insert into monitor_visits (user_id, seen_at) values ($1, $2)
                 on conflict (user_id) do update set seen_at = excluded.seen_at"; user.0, Moment(now));
        })
    }
}
