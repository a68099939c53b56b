//! Excepted hosts: open to direct requests, closed to pages of other hosts.

use super::{browser_fixture, config, text};
use crate::prelude::*;
use axum::response::Redirect;

const WORDS: &str = "The harbour master said on Tuesday that the gates would stay shut until the inquiry has ended.";

/// Page that requests `address` in every way that needs no permission of the server.
fn asking(title: &str, address: &str, rest: &str) -> Html<String> {
    Html(format!(
        "<title>{title}</title><article><h1>{title}</h1><p>{WORDS}</p>{rest}</article><img src='{address}/image'><iframe src='{address}/frame'></iframe>\
         <script>fetch('{address}/post', {{method: 'POST', mode: 'no-cors', body: 'x'}}).catch(() => {{}});\
         navigator.sendBeacon('{address}/beacon', 'x');</script>"
    ))
}

#[tokio::test]
async fn an_excepted_host_is_open_to_direct_requests_and_closed_to_other_pages() {
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let (note, rules) = (heard.clone(), heard.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let news = format!("http://news.test:{port}");
    let away = format!("<a id=away href='{news}/'>The news</a>");
    let robots = get(move || async move {
        rules.lock().unwrap().push("/robots.txt".to_owned());
        ""
    });
    let wiki = serve(Router::new().route("/robots.txt", robots).fallback(move |uri: axum::http::Uri| async move {
        note.lock().unwrap().push(uri.path().to_owned());
        asking("Wiki", "", &away)
    }))
    .await;
    let inner = format!("http://wiki.test:{wiki}");
    let (page, script, to) = (inner.clone(), inner.clone(), inner.clone());
    let router = Router::new()
        .route("/", get(move || async move { asking("News", &page, "") }))
        .route("/script", get(move || async move { Html(format!("<p>on<script>location.href = '{script}/'</script>")) }))
        .route("/redirect", get(move || async move { Redirect::temporary(&format!("{to}/")) }));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let Some(fixture) = browser_fixture(config(&[("news.test", port), ("wiki.test", wiki)])) else { return };

    let read = fixture.render(format!("{news}/")).await.unwrap();
    assert!(text(&read).contains("harbour master"), "{}", text(&read));
    for path in ["script", "redirect"] {
        assert_eq!(fixture.refused(format!("{news}/{path}")).await, FetchFailure::Refused, "/{path}");
    }
    assert_eq!(heard.lock().unwrap().clone(), Vec::<String>::new(), "a page of the web asked the wiki");

    // Its own page reaches it, and no other host's.
    let (session, _) = fixture.browser.open("me", &format!("{inner}/"), &[]).await.unwrap();
    let own = std::mem::take(&mut *heard.lock().unwrap());
    assert!(["/", "/post", "/image"].iter().all(|path| own.iter().any(|heard| heard == path)), "{own:?}");
    let step = BrowseCommand::Click { selector: "#away".into() };
    // The news host is excepted, too, but only for direct requests.
    assert_eq!(fixture.browser.step("me", &session, &step).await.unwrap_err().reason, FetchFailure::Refused);
    assert_eq!(heard.lock().unwrap().clone(), Vec::<String>::new(), "the page that came next asked the wiki");
}
