//! Questions of a model about a vague question, one at a time. They end in the question form, with the answers in the question.

use super::{
    InterviewNotice,
    actions::{BAD_ANSWER, LATE_ANSWER},
};
use crate::{
    settings::InterviewSettings,
    sharpen::{CLARIFIER, SHARPENING, Sharpening},
};
use app::{
    AppError, Notice, NoticeAction, format,
    parts::{Breadcrumbs, Frame, NavItem},
    session::{DRAFT_KEY, KEPT, QuestionDraft},
};
use axum::{body::Body, http::Response};
use domain::{
    UserId,
    user::{Action, User},
};
use engine::agents::PersonReply;
use feature::{FormPost, KeptForm, NoticeText, PageVisit, Slot, Web, query_string, redirect};
use leptos::prelude::*;
use leptos_meta::Title;
use serde::Deserialize;
use tower_sessions::Session;

pub const PAGE: &str = "/interview/question";
pub const START: &str = "/interview/question/start";
/// Form of the kernel for a question.
const QUESTION_FORM: &str = "/investigations/new";
/// Key in the browser session.
const STATE: &str = "sharpening";
/// Choices of the question form that come back with it; collections are apart.
const PASSED_ON: [&str; 7] = ["web", "reading", "depth", "model", "from", "until", "visibility"];

/// Note that no question was asked.
pub const NOT_ASKED: NoticeText = NoticeText {
    code: "no_clarifying_question",
    message: "The model had no question. Change yours below, or start it as it is.",
    action: NoticeAction { text: "Ask another question", href: QUESTION_FORM },
};

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct BeginForm {
    question: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct AnswerForm {
    /// Number of the question that was open.
    number: u32,
    action: String,
    text: String,
}

/// Piece on the page about a vague question: the way to the questions of a model, where one is connected.
pub fn piece(slot: &Slot) -> Option<AnyView> {
    let Slot::Clarify { question, fields } = slot else { return None };
    let (question, fields) = (question.clone(), fields.clone());
    Some(
        Suspend::new(async move {
            let web = Web::of_page()?;
            let is_offered = web.engine.has_model(CLARIFIER.role).await;
            let is_offered = is_offered.inspect_err(|error| tracing::warn!(%error, "models not read"));
            is_offered.unwrap_or_default().then(|| view! { <Offer question fields /> })
        })
        .into_any(),
    )
}

#[component]
fn Offer(question: String, fields: Vec<(&'static str, String)>) -> impl IntoView {
    let hidden = fields.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value /> }).collect_view();
    view! {
        <form method="post" action=START class="interview-form">
            <h2>"Or let the model ask"</h2>
            <p class="hint">"At most two short questions. You see and edit the question before it starts."</p>
            <input type="hidden" name="question" value=question />
            {hidden}
            <button type="submit" class="outline">"Ask me"</button>
        </form>
    }
}

/// Handler of `POST /interview/question/start`.
pub async fn begin(session: Session, post: FormPost<BeginForm>) -> Response<Body> {
    if !post.user.role.may(Action::Investigate) {
        return post.lead_to("/", Notice::NotAllowed.code());
    }
    let (web, question) = (&post.web, post.form.question.trim().to_owned());
    if question.is_empty() || question.chars().count() > web.engine.config.max_question_chars {
        return redirect(QUESTION_FORM);
    }
    let fields = PASSED_ON.into_iter().filter_map(|name| Some((name.to_owned(), post.values(name).next()?)));
    let begun = Sharpening {
        id: web.engine.ids.next(),
        user: post.user.id,
        question: question.clone(),
        fields: fields.collect(),
        collections: post.values("collection").collect::<Vec<_>>().join(","),
        asked: None,
        answers: vec![],
    };
    match web.engine.has_model(CLARIFIER.role).await {
        Ok(true) => go_on(&session, web, begun, None).await,
        Ok(false) => finish(&session, web, begun, question).await,
        Err(error) => post.lead_to(QUESTION_FORM, app::store_notice(&error)),
    }
}

/// Handler of `POST /interview/question`.
pub async fn answer(session: Session, post: FormPost<AnswerForm>) -> Response<Body> {
    let (web, AnswerForm { number, action, text }) = (&post.web, &post.form);
    let Some(mut open) = open_question(&session, post.user.id).await else { return redirect(QUESTION_FORM) };
    if action == "skip" {
        let question = open.with_answers();
        return finish(&session, web, open, question).await;
    }
    let text = text.trim().to_owned();
    if open.asked.as_ref().is_none_or(|(asked, _)| asked != number) {
        // An answer that was sent twice counts once.
        return if open.answers.contains(&text) { redirect(PAGE) } else { post.refuse(PAGE, LATE_ANSWER.code).await };
    }
    if text.is_empty() || text.chars().count() > web.settings.get::<InterviewSettings>().max_answer_chars {
        return post.refuse(PAGE, BAD_ANSWER.code).await;
    }
    let reply = PersonReply { number: *number, text: Some(text.clone()) };
    open.answers.push(text);
    go_on(&session, web, open, Some(&reply)).await
}

