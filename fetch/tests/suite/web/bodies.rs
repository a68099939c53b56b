//! Misbehaving responses: each is one clear error.

use super::local_web::{self, serve, serve_raw, web_fixture};
use crate::{prelude::*, support::pdf};
use async_compression::tokio::write::{BrotliEncoder, GzipEncoder, ZstdEncoder};
use axum::{body::Body, http::header};
use domain::fetch::FetchError;
use fetch::HttpConfig;
use futures::stream;
use tokio::io::AsyncWriteExt;

const MIB: usize = 1024 * 1024;

fn small(port: u16) -> FetchConfig {
    let mut config = local_web::config(&[("127.0.0.1", port)]);
    config.http.max_body_bytes = 8 * MIB as u64;
    config.http.total_timeout_ms = 20_000;
    config
}

async fn failure(config: FetchConfig, port: u16, path: &str) -> FetchError {
    let fixture = web_fixture(config);
    fixture.web.page(&FetchRequest::page(format!("http://127.0.0.1:{port}{path}"))).await.unwrap_err()
}

macro_rules! packed {
    ($encoder:ident, $bytes:expr) => {{
        let mut encoder = $encoder::new(vec![]);
        encoder.write_all($bytes).await.unwrap();
        encoder.shutdown().await.unwrap();
        bytes::Bytes::from(encoder.into_inner())
    }};
}

#[tokio::test]
async fn bombs_are_stopped_by_ratio_and_by_size() {
    let zeros = vec![b' '; 64 * MIB];
    let bombs = [
        ("gzip", packed!(GzipEncoder, &zeros)),
        ("br", packed!(BrotliEncoder, &zeros)),
        ("zstd", packed!(ZstdEncoder, &zeros)),
    ];
    for (encoding, bomb) in bombs {
        let size = bomb.len();
        let answer = move || async move { ([(header::CONTENT_ENCODING, encoding), (header::CONTENT_TYPE, "text/html")], bomb) };
        let port = serve(Router::new().route("/", get(answer))).await;
        let by_ratio = failure(small(port), port, "/").await;
        assert_eq!(by_ratio.reason, FetchFailure::TooLarge);
        assert!(by_ratio.message.contains("max_ratio"), "{encoding} of {size}: {by_ratio}");
        let mut config = small(port);
        config.http.max_ratio = 1_000_000;
        let by_size = failure(config, port, "/").await;
        assert!(by_size.message.contains("max_body_bytes"), "{encoding}: {by_size}");
    }
}

#[tokio::test]
async fn compressed_pages_are_read_and_wrong_compression_is_an_error() {
    let text = local_web::page("Packed").0;
    for encoding in ["gzip", "br", "zstd"] {
        let body = match encoding {
            "gzip" => packed!(GzipEncoder, text.as_bytes()),
            "br" => packed!(BrotliEncoder, text.as_bytes()),
            _ => packed!(ZstdEncoder, text.as_bytes()),
        };
        let answer = move || async move { ([(header::CONTENT_ENCODING, encoding), (header::CONTENT_TYPE, "text/html")], body) };
        let wrong = move || async move { ([(header::CONTENT_ENCODING, encoding)], "no such thing") };
        let other = || async { ([(header::CONTENT_ENCODING, "compress")], "no such thing") };
        let routes = Router::new().route("/", get(answer)).route("/wrong", get(wrong)).route("/other", get(other));
        let port = serve(routes).await;
        let found = web_fixture(small(port)).web.page(&FetchRequest::page(format!("http://127.0.0.1:{port}/"))).await.unwrap();
        assert_eq!((found.page.documents[0].title.as_str(), found.page.size_bytes), ("Packed", text.len() as u64));
        assert_eq!(failure(small(port), port, "/wrong").await.reason, FetchFailure::Malformed);
        assert_eq!(failure(small(port), port, "/other").await.reason, FetchFailure::Malformed);
    }
}

#[tokio::test]
async fn a_page_that_comes_in_several_members_is_whole() {
    let text = local_web::page("Whole").0;
    let (start, end) = text.as_bytes().split_at(text.len() / 2);
    let gzip = [packed!(GzipEncoder, start), packed!(GzipEncoder, end)].concat();
    // Data after the last member is ignored.
    let padded = [&gzip[..], b"\0\0\r\n"].concat();
    let zstd = [packed!(ZstdEncoder, start), packed!(ZstdEncoder, end)].concat();
    for (encoding, members) in [("gzip", gzip), ("gzip", padded), ("zstd", zstd)] {
        let body = bytes::Bytes::from(members);
        let answer = move || async move { ([(header::CONTENT_ENCODING, encoding), (header::CONTENT_TYPE, "text/html")], body) };
        let port = serve(Router::new().route("/", get(answer))).await;
        let found = web_fixture(small(port)).web.page(&FetchRequest::page(format!("http://127.0.0.1:{port}/"))).await.unwrap();
        assert_eq!(found.page.size_bytes, text.len() as u64, "{encoding}");
    }
}

