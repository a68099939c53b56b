//! Statements on watched indicators and notifications.

mod objects;
mod saved_views;

pub use objects::ObjectChange;

use crate::{
    notification::{Notification, NotificationKind},
    watch::{Watch, WatchEntry, WatchId, WatchMatch},
};
use adapters::{
    newest_version, read_assessment, readable, shared_reports,
    sql::{
        Store,
        archive::{
            ScopeColumn::{Assessment, Owner, OwnerUnless, Row},
            Table, tables,
        },
        execute,
        fault::Fault,
        read, rows,
        types::{Moment, count, id_list, word},
        values, write,
    },
    team_changes,
};
use domain::{AssessmentId, ClaimId, InvestigationId, Scope, Timestamp, UserId, fetch::PageState};
use engine::StoreResult;
use feature::{Schema, Web};
use sqlx::{AssertSqlSafe, migrate::Migrator};
use uuid::Uuid;

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// Tables of the feature.
pub static SCHEMA: Schema = Schema { name: "watching", sqlite: &SQLITE, postgres: &POSTGRES, tables: TABLES };

const TABLES: &[Table] = tables! {
    watched_indicators 1: id Id, user_id Id, assessment_id Id, item Text, words Text, watched_at Moment, looked_at Moment
        .scope(&[Owner("user_id"), Assessment("assessment_id")]).label("watched indicator", "watched indicators");
    watch_matches 2: watch_id Id, claim_id Id, found_at Moment .scope(&[Row("watched_indicators", "watch_id")]);
    saved_views 1: id Id, user_id Id, page Text, name Text, notes Text, query Text, shared Flag, created_at Moment
        .scope(&[OwnerUnless("user_id", "shared")]);
    notification_visits 1: user_id Id, seen_at Moment .scope(&[Owner("user_id")]);
    watched_objects 1: id Id, user_id Id, kind Text, object_id Id, watched_at Moment, looked_at Moment
        .scope(&[Owner("user_id")]);
    watched_signs 2: watch_id Id, name Text, value Number, words Text, changed_at Moment
        .scope(&[Row("watched_objects", "watch_id")]);
};

/// Tables and condition for the matches `m` of indicators `w` that the person watches, on assessments `a` that they may read now. The
/// words of an indicator are those of its report.
macro_rules! readable_matches {
    ($person:literal) => {
        concat!(
            "from watch_matches m join watched_indicators w on w.id = m.watch_id join assessments a on a.id = w.assessment_id
             where w.user_id = ",
            $person,
            " and ",
            read_assessment!($person)
        )
    };
}

