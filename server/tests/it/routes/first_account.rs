//! Tests of `/first-account`.

use crate::prelude::*;

fn form<'a>(name: &'a str, code: &'a str) -> [(&'a str, &'a str); 4] {
    [("username", name), ("password", PASSWORD), ("password_again", PASSWORD), ("code", code)]
}

#[tokio::test]
async fn the_printed_address_creates_the_first_account_and_signs_it_in() {
    let app = spawn_app().await;
    let code = app.setup_code().await;
    let mut browser = app.browser();
    assert_eq!(browser.get("/").await.location(), "/first-account");
    let page = browser.get(&format!("/first-account?code={code}")).await.text();
    assert!(page.contains(&format!("type=\"hidden\" name=\"code\" value=\"{code}\"")), "{page}");
    let page = browser.get("/first-account").await.text();
    assert!(page.contains("Set-up code"), "{page}");
    assert_eq!(browser.post("/first-account", &form("ada", &code)).await.location(), "/");
    let dashboard = browser.get("/").await;
    assert_eq!(dashboard.status, 200);
    assert!(dashboard.text().contains("ada"));
    assert_eq!(app.acts().await, ["create_first_account"]);
}

#[tokio::test]
async fn a_stranger_without_the_code_gets_no_account() {
    let app = spawn_app().await;
    let code = app.setup_code().await;
    for wrong in ["", "wrong", &code.to_uppercase(), &code[1..]] {
        let mut stranger = app.browser();
        let answer = stranger.post("/first-account", &form("eve", wrong)).await;
        assert!(answer.location().starts_with("/first-account?error=bad_setup_code"), "{}", answer.location());
        assert!(stranger.cookie.is_none());
    }
    assert!(!app.program.engine.accounts.has_people().await.unwrap());
    // Only the hash is stored.
    for file in crate::app::files_below(app.program.data_dir.path()) {
        let bytes = std::fs::read(&file).unwrap();
        assert!(!bytes.windows(code.len()).any(|window| window == code.as_bytes()), "{}", file.display());
    }
}

#[tokio::test]
async fn codes_are_not_guessed_at_any_speed() {
    let app = spawn_app().await;
    let code = app.setup_code().await;
    let mut last = String::new();
    for _ in 0..11 {
        last = app.browser().post("/first-account", &form("eve", "wrong")).await.location().to_owned();
    }
    assert!(last.starts_with("/first-account?error=too_many_attempts"), "{last}");
    let answer = app.browser().post("/first-account", &form("ada", &code)).await;
    assert!(answer.location().starts_with("/first-account?error=too_many_attempts"), "{}", answer.location());
}

#[tokio::test]
async fn there_is_only_one_first_account() {
    let app = spawn_app().await;
    let code = app.setup_code().await;
    app.browser().post("/first-account", &form("ada", &code)).await;
    let mut second = app.browser();
    let answer = second.post("/first-account", &form("eve", &code)).await;
    assert_eq!(answer.location(), "/sign-in?error=already_set_up");
    assert!(second.cookie.is_none());
    assert!(server::setup_code::create(&app.program).await.unwrap().is_none());
}

#[tokio::test]
async fn errors_are_reported_and_the_code_is_kept() {
    let app = spawn_app().await;
    let code = app.setup_code().await;
    let refused = [
        ("ada", "too short", "too short", "password_short"),
        ("ada", "password12345", "password12345", "password_common"),
        ("ada", PASSWORD, "another password", "passwords_differ"),
        (" ada", PASSWORD, PASSWORD, "bad_name"),
        ("a\u{202e}da", PASSWORD, PASSWORD, "bad_name"),
        ("", PASSWORD, PASSWORD, "bad_name"),
        ("System", PASSWORD, PASSWORD, "name_taken"),
    ];
    for (name, password, again, expected) in refused {
        let form = [("username", name), ("password", password), ("password_again", again), ("code", code.as_str())];
        let answer = app.browser().post("/first-account", &form).await;
        assert_eq!(answer.location(), format!("/first-account?error={expected}&code={code}"));
    }
    assert!(!app.program.engine.accounts.has_people().await.unwrap());
}
