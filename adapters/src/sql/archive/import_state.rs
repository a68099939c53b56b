//! The archives imported into this store.

use crate::sql::{Store, types::Moment};
use async_trait::async_trait;
use domain::Timestamp;
use engine::{
    StoreResult,
    archive::{ImportRun, ImportState},
    investigations::Investigations,
};

#[async_trait]
impl ImportState for Store {
    async fn workers(&self, now: Timestamp) -> StoreResult<usize> {
        Ok(self.live_holders(now).await?.len())
    }

    async fn last_import(&self) -> StoreResult<Option<ImportRun>> {
        type Row = (String, Moment, Option<Moment>);
        let row: Option<Row> = read!(self, conn => {
            rows!(conn.fetch_optional, "select source, began_at, ended_at from arrivals order by began_at desc, source limit 1")
        })?;
        Ok(row.map(|(source, began_at, ended_at)| ImportRun {
            source,
            began_at: began_at.0,
            ended_at: ended_at.map(|moment| moment.0),
        }))
    }

    async fn begin_import(&self, source: &str, at: Timestamp) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "insert into arrivals (source, began_at) values ($1, $2)
                 on conflict (source) do update set ended_at = null"; source, Moment(at));
        })
    }

    async fn cancel_import(&self, source: &str) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "delete from arrivals where source = $1 and ended_at is null"; source);
        })
    }

    async fn end_import(&self, source: &str, at: Timestamp) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "update arrivals set ended_at = $2 where source = $1"; source, Moment(at));
        })
    }
}
