//! Pages of features: a GET handler loads the data and draws the view in the frame of the kernel.

use crate::{SessionUser, Web};
use app::{AppError, Titles, document, parts::Problem};
use axum::{
    body::Body,
    extract::{FromRef, FromRequestParts},
    http::{Request, Response, request::Parts},
};
use domain::user::User;
use leptos::prelude::*;
use leptos_axum::render_app_async_with_context;
use std::{
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
};

/// A signed-in person's request for a page. Others are redirected to sign in, to create the first account, or to choose a password.
pub struct PageVisit {
    pub web: Web,
    pub viewer: User,
    parts: Parts,
}

impl<S: Send + Sync> FromRequestParts<S> for PageVisit
where
    Web: FromRef<S>,
{
    type Rejection = Response<Body>;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response<Body>> {
        let SessionUser(viewer) = SessionUser::from_request_parts(parts, state).await?;
        Ok(Self { web: Web::from_ref(state), viewer, parts: parts.clone() })
    }
}

impl PageVisit {
    /// Returns a value of the address's query.
    pub fn query(&self, key: &str) -> Option<String> {
        query_value(&self.parts, key)
    }

    /// Returns every value of a field of the address's query, in order.
    pub fn values(&self, key: &str) -> Vec<String> {
        let query = self.parts.uri.query().unwrap_or_default();
        let pairs = form_urlencoded::parse(query.as_bytes());
        pairs.filter(|(name, _)| name == key).map(|(_, value)| value.into_owned()).collect()
    }

    /// Answers with the view of loaded data, or with the error in the frame of its viewer.
    pub async fn show<T: Send + 'static, E: Into<AppError>>(
        self,
        loaded: Result<T, E>,
        draw: impl FnOnce(User, T) -> AnyView + Send + 'static,
    ) -> Response<Body> {
        let Self { web, viewer, parts } = self;
        match loaded {
            Ok(data) => render(&web, parts, move || draw(viewer, data)).await,
            Err(error) => show_problem(&web, parts, error.into(), Some(viewer)).await,
        }
    }
}

/// Request for a page that needs no sign-in, such as one behind a signed link. The handler checks what the link allows.
pub struct OpenVisit {
    pub web: Web,
    parts: Parts,
}

impl<S: Send + Sync> FromRequestParts<S> for OpenVisit
where
    Web: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        Ok(Self { web: Web::from_ref(state), parts: parts.clone() })
    }
}

impl OpenVisit {
    /// Returns a value of the address's query.
    pub fn query(&self, key: &str) -> Option<String> {
        query_value(&self.parts, key)
    }

    /// Returns path and query of the address.
    pub fn address(&self) -> String {
        self.parts.uri.path_and_query().map(ToString::to_string).unwrap_or_default()
    }

    /// Answers with the view of loaded data, or with the error in the plain frame.
    pub async fn show<T: Send + 'static, E: Into<AppError>>(
        self,
        loaded: Result<T, E>,
        draw: impl FnOnce(T) -> AnyView + Send + 'static,
    ) -> Response<Body> {
        match loaded {
            Ok(data) => render(&self.web, self.parts, move || draw(data)).await,
            Err(error) => show_problem(&self.web, self.parts, error.into(), None).await,
        }
    }
}

fn query_value(parts: &Parts, key: &str) -> Option<String> {
    let query = parts.uri.query().unwrap_or_default();
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(name, value)| name == key && !value.is_empty()).map(|(_, value)| value.into_owned())
}

/// Answers with the page of an error.
pub(crate) async fn show_problem(web: &Web, parts: Parts, error: AppError, viewer: Option<User>) -> Response<Body> {
    render(web, parts, move || view! { <Problem error viewer /> }.into_any()).await
}

/// Renders a page as the answer to a request.
async fn render(web: &Web, parts: Parts, draw: impl FnOnce() -> AnyView + Send + 'static) -> Response<Body> {
    let (options, state) = (web.leptos.clone(), web.clone());
    let context = move || state.provide();
    // Leptos asks for a view that can be made again; a request has one.
    let draw = Arc::new(Mutex::new(Some(draw)));
    let page = move || {
        let draw = draw.lock().unwrap_or_else(PoisonError::into_inner).take();
        document(options.clone(), move || view! { <Titles /> {draw.map(|draw| draw())} }.into_any())
    };
    render_app_async_with_context(context, page)(Request::from_parts(parts, Body::empty())).await
}
