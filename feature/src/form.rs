//! Form posts of features.

use crate::{ClientAddress, SessionUser, Web, redirect};
use app::session::{KEPT, KeptForm};
use axum::{
    Form,
    body::{Body, Bytes},
    extract::{FromRef, FromRequest, FromRequestParts, Request},
    http::Response,
    response::IntoResponse,
};
use domain::user::User;
use engine::accounts::Actor;
use serde::{Deserialize, de::DeserializeOwned};
use tower_sessions::Session;

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

/// Form without fields, or whose fields are read by name.
#[derive(Debug, Deserialize)]
pub struct AnyFields {}

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
    /// Returns the values of a field, in the order of the form.
    pub fn values(&self, name: &'static str) -> impl Iterator<Item = String> {
        form_urlencoded::parse(&self.body).filter(move |(field, _)| field == name).map(|(_, value)| value.into_owned())
    }

    /// Leads to a page with the notice of a code, without the input. For pages without that form, and for forms of one choice.
    pub fn lead_to(self, page: &str, code: impl Into<&'static str>) -> Response<Body> {
        redirect(&with_field(page, "error", code.into()))
    }

    /// Returns to `page` with the notice of a code. The input is kept in the session, for
    /// the form to be filled in with.
    pub async fn refuse(self, page: &str, code: impl Into<&'static str>) -> Response<Body> {
        let address = with_field(page, "error", code.into());
        let path = page.split(['?', '#']).next().unwrap_or_default().to_owned();
        let is_kept = match self.session {
            Some(session) => {
                let fields = form_urlencoded::parse(&self.body).into_owned().collect();
                KeptForm::new(path, self.user.id, fields).keep(&session).await
            }
            None => false,
        };
        redirect(&if is_kept { with_field(&address, KEPT, "1") } else { address })
    }

    /// Returns to `page` with the notice for a store error, and logs the cause.
    pub async fn fail(self, page: &str, error: &engine::StoreError) -> Response<Body> {
        let notice = app::store_notice(error);
        self.refuse(page, notice).await
    }
}

/// Returns an address with one more field in its query.
fn with_field(address: &str, name: &str, value: &str) -> String {
    let separator = if address.contains('?') { '&' } else { '?' };
    format!("{address}{separator}{name}={value}")
}
