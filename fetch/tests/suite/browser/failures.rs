//! Failing pages: pages without text, hosts that request pauses, client-side navigation, and a browser that hangs.

use super::{BrowserFixture, browser_fixture, config, fine, until};
use crate::{prelude::*, web::local_web::page};
use axum::http::header::RETRY_AFTER;
use std::process::Command;
use tokio::sync::Notify;

#[tokio::test]
async fn a_rendered_page_without_text_is_unreadable() {
    let empty = "<div id=root></div><script>document.querySelector('#root').className = 'ready';</script>";
    let port = serve(Router::new().route("/", get(move || async move { Html(empty) }))).await;
    let Some(fixture) = browser_fixture(config(&[("127.0.0.1", port)])) else { return };
    let error = fixture.render(format!("http://127.0.0.1:{port}/")).await.unwrap_err();
    assert_eq!(error.reason, FetchFailure::Unreadable, "{error}");
    assert!(error.message.contains("rendered page contains no text"), "{error}");
}

#[tokio::test]
async fn a_pause_requested_in_the_browser_applies_to_all_requests() {
    let asked = Arc::new(AtomicU64::new(0));
    let counted = asked.clone();
    let busy = || async { (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, "3600")], page("Too many")).into_response() };
    let fine = move || async move {
        counted.fetch_add(1, Ordering::SeqCst);
        page("Fine")
    };
    let port = serve(Router::new().route("/busy", get(busy)).route("/", get(fine))).await;
    let mut config = config(&[("rendered.test", port), ("stepped.test", port)]);
    config.rate_limit.max_wait_ms = 30_000;
    let Some(fixture) = browser_fixture(config) else { return };

    let rendered = format!("http://rendered.test:{port}/");
    let error = fixture.render(format!("{rendered}busy")).await.unwrap_err();
    assert_eq!((error.reason, error.retry_after_ms), (FetchFailure::Busy, Some(3_600_000)), "{error}");
    assert!(error.message.contains("asks to wait 60 minutes"), "{error}");
    assert_eq!(fixture.refused(&rendered).await, FetchFailure::Busy);

    let stepped = format!("http://stepped.test:{port}/");
    let (session, _) = fixture.browser.open("me", &stepped, &[]).await.unwrap();
    let step = BrowseCommand::Navigate { url: format!("{stepped}busy") };
    let shown = fixture.browser.step("me", &session, &step).await.unwrap();
    assert_eq!(shown.page.page.status, 429, "a step shows what there is");
    assert_eq!(fixture.refused(&stepped).await, FetchFailure::Busy);
    assert_eq!(asked.load(Ordering::SeqCst), 1, "a host that wanted to be left alone was asked");
}

/// Event that a server waits for.
#[derive(Clone, Default)]
struct Signal(Arc<Notify>);

impl Signal {
    fn give(&self) {
        self.0.notify_one();
    }

    async fn come(&self) {
        self.0.notified().await;
    }
}

/// Page that navigates, on a signal, to a server whose robots.txt is still pending.
async fn page_that_leads_on() -> Option<(BrowserFixture, [String; 2], [Signal; 5])> {
    let signals: [Signal; 5] = Default::default();
    let [go, ruling, ruled, nexting, next] = signals.clone();
    let robots = get(move || async move {
        ruling.give();
        ruled.come().await;
        "User-agent: *\nDisallow: /\n"
    });
    let other = serve(Router::new().route("/robots.txt", robots)).await;
    let start = format!(
        "<p>The harbour master said that the gates would stay shut until the inquiry has ended.</p>\
         <script>fetch('/go').then(() => {{ location.href = 'http://127.0.0.1:{other}/'; }});</script>"
    );
    let router = Router::new()
        .route("/", get(move || async move { Html(start) }))
        .route("/go", get(move || async move { go.come().await }))
        .route(
            "/next",
            get(move || async move {
                nexting.give();
                next.come().await;
                page("Next")
            }),
        );
    let port = serve(router).await;
    let fixture = browser_fixture(config(&[("127.0.0.1", port), ("127.0.0.1", other)]))?;
    Some((fixture, [port, other].map(|port| format!("http://127.0.0.1:{port}/")), signals))
}

#[tokio::test]
async fn a_refused_navigation_of_the_previous_page_does_not_fail_the_next_step() {
    let Some((fixture, [address, other], [go, ruling, ruled, nexting, next])) = page_that_leads_on().await else { return };
    let (session, _) = fixture.browser.open("me", &address, &[]).await.unwrap();
    // Between two steps the page navigates and is held.
    go.give();
    ruling.come().await;
    let step = BrowseCommand::Navigate { url: format!("{address}next") };
    let others = async {
        nexting.come().await;
        // The refusal arrives during the next step.
        ruled.give();
        let refused = fixture.network.web.page(&FetchRequest::page(&other)).await.unwrap_err();
        assert_eq!(refused.reason, FetchFailure::Robots, "both requests waited for the same robots.txt");
        next.give();
    };
    let (shown, ()) = tokio::join!(fixture.browser.step("me", &session, &step), others);
    let shown = shown.unwrap_or_else(|error| panic!("the page before spoilt the next step: {error}"));
    assert_eq!(shown.page.page.documents[0].title, "Next");
}

#[tokio::test]
async fn a_browser_that_hangs_frees_its_slots() {
    let port = fine().await;
    let mut config = config(&[("127.0.0.1", port)]);
    config.browser.max_contexts = 1;
    config.browser.queue_timeout_ms = 300;
    // Timeout of a DevTools request.
    config.browser.load_timeout_ms = 8_000;
    config.browser.step_timeout_ms = 8_000;
    let Some(fixture) = browser_fixture(config) else { return };
    let address = format!("http://127.0.0.1:{port}/");
    let (session, _) = fixture.browser.open("me", &address, &[]).await.unwrap();
    let first = fixture.browser.process_id().await.unwrap();
    assert!(Command::new("kill").args(["-STOP", &first.to_string()]).status().unwrap().success());
    fixture.browser.close("me", &session).await.unwrap();
    until("a page is rendered again", async || fixture.render(&address).await.is_ok()).await;
    assert_ne!(fixture.browser.process_id().await, Some(first));
}
