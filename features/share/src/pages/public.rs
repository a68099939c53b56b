//! Pages of strangers: `/s/{token}`, its picture and its bundle. They read no session and set no cookie.
//!
//! Invariant: every token that leads nowhere gets the same status, headers and bytes.

use crate::{
    document::{POLICY, message_page, refused_page},
    pages_cache::{CachedPage, PageContent, PagesCache},
    settings::ShareSettings,
};
use axum::{
    Extension,
    body::Body,
    extract::{Path, State, rejection::PathRejection},
    http::{HeaderValue, Response, StatusCode, header},
};
use bytes::Bytes;
use engine::StoreResult;
use feature::{ClientAddress, Web};
use std::sync::{Arc, LazyLock};

const HTML: &str = "text/html; charset=utf-8";
/// Disposition of a bundle, with a file name that says nothing of the installation.
const ATTACHMENT: &str = "attachment; filename=\"report.html\"";

static REFUSED: LazyLock<Bytes> = LazyLock::new(|| refused_page().into());
static LIMITED: LazyLock<Bytes> =
    LazyLock::new(|| message_page("Too many requests", "Too many requests from your network. Try again in a minute.").into());
static UNAVAILABLE: LazyLock<Bytes> =
    LazyLock::new(|| message_page("Try again later", "The page cannot be shown now. Try again in a minute.").into());

type Token = Result<Path<String>, PathRejection>;

/// Handler of `GET /s/{token}`.
pub async fn page(
    State(web): State<Web>,
    Extension(cache): Extension<PagesCache>,
    client: ClientAddress,
    token: Token,
) -> Response<Body> {
    match find(&web, &cache, client, token).await {
        Ok((page, content)) => {
            cache.count_view(&web, &page).await;
            answer(StatusCode::OK, HTML, &POLICY, content.html)
        }
        Err(refusal) => refusal,
    }
}

/// Handler of `GET /s/{token}/picture.png`.
pub async fn picture(
    State(web): State<Web>,
    Extension(cache): Extension<PagesCache>,
    client: ClientAddress,
    token: Token,
) -> Response<Body> {
    match find(&web, &cache, client, token).await {
        Ok((_, content)) => answer(StatusCode::OK, "image/png", &POLICY, content.picture),
        Err(refusal) => refusal,
    }
}

/// Handler of `GET /s/{token}/bundle.html`.
pub async fn bundle(
    State(web): State<Web>,
    Extension(cache): Extension<PagesCache>,
    client: ClientAddress,
    token: Token,
) -> Response<Body> {
    let page = match find(&web, &cache, client, token).await {
        Ok((page, _)) => page,
        Err(refusal) => return refusal,
    };
    match cache.load_bundle(&web, &page).await {
        Ok(Some(file)) => {
            let mut response = answer(StatusCode::OK, HTML, &POLICY, file);
            response.headers_mut().insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(ATTACHMENT));
            response
        }
        Ok(None) => refuse(StatusCode::NOT_FOUND, &REFUSED),
        Err(error) => {
            tracing::error!(%error, "bundle of a share link not written");
            refuse(StatusCode::SERVICE_UNAVAILABLE, &UNAVAILABLE)
        }
    }
}

fn refuse(status: StatusCode, body: &Bytes) -> Response<Body> {
    answer(status, HTML, &POLICY, body.clone())
}

/// Returns the page of a token, or the answer to a request that is limited or leads nowhere.
async fn find(
    web: &Web,
    cache: &PagesCache,
    client: ClientAddress,
    token: Token,
) -> Result<(Arc<CachedPage>, PageContent), Response<Body>> {
    let token = token.map(|Path(token)| token).unwrap_or_default();
    match load(web, cache, client, &token).await {
        Ok(Loaded::Page(page, content)) => Ok((page, content)),
        Ok(Loaded::Refused) => Err(refuse(StatusCode::NOT_FOUND, &REFUSED)),
        Ok(Loaded::Limited) => Err(refuse(StatusCode::TOO_MANY_REQUESTS, &LIMITED)),
        Err(error) => {
            tracing::error!(%error, "share page not loaded");
            Err(refuse(StatusCode::SERVICE_UNAVAILABLE, &UNAVAILABLE))
        }
    }
}

/// Result of a look-up of a token.
enum Loaded {
    Page(Arc<CachedPage>, PageContent),
    Refused,
    Limited,
}

async fn load(web: &Web, cache: &PagesCache, client: ClientAddress, token: &str) -> StoreResult<Loaded> {
    let per_minute = web.settings.get::<ShareSettings>().per_minute;
    if !web.limits.take(&format!("share:{}", client.network()), per_minute).await? {
        return Ok(Loaded::Limited);
    }
    let page = cache.load(web, token).await?;
    let found = page.and_then(|page| page.content.clone().map(|content| Loaded::Page(page, content)));
    Ok(found.unwrap_or(Loaded::Refused))
}

/// Answers strangers with fixed headers.
pub fn answer(status: StatusCode, media_type: &'static str, policy: &str, body: Bytes) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex, nofollow, noarchive"));
    if let Ok(policy) = HeaderValue::from_str(policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}