#[tokio::test]
async fn a_page_of_50_mb_and_one_that_never_ends_are_cut_off() {
    let chunk = bytes::Bytes::from(vec![b'x'; 64 * 1024]);
    let endless = move || {
        let chunk = chunk.clone();
        async move { Body::from_stream(stream::repeat_with(move || Ok::<_, std::io::Error>(chunk.clone()))) }
    };
    let huge = bytes::Bytes::from(vec![b'x'; 50 * MIB]);
    let port = serve(Router::new().route("/huge", get(move || async move { huge })).route("/endless", get(endless))).await;
    let stated = failure(small(port), port, "/huge").await;
    assert_eq!(stated.reason, FetchFailure::TooLarge);
    assert!(stated.message.contains("50.0 MiB"), "{stated}");
    assert_eq!(failure(small(port), port, "/endless").await.reason, FetchFailure::TooLarge);
}

/// Access to one time limit.
type Limit = fn(&mut HttpConfig) -> &mut u64;

#[tokio::test]
async fn each_time_limit_ends_a_silent_response() {
    let mute = serve_raw(|stream| async move {
        let _open = stream;
        std::future::pending().await
    })
    .await;
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 100000\r\n\r\n<html>";
    let stuck = serve_raw(move |mut stream| async move {
        stream.write_all(head).await?;
        std::future::pending().await
    })
    .await;
    let limits: [(u16, &str, Limit); 3] = [
        (mute, "first_byte_timeout_ms", |http| &mut http.first_byte_timeout_ms),
        (stuck, "idle_timeout_ms", |http| &mut http.idle_timeout_ms),
        (stuck, "total_timeout_ms", |http| &mut http.total_timeout_ms),
    ];
    for (port, setting, limit) in limits {
        let mut config = small(port);
        *limit(&mut config.http) = 50;
        let error = failure(config, port, "/").await;
        assert!(error.reason == FetchFailure::TimedOut && error.message.contains(setting), "{setting}: {error}");
    }
}

#[tokio::test]
async fn invalid_http_and_endless_heads_are_rejected() {
    let answers: [(&str, Vec<u8>, FetchFailure); 5] = [
        ("babble", b"220 smtp.example.org ESMTP\r\n".to_vec(), FetchFailure::Malformed),
        ("nothing", vec![], FetchFailure::Malformed),
        ("cut", b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\nshort".to_vec(), FetchFailure::Malformed),
        ("many", [b"HTTP/1.1 200 OK\r\n".to_vec(), b"x-a: b\r\n".repeat(500)].concat(), FetchFailure::TooLarge),
        ("long", [b"HTTP/1.1 200 OK\r\nx-a: ".to_vec(), vec![b'y'; 200_000]].concat(), FetchFailure::TooLarge),
    ];
    for (name, answer, reason) in answers {
        let answer = Arc::new(answer);
        let port = serve_raw(move |mut stream| {
            let answer = answer.clone();
            async move {
                stream.write_all(&answer).await?;
                stream.shutdown().await
            }
        })
        .await;
        assert_eq!(failure(small(port), port, "/").await.reason, reason, "{name}");
    }
}

#[tokio::test]
async fn redirects_in_a_circle_are_refused() {
    let port = serve(Router::new().route("/", get(|| async { axum::response::Redirect::temporary("/") }))).await;
    let error = failure(small(port), port, "/").await;
    assert!(error.message.contains("max_redirects"), "{error}");
}

#[tokio::test]
async fn a_pdf_of_2000_pages_is_read_or_refused_as_a_whole() {
    let pages: Vec<String> = (0..2_000).map(|n| format!("Page {n} of the report tells of lock {n}.")).collect();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let file = bytes::Bytes::from(pdf(&pages, "/Title (A long report)"));
    let size = file.len();
    let answer = move || async move { ([(header::CONTENT_TYPE, "application/pdf")], file) };
    let port = serve(Router::new().route("/report", get(answer))).await;
    let started = std::time::Instant::now();
    let found =
        web_fixture(small(port)).web.page(&FetchRequest::page(format!("http://127.0.0.1:{port}/report"))).await.unwrap();
    assert!(found.page.documents[0].text.contains("Page 1999 of the report"));
    println!("a PDF of 2,000 pages and {size} bytes took {:?}", started.elapsed());
    let mut config = small(port);
    config.parse.max_pdf_pages = 1_000;
    assert_eq!(failure(config, port, "/report").await.reason, FetchFailure::Unreadable);
}
