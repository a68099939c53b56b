//! Browser sessions in the database, with an opaque id as cookie. Active sessions are extended up to `auth.session_max_hours`,
//! expired ones deleted.
//!
//! Invariant: the database holds the SHA-256 of the id, never the id.

use super::{cookies, prelude::*};
use crate::Program;
use app::session::USER_KEY;
use async_trait::async_trait;
use domain::Timestamp;
use engine::{
    Clock,
    accounts::{WebSession, WebSessions, hash_token},
};
use serde::de::DeserializeOwned;
use std::{fmt, sync::Arc};
use tokio_util::sync::CancellationToken;
use tower_sessions::{
    Expiry, SessionManagerLayer, SessionStore,
    cookie::{
        SameSite,
        time::{Duration, OffsetDateTime},
    },
    session::{Id, Record},
    session_store::{Error, Result},
};

/// Time of the last extension, in microseconds.
const EXTENDED_KEY: &str = "extended_at";
/// Time of sign-in, in microseconds.
const STARTED_KEY: &str = "started_at";
/// Time at which the password was last typed, in microseconds.
const CONFIRMED_KEY: &str = "confirmed_at";
/// Browser and system, in words.
const DEVICE_KEY: &str = "device";
const HOUR_MS: i64 = 60 * 60 * 1_000;
const DAY_MS: i64 = 24 * HOUR_MS;
/// Attempts to find a free id. Ids are 128 random bits, so more collisions would mean a broken random source.
const MAX_COLLISIONS: u32 = 5;

/// Session layer of all requests.
pub(super) fn layer(program: &Program) -> SessionManagerLayer<DatabaseSessionStore> {
    let auth = &program.config.auth;
    let store = DatabaseSessionStore {
        port: program.web_sessions.clone(),
        clock: program.engine.clock.clone(),
        max_ms: i64::from(auth.session_max_hours) * HOUR_MS,
    };
    SessionManagerLayer::new(store)
        .with_name(cookies::SESSION)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        // `secure_transport` adds it where the request came over HTTPS.
        .with_secure(false)
        .with_expiry(Expiry::OnInactivity(Duration::hours(i64::from(auth.session_hours))))
}

/// Returns a new random token of 128 bits.
pub(crate) fn random_token() -> String {
    Id::default().to_string()
}

/// Returns the key of a session in the database, if it has one.
pub(super) fn key(session: &Session) -> Option<String> {
    session.id().map(|id| hash_token(&id.to_string()))
}

/// Signs a user in under a fresh session id, against session fixation.
pub(super) async fn start(
    session: &Session,
    user: UserId,
    device: String,
    now: Timestamp,
) -> std::result::Result<(), tower_sessions::session::Error> {
    session.cycle_id().await?;
    session.insert(USER_KEY, user).await?;
    session.insert(DEVICE_KEY, device).await?;
    session.insert(STARTED_KEY, now.as_micros()).await?;
    session.insert(EXTENDED_KEY, now.as_micros()).await?;
    confirm(session, now).await
}

/// Notes that the password was typed now.
pub(super) async fn confirm(session: &Session, now: Timestamp) -> std::result::Result<(), tower_sessions::session::Error> {
    session.insert(CONFIRMED_KEY, now.as_micros()).await
}

/// Returns when the password was last typed.
pub(super) async fn confirmed_at(session: &Session) -> std::result::Result<Option<Timestamp>, tower_sessions::session::Error> {
    Ok(session.get::<i64>(CONFIRMED_KEY).await?.map(Timestamp::from_micros))
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

/// Deletes expired sessions and old audit entries periodically until `shutdown`.
pub(super) async fn sweep(program: Program, shutdown: CancellationToken) {
    let auth = &program.config.auth;
    let pause = std::time::Duration::from_millis(auth.session_sweep_ms);
    loop {
        let now = program.engine.clock.now();
        if let Err(error) = program.web_sessions.delete_expired(now).await {
            tracing::warn!(%error, "expired sessions not deleted, retrying later");
        }
        let oldest = now.plus_ms(-i64::from(auth.audit_days) * DAY_MS);
        if let Err(error) = program.engine.accounts.drop_audit_before(oldest).await {
            tracing::warn!(%error, "old audit entries not deleted, retrying later");
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
    /// Longest life of a session, however much it is used.
    max_ms: i64,
}

impl DatabaseSessionStore {
    fn to_stored(&self, record: &Record) -> Result<WebSession> {
        let now = self.clock.now();
        let moment = |key| field::<i64>(record, key).map_or(now, Timestamp::from_micros);
        let data = serde_json::to_string(&record.data).map_err(|error| Error::Encode(error.to_string()))?;
        let micros = record.expiry_date.unix_timestamp_nanos() / 1_000;
        let idle = Timestamp::from_micros(i64::try_from(micros).unwrap_or(i64::MAX));
        let started_at = moment(STARTED_KEY);
        Ok(WebSession {
            key: hash_token(&record.id.to_string()),
            user: field(record, USER_KEY),
            device: field(record, DEVICE_KEY).unwrap_or_default(),
            data,
            started_at,
            used_at: moment(EXTENDED_KEY),
            expires_at: idle.min(started_at.plus_ms(self.max_ms)),
        })
    }
}

/// Returns a value of the session data.
fn field<T: DeserializeOwned>(record: &Record, key: &str) -> Option<T> {
    record.data.get(key).and_then(|value| serde_json::from_value(value.clone()).ok())
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
            if self.port.create(&self.to_stored(record)?).await.map_err(backend_error)? {
                return Ok(());
            }
            record.id = Id::default();
        }
        Err(Error::Backend("no free session id found".to_owned()))
    }

    async fn save(&self, record: &Record) -> Result<()> {
        self.port.save(&self.to_stored(record)?).await.map_err(backend_error)
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let found = self.port.load(&hash_token(&id.to_string()), self.clock.now()).await.map_err(backend_error)?;
        found.map(|found| from_stored(*id, &found)).transpose()
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        self.port.delete(&hash_token(&id.to_string())).await.map_err(backend_error)
    }
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
