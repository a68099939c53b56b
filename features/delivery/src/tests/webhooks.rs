//! Webhooks over a real connection to a receiver on this machine, which keeps what it gets.

use super::{
    SCHEMAS,
    sending::{Scene, UNREADABLE},
    store,
};
use crate::{
    mail::{Mail, MailId, MailKind, MailProblem, MailState, WebhookId},
    outbox::run_once,
    pages::webhooks::PAGE,
    store::Outlet,
    webhook::{Webhook, WebhookFormat},
};
use axum::{
    Router,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::fetch::WEBHOOK;
use feature::{MessagePort, Web, WebMessage};
use fetch::{Exception, FetchConfig, HttpConfig, MessageClient};
use ring::hmac;
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU16, Ordering},
};
use testkit::id;
use tokio::net::TcpListener;

const MINUTE_MS: i64 = 60_000;

/// Receiver of messages, which answers with a status.
struct Receiver {
    port: u16,
    status: Arc<AtomicU16>,
    messages: Arc<Mutex<Vec<(HeaderMap, String)>>>,
}

impl Receiver {
    async fn start(status: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let receiver = Self { port, status: Arc::new(AtomicU16::new(status)), messages: Arc::default() };
        let (status, messages) = (receiver.status.clone(), receiver.messages.clone());
        let take = move |headers: HeaderMap, body: String| {
            messages.lock().unwrap().push((headers, body));
            let status = StatusCode::from_u16(status.load(Ordering::Relaxed)).unwrap();
            async move { status }
        };
        tokio::spawn(async move { axum::serve(listener, Router::new().route("/hook", post(take))).await });
        receiver
    }

