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
            let added = execute!(conn,
                "insert into web_sessions (id_hash, user_id, device, data, started_at, used_at, expires_at)
                 values ($1, $2, $3, $4, $5, $6, $7) on conflict (id_hash) do nothing";
                &session.key, session.user.map(|user| user.0), &session.device, &session.data, Moment(session.started_at),
                Moment(session.used_at), Moment(session.expires_at));
            added.rows_affected() == 1
        })
    }

    async fn save(&self, session: &WebSession) -> StoreResult<()> {
        write!(self, conn => {
            // One that was ended meanwhile stays ended.
            execute!(conn,
                "update web_sessions set user_id = $2, device = $3, data = $4, started_at = $5, used_at = $6, expires_at = $7
                 where id_hash = $1";
                &session.key, session.user.map(|user| user.0), &session.device, &session.data, Moment(session.started_at),
                Moment(session.used_at), Moment(session.expires_at));
        })
    }

    async fn load(&self, key: &str, now: Timestamp) -> StoreResult<Option<WebSession>> {
        read!(self, conn => {
            let row: Option<SessionRow> = rows!(conn.fetch_optional,
                "select * from web_sessions where id_hash = $1 and expires_at > $2"; key, Moment(now));
            row.map(SessionRow::session)
        })
    }

    async fn sessions_of(&self, user: UserId, now: Timestamp) -> StoreResult<Vec<WebSession>> {
        read!(self, conn => {
            let rows: Vec<SessionRow> = rows!(conn.fetch_all,
                "select * from web_sessions where user_id = $1 and expires_at > $2 order by used_at desc, id_hash"; user.0,
                Moment(now));
            rows.into_iter().map(SessionRow::session).collect()
        })
    }

    async fn delete(&self, key: &str) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "delete from web_sessions where id_hash = $1"; key);
        })
    }

    async fn end(&self, user: UserId, key: &str, entry: &AuditEntry) -> StoreResult<bool> {
        write!(self, conn => {
            let ended = execute!(conn, "delete from web_sessions where id_hash = $1 and user_id = $2"; key, user.0);
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
                execute!(conn, sql; user.0);
            }
            log_audit!(conn, entry);
        })
    }

    async fn delete_expired(&self, now: Timestamp) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "delete from web_sessions where expires_at <= $1"; Moment(now));
        })
    }

    async fn remember_device(&self, token_hash: &str, user: UserId, now: Timestamp, keep: u32) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "insert into devices (token_hash, user_id, used_at) values ($1, $2, $3)
                 on conflict (token_hash) do update set user_id = excluded.user_id, used_at = excluded.used_at";
                token_hash, user.0, Moment(now));
            execute!(conn, "delete from devices where user_id = $1 and token_hash not in
                    (select token_hash from devices where user_id = $1 order by used_at desc, token_hash limit $2)";
                user.0, i64::from(keep));
        })
    }

    async fn is_device_of(&self, token_hash: &str, name: &str) -> StoreResult<bool> {
        read!(self, conn => {
            values!(conn.fetch_one,
                "select exists (select 1 from devices d join users u on u.id = d.user_id where d.token_hash = $1 and u.name_key = $2)";
                token_hash, name_key(name))
        })
    }
}