/// Tables and condition for the findings `c` of the citation watch on pages that reports `a` cite: those of the person's own questions
/// `i`, and those with an indicator that they watch. Of the versions that the owner has of a question the newest with a report counts.
macro_rules! changed_pages {
    ($person:literal) => {
        concat!(
            "from citation_watch c join assessment_documents x on x.document_id = c.document_id
             join assessments a on a.id = x.assessment_id join investigations i on i.id = a.investigation_id
             where c.finding is not null and not a.is_partial and (i.owner = ",
            $person,
            " or exists (select 1 from watched_indicators w where w.assessment_id = a.id and w.user_id = ",
            $person,
            ")) and ",
            newest_version!("i.owner"),
            " and ",
            read_assessment!($person)
        )
    };
}

/// Adds a watch while the person has fewer than `$7`.
const ADD_WATCH: &str = "
    insert into watched_indicators (id, user_id, assessment_id, item, words, watched_at, looked_at)
    select $1, $2, $3, $4, $5, $6, $6
     where (select count(*) from watched_indicators w where w.user_id = $2) < $7
    on conflict (user_id, assessment_id, item) do nothing";
const IS_WATCHED: &str =
    "select exists (select 1 from watched_indicators where user_id = $1 and assessment_id = $2 and item = $3)";
const WATCHES: &str = concat!(
    "select w.id, w.user_id, w.assessment_id, w.item, w.words, w.watched_at, q.question
       from watched_indicators w
       join assessments a on a.id = w.assessment_id
       join investigations q on q.id = a.investigation_id
      where w.user_id = $2 and ",
    readable!("$2"),
    " order by w.watched_at desc, w.id desc"
);
/// Selects watches last looked at before the newest extraction.
macro_rules! due {
    ($rest:literal) => {
        concat!(
            "select w.id, w.user_id, w.assessment_id, w.item, w.words, w.watched_at, '' as question
               from watched_indicators w where w.looked_at <= (select max(at) from extractions) ",
            $rest
        )
    };
}

const DUE: &str = due!("order by w.looked_at, w.id limit $1");
const DUE_AFTER: &str = due!("and w.id > $2 order by w.id limit $1");
/// Selects ends of the investigations of the person `$1`, reports that others opened to a team of theirs, matches of one indicator found
/// together, and changes of cited pages. Assessments are looked up for the rows that are returned alone.
const NOTIFICATIONS: &str = concat!(
    "select n.*,
            (select a.id from assessments a where a.investigation_id = n.object_id order by a.is_partial limit 1) as assessment_id,
            (select a.id from investigation_threads t join assessments a on a.investigation_id = t.follows_id
              where t.investigation_id = n.object_id and t.kind = 'rerun' order by a.is_partial limit 1) as earlier_id
       from (select * from (
        select i.status, i.question as title, i.id as object_id, i.completed_at as at, cast(0 as bigint) as claims,
               cast(null as text) as owner_name
          from investigations i
         where i.owner = $1 and i.parent_id is null and i.status in ('completed', 'failed') and i.completed_at is not null
        union all
        select 'shared', i.question, i.id, case when i.completed_at > v.shared_at then i.completed_at else v.shared_at end, 0, o.name ",
    shared_reports!("$1"),
    "   union all
        select 'matched', w.words, w.id, m.found_at, count(*), cast(null as text) ",
    readable_matches!("$1"),
    "   group by w.id, w.words, m.found_at
        union all
        select 'page_' || c.finding, i.question, a.id, max(c.found_at), count(*), cast(null as text) ",
    changed_pages!("$1"),
    "   group by a.id, i.question, c.finding
        union all
        select 'invited', t.name, t.id, v.invited_at, 0, b.name
          from team_invitations v join teams t on t.id = v.team_id join users b on b.id = v.invited_by where v.user_id = $1
        union all
        select c.change, t.name, t.id, c.changed_at, 0, p.name ",
    team_changes!("$1"),
    "
       ) u order by u.at desc, u.object_id limit $2) n
      order by n.at desc, n.object_id"
);

/// Counts the notifications of the person `$1` since their last look; those of watched objects, whose readers SQL does not know, apart.
const UNSEEN: &str = concat!(
    "select (select count(*) from investigations i
              where i.owner = u.id and i.parent_id is null and i.status in ('completed', 'failed') and i.completed_at > u.since)
          + (select count(*) ",
    shared_reports!("u.id"),
    " and (v.shared_at > u.since or i.completed_at > u.since))
          + (select count(*) from (select 1 ",
    readable_matches!("u.id"),
    " and m.found_at > u.since group by m.watch_id, m.found_at) g)
          + (select count(*) from (select 1 ",
    changed_pages!("u.id"),
    " and c.found_at > u.since group by a.id, c.finding) g)
          + (select count(*) from team_invitations v where v.user_id = u.id and v.invited_at > u.since)
          + (select count(*) ",
    team_changes!("u.id"),
    " and c.changed_at > u.since),
            (select count(*) from watched_signs s join watched_objects w on w.id = s.watch_id
              where w.user_id = u.id and s.changed_at > u.since),
            u.since
       from (select x.id, coalesce(n.seen_at, x.created_at) as since
               from users x left join notification_visits n on n.user_id = x.id where x.id = $1) u"
);

#[derive(sqlx::FromRow)]
struct WatchRow {
    id: Uuid,
    user_id: Uuid,
    assessment_id: Uuid,
    item: String,
    words: String,
    watched_at: Moment,
    question: String,
}

impl WatchRow {
    fn entry(self) -> WatchEntry {
        let watch = Watch {
            id: WatchId(self.id),
            user: UserId(self.user_id),
            assessment: AssessmentId(self.assessment_id),
            item: self.item,
            text: self.words,
            at: self.watched_at.0,
        };
        WatchEntry { watch, question: self.question }
    }
}

/// Beginning of the status of a finding on cited pages.
const PAGE: &str = "page_";

#[derive(sqlx::FromRow)]
struct NotificationRow {
    status: String,
    title: String,
    object_id: Uuid,
    at: Moment,
    claims: i64,
    assessment_id: Option<Uuid>,
    earlier_id: Option<Uuid>,
    owner_name: Option<String>,
}

impl NotificationRow {
    fn notification(self) -> Result<Notification, Fault> {
        let (investigation, assessment) = (InvestigationId(self.object_id), self.assessment_id.map(AssessmentId));
        let kind = match self.status.as_str() {
            "matched" => NotificationKind::Matched { watch: WatchId(self.object_id), claims: count(self.claims)? },
            "failed" => NotificationKind::Failed { investigation },
            "invited" => NotificationKind::Invited { by: self.owner_name.unwrap_or_default() },
            change @ ("joined" | "left") => {
                NotificationKind::TeamChanged { person: self.owner_name.unwrap_or_default(), has_joined: change == "joined" }
            }
            "shared" => NotificationKind::Shared { investigation, assessment, owner: self.owner_name.unwrap_or_default() },
            page if page.starts_with(PAGE) => NotificationKind::PagesChanged {
                assessment: AssessmentId(self.object_id),
                state: word("state of a page", page.trim_start_matches(PAGE), PageState::parse)?,
                pages: count(self.claims)?,
            },
            _ => NotificationKind::Finished { investigation, assessment, earlier: self.earlier_id.map(AssessmentId) },
        };
        Ok(Notification { kind, title: self.title, at: self.at.0 })
    }
}

/// Returns the condition for the rows `r` of a table that the person `$1` reads.
fn readable_rows_of(table: &str) -> String {
    let declared = SCHEMA.tables.iter().find(|declared| declared.name == table);
    declared.map_or_else(|| "false".to_owned(), |declared| SCHEMA.readable_rows(declared))
}

/// Numbers of notifications of a person since their last look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnseenCounts {
    pub others: u64,
    /// Changes of watched objects, also of those that the person reads no more.
    pub changes: u64,
    /// Time of the last look, or of the account.
    pub since: Timestamp,
}

/// The tables of the feature in the state store. A cheap clone.
#[derive(Clone)]
pub struct WatchingStore(Store);

impl From<Store> for WatchingStore {
    fn from(store: Store) -> Self {
        Self(store)
    }
}

impl WatchingStore {
    pub fn new(web: &Web) -> Self {
        Self::from(web.store.clone())
    }

    /// Stores a watch, unique per person, assessment and indicator. Returns false when the person has `limit` watches already.
    pub async fn add_watch(&self, watch: &Watch, limit: u32) -> StoreResult<bool> {
        let lock = self.0.lock_of_person();
        write!(self.0, conn => {
            sqlx::query(lock).bind(watch.user.0).fetch_optional(&mut *conn).await?;
            let added = execute!(conn, ADD_WATCH; watch.id.0, watch.user.0, watch.assessment.0, &watch.item, &watch.text,
                Moment(watch.at), i64::from(limit));
            let is_added = added.rows_affected() > 0;
            is_added
                || values!(conn.fetch_one, IS_WATCHED; watch.user.0, watch.assessment.0, &watch.item)
        })
    }

    /// Removes a watch of `user` with its matches; returns whether there was one.
    pub async fn remove_watch(&self, user: UserId, id: WatchId) -> StoreResult<bool> {
        self.remove("delete from watched_indicators where id = $1 and user_id = $2", id.0, user).await
    }

    /// Returns the watches of a person on assessments that they may read, newest first.
    pub async fn watches(&self, scope: &Scope, user: UserId) -> StoreResult<Vec<WatchEntry>> {
        read!(self.0, conn => {
            let rows: Vec<WatchRow> = rows!(conn.fetch_all, WATCHES; id_list(scope.collections().iter().map(|id| id.0)),
                user.0);
            rows.into_iter().map(WatchRow::entry).collect()
        })
    }

    /// Returns the newest matches of the watches that a person reads.
    pub async fn matches(&self, user: UserId, limit: u32) -> StoreResult<Vec<WatchMatch>> {
        let selecting = format!(
            "select r.watch_id, r.claim_id, r.found_at from watch_matches r
              where {} order by r.found_at desc, r.watch_id, r.claim_id limit $2",
            readable_rows_of("watch_matches")
        );
        read!(self.0, conn => {
            let rows: Vec<(Uuid, Uuid, Moment)> = rows!(conn.fetch_all, AssertSqlSafe(selecting.clone()); user.0,
                i64::from(limit));
            let found = |(watch, claim, at): (Uuid, Uuid, Moment)| {
                WatchMatch { watch: WatchId(watch), claim: ClaimId(claim), found_at: at.0 }
            };
            rows.into_iter().map(found).collect()
        })
    }

    /// Returns watches last looked at before the newest extraction, the longest ago first.
    pub async fn due_watches(&self, limit: u32) -> StoreResult<Vec<Watch>> {
        read!(self.0, conn => {
            let rows: Vec<WatchRow> = rows!(conn.fetch_all, DUE; i64::from(limit));
            rows.into_iter().map(|row| row.entry().watch).collect()
        })
    }

    /// Returns watches last looked at before the newest extraction, by id, after one of an earlier round.
    pub async fn due_watches_after(&self, last: Option<WatchId>, limit: u32) -> StoreResult<Vec<Watch>> {
        let last = last.map_or(Uuid::nil(), |id| id.0);
        read!(self.0, conn => {
            let due = sqlx::query_as(DUE_AFTER).bind(i64::from(limit)).bind(last);
            let rows: Vec<WatchRow> = due.fetch_all(&mut *conn).await?;
            rows.into_iter().map(|row| row.entry().watch).collect()
        })
    }

    /// Records the claims that a search found at `now`; known matches keep their time. The next search is due for extractions after
    /// `covered`.
    pub async fn record_look(&self, watch: WatchId, now: Timestamp, covered: Timestamp, claims: &[ClaimId]) -> StoreResult<()> {
        write!(self.0, conn => {
            execute!(conn, "insert into watch_matches (watch_id, claim_id, found_at)
                 select w.id, unhex(c.value), $3 from watched_indicators w, json_each($2) c where w.id = $1
                 on conflict (watch_id, claim_id) do nothing"; watch.0, id_list(claims.iter().map(|id| id.0)), Moment(now));
            execute!(conn, "update watched_indicators set looked_at = $2 where id = $1"; watch.0, Moment(covered));
        })
    }

    /// Returns the newest notifications of a person, without matches on reports that they may no longer read.
    pub async fn notifications(&self, user: UserId, limit: u32) -> StoreResult<Vec<Notification>> {
        read!(self.0, conn => {
            let rows: Vec<NotificationRow> = rows!(conn.fetch_all, NOTIFICATIONS; user.0, i64::from(limit));
            rows.into_iter().map(NotificationRow::notification).collect::<Result<_, Fault>>()?
        })
    }

    /// Records that a person looks at their notifications; returns the time of the last look.
    pub async fn look_at_notifications(&self, user: UserId, now: Timestamp) -> StoreResult<Option<Timestamp>> {
        write!(self.0, conn => {
            let seen_at: Option<Moment> = values!(conn.fetch_optional,
                "select seen_at from notification_visits where user_id = $1"; user.0);
            execute!(conn, "insert into notification_visits (user_id, seen_at) values ($1, $2)
                 on conflict (user_id) do update set seen_at = excluded.seen_at"; user.0, Moment(now));
            seen_at.map(|at| at.0)
        })
    }

    /// Removes the row `$1` of the person `$2`; returns whether there was one.
    async fn remove(&self, statement: &'static str, id: Uuid, user: UserId) -> StoreResult<bool> {
        write!(self.0, conn => {
            execute!(conn, statement; id, user.0).rows_affected() > 0
        })
    }

    /// Returns the assessments with an indicator that a person watches.
    pub async fn watched_assessments(&self, user: UserId) -> StoreResult<Vec<AssessmentId>> {
        read!(self.0, conn => {
            let ids: Vec<Uuid> = values!(conn.fetch_all,
                "select distinct assessment_id from watched_indicators where user_id = $1"; user.0);
            ids.into_iter().map(AssessmentId).collect()
        })
    }

    /// Returns the indicators of an assessment that a person watches.
    pub async fn watched_items(&self, user: UserId, assessment: AssessmentId) -> StoreResult<Vec<String>> {
        read!(self.0, conn => {
            values!(conn.fetch_all, "select item from watched_indicators where user_id = $1 and assessment_id = $2"; user.0,
                assessment.0)
        })
    }

    /// Counts the matches of all watches, for the metric.
    pub async fn count_matches(&self) -> StoreResult<u64> {
        read!(self.0, conn => {
            let matches: i64 = values!(conn.fetch_one, "select count(*) from watch_matches");
            count(matches)?
        })
    }

    /// Counts the notifications of a person since their last look.
    pub async fn count_unseen(&self, user: UserId) -> StoreResult<UnseenCounts> {
        read!(self.0, conn => {
            let (others, changes, since): (i64, i64, Moment) = rows!(conn.fetch_one, UNSEEN; user.0);
            UnseenCounts { others: count(others)?, changes: count(changes)?, since: since.0 }
        })
    }
}
