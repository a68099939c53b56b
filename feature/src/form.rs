//! Form posts of features.

use crate::{ClientAddress, SessionUser, Web, redirect};
use axum::{
    Form,
    body::{Body, Bytes},
    extract::{FromRef, FromRequest, FromRequestParts, Request},
    http::{Response, request::Parts},
    response::IntoResponse,
};
use domain::{UserId, user::User};
use engine::accounts::Actor;
use leptos::prelude::use_context;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tower_sessions::Session;

/// Key of the refused form in the browser session.
const REFUSED_FORM: &str = "refused_form";

/// Field of the address of a page whose form is filled in from the session.
const KEPT: &str = "kept";

/// Longest input that is kept, in bytes: a session is read with every request.
const MAX_KEPT_BYTES: usize = 64 * 1024;

/// A form that a signed-in user sent. The server has checked its origin.
pub struct FormPost<T> {
    pub web: Web,
    pub user: User,
    /// The user with the address of the request, for audit entries.
    pub by: Actor,
    pub form: T,
    body: Bytes,
    session: Option<Session>,
}

/// Fields of a form that was refused, to be filled in again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptForm {
    /// Path of the page with the form.
    page: String,
    user: Option<UserId>,
    fields: Vec<(String, String)>,
}

impl<S, T> FromRequest<S> for FormPost<T>
where
    Web: FromRef<S>,
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = Response<Body>;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response<Body>> {
        let (mut parts, body) = request.into_parts();
        let SessionUser(user) = SessionUser::from_request_parts(&mut parts, state).await?;
        let Ok(ClientAddress(address)) = ClientAddress::from_request_parts(&mut parts, state).await;
        let session = Session::from_request_parts(&mut parts, state).await.ok();
        let body = Bytes::from_request(Request::from_parts(parts.clone(), body), state).await;
        let body = body.map_err(IntoResponse::into_response)?;
        let form = Form::from_request(Request::from_parts(parts, Body::from(body.clone())), state).await;
        let Form(form) = form.map_err(IntoResponse::into_response)?;
        let by = Actor { user: Some(user.id), address: Some(address) };
        Ok(Self { web: Web::from_ref(state), user, by, form, body, session })
    }
}

impl<T> FormPost<T> {
    /// Leads to a page that has no such form, with the notice of a code.
    pub fn lead_to(self, page: &str, code: &str) -> Response<Body> {
        redirect(&format!("{page}?error={code}"))
    }

    /// Returns to `page` with the notice of a code. The input is kept in the session, for
    /// the form to be filled in with.
    pub async fn refuse(self, page: &str, code: &str) -> Response<Body> {
        let separator = if page.contains('?') { '&' } else { '?' };
        let address = format!("{page}{separator}error={code}");
        let path = page.split(['?', '#']).next().unwrap_or_default().to_owned();
        let fields: Vec<(String, String)> = form_urlencoded::parse(&self.body).into_owned().collect();
        let is_short = fields.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>() <= MAX_KEPT_BYTES;
        let is_kept = match self.session.filter(|_| is_short) {
            Some(session) => {
                let kept = KeptForm { page: path, user: Some(self.user.id), fields };
                session.insert(REFUSED_FORM, kept).await.is_ok()
            }
            None => false,
        };
        redirect(&if is_kept { format!("{address}&{KEPT}=1") } else { address })
    }

    /// Returns to `page` with the notice for a store error, and logs the cause.
    pub async fn fail(self, page: &str, error: &engine::StoreError) -> Response<Body> {
        let notice = app::store_notice(error);
        self.refuse(page, notice.code()).await
    }
}

impl KeptForm {
    /// Takes the form of `user` that the address of the page says was refused just now; an empty one otherwise. For views: outside of
    /// one it is always empty.
    pub async fn take_of_page(user: UserId) -> Self {
        let Some(parts) = use_context::<Parts>() else { return Self::default() };
        let query = parts.uri.query().unwrap_or_default();
        if !form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == KEPT) {
            return Self::default();
        }
        let Ok(session) = leptos_axum::extract::<Session>().await else { return Self::default() };
        let kept = session.remove::<Self>(REFUSED_FORM).await.ok().flatten().unwrap_or_default();
        let is_here = kept.user == Some(user) && kept.page == parts.uri.path();
        if is_here { kept } else { Self::default() }
    }

    /// Returns the value that was typed into a field; empty without one.
    pub fn value(&self, name: &str) -> String {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.clone()).unwrap_or_default()
    }
}
