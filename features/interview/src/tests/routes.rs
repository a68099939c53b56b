//! Routes of the feature: the form without a model, the decisions, and the interviews of others.

use super::SCHEMAS;
use crate::{
    api::{EXPORT, INTERESTS},
    pages::home,
};
use domain::{
    Timestamp, UserId,
    user::{Role, User},
};
use feature::{Piece, Slot, testing::TestSite};
use leptos::prelude::*;
use testkit::{TestBackend, id};

async fn backend() -> TestBackend {
    testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_form_gives_a_profile_and_interests_without_a_model() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let ada = site.signed_in(backend.user("ada").await).await;
    let home = ada.get("/interview").await.text();
    assert!(home.contains("No language model is set up") && home.contains("You have none yet"), "{home}");
    let form = ada.get("/interview/form?set=watch").await.text();
    assert!(form.contains("Answers stay here.") && !form.contains("provider of your model"), "{form}");
    assert!(form.contains("You hear about something days late") && form.contains("name=\"choice_surprise\""), "{form}");
    assert_eq!(ada.get("/interview/form?set=none").await.status, 404);
    let empty = ada.post("/interview/form", &[("set", "watch")]).await;
    assert!(empty.location().starts_with("/interview/form?set=watch&error=bad_interview_answer"), "{}", empty.location());

    let fields = [
        ("set", "watch"),
        ("choice_surprise", "0"),
        ("words_surprise", "My sister lives in Odesa."),
        ("vision", "I know before she calls me."),
        ("interests", "Attacks on Odesa\n\n"),
    ];
    let stored = ada.post("/interview/form", &fields).await;
    let page = stored.location().to_owned();
    let review = ada.get(&page).await.text();
    assert!(review.contains("Export or erase any time.") && !review.contains("provider of your model"), "{review}");
    for text in
        ["I know before she calls me.", "Attacks on Odesa", "Events that change daily life", "My sister lives in Odesa."]
    {
        assert!(review.contains(text), "{text}: {review}");
    }
    assert_eq!(ada.get(INTERESTS).await.json(), serde_json::json!([]));
    let decide = format!("{page}/decide");
    let long = "long ".repeat(101);
    let too_long = [("number", "1"), ("sentence", long.as_str()), ("decision", "accepted")];
    let refusal = ada.post(&decide, &too_long).await;
    assert!(refusal.location().contains("bad_interest_sentence"), "{}", refusal.location());
    let accepted = [("number", "1"), ("sentence", "Attacks on the port of Odesa"), ("decision", "accepted")];
    assert_eq!(ada.post(&decide, &accepted).await.location(), format!("{page}#interests"));
    let refused = [("number", "2"), ("sentence", "Events"), ("decision", "refused")];
    assert_eq!(ada.post(&decide, &refused).await.location(), format!("{page}#interests"));
    let interests = ada.get(INTERESTS).await.json();
    assert_eq!((interests[0]["sentence"].as_str(), interests[1].as_null()), (Some("Attacks on the port of Odesa"), Some(())));
    let export = ada.get(EXPORT).await.json();
    assert_eq!(export[0]["profile"]["vision"].as_str(), Some("I know before she calls me."));
    assert_eq!(export[0]["signals"][0]["domain"].as_str(), Some("Needs, after self-determination theory"));
    let signal = export[0]["signals"][0]["id"].as_str().unwrap();
    assert_eq!(ada.post(&format!("{page}/signals/remove"), &[("signal", signal)]).await.location(), page);
    let export = ada.get(EXPORT).await.json();
    assert_eq!(export[0]["signals"], serde_json::json!([]));
    assert_eq!(export[0]["profile"]["vision"].as_str(), Some("I know before she calls me."), "own words stay");
    assert_eq!(ada.post(&format!("{page}/erase"), &[]).await.location(), "/interview");
    assert_eq!(ada.get(EXPORT).await.json(), serde_json::json!([]));
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_erases_all_their_interviews_and_none_of_another() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let (ada, bob) = (site.signed_in(backend.user("ada").await).await, site.signed_in(backend.user("bob").await).await);
    for browser in [&ada, &ada, &bob] {
        assert!(browser.post("/interview/start", &[("set", "watch")]).await.location().starts_with("/interview/"));
    }
    assert!(ada.get("/interview").await.text().contains("Erase all interviews"));
    assert_eq!(ada.post("/interview/erase", &[]).await.location(), "/interview");
    assert_eq!(ada.get(EXPORT).await.json(), serde_json::json!([]));
    assert_eq!(bob.get(EXPORT).await.json().as_array().map(Vec::len), Some(1));
    assert_eq!(site.stranger().post("/interview/erase", &[]).await.location(), "/sign-in");
    backend.close().await;
}

