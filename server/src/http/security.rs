//! Security headers, content security policy with a nonce per response, and the check of request origins.

use super::{answer, prelude::*};
use axum::http::{HeaderName, HeaderValue, Method};
use leptos::nonce::Nonce;
use std::sync::Arc;

/// Nonce of the response, for its scripts.
#[derive(Clone)]
pub(super) struct ResponseNonce(pub Nonce);

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

const FIXED_HEADERS: [(HeaderName, HeaderValue); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("permissions-policy"), HeaderValue::from_static("camera=(), microphone=(), geolocation=()")),
];

/// Creates a nonce for the page and adds the security headers.
pub(super) async fn add_headers(State(reload): State<Option<u16>>, mut request: Request, next: Next) -> Response<Body> {
    let nonce = Nonce::new();
    let is_site_file = is_site_file(request.uri().path());
    request.extensions_mut().insert(ResponseNonce(nonce.clone()));
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.extend(FIXED_HEADERS);
    if !is_style_or_font(headers)
        && let Ok(policy) = HeaderValue::from_str(&content_policy(&nonce, reload))
    {
        // Pages for strangers and documents without scripts have a stricter one.
        headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    }
    // Names of site files are not versioned, so browsers must revalidate them. Everything else is of one person.
    let caching = if is_site_file { "public, no-cache" } else { "private, no-store" };
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static(caching));
    response
}

/// Returns whether a path is that of a file of the site, the same for everybody.
fn is_site_file(path: &str) -> bool {
    const ENDINGS: [&str; 6] = [".js", ".css", ".woff2", ".svg", ".ico", ".png"];
    path.starts_with("/pkg/")
        || path.starts_with("/vendor/")
        || (path.matches('/').count() <= 2 && ENDINGS.iter().any(|ending| path.ends_with(ending)))
}

/// Returns whether a response is a style sheet or a font, to which browsers apply no policy: it would only weigh on first loads.
fn is_style_or_font(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    kind.starts_with(b"text/css") || kind.starts_with(b"font/")
}

/// Content security policy. `reload` is the port where `make dev` announces changes.
fn content_policy(nonce: &Nonce, reload: Option<u16>) -> String {
    let reload = reload.map(|port| format!(" ws://127.0.0.1:{port} ws://localhost:{port}")).unwrap_or_default();
    format!(
        "default-src 'self'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self' data:; connect-src 'self'{reload}; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    )
}

/// Origins that may send forms.
pub(super) struct TrustedOrigins {
    trusted: Vec<String>,
}

impl TrustedOrigins {
    pub(super) fn new(trusted: &[String]) -> Self {
        Self { trusted: trusted.iter().map(|origin| origin.to_ascii_lowercase()).collect() }
    }

    /// Returns whether a request may change anything. Browsers send an origin with every change; requests without one (scripts)
    /// carry no cookie that a page could abuse.
    fn may_change(&self, headers: &HeaderMap) -> bool {
        let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or_default().to_ascii_lowercase());
        let origin = text(header::ORIGIN);
        if origin.as_ref().is_some_and(|origin| self.trusted.contains(origin)) {
            return true;
        }
        let site_fits = text(SEC_FETCH_SITE).is_none_or(|site| matches!(site.as_str(), "same-origin" | "none"));
        let origin_fits = origin.is_none_or(|origin| {
            let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
            host.is_some() && host.map(str::to_owned) == text(header::HOST)
        });
        site_fits && origin_fits
    }
}

/// Refuses changes from foreign origins.
pub(super) async fn refuse_foreign_origins(
    State(origins): State<Arc<TrustedOrigins>>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let only_reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if only_reads || origins.may_change(request.headers()) {
        return next.run(request).await;
    }
    tracing::warn!(path = super::logged_path(&request), "foreign origin refused");
    answer::refuse(StatusCode::FORBIDDEN, Notice::ForeignOrigin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_change(headers: &[(&'static str, &'static str)]) -> bool {
        let headers = headers.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        TrustedOrigins::new(&["https://proxy.example".to_owned()]).may_change(&headers.collect())
    }

    #[test]
    fn pages_connect_only_to_the_server_and_make_dev() {
        let policy = |reload| content_policy(&Nonce::new(), reload);
        assert!(policy(None).contains("; connect-src 'self'; "), "{}", policy(None));
        assert!(policy(Some(3001)).contains("; connect-src 'self' ws://127.0.0.1:3001 ws://localhost:3001; "));
    }

    #[test]
    fn only_style_sheets_and_fonts_have_no_policy() {
        let kind = |value| is_style_or_font(&HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(value))]));
        assert!(kind("text/css") && kind("text/css; charset=utf-8") && kind("font/woff2"));
        assert!(!kind("text/html; charset=utf-8") && !kind("image/svg+xml") && !kind("text/javascript"));
        assert!(!is_style_or_font(&HeaderMap::new()));
    }

    #[test]
    fn only_our_own_pages_may_change_anything() {
        assert!(may_change(&[
            ("host", "a.example:3000"),
            ("origin", "http://a.example:3000"),
            ("sec-fetch-site", "same-origin")
        ]));
        assert!(may_change(&[("host", "a.example"), ("origin", "https://A.example")]));
        assert!(may_change(&[("host", "inner:3000"), ("origin", "https://proxy.example"), ("sec-fetch-site", "same-origin")]));
        assert!(may_change(&[("host", "a.example")]));
        assert!(!may_change(&[("host", "a.example"), ("origin", "https://b.example")]));
        assert!(!may_change(&[("host", "a.example"), ("origin", "null")]));
        assert!(!may_change(&[("host", "a.example:3000"), ("origin", "http://a.example")]));
        assert!(!may_change(&[("host", "a.example"), ("sec-fetch-site", "same-site")]));
        assert!(!may_change(&[("host", "a.example"), ("sec-fetch-site", "cross-site")]));
    }
}
