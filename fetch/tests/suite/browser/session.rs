//! Steps in a session.

use super::{BrowserFixture, browser_fixture, config, text};
use crate::prelude::*;
use axum::{extract::Query, http::header::SET_COOKIE};
use domain::fetch::{BrowsedPage, ControlKind, ScrollDirection};

const FILLER: &str = "The harbour master said on Tuesday that the gates would stay shut until the inquiry has ended.";

fn page(title: &str, rest: &str) -> Html<String> {
    Html(format!(
        "<html><head><title>{title}</title></head><body><main><h1>{title}</h1><p>{FILLER}</p>{rest}</main></body></html>"
    ))
}

/// Site with a search, a list that grows on scrolling, a login form and a cookie.
pub async fn site() -> u16 {
    let form = "<form action='/found'><input id=q name=q placeholder='Words'><button id=go>Search</button></form>\
                <form action='http://other.test/'><input id=away name=w></form>\
                <p id=made></p><a id=next href='/next' target=_blank>Onwards</a><a id=mail href='mailto:a@b.test'>Write</a>\
                <script>document.querySelector('#made').textContent = 'Made by a script: ' + 6 * 7;</script>";
    let scrolled = "<div style='height:4000px'></div><p id=more></p><script>addEventListener('scroll', () => \
                    document.querySelector('#more').textContent = 'More was loaded further down the page, as readers scroll.')</script>";
    let wall = "<form action='/in'><input type=text name=user id=user><input type=password name=secret id=secret><button>In</button></form>";
    let router = Router::new()
        .route("/", get(move || async move { page("The fixture", form) }))
        .route(
            "/found",
            get(|Query(asked): Query<HashMap<String, String>>| async move {
                page("Found", &format!("<p>Results for {} are listed below in the usual order.</p>", asked["q"]))
            }),
        )
        .route("/next", get(|| async { page("The next page", "") }))
        .route("/long", get(move || async move { page("A long page", scrolled) }))
        .route("/wall", get(move || async move { page("Members only", wall) }))
        .route(
            "/cookie",
            get(|headers: HeaderMap| async move {
                let known = headers.contains_key("cookie");
                ([(SET_COOKIE, "seen=1")], page(if known { "Known" } else { "Stranger" }, "")).into_response()
            }),
        );
    serve(router).await
}

async fn on_site() -> Option<(BrowserFixture, String)> {
    let port = site().await;
    browser_fixture(config(&[("127.0.0.1", port)])).map(|fixture| (fixture, format!("http://127.0.0.1:{port}")))
}

fn click(selector: &str) -> BrowseCommand {
    BrowseCommand::Click { selector: selector.into() }
}

fn fill(selector: &str, value: &str) -> BrowseCommand {
    BrowseCommand::Fill { selector: selector.into(), value: value.into() }
}

fn title(page: &BrowsedPage) -> &str {
    &page.page.documents[0].title
}

