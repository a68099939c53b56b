//! Pages for errors that no page of `app` answers: bodies that are too large or unreadable, wrong methods, panics, blocked origins.
//! They need neither session nor database.

use super::prelude::*;
use app::format::escape_html;
use axum::{http::Method, response::Html};

/// Paths of machines, whose errors stay as they are.
const MACHINES: [&str; 5] = ["/api/", "/healthz", "/readyz", "/metrics", "/pkg/"];

/// Returns the page of a notice, with a link to its remedy.
pub(super) fn page(status: StatusCode, notice: Notice) -> Response<Body> {
    let action = notice.action().elsewhere();
    (status, Html(html(notice, action.href, action.text))).into_response()
}

/// Replaces plain errors of forms and pages by a page with a way on: back to the form, if the browser names it.
pub(super) async fn add_way_on(request: Request, next: Next) -> Response<Body> {
    let path = request.uri().path();
    let is_page = !MACHINES.iter().any(|machine| path.starts_with(machine));
    let is_form = *request.method() != Method::GET && *request.method() != Method::HEAD;
    let form = form_of(request.headers());
    let response = next.run(request).await;
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    let is_plain = response.headers().get(header::CONTENT_TYPE).is_none_or(|kind| kind.as_bytes().starts_with(b"text/plain"));
    if !is_page || !is_error || !is_plain || !(is_form || status == StatusCode::METHOD_NOT_ALLOWED) {
        return response;
    }
    let notice = match status {
        StatusCode::PAYLOAD_TOO_LARGE => Notice::UploadLarge,
        _ if status.is_server_error() => Notice::Internal,
        _ => Notice::BadForm,
    };
    let page = match form {
        Some(form) => (status, Html(html(notice, &form, "Back to the form"))).into_response(),
        None => page(status, notice),
    };
    let (mut parts, _) = response.into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, page.headers()[header::CONTENT_TYPE].clone());
    Response::from_parts(parts, page.into_body())
}

/// Returns the path of the page that sent the request, of this server only.
fn form_of(headers: &HeaderMap) -> Option<String> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let referer = headers.get(header::REFERER)?.to_str().ok()?;
    let rest = referer.strip_prefix("https://").or_else(|| referer.strip_prefix("http://"))?;
    rest.strip_prefix(host).filter(|path| path.starts_with('/') && !path.starts_with("//")).map(str::to_owned)
}

fn html(notice: Notice, href: &str, text: &str) -> String {
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>That did not work · AutOSINT</title>\
         <link rel=\"stylesheet\" href=\"/pkg/autosint.css\"></head><body><main class=\"auth\" id=\"main\">\
         <h1>That did not work</h1><p>{}</p><p><a class=\"button\" href=\"{}\">{}</a></p></main></body></html>",
        escape_html(notice.message()),
        escape_html(href),
        escape_html(text)
    )
}
