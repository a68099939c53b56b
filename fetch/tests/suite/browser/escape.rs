//! Ways out of the browser past the address rules; none may succeed.

use super::{browser_fixture, config, fixture_with, text};
use crate::{
    prelude::*,
    web::{
        addresses::{hosts, names, tricks},
        local_web::serve_raw,
    },
};
use axum::{http::header::CONTENT_TYPE, response::Redirect};
use std::net::{IpAddr, Ipv4Addr};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, UdpSocket},
};

/// Listener on TCP and UDP of one local port that counts connections and datagrams.
pub(super) struct Canary {
    pub port: u16,
    pub heard: Arc<AtomicU64>,
}

impl Canary {
    pub async fn listen() -> Self {
        let v4 = TcpListener::bind((IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0)).await.unwrap();
        let port = v4.local_addr().unwrap().port();
        let heard = Arc::new(AtomicU64::new(0));
        let mut tcp = vec![v4];
        tcp.extend(TcpListener::bind(("::1", port)).await.ok());
        for listener in tcp {
            let heard = heard.clone();
            tokio::spawn(async move {
                while let Ok((mut stream, _)) = listener.accept().await {
                    heard.fetch_add(1, Ordering::SeqCst);
                    let _ = stream.read(&mut [0; 1_024]).await;
                }
            });
        }
        let udp = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, port)).await.unwrap();
        let counted = heard.clone();
        tokio::spawn(async move {
            while udp.recv(&mut [0; 2_048]).await.is_ok() {
                counted.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { port, heard }
    }
}

/// Page that tries every browser API against a local port, by each of its names.
fn hostile(port: u16, secure: u16) -> String {
    let hosts = [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        format!("[::1]:{port}"),
        format!("[::ffff:127.0.0.1]:{port}"),
        format!("0x7f.1:{port}"),
        format!("2130706433:{port}"),
        format!("017700000001:{port}"),
        format!("127.1:{port}"),
        format!("0.0.0.0:{port}"),
        format!("inside.test:{port}"),
        format!("localhost.localdomain:{port}"),
    ];
    let tags: String = hosts
        .iter()
        .map(|host| {
            format!(
                "<link rel=dns-prefetch href='//{host}'><link rel=preconnect href='http://{host}'><link rel=prefetch href='http://{host}/p'>\
                 <link rel=stylesheet href='http://{host}/s.css'><link rel=prerender href='http://{host}/r'><img src='http://{host}/i.png'>\
                 <iframe src='http://{host}/f'></iframe><iframe src='https://{host}/f'></iframe><script src='http://{host}/s.js'></script>\
                 <video src='http://{host}/v.mp4' autoplay muted></video><object data='http://{host}/o'></object><embed src='http://{host}/e'>\
                 <a id=ping href='#x' ping='http://{host}/ping'>x</a><p style='background:url(http://{host}/b.png)'>y</p>"
            )
        })
        .collect();
    let hosts = serde_json::to_string(&hosts).unwrap();
    format!(
        r#"<html><head><title>Tries</title>
        <script type="speculationrules">{{"prefetch":[{{"source":"list","urls":["http://localhost:{port}/spec"]}}]}}</script></head>
        <body><article><h1>Tries</h1><p>The page that tries to get out says so here, in a sentence that is long enough to be read.</p></article>
        {tags}<iframe src="file:///etc/passwd"></iframe><iframe src="chrome://version"></iframe>
        <script>
        const tries = [];
        const attempt = (name, action) => {{ try {{ const made = action(); if (made && made.catch) made.catch(() => {{}}); }} catch (e) {{}} tries.push(name); }};
        for (const host of {hosts}) {{
          attempt('fetch', () => fetch('http://' + host + '/fetch', {{ mode: 'no-cors' }}));
          attempt('fetch tls', () => fetch('https://' + host + '/fetch', {{ mode: 'no-cors' }}));
          attempt('post', () => fetch('http://' + host + '/post', {{ mode: 'no-cors', method: 'POST', body: 'secret' }}));
          attempt('xhr', () => {{ const x = new XMLHttpRequest(); x.open('GET', 'http://' + host + '/xhr'); x.send(); }});
          attempt('ws', () => new WebSocket('ws://' + host + '/ws'));
          attempt('wss', () => new WebSocket('wss://' + host + '/ws'));
          attempt('events', () => new EventSource('http://' + host + '/events'));
          attempt('beacon', () => navigator.sendBeacon('http://' + host + '/beacon', 'secret'));
          attempt('transport', () => new WebTransport('https://' + host + '/wt'));
          attempt('window', () => window.open('http://' + host + '/window'));
          attempt('import', () => import('http://' + host + '/m.js'));
          attempt('worker', () => new Worker(URL.createObjectURL(new Blob(["fetch('http://" + host + "/worker', {{mode:'no-cors'}})"]))));
          attempt('form', () => {{ const f = document.createElement('form'); f.action = 'http://' + host + '/form'; f.target = '_blank'; document.body.append(f); f.submit(); }});
        }}
        attempt('rtc', () => {{
          const peer = new RTCPeerConnection({{ iceServers: [{{ urls: ['stun:127.0.0.1:{port}', 'stun:localhost:{port}', 'stun:[::1]:{port}'] }}, {{ urls: ['turn:127.0.0.1:{port}?transport=udp', 'turn:127.0.0.1:{port}?transport=tcp', 'turns:127.0.0.1:{port}?transport=tcp'], username: 'u', credential: 'p' }}] }});
          peer.createDataChannel('d');
          return peer.createOffer().then((offer) => peer.setLocalDescription(offer));
        }});
        attempt('service worker', () => navigator.serviceWorker.register('/sw.js'));
        attempt('own', () => fetch('http://127.0.0.1:{secure}/reached'));
        document.querySelector('p').textContent = 'The page has tried ' + tries.length + ' ways out of the browser that shows it, and all of them are on record.';
        setTimeout(() => {{ document.querySelector('#ping').click(); }}, 300);
        </script></body></html>"#
    )
}

#[tokio::test]
async fn no_page_reaches_this_machine_and_one_that_is_allowed_does() {
    let canary = Canary::listen().await;
    let reached = Arc::new(AtomicU64::new(0));
    let (port, counted) = (canary.port, reached.clone());
    let worker = format!(
        "self.addEventListener('install', () => {{ self.skipWaiting(); for (const h of ['127.0.0.1', 'localhost', '[::1]'])\
         fetch('http://' + h + ':{port}/sw', {{mode: 'no-cors'}}).catch(() => {{}}); }});"
    );
    let router =
        Router::new()
            .route("/reached", get(move || async move { counted.fetch_add(1, Ordering::SeqCst).to_string() }))
            .route("/sw.js", get(move || async move { ([(CONTENT_TYPE, "text/javascript")], worker).into_response() }))
            .route("/redirect", get(move || async move { Redirect::temporary(&format!("http://127.0.0.1:{port}/r")) }))
            .route("/name", get(move || async move { Redirect::temporary(&format!("http://inside.test:{port}/r")) }))
            .route(
                "/meta",
                get(move || async move {
                    Html(format!("<meta http-equiv=refresh content='0;url=http://localhost:{port}/m'><p>on"))
                }),
            )
            .route(
                "/script",
                get(move || async move { Html(format!("<p>on<script>location.href = 'http://[::1]:{port}/l'</script>")) }),
            );
    let own = serve(router.clone()).await;
    let hostile_page = hostile(port, own);
    let web = serve(router.route("/", get(move || async move { Html(hostile_page) }))).await;

    let mut config = config(&[("127.0.0.1", web), ("127.0.0.1", own)]);
    // The address must be refused, not the port.
    config.http.ports = vec![80, 443, port];
    config.browser.settle_ms = 6_000;
    let Some(fixture) = browser_fixture(config) else { return };

    let page = fixture.render(format!("http://127.0.0.1:{web}/")).await.unwrap();
    let tried = text(&page).split_once("has tried ").and_then(|(_, rest)| rest.split(' ').next()?.parse::<usize>().ok());
    assert!(tried.is_some_and(|tried| tried >= 11 * 13 + 3), "the page did not try: {}", text(&page));
    assert_eq!(reached.load(Ordering::SeqCst), 1, "the control was not reached");

    for path in ["redirect", "name", "meta", "script"] {
        let reason = fixture.refused(format!("http://127.0.0.1:{web}/{path}")).await;
        assert_eq!(reason, FetchFailure::Refused, "/{path}");
    }
    for host in ["127.0.0.1", "localhost", "[::1]", "0x7f.1", "2130706433", "inside.test", "[::ffff:7f00:1]", "127.0.0.1.", "0"]
    {
        let reason = fixture.refused(format!("http://{host}:{port}/")).await;
        assert_eq!(reason, FetchFailure::Refused, "{host}");
    }
    for address in ["file:///etc/passwd", "chrome://version", "view-source:http://a.test/", "data:text/html,x", "javascript:1"]
    {
        let reason = fixture.refused(address).await;
        assert!(matches!(reason, FetchFailure::Refused | FetchFailure::BadAddress), "{address}: {reason:?}");
    }
    assert_eq!(canary.heard.load(Ordering::SeqCst), 0, "something got out");
    assert!(fixture.network.web.dials() > 0);
}

#[tokio::test]
async fn no_hostile_address_is_dialled_from_the_browser_in_any_disguise() {
    let canary = Canary::listen().await;
    let port = canary.port;
    let inside: Vec<String> = hosts().into_iter().map(|host| format!("http://{host}:{port}/")).collect();
    let tries = serde_json::to_string(&inside).unwrap();
    let scripted = format!(
        "<p id=p>x</p><script>const all = {tries}; for (const a of all) {{ try {{ fetch(a, {{mode: 'no-cors'}}).catch(() => {{}}); }} catch (e) {{}}\
         const i = new Image(); i.src = a; }}\
         document.querySelector('#p').textContent = 'This page has tried ' + all.length + ' addresses, each of them in two ways.';</script>"
    );
    let connections = Arc::new(AtomicU64::new(0));
    let counted = connections.clone();
    let web = serve_raw(move |mut stream| {
        counted.fetch_add(1, Ordering::SeqCst);
        let body = scripted.clone();
        async move {
            let head =
                format!("HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\n\r\n", body.len());
            stream.write_all(head.as_bytes()).await?;
            stream.write_all(body.as_bytes()).await
        }
    })
    .await;
    let mut config = config(&[("control.example.org", web)]);
    config.http.ports.push(port);
    config.browser.settle_ms = 8_000;
    let Some(fixture) = fixture_with(config, names()) else { return };

    let page = fixture.render(format!("http://control.example.org:{web}/")).await.unwrap();
    assert!(text(&page).contains(&format!("tried {} addresses", inside.len())), "{}", text(&page));
    // Each dial led to the page's own server, whose robots.txt is not counted: nothing else was dialled.
    let dials = fixture.network.web.dials();
    assert_eq!(dials, connections.load(Ordering::SeqCst) + 1, "something else was dialled");
    assert_eq!(canary.heard.load(Ordering::SeqCst), 0);

    let mut refused = 0;
    for address in inside.iter().chain(&tricks(port)) {
        let reason = fixture.refused(address).await;
        assert!(matches!(reason, FetchFailure::Refused | FetchFailure::BadAddress), "{address}: {reason:?}");
        refused += 1;
    }
    assert_eq!((fixture.network.web.dials(), canary.heard.load(Ordering::SeqCst)), (dials, 0));
    println!("{refused} hostile addresses in the browser, no dial");
}
