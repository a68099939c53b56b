//! Pages of the feature.

use super::{SCHEMAS, sending::Scene, store};
use crate::mail_server::PASSWORD;
use domain::{
    UserId,
    user::{Role, User},
};
use engine::accounts::Accounts;
use feature::testing::TestSite;
use secrecy::ExposeSecret;
use testkit::{TestBackend, id};

pub async fn admin(backend: &TestBackend) -> UserId {
    let user = User::new(UserId(id()), "root", Role::Admin, backend.now());
    assert!(backend.store.add_user(&user, Some("$argon2id$x"), None).await.unwrap());
    user.id
}

const SERVER: [(&str, &str); 7] = [
    ("site", "https://osint.example"),
    ("host", "mail.example"),
    ("port", "587"),
    ("encryption", "starttls"),
    ("username", "robot"),
    ("sender", "osint@mail.example"),
    ("sender_name", "AutOSINT"),
];

#[tokio::test]
async fn an_administrator_sets_the_mail_server_and_its_password_stays_secret() {
    let backend = testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server");
    let site = TestSite::new(crate::feature(), &backend);
    let ada = site.signed_in(backend.user("ada").await).await;
    let root = site.signed_in(admin(&backend).await).await;
    assert!(ada.get("/delivery").await.text().contains("Ask an administrator"));
    assert!(root.get("/delivery").await.text().contains("Set up"));
    assert_eq!(ada.get("/delivery/server").await.status, 403);
    assert_eq!(ada.post("/delivery/server", &SERVER).await.location(), "/delivery?error=not_allowed");
    assert_eq!(store(&backend).server().await.unwrap(), None);
    let password = async || site.web.secrets.reveal(PASSWORD).await.unwrap().map(|secret| secret.expose_secret().to_owned());
    let post = async |change: (&'static str, &'static str)| {
        let fields: Vec<_> = SERVER.into_iter().filter(|(name, _)| *name != change.0).chain([change]).collect();
        root.post("/delivery/server", &fields).await.location().to_owned()
    };
    assert_eq!(post(("site", "osint.example")).await, "/delivery/server?error=bad_mail_server");
    assert_eq!(post(("password", "open sesame")).await, "/delivery");
    assert_eq!(password().await.as_deref(), Some("open sesame"));
    let page = root.get("/delivery/server").await.text();
    assert!(page.contains("mail.example") && !page.contains("open sesame"), "{page}");
    post(("password", "")).await;
    assert_eq!(password().await.as_deref(), Some("open sesame"), "an empty field keeps it");
    post(("host", "elsewhere.example")).await;
    assert_eq!(password().await, None, "it is not sent to another host");
    backend.close().await;
}

#[tokio::test]
async fn a_refused_form_says_why_and_the_preview_shows_the_mail() {
    let scene = Scene::new(25).await;
    let browser = scene.site.signed_in(scene.ada).await;
    let refused = browser.post("/delivery", &[("address", "ada"), ("zone", "UTC")]).await;
    assert_eq!(refused.location(), "/delivery?error=bad_mail_address&kept=1");
    assert!(browser.get("/delivery/preview").await.text().contains("no news of the last seven days"));
    scene.backend.clock.forward_ms(3_600_000);
    let preview = browser.get("/delivery/preview").await.text();
    assert!(preview.contains("2 changes") && preview.contains("/delivery/preview/mail"), "{preview}");
    assert!(browser.get("/delivery/preview/mail").await.text().starts_with("<!doctype html>"));
    let links = [
        ("address", "ada@mail.example"),
        ("frequency", "daily"),
        ("weekday", "0"),
        ("time", "07:00"),
        ("zone", "UTC"),
        ("quiet_from", "22"),
        ("quiet_to", "7"),
        ("budget", "5"),
    ];
    for _ in 0..5 {
        assert_eq!(browser.post("/delivery", &links).await.location(), "/delivery");
        scene.backend.clock.forward_ms(1);
    }
    assert_eq!(browser.post("/delivery/link", &[]).await.location(), "/delivery?error=too_many_mail_links");
    scene.backend.close().await;
}
