//! Extractors for the signed-in user of a request.

use super::{answer, prelude::*, sessions};
use crate::features;
use app::session::encode;
use axum::{
    extract::FromRequestParts,
    http::{Method, request::Parts},
};
use engine::accounts;
pub(super) use feature::{AccountUser, ApiUser, SessionUser};

/// Signed-in user, also as the actor of audit entries, and the server.
pub(super) struct Caller {
    pub web: WebState,
    pub user: User,
    pub by: Actor,
}

/// Caller of the API, where others get an error as JSON.
pub(super) struct ApiCaller(pub Caller);

/// Signed-in administrator with the address of the request, as the actor of its audit entries. Others are sent home, with an audit entry.
pub(super) struct Administrator {
    pub web: WebState,
    pub by: Actor,
}

/// Signed-in user who typed their password within `auth.confirm_minutes`; others are asked for it first.
pub(super) struct ConfirmedUser(pub User);

impl Caller {
    async fn build(user: User, parts: &mut Parts, web: &WebState) -> Self {
        let Ok(ClientAddress(address)) = ClientAddress::from_request_parts(parts, web).await;
        let by = Actor { user: Some(user.id), address: Some(address) };
        Self { web: web.clone(), user, by }
    }

    /// Writes an audit entry. Where that fails, a reading or an export is refused.
    pub async fn audit(&self, act: &str, object: &str) -> StoreResult<()> {
        accounts::audit(&self.web.program.engine, self.by, act, object).await
    }
}

impl FromRequestParts<WebState> for Caller {
    type Rejection = Response<Body>;

    async fn from_request_parts(parts: &mut Parts, web: &WebState) -> Result<Self, Response<Body>> {
        let SessionUser(user) = SessionUser::from_request_parts(parts, web).await?;
        Ok(Self::build(user, parts, web).await)
    }
}

impl FromRequestParts<WebState> for ApiCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, web: &WebState) -> Result<Self, ApiError> {
        let ApiUser(user) = ApiUser::from_request_parts(parts, web).await?;
        Ok(Self(Caller::build(user, parts, web).await))
    }
}

impl FromRequestParts<WebState> for Administrator {
    type Rejection = Response<Body>;

    async fn from_request_parts(parts: &mut Parts, web: &WebState) -> Result<Self, Response<Body>> {
        let Caller { web, user, by } = Caller::from_request_parts(parts, web).await?;
        if user.role.may(Action::Configure) && user.role.may(Action::ManageUsers) {
            return Ok(Self { web, by });
        }
        if let Err(error) = accounts::audit(&web.program.engine, by, "administration_refused", parts.uri.path()).await {
            tracing::error!(%error, "audit entry not written");
        }
        Err(answer::redirect_back("/", Notice::NotAllowed, &[]))
    }
}

/// Returns whether the user of a session typed their password within `auth.confirm_minutes`.
pub(super) async fn is_confirmed(web: &WebState, session: &Session) -> bool {
    let confirmed_at = sessions::confirmed_at(session).await.ok().flatten();
    let max_ms = i64::from(web.program.config.auth.confirm_minutes) * 60_000;
    let now = web.program.engine.clock.now();
    confirmed_at.is_some_and(|confirmed_at| now.ms_since(confirmed_at) < max_ms)
}

/// Asks for the password and then returns to a page.
pub(super) fn ask_to_confirm(page: &str) -> Response<Body> {
    answer::redirect(&format!("/account/confirm?next={}", encode(page)))
}

impl FromRequestParts<WebState> for ConfirmedUser {
    type Rejection = Response<Body>;

    async fn from_request_parts(parts: &mut Parts, web: &WebState) -> Result<Self, Response<Body>> {
        let SessionUser(user) = SessionUser::from_request_parts(parts, web).await?;
        if let Ok(session) = Session::from_request_parts(parts, web).await
            && is_confirmed(web, &session).await
        {
            return Ok(Self(user));
        }
        // The form is sent again from its page.
        let page = parts.uri.path().split('/').nth(1).unwrap_or_default();
        Err(ask_to_confirm(&format!("/{page}")))
    }
}

/// Asks for the password before form posts of features that say so.
pub(super) async fn confirm_posts(State(web): State<WebState>, request: Request, next: Next) -> Response<Body> {
    if *request.method() != Method::POST || !features::asks_for_password(request.uri().path()) {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    match ConfirmedUser::from_request_parts(&mut parts, &web).await {
        Ok(_) => next.run(Request::from_parts(parts, body)).await,
        Err(refusal) => refusal,
    }
}