/// Returns the question of a person that is being sharpened in their browser session.
async fn open_question(session: &Session, user: UserId) -> Option<Sharpening> {
    let open = session.get::<Sharpening>(STATE).await.ok().flatten()?;
    Some(open).filter(|open| open.user == user && open.asked.is_some())
}

/// Puts the next question to the person, or fills in the question form.
async fn go_on(session: &Session, web: &Web, mut open: Sharpening, reply: Option<&PersonReply>) -> Response<Body> {
    match open.go_on(web, reply).await {
        None => match session.insert(STATE, &open).await {
            Ok(()) => redirect(PAGE),
            Err(error) => unavailable(&error),
        },
        Some(question) => finish(session, web, open, question).await,
    }
}

/// Fills in the question form, and removes the session of the role.
async fn finish(session: &Session, web: &Web, open: Sharpening, question: String) -> Response<Body> {
    let Sharpening { id, fields, collections, asked, .. } = open;
    if let Err(error) = web.engine.sessions.remove_of_object(SHARPENING, id).await {
        tracing::warn!(%error, "session of a sharpened question not removed");
    }
    let notice = if asked.is_none() { NOT_ASKED.code } else { "" };
    let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let query = query_string(fields.chain([(KEPT, "1"), ("error", notice)]));
    let draft = QuestionDraft { question, collections, ..QuestionDraft::default() };
    let kept = async {
        session.insert(DRAFT_KEY, draft).await?;
        session.remove::<Sharpening>(STATE).await.map(drop)
    };
    match kept.await {
        Ok(()) => redirect(&format!("{QUESTION_FORM}?{query}")),
        Err(error) => unavailable(&error),
    }
}

fn unavailable(error: &tower_sessions::session::Error) -> Response<Body> {
    tracing::error!(%error, "sharpened question not kept in the session");
    redirect(&format!("{QUESTION_FORM}?error={}", Notice::Unavailable.code()))
}

/// Handler of `GET /interview/question`.
pub async fn page(session: Session, visit: PageVisit) -> Response<Body> {
    let Some(open) = open_question(&session, visit.viewer.id).await else { return redirect(QUESTION_FORM) };
    let max_chars = visit.web.settings.get::<InterviewSettings>().max_answer_chars;
    let error = visit.query("error");
    visit.show(Ok::<_, AppError>(open), move |viewer, open| view! { <PageBody viewer open max_chars error /> }.into_any()).await
}

#[component]
pub fn PageBody(
    viewer: User,
    open: Sharpening,
    /// Longest answer in characters.
    max_chars: usize,
    error: Option<String>,
) -> impl IntoView {
    let (user, (number, asked)) = (viewer.id, open.asked.unwrap_or_default());
    let said: Vec<_> = open.answers.into_iter().map(|answer| view! { <li>{answer}</li> }).collect();
    let said = (!said.is_empty()).then(|| view! { <ul>{said}</ul> });
    let field = Suspend::new(async move {
        let kept = KeptForm::take_of_page(user).await;
        view! { <textarea id="sharpen-answer" name="text" rows="2" maxlength=max_chars.to_string()>{format::as_text(&kept.value("text"))}</textarea> }
    });
    view! {
        <Title text="Make the question clearer" />
        <Frame viewer nav=NavItem::NewInvestigation>
            <Breadcrumbs above=[("Home", "/".to_owned())] here="Make the question clearer" />
            <h1>"Make the question clearer"</h1>
            <InterviewNotice code=error />
            <p class="lead">"“" {open.question} "”"</p>
            {said}
            <form method="post" action=PAGE class="interview-form">
                <input type="hidden" name="number" value=number.to_string() />
                <label for="sharpen-answer" class="interview-question">{asked}</label>
                {field}
                <p class="interview-actions">
                    <button type="submit" name="action" value="answer">"Answer"</button>
                    <button type="submit" class="quiet" name="action" value="skip">"Skip"</button>
                </p>
                <p class="hint">"You see and edit the question before it starts."</p>
            </form>
        </Frame>
    }
    .into_any()
}
