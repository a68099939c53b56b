//! Requests per second for the page of a link from a warm cache, which `docs/benchmarks.md` shows. They need a release build, on a
//! machine with two cores: server and clients share two threads.

use super::routes::{backend, person_with_report, share};
use feature::testing::TestSite;
use std::time::Instant;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

/// Connections, which stay open.
const CLIENTS: usize = 8;
/// Requests on each connection.
const REQUESTS: usize = 5_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn figures_of_a_warm_page() {
    let backend = backend().await;
    let section = serde_json::json!({ "per_minute": u32::MAX });
    let site = TestSite::with_settings(crate::feature(), &backend, section);
    let (ada, report) = person_with_report(&backend, "ada").await;
    let path = share(&site.signed_in(ada).await, report, "1", "30").await;
    let bytes = site.stranger().get(&path).await.bytes();
    let port = site.serve().await;
    let began = Instant::now();
    let clients: Vec<_> = (0..CLIENTS).map(|_| tokio::spawn(request_many(port, path.clone(), bytes))).collect();
    for client in clients {
        client.await.unwrap();
    }
    let per_second = (CLIENTS * REQUESTS) as f64 / began.elapsed().as_secs_f64();
    println!("page of a link over HTTP on loopback: {per_second:.0} requests a second, {:.1} KiB", bytes as f64 / 1_024.0);
    backend.close().await;
}

/// Requests a page many times on one connection.
async fn request_many(port: u16, path: String, bytes: usize) {
    let mut stream = BufReader::new(TcpStream::connect(("127.0.0.1", port)).await.unwrap());
    stream.get_ref().set_nodelay(true).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: osint.example\r\n\r\n");
    let mut body = vec![0; bytes];
    for _ in 0..REQUESTS {
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(stream.read_line(&mut head).await.unwrap() > 0, "the connection was closed");
        }
        assert!(head.starts_with("HTTP/1.1 200") && head.contains(&format!("content-length: {bytes}\r\n")), "{head}");
        stream.read_exact(&mut body).await.unwrap();
    }
}
