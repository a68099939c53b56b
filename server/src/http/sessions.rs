//! Browser sessions in the database, with an opaque id as cookie. Active sessions are extended, expired ones deleted.

use super::WebState;
use crate::Program;
use app::session::USER_KEY;
use async_trait::async_trait;
use axum::{
    body::Body,
    extract::{Request, State},
    http::Response,
    middleware::Next,
};
use domain::{Timestamp, UserId};
use engine::{
    Clock, StoreError,
    accounts::{WebSession, WebSessions},
};
use std::{fmt, sync::Arc};
use tokio_util::sync::CancellationToken;
use tower_sessions::{
    Expiry, Session, SessionManagerLayer, SessionStore,
    cookie::{
        SameSite,
        time::{Duration, OffsetDateTime},
    },
    session::{Id, Record},
    session_store::{Error, Result},
};

/// Cookie name.
const COOKIE: &str = "autosint";
/// Time of the last extension, in microseconds.
const EXTENDED_KEY: &str = "extended_at";
/// Attempts to find a free id. Ids are 128 random bits, so more collisions would mean a broken random source.
const MAX_COLLISIONS: u32 = 5;

/// Session layer of all requests.
pub(super) fn layer(program: &Program) -> SessionManagerLayer<DatabaseSessionStore> {
    let auth = &program.config.auth;
    let store = DatabaseSessionStore { port: program.web_sessions.clone(), clock: program.engine.clock.clone() };
    SessionManagerLayer::new(store)
        .with_name(COOKIE)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_secure(auth.secure_cookies)
        .with_expiry(Expiry::OnInactivity(Duration::hours(i64::from(auth.session_hours))))
}

/// Extends the session of a signed-in user from time to time. A changed session is stored and sent with a new expiry.
pub(super) async fn extend(State(web): State<WebState>, session: Session, request: Request, next: Next) -> Response<Body> {
    // Site files come with each page, so they need no extension.
    if !request.uri().path().starts_with("/pkg/")
        && let Err(error) = extend_now(&web.program, &session).await
    {
        tracing::warn!(%error, "browser session not extended");
    }
    next.run(request).await
}

async fn extend_now(program: &Program, session: &Session) -> std::result::Result<(), tower_sessions::session::Error> {
    if session.get::<UserId>(USER_KEY).await?.is_none() {
        return Ok(());
    }
    let now = program.engine.clock.now();
    let extended = session.get::<i64>(EXTENDED_KEY).await?.map(Timestamp::from_micros);
    let wait_ms = program.config.auth.session_extend_ms.cast_signed();
    if extended.is_none_or(|extended| now.ms_since(extended) >= wait_ms) {
        session.insert(EXTENDED_KEY, now.as_micros()).await?;
    }
    Ok(())
}

/// Deletes expired sessions periodically until `shutdown`.
pub(super) async fn sweep(program: Program, shutdown: CancellationToken) {
    let pause = std::time::Duration::from_millis(program.config.auth.session_sweep_ms);
    loop {
        if let Err(error) = program.web_sessions.delete_expired(program.engine.clock.now()).await {
            tracing::warn!(%error, "expired sessions not deleted, retrying later");
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// `tower-sessions` store on the engine's port.
#[derive(Clone)]
pub(super) struct DatabaseSessionStore {
    port: Arc<dyn WebSessions>,
    clock: Arc<dyn Clock>,
}

impl fmt::Debug for DatabaseSessionStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sessions")
    }
}

#[async_trait]
impl SessionStore for DatabaseSessionStore {
    async fn create(&self, record: &mut Record) -> Result<()> {
        for _ in 0..MAX_COLLISIONS {
            if self.port.create(&to_stored(record)?).await.map_err(backend_error)? {
                return Ok(());
            }
            record.id = Id::default();
        }
        Err(Error::Backend("no free session id found".to_owned()))
    }

    async fn save(&self, record: &Record) -> Result<()> {
        self.port.save(&to_stored(record)?).await.map_err(backend_error)
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let found = self.port.load(&id.to_string(), self.clock.now()).await.map_err(backend_error)?;
        found.map(|found| from_stored(*id, &found)).transpose()
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        self.port.delete(&id.to_string()).await.map_err(backend_error)
    }
}

fn to_stored(record: &Record) -> Result<WebSession> {
    let data = serde_json::to_string(&record.data).map_err(|error| Error::Encode(error.to_string()))?;
    let micros = record.expiry_date.unix_timestamp_nanos() / 1_000;
    let expires_at = Timestamp::from_micros(i64::try_from(micros).unwrap_or(i64::MAX));
    Ok(WebSession { id: record.id.to_string(), data, expires_at })
}

fn from_stored(id: Id, found: &WebSession) -> Result<Record> {
    let data = serde_json::from_str(&found.data).map_err(|error| Error::Decode(error.to_string()))?;
    let nanos = i128::from(found.expires_at.as_micros()) * 1_000;
    let expiry_date = OffsetDateTime::from_unix_timestamp_nanos(nanos).map_err(|error| Error::Decode(error.to_string()))?;
    Ok(Record { id, data, expiry_date })
}

fn backend_error(error: StoreError) -> Error {
    Error::Backend(error.to_string())
}
