//! Tests of the host names under which the listeners answer.

use crate::prelude::*;

#[tokio::test]
async fn a_page_whose_name_is_pointed_here_gets_nothing() {
    let app = spawn_app().await;
    let code = app.setup_code().await;
    let mut page = app.browser();
    let evil = format!("evil.example:{}", app.address.port());
    page.host = Some(evil.clone());
    page.headers = vec![("Origin", format!("http://{evil}")), ("Sec-Fetch-Site", "same-origin".to_owned())];
    let form = [("username", "eve"), ("password", PASSWORD), ("password_again", PASSWORD), ("code", code.as_str())];
    assert_eq!(page.post("/first-account", &form).await.status, 421);
    for path in ["/", "/sign-in", "/healthz", "/metrics", "/api/v1/investigations", "/pkg/autosint.css"] {
        assert_eq!(page.get(path).await.status, 421, "{path}");
    }
    assert!(!app.program.engine.accounts.has_people().await.unwrap());
}

#[tokio::test]
async fn a_server_answers_under_its_own_names() {
    let app = spawn_with(|config| {
        config.server.trusted_origins = vec!["https://osint.example".to_owned()];
        config.server.host_names = vec!["osint.lan".to_owned()];
    })
    .await;
    for (host, status) in [
        ("localhost:3000", 200),
        ("127.0.0.1", 200),
        ("[::1]:3000", 200),
        ("osint.example", 200),
        ("OSINT.lan:80", 200),
        ("lan", 421),
        ("10.0.0.7", 421),
        ("", 421),
    ] {
        let mut browser = app.browser();
        browser.host = Some(host.to_owned());
        assert_eq!(browser.get("/healthz").await.status, status, "{host}");
    }
}
