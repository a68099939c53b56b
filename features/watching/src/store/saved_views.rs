//! Statements on saved views.

use super::{WatchingStore, readable_rows_of};
use crate::saved_view::{SavedView, SavedViewId, ViewPage};
use adapters::sql::{
    execute, read, rows,
    types::{Moment, id_list},
    values, write,
};
use domain::{Timestamp, UserId};
use engine::StoreResult;
use sqlx::AssertSqlSafe;
use uuid::Uuid;

#[derive(sqlx::FromRow)]
struct ViewRow {
    id: Uuid,
    user_id: Uuid,
    owner_name: String,
    name: String,
    notes: String,
    query: String,
    shared: bool,
    created_at: Moment,
}

impl ViewRow {
    /// Returns the view with the time at which it was saved.
    fn dated(self) -> (SavedView, Timestamp) {
        let at = self.created_at.0;
        (self.view(), at)
    }

    fn view(self) -> SavedView {
        SavedView {
            id: SavedViewId(self.id),
            owner: UserId(self.user_id),
            owner_name: self.owner_name,
            name: self.name,
            notes: self.notes,
            is_shared: self.shared,
            query: self.query,
        }
    }
}

/// Selects rows of views, before their conditions.
const SELECTED: &str = "select r.id, r.user_id, u.name as owner_name, r.name, r.notes, r.query, r.shared, r.created_at
     from saved_views r join users u on u.id = r.user_id";

impl WatchingStore {
    /// Returns the saved views of a page that are the person's or shared, the person's own first, by name.
    pub async fn saved_views(&self, user: UserId, page: ViewPage) -> StoreResult<Vec<SavedView>> {
        let selecting = format!(
            "{SELECTED} where r.page = $2 and {} order by r.user_id <> $1, r.name, r.id",
            readable_rows_of("saved_views")
        );
        read!(self.0, conn => {
            let rows: Vec<ViewRow> = rows!(conn.fetch_all, AssertSqlSafe(selecting.clone()); user.0, page.as_str());
            rows.into_iter().map(ViewRow::view).collect()
        })
    }

    /// Returns those of some graph views that are the person's or shared, with the time at which each was saved.
    pub async fn graph_views(&self, user: UserId, ids: &[SavedViewId]) -> StoreResult<Vec<(SavedView, Timestamp)>> {
        let selecting = format!(
            "{SELECTED} where r.page = $2 and r.id in (select unhex(value) from json_each($3)) and {} order by r.id",
            readable_rows_of("saved_views")
        );
        let ids = id_list(ids.iter().map(|id| id.0));
        read!(self.0, conn => {
            let rows: Vec<ViewRow> = rows!(conn.fetch_all, AssertSqlSafe(selecting.clone()); user.0, ViewPage::Graph.as_str(),
                ids.clone());
            rows.into_iter().map(ViewRow::dated).collect()
        })
    }

    /// Returns the owner of a graph view.
    pub async fn owner_of_graph_view(&self, id: SavedViewId) -> StoreResult<Option<UserId>> {
        read!(self.0, conn => {
            let owner: Option<Uuid> = values!(conn.fetch_optional,
                "select user_id from saved_views where id = $1 and page = $2"; id.0, ViewPage::Graph.as_str());
            owner.map(UserId)
        })
    }

    /// Saves a view for its owner; one of the same page and name is replaced. Returns false when the owner has `limit` views already.
    pub async fn save_view(&self, page: ViewPage, view: &SavedView, now: Timestamp, limit: u32) -> StoreResult<bool> {
        let lock = self.0.lock_of_person();
        write!(self.0, conn => {
            sqlx::query(lock).bind(view.owner.0).fetch_optional(&mut *conn).await?;
            execute!(conn, "insert into saved_views (id, user_id, page, name, notes, query, shared, created_at)
                 select $1, $2, $3, $4, $5, $6, $7, $8
                  where (select count(*) from saved_views v where v.user_id = $2 and not (v.page = $3 and v.name = $4)) < $9
                 on conflict (user_id, page, name) do update
                 set notes = excluded.notes, query = excluded.query, shared = excluded.shared";
                view.id.0, view.owner.0, page.as_str(), &view.name, &view.notes, &view.query, view.is_shared, Moment(now),
                i64::from(limit))
            .rows_affected()
            > 0
        })
    }

    /// Removes a shared view of anybody; returns whether there was one.
    pub async fn remove_shared_view(&self, id: SavedViewId) -> StoreResult<bool> {
        write!(self.0, conn => {
            let removed = sqlx::query("delete from saved_views where id = $1 and shared").bind(id.0);
            removed.execute(&mut *conn).await?.rows_affected() > 0
        })
    }

    /// Removes a view of a person; returns whether there was one.
    pub async fn remove_view(&self, user: UserId, id: SavedViewId) -> StoreResult<bool> {
        self.remove("delete from saved_views where id = $1 and user_id = $2", id.0, user).await
    }
}
