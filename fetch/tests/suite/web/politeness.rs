//! Politeness towards servers.

use super::local_web::{self, header, page, serve, serve_raw, web_fixture};
use crate::prelude::*;
use axum::response::{Redirect, Response};
use fetch::{AccessMode, Request};
use tokio::io::AsyncWriteExt;

fn robots(status: u16, text: &'static str) -> Router {
    let answer = move || async move { (StatusCode::from_u16(status).unwrap(), text) };
    Router::new().route("/robots.txt", get(answer)).fallback(|| async { page("Page") })
}

async fn reason(router: Router, path: &str) -> Result<String, FetchFailure> {
    let port = serve(router).await;
    let found = web_fixture(local_web::config(&[("127.0.0.1", port)]))
        .web
        .page(&FetchRequest::page(format!("http://127.0.0.1:{port}{path}")))
        .await;
    found.map(|found| found.page.documents[0].title.clone()).map_err(|error| error.reason)
}

#[tokio::test]
async fn robots_txt_is_obeyed_as_its_standard_says() {
    let rules = "User-agent: *\nDisallow: /\n\nUser-agent: autosint\nDisallow: /private\nAllow: /private/open\n";
    let (page, closed) = (Ok("Page".to_owned()), Err(FetchFailure::Robots));
    assert_eq!(reason(robots(200, rules), "/public").await, page);
    assert_eq!(reason(robots(200, rules), "/private/a").await, closed);
    assert_eq!(reason(robots(200, rules), "/private/open").await, page);
    assert_eq!(reason(robots(200, "User-agent: *\nDisallow: /\n"), "/").await, closed);
    assert_eq!(reason(robots(404, ""), "/").await, page);
    assert_eq!(reason(robots(403, "Disallow: /"), "/").await, page);
    assert_eq!(reason(robots(500, ""), "/").await, closed);
    assert_eq!(reason(robots(503, ""), "/").await, closed);
    assert_eq!(reason(robots(200, "\u{0}\u{1}<html>no rules at all"), "/").await, page);
}

#[tokio::test]
async fn robots_txt_applies_to_redirect_targets_and_not_to_interfaces() {
    let closed = serve(robots(200, "User-agent: *\nDisallow: /\n")).await;
    let target = format!("http://127.0.0.1:{closed}/inside");
    let to = target.clone();
    let open = serve(Router::new().route("/", get(move || async move { Redirect::temporary(&to) }))).await;
    let fixture = web_fixture(local_web::config(&[("127.0.0.1", closed), ("127.0.0.1", open)]));
    let error = fixture.web.page(&FetchRequest::page(format!("http://127.0.0.1:{open}/"))).await.unwrap_err();
    assert_eq!(error.reason, FetchFailure::Robots);
    let request = Request { mode: AccessMode::Api { interval: None }, ..Request::get(target) };
    assert_eq!(fixture.web.send(request).await.unwrap().status, StatusCode::OK);
}

#[tokio::test]
async fn a_crawl_delay_is_the_interval_of_its_host() {
    let delay = get(|| async { "User-agent: *\nCrawl-delay: 0.3\n" });
    let port = serve(Router::new().route("/robots.txt", delay).fallback(|| async { page("Page") })).await;
    let fixture = web_fixture(local_web::config(&[("127.0.0.1", port)]));
    for n in 0..3 {
        fixture.web.page(&FetchRequest::page(format!("http://127.0.0.1:{port}/{n}"))).await.unwrap();
    }
    let intervals = fixture.limiter.intervals("127.0.0.1");
    assert!(intervals.len() == 3 && intervals.iter().all(|interval| interval.as_millis() == 300), "{intervals:?}");
    assert_eq!(fixture.limiter.intervals("127.0.0.1 robots.txt"), [Duration::ZERO], "robots.txt itself has no delay");
}

