//! Browser sessions in our own store: an opaque id in a cookie, everything else in the database. A session in use is extended, and
//! one that has ended is swept.

use super::Web;
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

/// Name of the cookie.
const COOKIE: &str = "autosint";
/// When the session was last extended, in microseconds.
const EXTENDED_KEY: &str = "extended_at";
/// How often a new id is drawn when one is taken; ids are 128 random bits, so one more would be a defect of the source.
const MAX_COLLISIONS: u32 = 5;

/// The layer that gives every request its session.
pub(super) fn layer(program: &Program) -> SessionManagerLayer<Sessions> {
    let auth = &program.config.auth;
    let store = Sessions { port: program.web_sessions.clone(), clock: program.engine.clock.clone() };
    SessionManagerLayer::new(store)
        .with_name(COOKIE)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_secure(auth.secure_cookies)
        .with_expiry(Expiry::OnInactivity(Duration::hours(i64::from(auth.session_hours))))
}

/// Extends the session of somebody who is signed in, now and then: what is changed is stored with a new end, and sent with one.
pub(super) async fn extend(State(web): State<Web>, session: Session, request: Request, next: Next) -> Response<Body> {
    // The files of the site come with each page and say nothing about who is there.
    if !request.uri().path().starts_with("/pkg/")
        && let Err(error) = extend_now(&web.program, &session).await
    {
        tracing::warn!(%error, "a browser session was not extended");
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

/// Removes what has ended, again and again, until `shutdown`.
pub(super) async fn sweep(program: Program, shutdown: CancellationToken) {
    let pause = std::time::Duration::from_millis(program.config.auth.session_sweep_ms);
    loop {
        if let Err(error) = program.web_sessions.delete_expired(program.engine.clock.now()).await {
            tracing::warn!(%error, "browser sessions that have ended stay for now");
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// `tower-sessions` on our port.
#[derive(Clone)]
pub(super) struct Sessions {
    port: Arc<dyn WebSessions>,
    clock: Arc<dyn Clock>,
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sessions")
    }
}

#[async_trait]
impl SessionStore for Sessions {
    async fn create(&self, record: &mut Record) -> Result<()> {
        for _ in 0..MAX_COLLISIONS {
            if self.port.create(&stored(record)?).await.map_err(backend)? {
                return Ok(());
            }
            record.id = Id::default();
        }
        Err(Error::Backend("no free session id was found".to_owned()))
    }

    async fn save(&self, record: &Record) -> Result<()> {
        self.port.save(&stored(record)?).await.map_err(backend)
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let found = self.port.load(&id.to_string(), self.clock.now()).await.map_err(backend)?;
        found.map(|found| read(*id, &found)).transpose()
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        self.port.delete(&id.to_string()).await.map_err(backend)
    }
}

fn stored(record: &Record) -> Result<WebSession> {
    let data = serde_json::to_string(&record.data).map_err(|error| Error::Encode(error.to_string()))?;
    let micros = record.expiry_date.unix_timestamp_nanos() / 1_000;
    let expires_at = Timestamp::from_micros(i64::try_from(micros).unwrap_or(i64::MAX));
    Ok(WebSession { id: record.id.to_string(), data, expires_at })
}

fn read(id: Id, found: &WebSession) -> Result<Record> {
    let data = serde_json::from_str(&found.data).map_err(|error| Error::Decode(error.to_string()))?;
    let nanos = i128::from(found.expires_at.as_micros()) * 1_000;
    let expiry_date = OffsetDateTime::from_unix_timestamp_nanos(nanos).map_err(|error| Error::Decode(error.to_string()))?;
    Ok(Record { id, data, expiry_date })
}

fn backend(error: StoreError) -> Error {
    Error::Backend(error.to_string())
}
