//! HTTPS: HTTP/2 where available, only with valid certificates, within the same limits.

use super::local_web::{self, LOOPBACK, page, web_fixture};
use crate::prelude::*;
use axum::{body::Body, extract::Request};
use domain::fetch::{FetchError, FetchedPage};
use futures::stream;
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    service::TowerToHyperService,
};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use std::path::PathBuf;
use tokio::net::TcpListener;
use tokio_rustls::{
    TlsAcceptor,
    rustls::{ServerConfig, crypto::ring, pki_types::PrivateKeyDer},
};

/// Certificate authority with its PEM file.
struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    folder: tempfile::TempDir,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(vec![]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("authority.pem"), issuer.pem()).unwrap();
        Self { issuer, folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    /// Server configuration with a certificate for `name`; expired if `is_old`.
    fn server(&self, name: &str, is_old: bool, protocols: &[&str]) -> ServerConfig {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        if is_old {
            (params.not_before, params.not_after) = (date_time_ymd(2001, 1, 1), date_time_ymd(2002, 1, 1));
        }
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let mut server = builder.with_single_cert(vec![certificate.der().clone()], key).unwrap();
        server.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        server
    }
}

/// Starts a TLS server with the negotiated protocol and returns its port.
async fn serve(tls: ServerConfig, router: Router) -> u16 {
    let listener = TcpListener::bind((LOOPBACK, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let acceptor = TlsAcceptor::from(Arc::new(tls));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, service) = (acceptor.clone(), TowerToHyperService::new(router.clone()));
            tokio::spawn(async move {
                let Ok(stream) = acceptor.accept(stream).await else { return };
                let is_two = stream.get_ref().1.alpn_protocol() == Some(b"h2");
                let stream = TokioIo::new(stream);
                match is_two {
                    true => {
                        let _ = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
                            .serve_connection(stream, service)
                            .await;
                    }
                    false => {
                        let _ = hyper::server::conn::http1::Builder::new().serve_connection(stream, service).await;
                    }
                }
            });
        }
    });
    port
}

fn site() -> Router {
    let says = |request: Request| async move { page(&format!("{:?}", request.version())) };
    let chunk = bytes::Bytes::from(vec![b'x'; 64 * 1024]);
    let endless = move || {
        let chunk = chunk.clone();
        async move { Body::from_stream(stream::repeat_with(move || Ok::<_, std::io::Error>(chunk.clone()))) }
    };
    let heads = || async {
        let mut headers = HeaderMap::new();
        for n in 0..500 {
            headers.append("x-a", n.into());
        }
        (headers, "much ado")
    };
    Router::new().route("/", get(says)).route("/endless", get(endless)).route("/heads", get(heads))
}

/// Requests `https://web.test` from a server with any certificate.
async fn ask(trusted: Option<&Authority>, tls: ServerConfig, path: &str) -> Result<FetchedPage, FetchError> {
    let port = serve(tls, site()).await;
    let mut config = local_web::config(&[("web.test", port)]);
    config.http.max_body_bytes = 4 * 1024 * 1024;
    config.http.trusted_certificates = trusted.iter().map(|authority| authority.file()).collect();
    let url = format!("https://web.test:{port}{path}");
    web_fixture(config).web.page(&FetchRequest::page(url)).await.map(|found| found.page.clone())
}

#[tokio::test]
async fn the_newest_protocol_that_both_have_is_spoken() {
    let authority = Authority::new();
    for (protocols, spoken) in [(&["h2", "http/1.1"][..], "HTTP/2.0"), (&["http/1.1"], "HTTP/1.1"), (&[], "HTTP/1.1")] {
        let found = ask(Some(&authority), authority.server("web.test", false, protocols), "/").await.unwrap();
        assert_eq!(found.documents[0].title, spoken, "{protocols:?}");
        assert!(found.final_url.starts_with("https://web.test:"), "{}", found.final_url);
    }
}

#[tokio::test]
async fn an_invalid_certificate_is_rejected() {
    let (known, stranger) = (Authority::new(), Authority::new());
    let protocols = &["h2", "http/1.1"];
    let shown = [
        ("of nobody known", None, known.server("web.test", false, protocols)),
        ("of another authority", Some(&known), stranger.server("web.test", false, protocols)),
        ("for another name", Some(&known), known.server("other.test", false, protocols)),
        ("that has expired", Some(&known), known.server("web.test", true, protocols)),
    ];
    for (what, trusted, server) in shown {
        let error = ask(trusted, server, "/").await.expect_err(what);
        assert_eq!(error.reason, FetchFailure::Unreachable, "{what}: {error}");
        assert!(error.message.contains("certificate"), "{what}: {error}");
    }
}

#[tokio::test]
async fn limits_hold_over_http_2_as_well() {
    let authority = Authority::new();
    for path in ["/endless", "/heads"] {
        let error = ask(Some(&authority), authority.server("web.test", false, &["h2"]), path).await.expect_err(path);
        assert_eq!(error.reason, FetchFailure::TooLarge, "{path}: {error}");
    }
}

#[test]
fn a_file_without_a_certificate_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("empty.pem");
    std::fs::write(&file, "nothing").unwrap();
    for path in [file, folder.path().join("missing.pem")] {
        let mut config = local_web::config(&[]);
        config.http.trusted_certificates = vec![path.clone()];
        let local_web = fetch::WebDeps::new(&config, Arc::new(|| domain::Timestamp::from_micros(0)), None);
        let documents = fetch::Documents::new(config.clone(), fetch::ParserPool::new(crate::support::parser(), &config));
        let error = fetch::Web::new(&config, documents, local_web).expect_err("it cannot be used");
        assert!(error.message.contains(&path.display().to_string()), "{error}");
    }
}
