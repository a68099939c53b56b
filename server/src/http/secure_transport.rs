//! Cookies and headers of requests that came over HTTPS: the server has no TLS of its own, so a trusted proxy or the setting
//! `auth.secure_cookies` says so.
//!
//! Invariant: inside this layer every cookie has its plain name; browsers get it with `Secure` and the prefix `__Host-`, and over
//! HTTPS no other cookie is read.

use super::{
    client_address::{came_over_https, peer},
    prelude::*,
};
use crate::Program;
use axum::http::HeaderValue;

/// Prefix that binds a cookie to this host, the path `/` and secure connections.
const PREFIX: &str = "__Host-";
/// Browsers that were here over HTTPS come back over HTTPS only, for a year.
const STRICT_TRANSPORT: HeaderValue = HeaderValue::from_static("max-age=31536000");

pub(super) async fn secure_transport(State(program): State<Program>, mut request: Request, next: Next) -> Response<Body> {
    let (server, auth) = (&program.config.server, &program.config.auth);
    let is_secure =
        auth.secure_cookies || came_over_https(peer(request.extensions()), request.headers(), &server.trusted_proxies);
    if !is_secure {
        return next.run(request).await;
    }
    keep_secure_cookies(request.headers_mut());
    let mut response = next.run(request).await;
    secure_set_cookies(response.headers_mut());
    response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT);
    response
}

/// Leaves the cookies with the prefix, without it.
fn keep_secure_cookies(headers: &mut HeaderMap) {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let kept: Vec<&str> = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().strip_prefix(PREFIX)).collect();
    let kept = HeaderValue::from_str(&kept.join("; "));
    headers.remove(header::COOKIE);
    if let Ok(kept) = kept
        && !kept.is_empty()
    {
        headers.insert(header::COOKIE, kept);
    }
}

/// Adds prefix and `Secure` to the cookies that are set.
fn secure_set_cookies(headers: &mut HeaderMap) {
    let lines = headers.get_all(header::SET_COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let secured: Vec<_> = lines.map(|line| HeaderValue::from_str(&format!("{PREFIX}{line}; Secure"))).collect();
    headers.remove(header::SET_COOKIE);
    for line in secured.into_iter().flatten() {
        headers.append(header::SET_COOKIE, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_https_only_cookies_with_the_prefix_count() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("autosint=planted; __Host-autosint=own"));
        headers.append(header::COOKIE, HeaderValue::from_static("__Host-autosint-device=known"));
        keep_secure_cookies(&mut headers);
        assert_eq!(headers[header::COOKIE], "autosint=own; autosint-device=known");
        assert_eq!(headers.get_all(header::COOKIE).iter().count(), 1);
    }

    #[test]
    fn each_cookie_that_is_set_is_secure() {
        let mut headers = HeaderMap::new();
        headers.append(header::SET_COOKIE, HeaderValue::from_static("autosint=1; HttpOnly; Path=/"));
        headers.append(header::SET_COOKIE, HeaderValue::from_static("autosint-name=a; Path=/"));
        secure_set_cookies(&mut headers);
        let set: Vec<_> = headers.get_all(header::SET_COOKIE).iter().collect();
        assert_eq!(set, ["__Host-autosint=1; HttpOnly; Path=/; Secure", "__Host-autosint-name=a; Path=/; Secure"]);
    }
}