    fn address(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    fn messages(&self) -> Vec<(HeaderMap, String)> {
        self.messages.lock().unwrap().clone()
    }
}

/// Returns the state of a scene with a client that may reach one port of this machine.
fn with_client(scene: &Scene, port: u16) -> Web {
    let exception = Exception { source: WEBHOOK.into(), host: "127.0.0.1".into(), port };
    let http = HttpConfig { exceptions: vec![exception], ..HttpConfig::default() };
    let client = MessageClient::new(&FetchConfig { http, ..FetchConfig::default() }).unwrap();
    let port: MessagePort = Arc::new(move |message: WebMessage| {
        let client = client.clone();
        Box::pin(async move { client.post(&message.url, &message.headers, message.json).await })
    });
    let mut web = scene.site.web.clone();
    web.messages = Some(port);
    web
}

async fn run_after_minutes(scene: &Scene, web: &Web, minutes: i64) {
    scene.backend.clock.forward_ms(minutes * MINUTE_MS);
    run_once(web).await.unwrap();
}

fn header(headers: &HeaderMap, name: &str) -> String {
    headers.get(name).unwrap().to_str().unwrap().to_owned()
}

#[tokio::test]
async fn news_are_posted_with_a_signature_and_repeated_with_the_same_id() {
    let receiver = Receiver::start(503).await;
    let scene = Scene::new(25).await;
    let web = with_client(&scene, receiver.port);
    let browser = scene.site.signed_in(scene.ada).await;
    let address = receiver.address();
    let added = browser.post(PAGE, &[("address", address.as_str()), ("format", "json")]).await;
    assert_eq!(added.location(), PAGE);
    run_after_minutes(&scene, &web, 30).await;
    let newest = async || scene.store.mails(scene.ada, Outlet::Webhook, 9).await.unwrap().remove(0);
    let message = newest().await;
    assert_eq!((message.state, message.problem), (MailState::Waiting, Some(MailProblem::Refused("503".into()))));
    assert_eq!(scene.store.count_waiting().await.unwrap(), 0, "it is no mail");
    receiver.status.store(204, Ordering::Relaxed);
    run_after_minutes(&scene, &web, 2).await;
    run_after_minutes(&scene, &web, 30).await;
    assert_eq!((newest().await.state, newest().await.items), (MailState::Sent, 2));
    assert_eq!(receiver.messages().len(), 2, "one attempt failed, one was taken, and nothing is new");

    let id = message.id.to_string();
    let eve = scene.site.signed_in(scene.backend.user("eve").await).await;
    let again = [("id", id.as_str())];
    let refused = format!("{PAGE}?error=not_found");
    assert_eq!(eve.post("/delivery/webhooks/again", &again).await.location(), refused);
    assert_eq!(browser.post("/delivery/webhooks/again", &again).await.location(), PAGE);
    run_after_minutes(&scene, &web, 0).await;
    let page = browser.get(PAGE).await.text();
    let secret = page.split("whsec_").nth(1).and_then(|rest| rest.split('<').next()).unwrap();
    let key = hmac::Key::new(hmac::HMAC_SHA256, &STANDARD.decode(secret).unwrap());
    let messages = receiver.messages();
    assert_eq!(messages.len(), 3);
    for (headers, body) in messages {
        assert_eq!(header(&headers, "webhook-id"), id);
        let signed = format!("{id}.{}.{body}", header(&headers, "webhook-timestamp"));
        let signature = header(&headers, "webhook-signature");
        let signature = STANDARD.decode(signature.strip_prefix("v1,").unwrap()).unwrap();
        hmac::verify(&key, signed.as_bytes(), &signature).unwrap();
        let json: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(json["data"]["items"][0]["url"].as_str(), Some("https://osint.example/watching#lock"));
    }
    assert!(!eve.get(PAGE).await.text().contains(&address));
    browser.post("/delivery/webhooks/change", &[("address", address.as_str()), ("change", "remove")]).await;
    assert!(!browser.get(PAGE).await.text().contains(&address), "its messages go with it");
    scene.backend.close().await;
}

#[tokio::test]
async fn an_address_that_is_forbidden_or_gone_is_paused() {
    let receiver = Receiver::start(410).await;
    for (port, problem, attempts) in [(9, MailProblem::Forbidden, 0), (receiver.port, MailProblem::Refused("410".into()), 1)] {
        let scene = Scene::new(25).await;
        let web = with_client(&scene, port);
        let browser = scene.site.signed_in(scene.ada).await;
        browser.post(PAGE, &[("address", receiver.address().as_str()), ("format", "slack")]).await;
        run_after_minutes(&scene, &web, 30).await;
        run_after_minutes(&scene, &web, 60).await;
        let messages = scene.store.mails(scene.ada, Outlet::Webhook, 9).await.unwrap();
        assert_eq!(
            messages.iter().map(|one| (one.state, one.problem.clone())).collect::<Vec<_>>(),
            [(MailState::Failed, Some(problem))]
        );
        assert_eq!(receiver.messages().len(), attempts);
        assert!(browser.get(PAGE).await.text().contains("Paused"));
        scene.backend.close().await;
    }
}

#[tokio::test]
async fn a_message_whose_news_stay_unreadable_ends_with_that_problem() {
    let receiver = Receiver::start(204).await;
    let scene = Scene::new(25).await;
    let web = with_client(&scene, receiver.port);
    let (user, covered_at) = (scene.backend.user(UNREADABLE).await, scene.backend.now());
    let (format, is_paused) = (WebhookFormat::Json, false);
    let webhook = Webhook { id: WebhookId(id()), user, address: receiver.address(), format, is_paused, covered_at };
    assert!(scene.store.put_webhook(&webhook, 1).await.unwrap());
    let message = Mail::new(MailId(id()), user, MailKind::Webhook, receiver.address(), covered_at, covered_at, covered_at);
    scene.store.cover_webhook(&webhook, covered_at, Some(&message)).await.unwrap();
    let newest = async || scene.store.mails(user, Outlet::Webhook, 9).await.unwrap().remove(0);
    run_after_minutes(&scene, &web, 1).await;
    assert_eq!((newest().await.state, newest().await.problem), (MailState::Waiting, Some(MailProblem::Unreadable)));
    run_after_minutes(&scene, &web, 5_000).await;
    assert_eq!((newest().await.state, newest().await.problem), (MailState::Failed, Some(MailProblem::Unreadable)));
    assert_eq!(receiver.messages().len(), 0);
    scene.backend.close().await;
}

#[tokio::test]
async fn a_person_has_one_webhook_per_address_within_a_limit() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let (store, ada, eve) = (store(&backend), backend.user("ada").await, backend.user("eve").await);
    let webhook = |address: &str| Webhook {
        id: WebhookId(id()),
        user: ada,
        address: address.into(),
        format: WebhookFormat::Slack,
        is_paused: false,
        covered_at: backend.now(),
    };
    let (first, again) = (webhook("https://a.example"), webhook("https://a.example"));
    assert!(store.put_webhook(&first, 1).await.unwrap());
    assert!(store.put_webhook(&again, 1).await.unwrap());
    assert!(!store.put_webhook(&webhook("https://b.example"), 1).await.unwrap());
    assert_eq!(store.webhooks(ada).await.unwrap(), std::slice::from_ref(&again), "the secret is another one");
    assert_eq!(store.webhooks_after(None, 9).await.unwrap(), std::slice::from_ref(&again));
    assert_eq!(store.webhooks_after(Some(&again), 9).await.unwrap(), []);
    assert!(!store.remove_webhook(eve, "https://a.example").await.unwrap());
    assert!(store.remove_webhook(ada, "https://a.example").await.unwrap());
    assert_eq!(store.webhooks(ada).await.unwrap(), []);
    backend.close().await;
}
