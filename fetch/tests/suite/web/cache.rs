//! Page cache: fresh copies are reused, old ones revalidated.

use super::local_web::{self, header, page, serve, web_fixture};
use crate::prelude::*;
use axum::response::Response;
use domain::fetch::CacheUse;

type Count = Arc<AtomicU64>;

async fn tagged(State(count): State<Count>, headers: HeaderMap) -> Response {
    count.fetch_add(1, Ordering::SeqCst);
    match header(&headers, "if-none-match") {
        "\"v1\"" => StatusCode::NOT_MODIFIED.into_response(),
        _ => ([("etag", "\"v1\"")], page("Tagged")).into_response(),
    }
}

async fn unkept(State(count): State<Count>) -> Response {
    count.fetch_add(1, Ordering::SeqCst);
    ([("cache-control", "private, no-store")], page("Not kept")).into_response()
}

#[tokio::test]
async fn copies_are_reused_revalidated_and_shared() {
    let count = Count::default();
    let routes = Router::new().route("/tagged", get(tagged)).route("/unkept", get(unkept)).with_state(count.clone());
    let port = serve(routes).await;
    let config = local_web::config(&[("127.0.0.1", port)]);
    let ttl_ms = i64::try_from(config.cache.ttl_ms).unwrap();
    let fixture = web_fixture(config);
    let request = FetchRequest::page(format!("http://127.0.0.1:{port}/tagged"));

    let together = futures::future::join_all((0..20).map(|_| fixture.web.page(&request))).await;
    assert!(together.iter().all(|found| found.as_ref().is_ok_and(|found| found.page.documents[0].title == "Tagged")));
    assert_eq!(count.load(Ordering::SeqCst), 1, "one request for all who ask at once");

    let again = fixture.web.page(&request).await.unwrap();
    assert_eq!((again.page.cache, count.load(Ordering::SeqCst)), (CacheUse::Fresh, 1));
    let first = again.page.fetched_at;

    fixture.clock.forward_ms(ttl_ms + 1);
    let old = fixture.web.page(&request).await.unwrap();
    assert_eq!((old.page.cache, count.load(Ordering::SeqCst)), (CacheUse::Revalidated, 2));
    assert!(old.page.fetched_at > first && old.page.documents == again.page.documents);
    assert_eq!(fixture.web.page(&request).await.unwrap().page.cache, CacheUse::Fresh);

    let now = FetchRequest { max_age_ms: Some(0), ..request };
    assert_eq!(fixture.web.page(&now).await.unwrap().page.cache, CacheUse::Revalidated);

    let unkept = FetchRequest::page(format!("http://127.0.0.1:{port}/unkept"));
    for _ in 0..2 {
        assert_eq!(fixture.web.page(&unkept).await.unwrap().page.cache, CacheUse::None);
    }
}

#[tokio::test]
async fn a_304_after_a_redirect_does_not_revalidate_the_page() {
    let is_gone = Arc::new(AtomicU64::new(0));
    let gone = is_gone.clone();
    let article = move || async move {
        match gone.load(Ordering::SeqCst) {
            0 => ([("etag", "\"v1\""), ("last-modified", "Tue, 04 Feb 2031 10:00:00 GMT")], page("Article")).into_response(),
            _ => axum::response::Redirect::to("/home").into_response(),
        }
    };
    // Server that answers every conditional request with 304.
    let home = |headers: HeaderMap| async move {
        match header(&headers, "if-none-match").is_empty() && header(&headers, "if-modified-since").is_empty() {
            true => page("Home").into_response(),
            false => StatusCode::NOT_MODIFIED.into_response(),
        }
    };
    let port = serve(Router::new().route("/art", get(article)).route("/home", get(home))).await;
    let fixture = web_fixture(local_web::config(&[("127.0.0.1", port)]));
    let now = FetchRequest { max_age_ms: Some(0), ..FetchRequest::page(format!("http://127.0.0.1:{port}/art")) };
    assert_eq!(fixture.web.page(&now).await.unwrap().page.documents[0].title, "Article");
    is_gone.store(1, Ordering::SeqCst);
    let found = fixture.web.page(&now).await.unwrap();
    assert_eq!((found.page.documents[0].title.as_str(), found.page.cache), ("Home", CacheUse::None));
    assert!(found.page.final_url.ends_with("/home"));
}

#[tokio::test]
async fn copies_survive_a_restart_stay_within_the_limit_and_are_verified() {
    let words = "Words of the page in a row. ".repeat(4_000);
    let body = format!("<html><head><title>Long</title></head><body><p>{words}</p></body></html>");
    let count = Count::default();
    let counted = count.clone();
    let routes = Router::new().route("/robots.txt", get(|| async { StatusCode::NOT_FOUND })).fallback(move || {
        counted.fetch_add(1, Ordering::SeqCst);
        async move { axum::response::Html(body) }
    });
    let port = serve(routes).await;
    let mut config = local_web::config(&[("127.0.0.1", port)]);
    config.cache.max_bytes = 600 * 1024;
    let fixture = local_web::web_fixture(config.clone());
    let url = |n: usize| FetchRequest::page(format!("http://127.0.0.1:{port}/{n}"));
    for n in 0..12 {
        fixture.web.page(&url(n)).await.unwrap();
    }
    let folder = fixture.folder.path().join("pages");
    let files = || std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect::<Vec<_>>();
    let held: u64 = files().iter().map(|file| file.metadata().unwrap().len()).sum();
    assert!(held <= 600 * 1024 && files().len() >= 3, "{held} bytes in {} files", files().len());
    assert_eq!(count.load(Ordering::SeqCst), 12);

    let next = local_web::web_on(config, fixture.folder);
    assert_eq!(next.web.page(&url(11)).await.unwrap().page.cache, CacheUse::Fresh);
    let folder = next.folder.path().join("pages");
    for file in std::fs::read_dir(&folder).unwrap() {
        let file = file.unwrap().path();
        let mut bytes = std::fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&file, bytes).unwrap();
    }
    assert_eq!(next.web.page(&url(11)).await.unwrap().page.cache, CacheUse::None);
}
