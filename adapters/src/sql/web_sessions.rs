//! Signed-in browser sessions.

use super::{Store, types::Moment};
use async_trait::async_trait;
use domain::Timestamp;
use engine::{
    StoreResult,
    accounts::{WebSession, WebSessions},
};

#[async_trait]
impl WebSessions for Store {
    async fn create(&self, session: &WebSession) -> StoreResult<bool> {
        write!(self, conn => {
            let added = sqlx::query(
                "insert into web_sessions (id, data, expires_at) values ($1, $2, $3) on conflict (id) do nothing",
            )
            .bind(&session.id)
            .bind(&session.data)
            .bind(Moment(session.expires_at))
            .execute(&mut *conn)
            .await?;
            added.rows_affected() == 1
        })
    }

    async fn save(&self, session: &WebSession) -> StoreResult<()> {
        write!(self, conn => {
            // One that was ended meanwhile stays ended.
            sqlx::query("update web_sessions set data = $2, expires_at = $3 where id = $1")
                .bind(&session.id)
                .bind(&session.data)
                .bind(Moment(session.expires_at))
                .execute(&mut *conn)
                .await?;
        })
    }

    async fn load(&self, id: &str, now: Timestamp) -> StoreResult<Option<WebSession>> {
        read!(self, conn => {
            let row: Option<(String, Moment)> =
                sqlx::query_as("select data, expires_at from web_sessions where id = $1 and expires_at > $2")
                    .bind(id)
                    .bind(Moment(now))
                    .fetch_optional(&mut *conn)
                    .await?;
            row.map(|(data, expires_at)| WebSession { id: id.to_owned(), data, expires_at: expires_at.0 })
        })
    }

    async fn delete(&self, id: &str) -> StoreResult<()> {
        write!(self, conn => {
            sqlx::query("delete from web_sessions where id = $1").bind(id).execute(&mut *conn).await?;
        })
    }

    async fn delete_expired(&self, now: Timestamp) -> StoreResult<()> {
        write!(self, conn => {
            sqlx::query("delete from web_sessions where expires_at <= $1").bind(Moment(now)).execute(&mut *conn).await?;
        })
    }
}
