//! Tests of properties shared by all pages.

use crate::prelude::*;

/// Returns the nonce of the content policy.
fn nonce(answer: &Answer) -> String {
    let policy = answer.header("content-security-policy").unwrap();
    policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned()
}

#[tokio::test]
async fn the_content_policy_has_a_fresh_nonce_that_the_page_uses() {
    let (_app, mut browser) = spawn_for("ada", Role::Reader).await;
    let (one, other) = (browser.get("/").await, browser.get("/").await);
    assert_ne!(nonce(&one), nonce(&other));
    assert!(one.text().contains(&format!("nonce=\"{}\"", nonce(&one))), "{}", one.text());
    let policy = one.header("content-security-policy").unwrap().replace(&nonce(&one), "NONCE");
    insta::assert_snapshot!(policy, @"default-src 'self'; script-src 'self' 'nonce-NONCE' 'wasm-unsafe-eval'; style-src 'self' 'nonce-NONCE'; img-src 'self' data:; connect-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'");
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
        ("cache-control", "private, no-store"),
    ] {
        assert_eq!(one.header(name), Some(value));
    }
}

#[tokio::test]
async fn a_style_sheet_and_a_font_have_no_policy_and_other_files_have_one() {
    let site = tempfile::tempdir().unwrap();
    let app = spawn_with(|config| config.server.site_root = Some(site.path().to_owned())).await;
    let mut browser = app.browser();
    for (name, has_policy) in [("look.css", false), ("serif.woff2", false), ("frame.js", true), ("mark.svg", true)] {
        fs::write(site.path().join(name), "x").unwrap();
        let file = browser.get(&format!("/{name}")).await;
        assert_eq!((file.status, file.header("content-security-policy").is_some()), (200, has_policy), "{name}");
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"), "{name}");
    }
}

#[tokio::test]
async fn an_address_for_strangers_keeps_its_policy_and_sets_no_cookie() {
    let app = spawn_app().await;
    let guessed = app.browser().get("/s/guessed").await;
    let other = app.signed_in("ada", Role::Reader).await.get("/s/other/picture.png").await;
    let policy = guessed.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    assert_eq!((guessed.status, guessed.set_cookies().count()), (404, 0));
    assert_eq!((other.status, other.set_cookies().count()), (404, 0));
    assert_eq!((other.header("content-security-policy"), other.text()), (Some(policy), guessed.text()));
}

#[tokio::test]
async fn a_running_investigation_loads_its_islands_with_the_nonce() {
    let app = spawn_with(|config| config.engine.workers = 0).await;
    let mut ada = app.signed_in("ada", Role::Analyst).await;
    let report = ("one.txt", "PORT HALEN, March 3, 2031 (Harbour Post) -- A fire destroyed the grain store on Monday night.");
    let address = ada.ask("Who set the fire at the grain store?", &[report]).await.location().to_owned();
    let page = ada.get(&address).await;
    let html = page.text();
    let script = html.split("<script").find(|script| script.contains(".wasm")).expect("the script of the islands");
    assert!(script.contains(&format!("nonce=\"{}\"", nonce(&page))), "{script}");
    assert!(html.contains("<leptos-island") && !html.contains("modulepreload"), "{html}");
}

#[tokio::test]
async fn a_missing_object_is_a_page_with_404() {
    let (app, mut browser) = spawn_for("ada", Role::Reader).await;
    for path in ["/nowhere", "/pkg/nothing.js", "/assessments/not-an-id", "/documents/0192d3c4-0000-7000-8000-000000000000"] {
        let answer = browser.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        let html = answer.text();
        assert!(html.contains("<html") && html.contains("Not found") && html.contains("/sign-out"), "{path}: {html}");
    }
    let outside = app.browser().get("/nowhere").await;
    assert!(outside.status == 404 && !outside.text().contains("/sign-out"));
}

#[tokio::test]
async fn the_investigations_are_listed_at_home_and_found_by_search() {
    let (_app, mut browser) = spawn_for("ada", Role::Reader).await;
    assert_eq!(browser.get("/investigations").await.location(), "/");
    let found = browser.get("/search?q=owls").await;
    assert!(found.status == 200 && found.text().contains("Nothing contains “owls”"), "{}", found.text());
}
