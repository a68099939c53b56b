//! Browser over HTTP: one page per request, and sessions that live as long as their connections.

use super::{BrowserFixture, browser_fixture, config, fine, fixture_on, session::site, until};
use crate::{
    prelude::*,
    sources::provider::exchange,
    support::source,
    web::local_web::{self, page},
};
use axum::body::Body;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::{
    Timestamp,
    fetch::{BrowseReply, FetchError, RenderResponse},
};
use fetch::{Catalogue, FetchApi, SourceRequest};
use futures::SinkExt;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::convert::Infallible;
use tokio::{net::TcpStream, sync::Notify};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream,
    tungstenite::{Error, Message, client::IntoClientRequest},
};

const TOKEN: &str = "token-of-a-test";

/// Starts a service with the browser of a fixture and returns its port.
async fn service(fixture: &BrowserFixture, config: FetchConfig) -> u16 {
    let now = Arc::new(|| Timestamp::from_micros(1));
    let catalogue = Catalogue::new(&config, source(config.clone()), Arc::new(fixture.network.web.clone()), now);
    let (web, browser) = (fixture.network.web.clone(), fixture.browser.clone());
    serve(fetch::router(FetchApi {
        web,
        catalogue,
        browser,
        key_of: Arc::new(|_| None),
        metrics: None,
        token: Some(TOKEN.into()),
    }))
    .await
}

/// Service that may reach a site.
async fn on(site: u16, change: impl FnOnce(&mut FetchConfig)) -> Option<(BrowserFixture, u16)> {
    let mut config = config(&[("127.0.0.1", site)]);
    change(&mut config);
    let fixture = browser_fixture(config.clone())?;
    let port = service(&fixture, config).await;
    Some((fixture, port))
}

/// Status and body of a response; a POST if there is a body.
async fn ask(port: u16, path: &str, headers: &[(&str, &str)], body: Option<&Value>) -> (u16, Vec<u8>) {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let body = body.map(|body| ("application/json", body.to_string().into()));
    let url = format!("http://127.0.0.1:{port}{path}").parse().unwrap();
    let request = SourceRequest { source: String::new(), url, interval: None, headers, body, max_bytes: u64::MAX };
    let answer = exchange(&request).await.unwrap();
    (answer.status, answer.body.to_vec())
}

/// `POST /browse` with the token.
async fn render(port: u16, body: Value) -> Result<RenderResponse, (u16, FetchError)> {
    let (status, answer) = ask(port, "/browse", &[("authorization", &format!("Bearer {TOKEN}"))], Some(&body)).await;
    match status {
        200 => Ok(serde_json::from_slice(&answer).unwrap()),
        _ => Err((status, serde_json::from_slice(&answer).unwrap())),
    }
}

