//! Test site on loopback that records requests.

use crate::prelude::*;
use axum::{
    http::Uri,
    response::{Html, IntoResponse, Response},
};
use std::sync::Mutex;
use tokio::net::TcpListener;

/// Pages by path. `/find?q=…&n=…&page=…` searches them as JSON, best matches first.
pub struct Site {
    pub port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

#[derive(Clone)]
pub struct Page {
    pub title: String,
    /// Listed in the search.
    pub is_listed: bool,
    /// HTML below the heading.
    pub body: String,
}

impl Site {
    pub async fn serve(pages: BTreeMap<String, Page>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let (pages, noted) = (Arc::new(pages), asked.clone());
        let answer = move |uri: Uri| {
            let (pages, noted) = (pages.clone(), noted.clone());
            async move {
                noted.lock().unwrap().push(uri.to_string());
                respond(&pages, &format!("http://127.0.0.1:{port}"), &uri)
            }
        };
        tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
        Self { port, asked }
    }

    pub fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Returns all requested paths in order, with robots.txt.
    pub fn requests(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    /// Returns all requested paths in order, except robots.txt.
    pub fn requested_pages(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().filter(|path| *path != "/robots.txt").cloned().collect()
    }
}

fn respond(pages: &BTreeMap<String, Page>, base: &str, uri: &Uri) -> Response {
    if uri.path() == "/find" {
        return Json(found(pages, base, uri.query().unwrap_or_default())).into_response();
    }
    match pages.get(uri.path()) {
        Some(page) => Html(render(page)).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn render(Page { title, body, .. }: &Page) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><title>{title}</title></head><body>\
         <nav><a href=\"/\">Front page</a></nav><main><article><h1>{title}</h1>{body}</article></main></body></html>"
    )
}

/// Returns pages that contain at least half of the longer words.
fn found(pages: &BTreeMap<String, Page>, base: &str, query: &str) -> Value {
    let field = |name: &str| query.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('=')).unwrap_or_default();
    let words: Vec<String> = field("q").split('+').filter(|word| word.len() > 3).map(str::to_lowercase).collect();
    let worth = |page: &Page| {
        let text = format!("{} {}", page.title, page.body).to_lowercase();
        words.iter().filter(|word| text.contains(word.as_str())).count()
    };
    let known = pages.iter().filter(|(_, page)| page.is_listed).map(|(path, page)| (worth(page), path, page));
    let mut hits: Vec<_> = known.filter(|(worth, ..)| *worth > 0 && *worth * 2 >= words.len()).collect();
    hits.sort_by_key(|(worth, ..)| std::cmp::Reverse(*worth));
    let (size, page): (usize, usize) = (field("n").parse().unwrap(), field("page").parse().unwrap());
    let items = hits.iter().skip((page - 1) * size).take(size).map(|(_, path, page)| {
        let teaser: String = page.body.chars().filter(|c| !"<>\"".contains(*c)).take(160).collect();
        json!({"link": format!("{base}{path}"), "head": {"line": page.title}, "teaser": teaser, "day": "2031-03-04"})
    });
    json!({"data": {"count": hits.len(), "items": items.collect::<Vec<_>>()}})
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
