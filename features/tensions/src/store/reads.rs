//! Reads for the pages. Every one has the scope of its reader.

use super::{TensionRow, TensionStore, columns, scope_list, severity, visible};
use crate::{
    heat::{OriginEvidence, from_thousandths, thousandths},
    tension::{Evidence, Tension, TensionId},
};
use adapters::sql::{
    fault::Fault,
    read,
    types::{Moment, count},
};
use domain::{ClaimId, DocumentId, Scope, Timestamp};
use engine::StoreResult;
use uuid::Uuid;

/// A tension with the number of its responses.
#[derive(Debug, Clone, PartialEq)]
pub struct TensionSummary {
    pub tension: Tension,
    pub responses: u64,
}

/// Heat of a tension on a day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeatSnapshot {
    pub tension: TensionId,
    pub day: i64,
    pub heat: f64,
}

/// A tension that was hot and has cooled.
#[derive(Debug, Clone, PartialEq)]
pub struct EasedTension {
    pub id: TensionId,
    pub title: String,
    pub kind: String,
    /// Code of its region.
    pub region: String,
    pub heat: f64,
    /// Highest heat that it had.
    pub peak: f64,
}

#[derive(sqlx::FromRow)]
struct SummaryRow {
    #[sqlx(flatten)]
    tension: TensionRow,
    responses: i64,
}

#[derive(sqlx::FromRow)]
struct EvidenceRow {
    claim_id: Uuid,
    document_id: Uuid,
    origin: String,
    is_against: bool,
    severity: i64,
    day: i64,
}

impl EvidenceRow {
    fn evidence(self) -> Result<Evidence, Fault> {
        Ok(Evidence {
            claim: ClaimId(self.claim_id),
            document: DocumentId(self.document_id),
            origin: self.origin,
            is_against: self.is_against,
            severity: severity(self.severity)?,
            day: self.day,
        })
    }
}

const TENSIONS: &str = concat!(
    "select ",
    columns!(),
    ", (select count(*) from responds_to l join responses p on p.id = l.response_id
         where l.tension_id = t.id and ",
    super::responses::visible_response!(),
    ") as responses
       from tensions t where ",
    visible!(),
    " order by t.last_day desc, t.title, t.id"
);
const TENSION: &str = concat!(
    "select ",
    columns!(),
    " from tensions t
      where t.id = coalesce((select m.survivor_id from tension_merges m where m.merged_id = $2), $2) and ",
    visible!()
);
const PARENTS: &str = concat!(
    "select t.id, t.title from spawned_from f join tensions t on t.id = f.parent_id where f.tension_id = $2 and ",
    visible!(),
    " order by f.spawned_at, t.id"
);
const EVIDENCE: &str = "
    select e.claim_id, e.document_id, e.origin, e.is_against, e.severity, e.day
      from tension_evidence e join documents d on d.id = e.document_id
     where e.tension_id = $2 and d.collection_id in (select unhex(value) from json_each($1))
     order by e.day desc, e.claim_id";
const RECENT: &str = "
    select e.tension_id, e.origin, e.severity, e.day
      from tension_evidence e join documents d on d.id = e.document_id join tensions t on t.id = e.tension_id
     where e.day >= $2 and not e.is_against
       and d.collection_id in (select unhex(value) from json_each($1))
       and t.collection_id in (select unhex(value) from json_each($1))
     group by e.tension_id, e.origin, e.severity, e.day";
const SNAPSHOTS: &str = "
    select s.tension_id, s.day, s.heat from heat_snapshots s join tensions t on t.id = s.tension_id
     where s.day >= $2 and t.collection_id in (select unhex(value) from json_each($1))
     order by s.tension_id, s.day";

/// Tensions of the theme `$2` without `$3` that were hot and are no more.
const EASED: &str = concat!(
    "select t.id, t.title, t.kind, t.region, t.cause_heat, max(s.heat) as peak
       from tensions t join heat_snapshots s on s.tension_id = t.id
      where t.theme = $2 and t.id <> $3 and t.state = 'active' and t.cause_heat <= $4 and ",
    visible!(),
    " group by t.id, t.title, t.kind, t.region, t.cause_heat having max(s.heat) >= $5
      order by peak desc, t.title, t.id limit $6"
);
/// Tensions of the theme `$2` without `$3`, those of the region `$4` first.
const RELATED: &str = concat!(
    "select t.id, t.title from tensions t where t.theme = $2 and t.id <> $3 and ",
    visible!(),
    " order by case when t.region = $4 then 0 else 1 end, t.last_day desc, t.title, t.id limit $5"
);