/// Connection to `WS /browse/session`.
struct SessionSocket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl SessionSocket {
    async fn open(port: u16, header: (&'static str, &str)) -> Result<Self, u16> {
        let mut request = format!("ws://127.0.0.1:{port}/browse/session").into_client_request().unwrap();
        request.headers_mut().insert(header.0, header.1.parse().unwrap());
        match tokio_tungstenite::connect_async(request).await {
            Ok((line, _)) => Ok(Self(line)),
            Err(Error::Http(answer)) => Err(answer.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    async fn with_token(port: u16) -> Self {
        Self::open(port, ("authorization", &format!("Bearer {TOKEN}"))).await.unwrap()
    }

    async fn say(&mut self, message: Value) -> BrowseReply {
        self.0.send(Message::text(message.to_string())).await.unwrap();
        serde_json::from_str(self.0.next().await.unwrap().unwrap().to_text().unwrap()).unwrap()
    }

    async fn page(&mut self, message: Value) -> RenderResponse {
        match self.say(message).await {
            BrowseReply::Page(page) => *page,
            other => panic!("{other:?}"),
        }
    }

    async fn error(&mut self, message: Value) -> FetchError {
        match self.say(message).await {
            BrowseReply::Error(error) => error,
            other => panic!("{other:?}"),
        }
    }
}

fn text(answer: &RenderResponse) -> &str {
    &answer.page.page.documents[0].text
}

#[tokio::test]
async fn a_page_is_rendered_with_its_bytes_where_they_are_wanted() {
    let site = site().await;
    let Some((_desk, port)) = on(site, |_| {}).await else { return };
    let address = format!("http://127.0.0.1:{site}/");
    let options = json!({"wait_for": "#made", "timeout_ms": 50_000, "bytes": true});
    let rendered = render(port, json!({"url": address, "options": options})).await.unwrap();
    assert!(text(&rendered).contains("Made by a script: 42"), "{}", text(&rendered));
    let bytes = BASE64_STANDARD.decode(&rendered.bytes.as_ref().unwrap()[0]).unwrap();
    let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, rendered.page.page.documents[0].sha256);
    assert_eq!(render(port, json!({"url": address})).await.unwrap().bytes, None);

    let (status, refused) = render(port, json!({"url": "http://169.254.169.254/latest"})).await.unwrap_err();
    assert_eq!((status, refused.reason), (403, FetchFailure::Refused));
    let token = format!("Bearer {TOKEN}");
    let unknown = ask(port, "/browse", &[("authorization", &token)], Some(&json!({"address": "x"}))).await;
    assert_eq!(unknown.0, 422);
}

#[tokio::test]
async fn requests_without_token_or_from_pages_are_rejected() {
    let site = site().await;
    let Some((fixture, port)) = on(site, |_| {}).await else { return };
    let body = json!({"url": format!("http://127.0.0.1:{site}/")});
    for (headers, status) in [
        (&[][..], 401),
        (&[("authorization", "Bearer another")], 401),
        (&[("authorization", "Bearer token-of-a-test"), ("origin", "http://evil.test")], 403),
    ] {
        assert_eq!(ask(port, "/browse", headers, Some(&body)).await.0, status, "{headers:?}");
    }
    assert_eq!(SessionSocket::open(port, ("accept", "*/*")).await.err(), Some(401));
    assert_eq!(SessionSocket::open(port, ("authorization", "Bearer another")).await.err(), Some(401));
    assert_eq!(
        SessionSocket::open(port, ("origin", "http://evil.test")).await.err(),
        Some(403),
        "a page of the web opened a session"
    );
    assert_eq!(fixture.browser.process_id().await, None, "no browser was started");
}

#[tokio::test]
async fn a_session_fills_clicks_scrolls_and_lives_as_long_as_its_connection() {
    let site = site().await;
    let Some((fixture, port)) = on(site, |_| {}).await else { return };
    let at = |path: &str| format!("http://127.0.0.1:{site}{path}");
    let mut line = SessionSocket::with_token(port).await;
    assert_eq!(line.error(json!({})).await.reason, FetchFailure::NotPossible);
    assert_eq!(line.error(json!({"command": "click", "selector": "#go"})).await.reason, FetchFailure::NotPossible);
    let opened = line.page(json!({"command": "open", "url": at("/"), "sites": ["127.0.0.1"], "bytes": true})).await;
    assert!(text(&opened).contains("Made by a script: 42") && opened.bytes.is_some(), "{}", text(&opened));
    let again = line.error(json!({"command": "open", "url": at("/")})).await;
    assert!(again.message.contains("close it first"), "{again}");
    line.page(json!({"command": "fill", "selector": "#q", "value": "harbour gates"})).await;
    let found = line.page(json!({"command": "click", "selector": "#go"})).await;
    assert!(text(&found).contains("Results for harbour gates"), "{}", text(&found));
    line.page(json!({"command": "navigate", "url": at("/long")})).await;
    let scrolled = line.page(json!({"command": "scroll", "direction": "bottom"})).await;
    assert!(text(&scrolled).contains("More was loaded"), "{}", text(&scrolled));
    assert_eq!(*fixture.browser.open_sessions().borrow(), 1);
    assert_eq!(line.say(json!({"command": "close"})).await, BrowseReply::Closed);
    fixture.browser.open_sessions().wait_for(|count| *count == 0).await.unwrap();

    let mut cut = SessionSocket::with_token(port).await;
    cut.page(json!({"command": "navigate", "url": at("/")})).await;
    let fill = cut.error(json!({"command": "fill", "selector": "#q", "value": "x"})).await;
    assert_eq!(fill.reason, FetchFailure::Refused, "nobody named the site");
    drop(cut);
    fixture.browser.open_sessions().wait_for(|count| *count == 0).await.unwrap();
}

#[tokio::test]
async fn the_service_reports_that_all_slots_are_in_use() {
    let site = fine().await;
    let limit = |config: &mut FetchConfig| {
        config.browser.max_contexts = 1;
        config.browser.queue_timeout_ms = 300;
    };
    let Some((_desk, port)) = on(site, limit).await else { return };
    let address = format!("http://127.0.0.1:{site}/");
    let mut line = SessionSocket::with_token(port).await;
    line.page(json!({"command": "open", "url": address})).await;
    let (status, busy) = render(port, json!({"url": address})).await.unwrap_err();
    assert_eq!((status, busy.reason), (503, FetchFailure::Busy), "{busy}");
    let second = SessionSocket::with_token(port).await.error(json!({"command": "open", "url": address})).await;
    assert!(second.reason == FetchFailure::Busy && second.message.contains("fetch.browser.max_contexts"), "{second}");
    drop(line);
    until("a place is free", async || render(port, json!({"url": address})).await.is_ok()).await;
}

#[tokio::test]
async fn a_disconnect_during_a_step_frees_the_slot() {
    let asked = Arc::new(Notify::new());
    let told = asked.clone();
    let slow = move || async move {
        told.notify_one();
        // Never complete, so that only the time limit of loading could end it.
        let start = futures::stream::iter([Ok::<_, Infallible>("<p>More.</p>")]);
        ([("content-type", "text/html")], Body::from_stream(start.chain(futures::stream::pending())))
    };
    let site = serve(Router::new().route("/slow", get(slow)).route("/", get(|| async { page("Fine") }))).await;
    let limit = |config: &mut FetchConfig| {
        config.browser.max_contexts = 1;
        config.browser.queue_timeout_ms = 300;
        config.browser.load_timeout_ms = 600_000;
    };
    let Some((_desk, port)) = on(site, limit).await else { return };
    let address = format!("http://127.0.0.1:{site}/");
    let mut opening = SessionSocket::with_token(port).await;
    opening.0.send(Message::text(json!({"command": "open", "url": format!("{address}slow")}).to_string())).await.unwrap();
    asked.notified().await;
    drop(opening);
    until("what was being opened is gone", async || render(port, json!({"url": address})).await.is_ok()).await;

    let mut stepping = SessionSocket::with_token(port).await;
    stepping.page(json!({"command": "open", "url": address})).await;
    let step = json!({"command": "navigate", "url": format!("{address}slow")});
    stepping.0.send(Message::text(step.to_string())).await.unwrap();
    asked.notified().await;
    drop(stepping);
    until("the session is gone", async || render(port, json!({"url": address})).await.is_ok()).await;
}

#[tokio::test]
async fn a_browser_that_is_killed_costs_a_connection_one_step() {
    let site = fine().await;
    let Some((fixture, port)) = on(site, |_| {}).await else { return };
    let address = format!("http://127.0.0.1:{site}/");
    let mut line = SessionSocket::with_token(port).await;
    line.page(json!({"command": "open", "url": address})).await;
    let first = fixture.browser.process_id().await.unwrap();
    assert!(std::process::Command::new("kill").args(["-9", &first.to_string()]).status().unwrap().success());
    let error = line.error(json!({"command": "scroll"})).await;
    assert_eq!(error.reason, FetchFailure::Crashed, "{error}");
    let gone = line.error(json!({"command": "scroll"})).await;
    assert!(gone.message.contains("open an address first"), "{gone}");
    line.page(json!({"command": "navigate", "url": address})).await;
    assert_ne!(fixture.browser.process_id().await, Some(first));
    assert!(render(port, json!({"url": address})).await.is_ok());
}

#[tokio::test]
async fn a_service_without_chromium_says_why() {
    let mut config = config(&[("web.test", 80)]);
    config.browser.program = "/nowhere/chromium".into();
    let fixture = fixture_on(local_web::web_fixture(config.clone()), config.clone()).unwrap();
    let port = service(&fixture, config).await;
    let (status, error) = render(port, json!({"url": "http://web.test/"})).await.unwrap_err();
    assert_eq!((status, error.reason), (503, FetchFailure::Unavailable));
    assert!(error.message.contains("fetch.browser.program"), "{error}");
    let opened = SessionSocket::with_token(port).await.error(json!({"command": "open", "url": "http://web.test/"})).await;
    assert_eq!(opened, error);
    let (status, health) = ask(port, "/health", &[], None).await;
    let health: Value = serde_json::from_slice(&health).unwrap();
    assert!(status == 200 && health["browser"].as_str().unwrap().contains("fetch.browser.program"), "{health}");
}