#[tokio::test]
async fn a_session_goes_from_page_to_page() {
    let Some((fixture, site)) = on_site().await else { return };
    let named = ["127.0.0.1".to_owned()];
    let (session, opened) = fixture.browser.open("me", &format!("{site}/"), &named).await.unwrap();
    assert!(text(&opened).contains("Made by a script: 42"), "{}", text(&opened));
    assert!(opened.page.is_complete && !opened.page.asks_login);
    let go = opened.page.controls.iter().find(|control| control.label == "Search").unwrap();
    assert_eq!((go.kind, go.selector.as_str()), (ControlKind::Button, "#go"));

    fixture.browser.step("me", &session, &fill("#q", "harbour gates")).await.unwrap();
    let found = fixture.browser.step("me", &session, &click("#go")).await.unwrap();
    assert!(text(&found).contains("Results for harbour gates"), "{}", text(&found));
    assert_eq!(found.page.page.status, 200);
    assert!(found.page.page.final_url.ends_with("/found?q=harbour+gates"), "{}", found.page.page.final_url);

    let back = BrowseCommand::Navigate { url: format!("{site}/") };
    fixture.browser.step("me", &session, &back).await.unwrap();
    let sent = fixture.browser.step("me", &session, &fill("#q", "by a line break\n")).await.unwrap();
    assert!(text(&sent).contains("Results for by a line break"), "{}", text(&sent));
    fixture.browser.step("me", &session, &back).await.unwrap();
    let next = fixture.browser.step("me", &session, &click("#next")).await.unwrap();
    assert_eq!(title(&next.page), "The next page");

    let long = BrowseCommand::Navigate { url: format!("{site}/long") };
    let before = fixture.browser.step("me", &session, &long).await.unwrap();
    assert!(!text(&before).contains("More was loaded"));
    let scroll = BrowseCommand::Scroll { direction: ScrollDirection::Bottom };
    let after = fixture.browser.step("me", &session, &scroll).await.unwrap();
    assert!(text(&after).contains("More was loaded"), "{}", text(&after));
    fixture.browser.close("me", &session).await.unwrap();
    assert_eq!(*fixture.browser.open_sessions().borrow(), 0);
}

#[tokio::test]
async fn a_forbidden_step_is_refused_and_the_session_continues() {
    let Some((fixture, site)) = on_site().await else { return };
    let named = ["127.0.0.1".to_owned()];
    let (free, _) = fixture.browser.open("me", &format!("{site}/"), &named).await.unwrap();
    let (bound, _) = fixture.browser.open("me", &format!("{site}/"), &[]).await.unwrap();
    let reason = async |session: &str, command: BrowseCommand| {
        fixture.browser.step("me", session, &command).await.map(|_| ()).map_err(|error| error.reason)
    };
    assert_eq!(reason(&bound, fill("#q", "x")).await, Err(FetchFailure::Refused), "nobody named the site");
    assert_eq!(reason(&free, fill("#away", "x")).await, Err(FetchFailure::Refused), "the form leads elsewhere");
    assert_eq!(reason(&free, fill("#q", &"x".repeat(501))).await, Err(FetchFailure::NotPossible));
    assert_eq!(reason(&free, click("#mail")).await, Err(FetchFailure::NotPossible));
    assert_eq!(reason(&free, click("#nothing")).await, Err(FetchFailure::NotPossible));
    assert_eq!(reason(&free, click("[[")).await, Err(FetchFailure::NotPossible));
    let inside = BrowseCommand::Navigate { url: "http://127.0.0.1:1/".into() };
    assert_eq!(reason(&free, inside).await, Err(FetchFailure::Refused));

    let wall = fixture.browser.step("me", &free, &BrowseCommand::Navigate { url: format!("{site}/wall") }).await.unwrap();
    assert!(wall.page.asks_login);
    assert!(wall.page.controls.iter().all(|control| control.selector != "#secret"));
    assert_eq!(reason(&free, fill("#secret", "x")).await, Err(FetchFailure::Refused), "passwords are never filled");

    let other = fixture.browser.step("somebody", &free, &click("#go")).await.unwrap_err();
    assert_eq!(other.reason, FetchFailure::NotPossible, "a session is its owner's");
    fixture.browser.close_all("me").await;
    assert_eq!(*fixture.browser.open_sessions().borrow(), 0);
}

#[tokio::test]
async fn contexts_share_no_cookies() {
    let Some((fixture, site)) = on_site().await else { return };
    let address = format!("{site}/cookie");
    let again = BrowseCommand::Navigate { url: address.clone() };
    let (session, first) = fixture.browser.open("me", &address, &[]).await.unwrap();
    let (_, stranger) = fixture.browser.open("me", &address, &[]).await.unwrap();
    let known = fixture.browser.step("me", &session, &again).await.unwrap();
    assert_eq!((title(&first.page), title(&stranger.page), title(&known.page)), ("Stranger", "Stranger", "Known"));
}
