//! Signed-in browser sessions and known devices.

use super::{
    Store,
    accounts::{log_audit, name_key},
    types::Moment,
};
use async_trait::async_trait;
use domain::{Timestamp, UserId};
use engine::{
    StoreResult,
    accounts::{AuditEntry, WebSession, WebSessions},
};
use uuid::Uuid;

#[derive(sqlx::FromRow)]
struct SessionRow {
    id_hash: String,
    user_id: Option<Uuid>,
    device: String,
    data: String,
    started_at: Moment,
    used_at: Moment,
    expires_at: Moment,
}

impl SessionRow {
    fn session(self) -> WebSession {
        WebSession {
            key: self.id_hash,
            user: self.user_id.map(UserId),
            device: self.device,
            data: self.data,
            started_at: self.started_at.0,
            used_at: self.used_at.0,
            expires_at: self.expires_at.0,
        }
    }
}

#[async_trait]
impl WebSessions for Store {
    async fn create(&self, session: &WebSession) -> StoreResult<bool> {
        write!(self, conn => {
            let added = sqlx::query(
                "insert into web_sessions (id_hash, user_id, device, data, started_at, used_at, expires_at)
                 values ($1, $2, $3, $4, $5, $6, $7) on conflict (id_hash) do nothing",
            )
            .bind(&session.key)
            .bind(session.user.map(|user| user.0))
            .bind(&session.device)
            .bind(&session.data)
            .bind(Moment(session.started_at))
            .bind(Moment(session.used_at))
            .bind(Moment(session.expires_at))
            .execute(&mut *conn)
            .await?;
            added.rows_affected() == 1
        })
    }

    async fn save(&self, session: &WebSession) -> StoreResult<()> {
        write!(self, conn => {
            // One that was ended meanwhile stays ended.
            sqlx::query(
                "update web_sessions set user_id = $2, device = $3, data = $4, started_at = $5, used_at = $6, expires_at = $7
                 where id_hash = $1",
            )
            .bind(&session.key)
            .bind(session.user.map(|user| user.0))
            .bind(&session.device)
            .bind(&session.data)
            .bind(Moment(session.started_at))
            .bind(Moment(session.used_at))
            .bind(Moment(session.expires_at))
            .execute(&mut *conn)
            .await?;
        })
    }

    async fn load(&self, key: &str, now: Timestamp) -> StoreResult<Option<WebSession>> {
        read!(self, conn => {
            let row: Option<SessionRow> =
                sqlx::query_as("select * from web_sessions where id_hash = $1 and expires_at > $2")
                    .bind(key)
                    .bind(Moment(now))
                    .fetch_optional(&mut *conn)
                    .await?;
            row.map(SessionRow::session)
        })
    }

    async fn sessions_of(&self, user: UserId, now: Timestamp) -> StoreResult<Vec<WebSession>> {
        read!(self, conn => {
            let rows: Vec<SessionRow> = sqlx::query_as(
                "select * from web_sessions where user_id = $1 and expires_at > $2 order by used_at desc, id_hash",
            )
            .bind(user.0)
            .bind(Moment(now))
            .fetch_all(&mut *conn)
            .await?;
            rows.into_iter().map(SessionRow::session).collect()
        })
    }

    async fn delete(&self, key: &str) -> StoreResult<()> {
        write!(self, conn => {
            sqlx::query("delete from web_sessions where id_hash = $1").bind(key).execute(&mut *conn).await?;
        })
    }

    async fn end(&self, user: UserId, key: &str, entry: &AuditEntry) -> StoreResult<bool> {
        write!(self, conn => {
            let ended = sqlx::query("delete from web_sessions where id_hash = $1 and user_id = $2")
                .bind(key)
                .bind(user.0)
                .execute(&mut *conn)
                .await?;
            let is_ended = ended.rows_affected() == 1;
            if is_ended {
                log_audit!(conn, entry);
            }
            is_ended
        })
    }

    async fn end_all(&self, user: UserId, entry: &AuditEntry) -> StoreResult<()> {
        write!(self, conn => {
            for sql in ["delete from web_sessions where user_id = $1", "delete from devices where user_id = $1"] {
                sqlx::query(sql).bind(user.0).execute(&mut *conn).await?;
            }
            log_audit!(conn, entry);
        })
    }

    async fn delete_expired(&self, now: Timestamp) -> StoreResult<()> {
        write!(self, conn => {
            sqlx::query("delete from web_sessions where expires_at <= $1").bind(Moment(now)).execute(&mut *conn).await?;
        })
    }

    async fn remember_device(&self, token_hash: &str, user: UserId, now: Timestamp, keep: u32) -> StoreResult<()> {
        write!(self, conn => {
            sqlx::query(
                "insert into devices (token_hash, user_id, used_at) values ($1, $2, $3)
                 on conflict (token_hash) do update set user_id = excluded.user_id, used_at = excluded.used_at",
            )
            .bind(token_hash)
            .bind(user.0)
            .bind(Moment(now))
            .execute(&mut *conn)
            .await?;
            sqlx::query(
                "delete from devices where user_id = $1 and token_hash not in
                    (select token_hash from devices where user_id = $1 order by used_at desc, token_hash limit $2)",
            )
            .bind(user.0)
            .bind(i64::from(keep))
            .execute(&mut *conn)
            .await?;
        })
    }

    async fn is_device_of(&self, token_hash: &str, name: &str) -> StoreResult<bool> {
        read!(self, conn => {
            sqlx::query_scalar(
                "select exists (select 1 from devices d join users u on u.id = d.user_id where d.token_hash = $1 and u.name_key = $2)",
            )
            .bind(token_hash)
            .bind(name_key(name))
            .fetch_one(&mut *conn)
            .await?
        })
    }
}
