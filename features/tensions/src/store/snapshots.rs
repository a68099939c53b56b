//! Snapshots of heat: one row per tension and day.

use super::{TensionStore, evidence::ROWS, reads::CountedRow};
use crate::{
    heat::{DayHeat, OriginEvidence, thousandths},
    tension::TensionId,
};
use adapters::sql::{
    execute,
    fault::Fault,
    read, rows,
    types::{Moment, id_list},
    write,
};
use domain::Timestamp;
use engine::StoreResult;
use uuid::Uuid;

/// A tension whose snapshots are not up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueSnapshot {
    pub tension: TensionId,
    /// Last day with a snapshot that still holds.
    pub last: Option<i64>,
    /// Last change of its evidence.
    pub changed_at: Timestamp,
}

/// New snapshots of one tension.
#[derive(Debug, Clone, PartialEq)]
pub struct SnapshotBatch {
    pub due: DueSnapshot,
    /// Days with their heat, in order. The snapshots of the days between are replaced.
    pub days: Vec<(i64, DayHeat)>,
}

impl TensionStore {
    /// Returns tensions without a snapshot of `today`.
    pub async fn due_snapshots(&self, today: i64, limit: u32) -> StoreResult<Vec<DueSnapshot>> {
        read!(self.0, conn => {
            let rows: Vec<(Uuid, Option<i64>, Moment)> = rows!(conn.fetch_all,
                "select id, snapshot_day, changed_at from tensions where snapshot_day is null or snapshot_day < $1
                 order by id limit $2"; today, i64::from(limit));
            let due = |(id, last, changed_at): (Uuid, Option<i64>, Moment)| DueSnapshot {
                tension: TensionId(id),
                last,
                changed_at: changed_at.0,
            };
            rows.into_iter().map(due).collect()
        })
    }

    /// Returns what heat counts of tensions in their own collections, which all of their readers see, since a day.
    pub async fn own_evidence(&self, tensions: &[TensionId], since: i64) -> StoreResult<Vec<(TensionId, OriginEvidence)>> {
        read!(self.0, conn => {
            let rows: Vec<CountedRow> = rows!(conn.fetch_all,
                "select e.tension_id, e.origin, e.severity, e.day, coalesce(e.is_undated, false) as is_undated
                   from tension_evidence e join documents d on d.id = e.document_id join tensions t on t.id = e.tension_id
                  where e.tension_id in (select unhex(value) from json_each($1)) and e.day >= $2 and not e.is_against
                    and d.collection_id = t.collection_id
                  group by e.tension_id, e.origin, e.severity, e.day, e.is_undated";
                id_list(tensions.iter().map(|id| id.0)), since);
            rows.into_iter().map(CountedRow::evidence).collect::<Result<_, Fault>>()?
        })
    }

    /// Returns the snapshots of a tension: days with heat in thousandths.
    #[cfg(test)]
    pub async fn snapshots(&self, tension: TensionId) -> StoreResult<Vec<(i64, i64)>> {
        read!(self.0, conn => {
            rows!(conn.fetch_all, "select day, heat from heat_snapshots where tension_id = $1 order by day"; tension.0)
        })
    }

    /// Replaces the snapshots of some days. A day without heat has no row. A tension whose evidence changed meanwhile stays due.
    pub async fn put_snapshots(&self, batches: &[SnapshotBatch]) -> StoreResult<()> {
        let with_heat = |batch: &SnapshotBatch| {
            let rows = batch.days.iter().filter(|(_, heat)| thousandths(heat.value) > 0);
            rows.map(|(day, heat)| (batch.due.tension, *day, *heat)).collect::<Vec<_>>()
        };
        let rows: Vec<(TensionId, i64, DayHeat)> = batches.iter().flat_map(with_heat).collect();
        write!(self.0, conn => {
            for batch in batches {
                let (Some(first), Some(last)) = (batch.days.first(), batch.days.last()) else { continue };
                execute!(conn, "delete from heat_snapshots where tension_id = $1 and day between $2 and $3";
                    batch.due.tension.0, first.0, last.0);
                execute!(conn,
                    "update tensions set snapshot_day = $2, cause_heat = $3, dated_heat = $4 where id = $1 and changed_at = $5";
                    batch.due.tension.0, last.0, thousandths(last.1.value), thousandths(last.1.dated),
                    Moment(batch.due.changed_at));
            }
            for rows in rows.chunks(ROWS) {
                let mut insert =
                    sqlx::QueryBuilder::new("insert into heat_snapshots (tension_id, day, heat, origins, dated_heat) ");
                insert.push_values(rows, |mut row, (tension, day, heat)| {
                    row.push_bind(tension.0)
                        .push_bind(*day)
                        .push_bind(thousandths(heat.value))
                        .push_bind(i64::try_from(heat.origins).unwrap_or(i64::MAX))
                        .push_bind(thousandths(heat.dated));
                });
                insert.push(
                    " on conflict (tension_id, day) do update
                      set heat = excluded.heat, origins = excluded.origins, dated_heat = excluded.dated_heat",
                );
                insert.build().persistent(false).execute(&mut *conn).await?;
            }
        })
    }
}
