//! Cookies besides the session: the token of a known device, and the user name of a refused form. Over HTTPS
//! `secure_transport` gives them their prefix.

use super::prelude::*;
use axum::http::HeaderValue;

/// Token of a browser in which a person has signed in.
pub(super) const DEVICE: &str = "autosint-device";
/// User name that was typed into a form that was refused; it has no place in an address, which histories and logs keep.
pub(super) const TYPED_NAME: &str = app::session::TYPED_NAME_COOKIE;
pub(super) const SESSION: &str = "autosint";

/// Seconds for which a device is known.
pub(super) const DEVICE_SECONDS: u32 = 400 * 24 * 60 * 60;
/// Seconds for which a typed name is kept.
pub(super) const TYPED_NAME_SECONDS: u32 = 60;

/// Returns the value of a cookie of the request.
pub(super) fn value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, value)| value)
}

/// Adds a cookie to a response. `value` holds only characters that cookies may hold.
pub(super) fn set(mut response: Response<Body>, name: &str, value: &str, seconds: u32) -> Response<Body> {
    let cookie = format!("{name}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={seconds}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_by_its_name() {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_static("a=1; autosint-device=known; autosint=2"));
        assert_eq!(value(&headers, DEVICE), Some("known"));
        assert_eq!(value(&headers, "device"), None);
    }
}
