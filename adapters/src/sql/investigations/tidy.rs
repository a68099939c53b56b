//! Statements that archive, count and delete investigations.

use super::row::InvestigationRow;
use crate::sql::{
    Store,
    archive::ScopeKind,
    fault::Fault,
    teams::includes,
    types::{count, id_list},
};
use domain::{InvestigationId, investigation::Investigation};
use engine::{
    StoreResult,
    investigations::{Contents, ManageAccess},
};
use uuid::Uuid;

/// Condition for investigations `i` among the ids `$1` that the person `$2` may manage: their own, those of the collections `$3`, and those
/// whose visibility includes the administrator `$4`.
macro_rules! managed {
    () => {
        concat!(
            "i.id in (select unhex(value) from json_each($1))
                and (i.owner = $2 or i.collection_id in (select unhex(value) from json_each($3)) or ",
            includes!("$4"),
            ")"
        )
    };
}

/// The same of investigations that have ended.
macro_rules! deletable {
    () => {
        concat!("select i.id from investigations i where i.status in ('completed', 'failed') and ", managed!())
    };
}

pub(super) const ARCHIVE: &str = concat!(
    "insert into archived_investigations (investigation_id, archived_by, archived_at)
     select i.id, $2, $5 from investigations i where ",
    managed!(),
    " on conflict (investigation_id) do nothing returning investigation_id"
);

pub(super) const UNARCHIVE: &str = concat!(
    "delete from archived_investigations where investigation_id in (select i.id from investigations i where ",
    managed!(),
    ") returning investigation_id"
);

const MANAGED: &str = concat!("select i.* from investigations i where ", managed!(), " order by i.created_at desc, i.id desc");

/// The chosen investigations, and `those`: the same with their parts.
macro_rules! with_those {
    () => {
        concat!(
            "with chosen(id) as (select i.id from investigations i where ",
            managed!(),
            "), those(id) as (select id from chosen union
                              select p.id from investigations p where p.parent_id in (select id from chosen)) "
        )
    };
}

/// Selects the assessments of the investigations and their parts.
const ASSESSMENTS: &str =
    concat!(with_those!(), "select x.id from assessments x where x.investigation_id in (select id from those)");

const CONTENTS: &str = concat!(
    with_those!(),
    "select (select count(*) from those) - (select count(*) from chosen) as parts,
        (select count(*) from assessments x where x.investigation_id in (select id from those)) as assessments,
        (select count(*) from work_orders x where x.investigation_id in (select id from those)) as work_orders,
        (select count(*) from agent_sessions x where x.investigation_id in (select id from those)) as sessions,
        (select count(*) from model_calls x where x.investigation_id in (select id from those)) as model_calls,
        (select count(*) from events x where x.investigation_id in (select id from those)) as events"
);

/// Deletes what does not go with the rows of investigations by itself: lists of unreadable files, and parts.
pub(super) const DELETE_FIRST: [&str; 2] = [
    concat!(
        "delete from rejected_of_investigations where investigation_id in (
            select w.id from investigations w where w.id in (",
        deletable!(),
        ") or w.parent_id in (",
        deletable!(),
        "))"
    ),
    concat!("delete from investigations where parent_id in (", deletable!(), ")"),
];

pub(super) const DELETE: &str = concat!("delete from investigations where id in (", deletable!(), ") returning id");

fn list(ids: &[InvestigationId]) -> String {
    id_list(ids.iter().map(|id| id.0))
}

/// Returns the parameters of these statements beside the person: the ids, their collections, and the administrator.
pub(super) fn parameters(ids: &[InvestigationId], by: &ManageAccess) -> (String, String, Option<Uuid>) {
    let scope = id_list(by.scope.collections().iter().map(|id| id.0));
    (list(ids), scope, by.scope.reader().map(|reader| reader.0))
}

/// Reads the investigations that a person may manage, and counts what belongs to them and their parts.
pub(super) async fn contents(
    store: &Store,
    ids: &[InvestigationId],
    by: &ManageAccess,
) -> StoreResult<(Vec<Investigation>, Contents)> {
    let (list, scope, reader) = parameters(ids, by);
    let (managed, contents, assessments) = read!(store, conn => {
        let managed: Vec<InvestigationRow> = rows!(conn.fetch_all, MANAGED; &list, by.user.0, &scope, reader);
        let contents: ContentsRow = rows!(conn.fetch_one, CONTENTS; &list, by.user.0, &scope, reader);
        let assessments: Vec<Uuid> = values!(conn.fetch_all, ASSESSMENTS; &list, by.user.0, &scope, reader);
        let managed = managed.into_iter().map(InvestigationRow::investigation).collect::<Result<Vec<_>, Fault>>()?;
        (managed, contents.contents()?, assessments)
    })?;
    let added = store.count_dependents(by.user, ScopeKind::Assessment, &id_list(assessments)).await?;
    Ok((managed, Contents { added, ..contents }))
}

#[derive(sqlx::FromRow)]
struct ContentsRow {
    parts: i64,
    assessments: i64,
    work_orders: i64,
    sessions: i64,
    model_calls: i64,
    events: i64,
}

impl ContentsRow {
    fn contents(self) -> Result<Contents, Fault> {
        Ok(Contents {
            parts: count(self.parts.max(0))?,
            assessments: count(self.assessments)?,
            work_orders: count(self.work_orders)?,
            sessions: count(self.sessions)?,
            model_calls: count(self.model_calls)?,
            events: count(self.events)?,
            added: vec![],
        })
    }
}