#[tokio::test]
async fn a_host_that_requests_a_pause_gets_it() {
    let count = Arc::new(AtomicU64::new(0));
    let busy = |State(count): State<Arc<AtomicU64>>| async move {
        match count.fetch_add(1, Ordering::SeqCst) {
            0 => (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "1")]).into_response(),
            _ => page("Later").into_response(),
        }
    };
    let never = || async { (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", "7200")]) };
    let routes = Router::new().route("/busy", get(busy)).route("/never", get(never)).with_state(count.clone());
    let port = serve(routes).await;
    let fixture = web_fixture(local_web::config(&[("127.0.0.1", port)]));
    let found = fixture.web.page(&FetchRequest::page(format!("http://127.0.0.1:{port}/busy"))).await.unwrap();
    assert_eq!((found.page.documents[0].title.as_str(), count.load(Ordering::SeqCst)), ("Later", 2));
    let error = fixture.web.page(&FetchRequest::page(format!("http://127.0.0.1:{port}/never"))).await.unwrap_err();
    assert_eq!((error.reason, error.status, error.retry_after_ms), (FetchFailure::Busy, Some(503), Some(7_200_000)));
    let pauses = [1, 7_200].map(|seconds| ("127.0.0.1".to_owned(), Duration::from_secs(seconds)));
    assert_eq!(*fixture.limiter.paused.lock().unwrap(), pauses);
    // The next caller fails at once, without a request.
    let error = fixture.web.page(&FetchRequest::page(format!("http://127.0.0.1:{port}/busy?again"))).await.unwrap_err();
    assert_eq!((error.reason, count.load(Ordering::SeqCst)), (FetchFailure::Busy, 2));
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_not_dialled_again_before_its_probe() {
    // Nothing listens on the port, so that connections are refused.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let other = serve(Router::new().fallback(|| async { page("Page") })).await;
    let mut config = local_web::config(&[("127.0.0.1", port), ("127.0.0.1", other)]);
    (config.http.max_failures, config.http.failure_pause_ms) = (3, 3_600_000);
    let fixture = web_fixture(config);
    let send = async |port: u16| {
        let request = Request { mode: AccessMode::Api { interval: None }, ..Request::get(format!("http://127.0.0.1:{port}/")) };
        fixture.web.send(request).await
    };
    for _ in 0..3 {
        assert_eq!(send(port).await.unwrap_err().reason, FetchFailure::Unreachable);
    }
    let dials = fixture.web.dials();
    let resting = send(port).await.unwrap_err();
    assert!(resting.message.contains("is not asked at the moment; try again in 60 minutes"), "{resting}");
    assert!(resting.reason == FetchFailure::Unreachable && resting.retry_after_ms.is_some());
    assert_eq!(fixture.web.dials(), dials, "the fourth was not sent");
    assert_eq!(send(other).await.unwrap().status, StatusCode::OK, "another server of the same host is asked");
}

#[tokio::test]
async fn a_server_whose_bodies_stall_is_asked_again() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 100000\r\n\r\n<html>";
    let port = serve_raw(move |mut stream| async move {
        stream.write_all(head).await?;
        std::future::pending().await
    })
    .await;
    let mut config = local_web::config(&[("127.0.0.1", port)]);
    (config.http.max_failures, config.http.idle_timeout_ms) = (1, 50);
    let fixture = web_fixture(config);
    for _ in 0..3 {
        let error = fixture.web.send(Request::get(format!("http://127.0.0.1:{port}/"))).await.unwrap_err();
        assert!(error.message.contains("idle_timeout_ms"), "it answered: {error}");
    }
}

#[tokio::test]
async fn pauses_and_crawl_delays_are_capped() {
    const FOR_EVER: &str = "18446744073709551615";
    let slow = || async { "User-agent: *\nCrawl-delay: 10000000000000000000\n" };
    let busy = || async { (StatusCode::TOO_MANY_REQUESTS, [("retry-after", FOR_EVER)]) };
    let port = serve(Router::new().route("/busy", get(busy)).fallback(|| async { page("Page") })).await;
    let crawled = serve(Router::new().route("/robots.txt", get(slow)).fallback(|| async { page("Page") })).await;
    let mut config = local_web::config(&[("127.0.0.1", port), ("localhost", crawled)]);
    config.rate_limit.max_pause_ms = 600_000;
    config.rate_limit.max_wait_ms = 1_000;
    let fixture = web_fixture(config);
    let ask = async |url: String| {
        fixture.web.page(&FetchRequest::page(url)).await.map(|_| ()).map_err(|error| {
            assert_eq!(error.reason, FetchFailure::Busy, "{error}");
            error.retry_after_ms.unwrap().div_ceil(60_000)
        })
    };
    assert_eq!(ask(format!("http://127.0.0.1:{port}/busy")).await, Err(10));
    assert_eq!(ask(format!("http://127.0.0.1:{port}/other")).await, Err(10));
    assert_eq!(ask(format!("http://localhost:{crawled}/1")).await, Ok(()));
    assert_eq!(ask(format!("http://localhost:{crawled}/2")).await, Err(10));
}

/// Echo of the request's headers.
async fn mirror(headers: HeaderMap) -> Response {
    let names = ["user-agent", "cookie", "referer", "accept-encoding", "x-key", "authorization"];
    let seen: Vec<String> = names.iter().map(|name| format!("{name}={}", header(&headers, name))).collect();
    ([("set-cookie", "session=1; Path=/")], seen.join("\n")).into_response()
}

#[tokio::test]
async fn requests_name_their_sender_and_carry_no_other_data() {
    let other = serve(Router::new().route("/mirror", get(mirror))).await;
    // Another port is another origin.
    let to = format!("http://127.0.0.1:{other}/mirror");
    let routes =
        Router::new().route("/mirror", get(mirror)).route("/away", get(move || async move { Redirect::temporary(&to) }));
    let port = serve(routes).await;
    let fixture = web_fixture(local_web::config(&[("127.0.0.1", port), ("127.0.0.1", other)]));
    let ask = async |path: &str| {
        let mut request = Request::get(format!("http://127.0.0.1:{port}{path}"));
        request.headers.insert("x-key", "secret".parse().unwrap());
        String::from_utf8(fixture.web.send(request).await.unwrap().body.to_vec()).unwrap()
    };
    ask("/mirror").await;
    let here = ask("/mirror").await;
    assert!(here.contains("user-agent=AutOSINT/") && here.contains("(+desk@example.org)"), "{here}");
    assert!(here.contains("cookie=\n") && here.contains("referer=\n") && here.contains("x-key=secret"), "{here}");
    assert!(here.contains("accept-encoding=gzip, br, zstd"), "{here}");
    let away = ask("/away").await;
    assert!(away.contains("x-key=\n"), "a key must not follow a redirect: {away}");
}

#[tokio::test]
async fn metadata_of_a_page_comes_with_it() {
    let body: &[u8] = b"<html lang=fr><head><title>Caf\xe9</title></head><body><p>Le caf\xe9 est ferm\xe9 jusqu'\xe0 mardi.</p></body></html>";
    let answer = move || async move {
        (
            [
                ("content-type", "text/html; charset=ISO-8859-1"),
                ("last-modified", "Tue, 04 Feb 2031 10:00:00 GMT"),
                ("link", "</one>; rel=\"canonical\""),
            ],
            body,
        )
    };
    let port = serve(Router::new().route("/two", get(answer)).route("/gone", get(|| async { StatusCode::GONE }))).await;
    let fixture = web_fixture(local_web::config(&[("127.0.0.1", port)]));
    let found = fixture.web.page(&FetchRequest::page(format!("http://127.0.0.1:{port}/two#part"))).await.unwrap();
    let (about, document) = (&found.page, &found.page.documents[0]);
    assert_eq!((document.title.as_str(), document.language.as_deref()), ("Café", Some("fr")));
    assert_eq!((about.url.ends_with("/two"), about.status), (true, 200));
    assert_eq!(about.canonical_url.as_deref(), Some(format!("http://127.0.0.1:{port}/one").as_str()));
    assert_eq!(about.headers["last-modified"], "Tue, 04 Feb 2031 10:00:00 GMT");
    assert_eq!((about.sha256.len(), about.size_bytes, found.bytes[0].len()), (64, body.len() as u64, body.len()));
    let gone = fixture.web.page(&FetchRequest::page(format!("http://127.0.0.1:{port}/gone"))).await.unwrap_err();
    assert!(gone.is_gone() && gone.reason == FetchFailure::Status);
}
