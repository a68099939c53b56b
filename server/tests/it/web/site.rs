//! Pages on a port of this machine; what is asked for is counted.

use axum::{
    Router,
    http::{StatusCode, Uri},
    response::{Html, IntoResponse, Response},
};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};
use tokio::net::TcpListener;

/// By path; `/search?q=…` lists those that have all the words in their title or text.
pub struct Site {
    pub port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

#[derive(Clone)]
pub struct Page {
    pub title: String,
    /// HTML of the article below its heading.
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
                respond(&pages, &uri)
            }
        };
        tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
        Self { port, asked }
    }

    pub fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Everything that was asked for but robots.txt, in order.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().filter(|path| *path != "/robots.txt").cloned().collect()
    }
}

fn respond(pages: &BTreeMap<String, Page>, uri: &Uri) -> Response {
    if uri.path() == "/search" {
        return Html(listed(pages, uri.query().unwrap_or_default())).into_response();
    }
    match pages.get(uri.path()) {
        Some(page) => Html(drawn(page)).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn drawn(Page { title, body }: &Page) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><title>{title}</title></head><body>\
         <nav><a href=\"/\">Front page</a></nav><main><article><h1>{title}</h1>{body}</article></main></body></html>"
    )
}

fn listed(pages: &BTreeMap<String, Page>, query: &str) -> String {
    let words: Vec<String> = query.trim_start_matches("q=").split('+').map(str::to_lowercase).collect();
    let matches = pages.iter().filter(|(_, page)| {
        let text = format!("{} {}", page.title, page.body).to_lowercase();
        words.iter().all(|word| text.contains(word))
    });
    let items: String = matches
        .map(|(path, page)| {
            let start: String = page.body.chars().filter(|c| !"<>\"".contains(*c)).take(160).collect();
            format!(
                "<li><h2><a href=\"{path}\">{}</a></h2><p>{start} … and so on; the whole stands on its own page.</p></li>",
                page.title
            )
        })
        .collect();
    drawn(&Page { title: "What was found".into(), body: format!("<ol>{items}</ol>") })
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