impl TensionStore {
    /// Returns the visible tensions, the latest evidence first.
    pub async fn tensions(&self, scope: &Scope) -> StoreResult<Vec<TensionSummary>> {
        read!(self.0, conn => {
            let rows: Vec<SummaryRow> = sqlx::query_as(TENSIONS).bind(scope_list(scope)).fetch_all(&mut *conn).await?;
            let summary = |row: SummaryRow| {
                Ok::<_, Fault>(TensionSummary { tension: row.tension.tension()?, responses: count(row.responses)? })
            };
            rows.into_iter().map(summary).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns a visible tension; the id of a merged one returns its survivor.
    pub async fn tension(&self, scope: &Scope, id: TensionId) -> StoreResult<Option<Tension>> {
        read!(self.0, conn => {
            let row: Option<TensionRow> =
                sqlx::query_as(TENSION).bind(scope_list(scope)).bind(id.0).fetch_optional(&mut *conn).await?;
            row.map(TensionRow::tension).transpose()?
        })
    }

    /// Returns the visible tensions whose work brought up this one, with their titles.
    pub async fn parents(&self, scope: &Scope, id: TensionId) -> StoreResult<Vec<(TensionId, String)>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String)> =
                sqlx::query_as(PARENTS).bind(scope_list(scope)).bind(id.0).fetch_all(&mut *conn).await?;
            rows.into_iter().map(|(id, title)| (TensionId(id), title)).collect()
        })
    }

    /// Returns the visible evidence of a tension, newest first.
    pub async fn evidence(&self, scope: &Scope, id: TensionId) -> StoreResult<Vec<Evidence>> {
        read!(self.0, conn => {
            let rows: Vec<EvidenceRow> =
                sqlx::query_as(EVIDENCE).bind(scope_list(scope)).bind(id.0).fetch_all(&mut *conn).await?;
            rows.into_iter().map(EvidenceRow::evidence).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns what heat counts of all visible tensions since a day.
    pub async fn recent_evidence(&self, scope: &Scope, since: i64) -> StoreResult<Vec<(TensionId, OriginEvidence)>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String, i64, i64)> =
                sqlx::query_as(RECENT).bind(scope_list(scope)).bind(since).fetch_all(&mut *conn).await?;
            let counted = |(id, origin, number, day): (Uuid, String, i64, i64)| {
                Ok::<_, Fault>((TensionId(id), OriginEvidence { origin, severity: severity(number)?, day }))
            };
            rows.into_iter().map(counted).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns the snapshots of all visible tensions since a day.
    pub async fn snapshots(&self, scope: &Scope, since: i64) -> StoreResult<Vec<HeatSnapshot>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, i64, i64)> =
                sqlx::query_as(SNAPSHOTS).bind(scope_list(scope)).bind(since).fetch_all(&mut *conn).await?;
            let snapshot = |(id, day, heat): (Uuid, i64, i64)| HeatSnapshot {
                tension: TensionId(id),
                day,
                heat: from_thousandths(heat),
            };
            rows.into_iter().map(snapshot).collect()
        })
    }

    /// Returns the snapshots of one tension since a day: the day with its heat.
    pub async fn snapshots_of(&self, id: TensionId, since: i64) -> StoreResult<Vec<(i64, f64)>> {
        read!(self.0, conn => {
            let rows: Vec<(i64, i64)> =
                sqlx::query_as("select day, heat from heat_snapshots where tension_id = $1 and day >= $2 order by day")
                    .bind(id.0)
                    .bind(since)
                    .fetch_all(&mut *conn)
                    .await?;
            rows.into_iter().map(|(day, heat)| (day, from_thousandths(heat))).collect()
        })
    }

    /// Returns visible tensions of the same theme that were hot, from a heat on, and have cooled down to another.
    pub async fn eased(&self, scope: &Scope, like: &Tension, from: f64, to: f64, limit: u32) -> StoreResult<Vec<EasedTension>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String, String, String, i64, i64)> = sqlx::query_as(EASED)
                .bind(scope_list(scope))
                .bind(&like.theme)
                .bind(like.id.0)
                .bind(thousandths(to))
                .bind(thousandths(from))
                .bind(i64::from(limit))
                .fetch_all(&mut *conn)
                .await?;
            let eased = |(id, title, kind, region, heat, peak): (Uuid, String, String, String, i64, i64)| EasedTension {
                id: TensionId(id),
                title,
                kind,
                region,
                heat: from_thousandths(heat),
                peak: from_thousandths(peak),
            };
            rows.into_iter().map(eased).collect()
        })
    }

    /// Returns visible tensions of the same theme, those of the same region first.
    pub async fn related(&self, scope: &Scope, like: &Tension, limit: u32) -> StoreResult<Vec<(TensionId, String)>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, String)> = sqlx::query_as(RELATED)
                .bind(scope_list(scope))
                .bind(&like.theme)
                .bind(like.id.0)
                .bind(&like.region.code)
                .bind(i64::from(limit))
                .fetch_all(&mut *conn)
                .await?;
            rows.into_iter().map(|(id, title)| (TensionId(id), title)).collect()
        })
    }

    /// Returns the number of visible documents that were searched for strain, and the time of the last search.
    pub async fn searched(&self, scope: &Scope) -> StoreResult<(u64, Option<Timestamp>)> {
        read!(self.0, conn => {
            let (documents, last): (i64, Option<Moment>) = sqlx::query_as(
                "select count(*), max(s.searched_at) from strain_searches s join documents d on d.id = s.document_id
                  where d.collection_id in (select unhex(value) from json_each($1))",
            )
            .bind(scope_list(scope))
            .fetch_one(&mut *conn)
            .await?;
            (count(documents)?, last.map(|at| at.0))
        })
    }
}
