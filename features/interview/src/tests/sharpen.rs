//! Sharpening of a vague question, with a scripted model and without one.

use super::{SCHEMAS, store, talk::web_with};
use crate::{
    pages::sharpen::{NOT_ASKED, PAGE, PageBody, START},
    sharpen::Sharpening,
};
use domain::UserId;
use engine::agents::PersonReply;
use feature::testing::{TestSite, render_page};
use leptos::prelude::*;
use serde_json::json;
use testkit::{ScriptedModel, ScriptedTurn, TestBackend, id};

async fn backend() -> TestBackend {
    testkit::sqlite_with(&SCHEMAS).await.expect("SQLite needs no server")
}

fn asked(question: Option<&str>) -> ScriptedTurn {
    ScriptedTurn::text(json!({"question": question}).to_string())
}

fn vague(user: UserId) -> Sharpening {
    Sharpening {
        id: id(),
        user,
        question: "Who did it?".into(),
        fields: vec![],
        collections: String::new(),
        asked: None,
        answers: vec![],
    }
}

/// Answers the question that is open.
fn reply(open: &mut Sharpening, text: &str) -> PersonReply {
    open.answers.push(text.to_owned());
    PersonReply { number: open.asked.as_ref().unwrap().0, text: Some(text.to_owned()) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_questions_at_most_are_asked_and_their_answers_are_in_the_question() {
    let backend = backend().await;
    let sharp = "Who set the fire in Port Halen in May?";
    let model = ScriptedModel::new(vec![asked(Some("Which fire?")), asked(Some("When?")), asked(Some(sharp))]);
    let web = web_with(&backend, model.clone());
    let mut open = vague(backend.user("ada").await);
    assert_eq!(open.go_on(&web, None).await, None);
    assert_eq!(open.go_on(&web, None).await, None, "a page that is loaded again costs no call");
    assert_eq!(open.asked, Some((1, "Which fire?".to_owned())));
    let first = reply(&mut open, "the one in Port Halen");
    assert_eq!(open.go_on(&web, Some(&first)).await, None);
    assert_eq!(open.asked, Some((2, "When?".to_owned())));
    let second = reply(&mut open, "in May");
    assert_eq!(open.go_on(&web, Some(&second)).await.as_deref(), Some(sharp));
    let requests = model.requests();
    assert_eq!(requests.len(), 3);
    let last = serde_json::to_string(&requests[2].messages).unwrap();
    assert!(["Who did it?", "Which fire?", "the one in Port Halen", "in May"].iter().all(|text| last.contains(text)), "{last}");
    let (store, now) = (store(&backend), web.engine.clock.now());
    assert!(store.abandoned_sharpenings(now.plus_ms(-1)).await.unwrap().is_empty());
    assert_eq!(store.abandoned_sharpenings(now.plus_ms(1)).await.unwrap(), [open.id], "one that is left open goes after a day");
    let html = render_page(|viewer| view! { <PageBody viewer open max_chars=200 error=None /> }.into_any());
    assert!(html.contains("When?") && html.contains("the one in Port Halen") && html.contains("value=\"skip\""), "{html}");
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_fails_leaves_the_answers_beside_the_question() {
    let backend = backend().await;
    let web = web_with(&backend, ScriptedModel::new(vec![asked(Some("Which fire?"))]));
    let mut open = vague(backend.user("ada").await);
    assert_eq!(open.go_on(&web, None).await, None);
    let answer = reply(&mut open, "the one in Port Halen");
    assert_eq!(open.go_on(&web, Some(&answer)).await.as_deref(), Some("Who did it? (the one in Port Halen)"));
    let web = web_with(&backend, ScriptedModel::new(vec![asked(None), asked(Some("Something else?"))]));
    assert_eq!(vague(open.user).go_on(&web, None).await.as_deref(), Some("Who did it?"), "no answer, no other words");
    backend.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_model_the_question_comes_back_as_it_was() {
    let backend = backend().await;
    let site = TestSite::new(crate::feature(), &backend);
    let ada = site.signed_in(backend.user("ada").await).await;
    assert_eq!(ada.get(PAGE).await.location(), "/investigations/new", "nothing is open");
    let sent = ada.post(START, &[("question", "Who did it?"), ("web", "off"), ("depth", "quick")]).await;
    let expected = format!("/investigations/new?web=off&depth=quick&kept=1&error={}", NOT_ASKED.code);
    assert_eq!(sent.location(), expected);
    assert_eq!(ada.post(PAGE, &[("number", "1"), ("text", "Port Halen")]).await.location(), "/investigations/new");
    backend.close().await;
}
