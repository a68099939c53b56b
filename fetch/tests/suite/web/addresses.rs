//! Forbidden addresses in every disguise: none is dialled.

use super::local_web::{self, FakeResolver, LOOPBACK, page, serve, web_fixture, web_with};
use crate::prelude::*;
use axum::extract::{Path, Query};
use std::net::{IpAddr, Ipv4Addr};
use tokio::net::TcpListener;

/// Listener on all local addresses that counts connections.
struct Canary {
    port: u16,
    heard: Arc<AtomicU64>,
}

impl Canary {
    async fn listen() -> Self {
        let v4 = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).await.unwrap();
        let port = v4.local_addr().unwrap().port();
        let heard = Arc::new(AtomicU64::new(0));
        let mut listeners = vec![v4];
        // Without IPv6 there is nothing to reach by it.
        listeners.extend(TcpListener::bind(("::1", port)).await.ok());
        for listener in listeners {
            let heard = heard.clone();
            tokio::spawn(async move {
                while listener.accept().await.is_ok() {
                    heard.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        Self { port, heard }
    }
}

/// One address of each forbidden class.
const INSIDE: [[u8; 4]; 13] = [
    [127, 0, 0, 1],
    [127, 8, 9, 10],
    [0, 0, 0, 0],
    [10, 1, 2, 3],
    [172, 16, 0, 9],
    [192, 168, 1, 1],
    [169, 254, 169, 254],
    [169, 254, 7, 7],
    [100, 100, 100, 200],
    [100, 64, 0, 1],
    [198, 18, 0, 1],
    [224, 0, 0, 251],
    [168, 63, 129, 16],
];

/// Notations of one IPv4 address as a host.
fn disguises(ip: [u8; 4]) -> Vec<String> {
    let [a, b, c, d] = ip;
    let number = u32::from_be_bytes(ip);
    let (high, low) = (number >> 16, number & 0xffff);
    let not = !number;
    let wide = |text: String| -> String {
        text.chars().map(|c| if c.is_ascii_digit() { char::from_u32(c as u32 + 0xfee0).unwrap() } else { c }).collect()
    };
    vec![
        format!("{a}.{b}.{c}.{d}"),
        format!("{a}.{b}.{c}.{d}."),
        format!("{number}"),
        format!("{number:#x}"),
        format!("0{number:o}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("{a:#x}.{b:#X}.{c}.{d}").replace("0X", "0x"),
        format!("{a}.{}", number & 0xff_ffff),
        format!("{a}.{b}.{low}"),
        wide(format!("{a}.{b}.{c}.{d}")),
        format!("{a}\u{3002}{b}\u{ff0e}{c}\u{ff61}{d}"),
        format!("{a}.{b}.{c}.{d}").replace('1', "%31"),
        format!("[::ffff:{a}.{b}.{c}.{d}]"),
        format!("[0:0:0:0:0:ffff:{high:x}:{low:x}]"),
        format!("[::{a}.{b}.{c}.{d}]"),
        format!("[64:ff9b::{high:x}:{low:x}]"),
        format!("[2002:{high:x}:{low:x}::1]"),
        format!("[2001:0:4136:e378:8000:63bf:{:x}:{:x}]", not >> 16, not & 0xffff),
        format!("[::ffff:0:{high:x}:{low:x}]"),
        format!("[2a01:4f8::5efe:{a}.{b}.{c}.{d}]"),
    ]
}

pub fn hosts() -> Vec<String> {
    let named = [
        "localhost",
        "LOCALHOST",
        "localhost.",
        "a.localhost",
        "loc\u{ad}alhost",
        "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
        "%6c%6f%63alhost",
        "metadata",
        "metadata.google.internal",
        "metadata.google.internal.",
        "instance-data",
        "printer.local",
        "router.lan",
        "router",
        "db.corp",
        "host.home.arpa",
        "kubernetes.default.svc.cluster.local",
        "[::1]",
        "[::]",
        "[0:0:0:0:0:0:0:1]",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "[fc00::1]",
        "[fec0::1]",
        "[ff02::1]",
        "[64:ff9b:1::7f00:1]",
        "[100::1]",
        "[2001:db8::1]",
        "[3fff::1]",
        "[5f00::1]",
        "[2001:10::1]",
        "127.1",
        "127.0.1",
        "0",
        "0x0",
        "00000000",
        "①②⑦.⓪.⓪.①",
        "127.0.0.1\u{200b}",
        "0x7f.1",
        "0177.1",
        // Names that the test's resolver maps to forbidden addresses.
        "127.0.0.1.nip.io",
        "inside.example.org",
        "inside.example.org.",
        "INSIDE.example.org",
        "mixed.example.org",
        "private.example.org",
        "link.example.org",
        "cgnat.example.org",
        "meta.example.org",
        "six.example.org",
        "mapped.example.org",
        "nat64.example.org",
        "bücher.example.org",
        "xn--bcher-kva.example.org",
        "аррӏе.com",
    ];
    named.into_iter().map(str::to_owned).chain(INSIDE.into_iter().flat_map(disguises)).collect()
}

/// Addresses with tricks outside the host.
pub fn tricks(port: u16) -> Vec<String> {
    let texts = [
        "http://example.org@127.0.0.1:P/",
        "http://127.0.0.1:P@inside.example.org/",
        "http://user:secret@inside.example.org:P/",
        "http://:secret@inside.example.org:P/",
        "http://example.org:80@127.0.0.1:P/",
        "http://example.org%40127.0.0.1:P/",
        "http://127.0.0.1:P\\@example.org/",
        "http:\\\\127.0.0.1:P\\",
        "http:/127.0.0.1:P/",
        "http:127.0.0.1:P",
        "http:////127.0.0.1:P/",
        " http://127.0.0.1:P/ ",
        "ht\ntp://127.0.0.1:P/",
        "http://127.0.\t0.1:P/",
        "http://127.0.0.1:P#@example.org/",
        "http://127.0.0.1:P?@example.org/",
        "http://[::1%25lo]:P/",
        "http://[::1]:P@example.org/",
        "file:///etc/passwd",
        "file://127.0.0.1/etc/passwd",
        "ftp://127.0.0.1:P/",
        "gopher://127.0.0.1:P/_x",
        "ws://127.0.0.1:P/",
        "dict://127.0.0.1:P/",
        "ldap://127.0.0.1:P/",
        "data:text/html,words",
        "javascript:alert(1)",
        "about:blank",
        "blob:http://127.0.0.1:P/x",
        "http://inside.example.org:22/",
        "http://inside.example.org:25/",
        "http://inside.example.org:6379/",
        "http://inside.example.org:0/",
        "http://inside.example.org:99999/",
        "http://",
        "//127.0.0.1:P/",
        "127.0.0.1:P",
        "",
        "http://a..example.org:P/",
        "http://.:P/",
        "http://exa mple.org:P/",
        "http://[127.0.0.1]:P/",
        "http://[::1:P/",
        "http://-:P/",
    ];
    texts.iter().map(|text| text.replace('P', &port.to_string())).collect()
}

pub fn names() -> Arc<FakeResolver> {
    let answers: [(&str, &[&str]); 9] = [
        ("mixed.example.org", &["93.184.215.14", "127.0.0.1"]),
        ("private.example.org", &["10.0.0.5"]),
        ("link.example.org", &["169.254.1.1"]),
        ("cgnat.example.org", &["100.64.0.1"]),
        ("meta.example.org", &["169.254.169.254"]),
        ("six.example.org", &["::1"]),
        ("mapped.example.org", &["::ffff:127.0.0.1"]),
        ("nat64.example.org", &["64:ff9b::7f00:1"]),
        ("control.example.org", &["127.0.0.1"]),
    ];
    let known =
        answers.into_iter().map(|(name, ips)| (name.to_owned(), ips.iter().map(|ip| ip.parse::<IpAddr>().unwrap()).collect()));
    Arc::new(FakeResolver(known.collect()))
}

#[tokio::test]
async fn no_hostile_address_is_dialled_in_any_disguise() {
    let canary = Canary::listen().await;
    let mut config = local_web::config(&[]);
    config.http.ports.push(canary.port);
    let fixture = web_with(config, names());
    let hosts = hosts().into_iter().flat_map(|host| [format!("http://{host}:{}/", canary.port), format!("https://{host}/")]);
    let addresses: Vec<String> = hosts.chain(tricks(canary.port)).collect();
    assert!(addresses.len() >= 150);
    for address in &addresses {
        let error = fixture.web.page(&FetchRequest::page(address)).await.expect_err(address);
        assert!(matches!(error.reason, FetchFailure::Refused | FetchFailure::BadAddress), "{address}: {error:?}");
    }
    assert_eq!((fixture.web.dials(), canary.heard.load(Ordering::SeqCst)), (0, 0));
    println!("{} hostile addresses, no dial", addresses.len());
}

/// Redirects to the address in the query, with the status in the path.
async fn send_on(Path(status): Path<u16>, Query(query): Query<HashMap<String, String>>) -> (StatusCode, HeaderMap) {
    let mut headers = HeaderMap::new();
    headers.insert("location", axum::http::HeaderValue::from_bytes(query["to"].as_bytes()).unwrap());
    (StatusCode::from_u16(status).unwrap(), headers)
}

#[tokio::test]
async fn no_redirect_leads_to_a_hostile_address_and_one_that_is_allowed_does_connect() {
    let canary = Canary::listen().await;
    let port = serve(Router::new().route("/on/{status}", get(send_on)).route("/page", get(|| async { page("Control") }))).await;
    let mut config = local_web::config(&[("control.example.org", port)]);
    config.http.ports.push(canary.port);
    let fixture = web_with(config, names());
    let start = format!("http://control.example.org:{port}");
    let mut tried = 0;
    let inside = hosts().into_iter().step_by(3).map(|host| format!("http://{host}:{}/", canary.port));
    for (n, target) in inside.chain(tricks(canary.port).into_iter().filter(|text| text.contains("://"))).enumerate() {
        let status = [301, 302, 303, 307, 308][n % 5];
        let to: String = target.bytes().map(|byte| format!("%{byte:02x}")).collect();
        // Headers cannot contain line breaks.
        if target.contains(['\n', '\t']) {
            continue;
        }
        let error = fixture.web.page(&FetchRequest::page(format!("{start}/on/{status}?to={to}"))).await.expect_err(&target);
        assert!(
            matches!(error.reason, FetchFailure::Refused | FetchFailure::BadAddress | FetchFailure::Malformed),
            "{target}: {error:?}"
        );
        tried += 1;
    }
    for to in [
        format!("//127.0.0.1:{}/", canary.port),
        "file:///etc/passwd".into(),
        format!("http://control.example.org:{}/", canary.port),
    ] {
        let error = fixture.web.page(&FetchRequest::page(format!("{start}/on/302?to={to}"))).await.expect_err(&to);
        assert_eq!(error.reason, FetchFailure::Refused, "{to}");
    }
    assert_eq!(canary.heard.load(Ordering::SeqCst), 0);
    let dials = fixture.web.dials();
    let arrived = fixture.web.page(&FetchRequest::page(format!("{start}/on/302?to=/page"))).await.unwrap();
    assert_eq!((arrived.page.documents[0].title.as_str(), arrived.page.hops.len()), ("Control", 1));
    assert!((1..=2).contains(&dials), "the control is dialled, and nothing else: {dials}");
    println!("{tried} redirects to hostile addresses, none followed");
}

#[tokio::test]
async fn an_exception_holds_for_its_source_its_host_and_its_port_only() {
    let port = serve(Router::new().route("/", get(|| async { page("Inner") }))).await;
    let other = serve(Router::new().route("/", get(|| async { page("Other") }))).await;
    let fixture = web_fixture(local_web::config(&[("wiki.example.org", port), ("127.0.0.1", port)]));
    let ask = |source: &str, url: String| {
        let web = fixture.web.clone();
        let request = FetchRequest { source: source.into(), ..FetchRequest::page(url) };
        async move { web.page(&request).await.map(|found| found.page.documents[0].title.clone()).map_err(|error| error.reason) }
    };
    assert_eq!(ask("web", format!("http://wiki.example.org:{port}/")).await.unwrap(), "Inner");
    assert_eq!(ask("web", format!("http://{LOOPBACK}:{port}/")).await.unwrap(), "Inner");
    assert_eq!(ask("feeds", format!("http://wiki.example.org:{port}/")).await, Err(FetchFailure::Refused));
    assert_eq!(ask("web", format!("http://wiki.example.org:{other}/")).await, Err(FetchFailure::Refused));
    assert_eq!(ask("web", format!("http://other.example.org:{port}/")).await, Err(FetchFailure::Refused));
    assert_eq!(ask("web", format!("http://[::1]:{port}/")).await, Err(FetchFailure::Refused));
}

#[tokio::test]
async fn no_redirect_of_another_host_reaches_an_excepted_host() {
    let wiki = serve(Router::new().route("/on/{status}", get(send_on)).fallback(|| async { page("Inner") })).await;
    let news = serve(Router::new().route("/on/{status}", get(send_on)).fallback(|| async { page("News") })).await;
    let fixture = web_fixture(local_web::config(&[("wiki.example.org", wiki), ("news.example.org", news)]));
    let ask = async |from: &str, to: &str| {
        let found = fixture.web.page(&FetchRequest::page(format!("{from}/on/302?to={to}"))).await;
        found.map(|found| found.page.documents[0].title.clone()).map_err(|error| error.reason)
    };
    let (wiki, news) = (format!("http://wiki.example.org:{wiki}"), format!("http://news.example.org:{news}"));
    assert_eq!(ask(&news, &format!("{wiki}/")).await, Err(FetchFailure::Refused));
    assert_eq!(ask(&news, &format!("{news}/")).await, Ok("News".into()));
    assert_eq!(ask(&wiki, "/").await, Ok("Inner".into()));
    assert_eq!(ask(&wiki, &format!("{wiki}/on/302?to=/")).await, Ok("Inner".into()));
}

#[tokio::test]
async fn a_refused_network_is_not_dialled_in_any_disguise() {
    let ip = [93, 184, 215, 14];
    let known = [("mapped.example.org", "::ffff:93.184.215.14"), ("nat64.example.org", "64:ff9b::5db8:d70e")];
    let known = known.map(|(name, ip)| (name.to_owned(), vec![ip.parse::<IpAddr>().unwrap()]));
    let mut config = local_web::config(&[]);
    config.http.refused_networks = vec!["93.184.215.0/24".parse().unwrap()];
    let fixture = web_with(config, Arc::new(FakeResolver(known.clone().into())));
    for host in disguises(ip).into_iter().chain(known.into_iter().map(|(name, _)| name)) {
        let error = fixture.web.page(&FetchRequest::page(format!("http://{host}/"))).await.expect_err(&host);
        assert!(matches!(error.reason, FetchFailure::Refused | FetchFailure::BadAddress), "{host}: {error:?}");
    }
    assert_eq!(fixture.web.dials(), 0);
}

#[tokio::test]
async fn a_refusal_shows_the_name_as_it_is_and_no_secret() {
    let fixture = web_fixture(local_web::config(&[]));
    let error = fixture.web.page(&FetchRequest::page("http://user:hunter2@аррӏе.com/")).await.unwrap_err();
    assert!(error.message.contains("xn--") && !error.message.contains("hunter2"), "{error}");
}