#[test]
fn account_and_interests_lead_to_the_interviews() {
    let viewer = User::new(UserId(id()), "ada", Role::Reader, Timestamp::from_micros(0));
    let draw = |piece: Piece, place: Slot| Owner::new().with(|| piece(&place).map(|piece| piece.to_html()).unwrap_or_default());
    let account = draw(home::account_piece, Slot::Account { viewer: viewer.clone() });
    for text in ["href=\"/api/v1/interview/export\"", "href=\"/interview\"", "action=\"/interview/erase\""] {
        assert!(account.contains(text), "{text}: {account}");
    }
    assert!(draw(home::interests_piece, Slot::Interests { viewer: viewer.clone() }).contains("href=\"/interview\""));
    assert_eq!(draw(home::account_piece, Slot::Interests { viewer: viewer.clone() }), "");
    assert_eq!(draw(home::interests_piece, Slot::Account { viewer }), "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_of_crisis_in_the_form_lead_to_help_and_are_not_stored() {
    let backend = backend().await;
    let site = TestSite::with_settings(crate::feature(), &backend, serde_json::json!({ "per_person": 1 }));
    let ada = site.signed_in(backend.user("ada").await).await;
    let kept = [("set", "habits"), ("vision", "More time for friends.")];
    assert!(!ada.post("/interview/form", &kept).await.location().contains("error"));
    assert_eq!(ada.post("/interview/form", &kept).await.location(), "/interview?error=too_many_interviews");
    let sent = ada.post("/interview/form", &[("set", "habits"), ("anti_vision", "There is no reason to live.")]).await;
    let page = ada.get(sent.location()).await.text();
    assert!(page.contains("you do not have to carry it alone") && page.contains("findahelpline.com"), "{page}");
    assert!(page.contains("<div lang=\"de\">") && page.contains("0800 111 0 111, 0800 111 0 222"), "{page}");
    assert!(!ada.get(EXPORT).await.json().to_string().contains("reason to live"));
    let german = ada.post("/interview/form", &[("set", "habits"), ("anti_vision", "Ich will nicht mehr leben.")]).await;
    assert!(ada.get(german.location()).await.text().contains("findahelpline.com"));
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_card_is_answered_and_the_page_waits_for_the_interviewer() {
    let backend = backend().await;
    let site = TestSite::with_settings(crate::feature(), &backend, serde_json::json!({ "max_answer_chars": 1500 }));
    let ada = site.signed_in(backend.user("ada").await).await;
    assert_eq!(ada.post("/interview/start", &[("set", "none")]).await.location(), "/interview?error=not_found");
    let page = ada.post("/interview/start", &[("set", "habits")]).await.location().to_owned();
    let card = ada.get(&page).await.text();
    assert!(card.contains("Answers stay here."), "no model is set up: {card}");
    assert!(card.contains("Scenario 1 of 4") && card.contains("Cancel on Sarah. Work first."), "{card}");
    let act = format!("{page}/act");
    let bad = ada.post(&act, &[("turn", "0"), ("action", "answer"), ("text", "my own words")]).await;
    assert!(bad.location().starts_with(&format!("{page}?error=bad_interview_answer")), "a card has choices");
    let refused = ada.get(bad.location()).await.text();
    assert!(refused.contains("at most 1,500 characters"), "{refused}");
    assert_eq!(ada.post(&act, &[("turn", "0"), ("choice", "0")]).await.location(), page);
    let waiting = ada.get(&page).await.text();
    assert!(
        waiting.contains("The interviewer thinks") && waiting.contains(&format!("data-events=\"{page}/events\"")),
        "{waiting}"
    );
    assert!(waiting.contains("work-priority") && waiting.contains("http-equiv=\"refresh\""), "{waiting}");
    assert!(waiting.contains("Stop, keep what I said") && waiting.contains("Skip the rest of this scenario"), "{waiting}");
    let late = ada.post(&act, &[("turn", "0"), ("choice", "1"), ("text", "My words")]).await;
    assert_eq!(late.location(), format!("{page}?error=late_interview_answer&kept=1"));
    let kept = ada.get(late.location()).await.text();
    assert!(kept.contains("Not sent: “My words”") && !kept.contains("http-equiv=\"refresh\""), "{kept}");
    assert_eq!(ada.post(&act, &[("turn", "0"), ("choice", "0")]).await.location(), page, "sent twice, it counts once");
    assert_eq!(ada.post(&act, &[("turn", "0"), ("action", "stop")]).await.location(), page, "it was answered");
    let stopped = ada.get(&page).await.text();
    assert!(stopped.contains("You have stopped.") && !stopped.contains("Stop, keep what I said"), "{stopped}");
    assert_eq!(ada.post(&format!("{page}/erase"), &[]).await.location(), "/interview");
    assert_eq!(ada.get(&page).await.status, 404);
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_interview_of_another_person_is_not_found() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let (ada, bob) = (site.signed_in(backend.user("ada").await).await, site.signed_in(backend.user("bob").await).await);
    let page = ada.post("/interview/start", &[("set", "watch")]).await.location().to_owned();
    let interview = page.rsplit('/').next().unwrap().to_owned();
    assert_eq!(bob.get(&format!("/interview/{interview}")).await.status, 404);
    assert_eq!(bob.get(&format!("/interview/{interview}/events")).await.status, 404);
    let signal = id().to_string();
    for (address, fields) in [
        (format!("/interview/{interview}/act"), vec![("turn", "0"), ("action", "skip")]),
        (format!("/interview/{interview}/signals/remove"), vec![("signal", signal.as_str())]),
        (format!("/interview/{interview}/decide"), vec![("number", "1"), ("sentence", "x"), ("decision", "accepted")]),
        (format!("/interview/{interview}/erase"), vec![]),
    ] {
        assert_eq!(bob.post(&address, &fields).await.location(), "/interview?error=not_found", "{address}");
    }
    let changed = ada.get(&format!("/interview/{interview}/events")).await;
    assert_eq!((changed.status, changed.text().trim()), (200, "data: changed"));
    let stranger = site.stranger();
    assert_eq!(stranger.get("/interview").await.location(), "/sign-in?next=/interview");
    assert_eq!(stranger.get(EXPORT).await.status, 401);
    backend.close().await;
}
