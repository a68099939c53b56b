//! Page of the interviews of a person: what to begin, what was begun, and export and erasure of everything.

use crate::{
    agent::INTERVIEWER,
    api,
    guide::{CardSet, Guide},
    interview::{Interview, InterviewState},
    pages::{InterviewNotice, form},
    store::InterviewStore,
};
use app::{
    format,
    parts::{Frame, NavItem},
};
use axum::{body::Body, http::Response};
use domain::user::User;
use engine::StoreResult;
use feature::{PageVisit, Slot, Web};
use leptos::prelude::*;
use leptos_meta::Title;

pub const PAGE: &str = "/interview";
/// Address of the form that erases all interviews of a person.
pub const ERASE: &str = "/interview/erase";

/// Loaded page.
#[derive(Debug, Clone)]
pub struct HomeView {
    pub sets: Vec<CardSet>,
    pub interviews: Vec<Interview>,
    pub has_model: bool,
}

/// Handler of `GET /interview`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let error = visit.query("error");
    let loaded = load(&visit.web, &visit.viewer).await;
    visit.show(loaded, |viewer, home| view! { <PageBody viewer home error /> }.into_any()).await
}

async fn load(web: &Web, viewer: &User) -> StoreResult<HomeView> {
    let interviews = InterviewStore::new(web).interviews(viewer.id).await?;
    let has_model = web.engine.has_model(INTERVIEWER.role).await?;
    Ok(HomeView { sets: Guide::load(&web.agents.prompts)?.sets.clone(), interviews, has_model })
}

/// Returns in words where answers go.
pub fn answers_note(has_model: bool) -> &'static str {
    if has_model { "Answers go to the provider of your model." } else { "Answers stay here." }
}

#[component]
fn PageBody(viewer: User, home: HomeView, error: Option<String>) -> impl IntoView {
    let HomeView { sets, interviews, has_model } = home;
    let answers = answers_note(has_model);
    let privacy = format!("Private, never in the graph. {answers} Skip or stop at any time; export or erase any time.");
    let titles: Vec<(String, String)> = sets.iter().map(|set| (set.key.clone(), set.title.clone())).collect();
    let has_some = !interviews.is_empty();
    let rows: Vec<_> = interviews
        .into_iter()
        .map(|one| {
            let title = titles.iter().find(|(key, _)| *key == one.set).map_or(one.set.clone(), |(_, title)| title.clone());
            let (state, started) = (state_text(one.state), one.started_at);
            view! {
                <li class="row">
                    <p class="row-title"><a href=format!("{PAGE}/{}", one.id)>{title}</a></p>
                    <p class="card-facts">
                        <span>{state}</span>
                        <time datetime=started.to_string()>{format::day(started)}</time>
                    </p>
                </li>
            }
        })
        .collect();
    let starts: Vec<_> = sets.into_iter().map(|set| view! { <SetCard set has_model /> }).collect();
    view! {
        <Title text="Interview" />
        <Frame viewer nav=NavItem::Page(PAGE)>
            <h1>"Interview"</h1>
            <InterviewNotice code=error />
            <p>"A short talk about everyday scenarios. You get a profile in your own words and interests to watch, which you accept or refuse."</p>
            <p class="hint">{privacy}</p>
            {(!has_model).then(|| view! { <p class="hint">"No language model is set up. You answer the same cards as a form."</p> })}
            <div class="interview-sets">{starts}</div>
            <h2>"Your interviews"</h2>
            {match has_some {
                false => view! { <p class="muted">"You have none yet. Choose a set of cards above."</p> }.into_any(),
                true => view! {
                    <ul class="rows">{rows}</ul>
                    <p class="interview-actions">
                        <a class="button outline" href=api::EXPORT download="interviews.json">"Export all"</a>
                        <a class="button outline" href=api::INTERESTS download="interests.json">"Export accepted interests"</a>
                    </p>
                    <EraseAll />
                }.into_any(),
            }}
        </Frame>
    }
    .into_any()
}

/// Form that erases all interviews, folded.
#[component]
fn EraseAll() -> impl IntoView {
    view! {
        <details>
            <summary>"Erase all interviews"</summary>
            <form method="post" action=ERASE>
                <p>"This erases every interview with its answers, signals, profile and interests. Interests that you accepted stay in the Monitor. It cannot be undone."</p>
                <button type="submit" class="outline">"Erase all"</button>
            </form>
        </details>
    }
}

/// Piece on the page of the account: export and erasure of what interviews stored.
pub fn account_piece(place: &Slot) -> Option<AnyView> {
    let Slot::Account { .. } = place else { return None };
    Some(
        view! {
            <section aria-labelledby="interviews-title">
                <h2 id="interviews-title">"Interviews"</h2>
                <p>"What you said in interviews, and the profiles made of it, belong to you alone."</p>
                <p class="interview-actions">
                    <a class="button outline" href=api::EXPORT download="interviews.json">"Export all"</a>
                    <a class="button outline" href=PAGE>"See your interviews"</a>
                </p>
                <EraseAll />
            </section>
        }
        .into_any(),
    )
}

/// Piece on the page of interests: the way to an interview that proposes some.
pub fn interests_piece(place: &Slot) -> Option<AnyView> {
    let Slot::Interests { .. } = place else { return None };
    Some(view! { <p>"Not sure what to write? " <a href=PAGE>"Answer a few questions"</a></p> }.into_any())
}

/// Set of cards, with the button that begins.
#[component]
fn SetCard(set: CardSet, has_model: bool) -> impl IntoView {
    let as_form = format!("{}?set={}", form::PAGE, set.key);
    let label = format!("Begin: {}", set.title);
    let form_label = format!("Fill in the form: {}", set.title);
    view! {
        <section class="card">
            <h2>{set.title}</h2>
            <p>{set.about}</p>
            {match has_model {
                true => view! {
                    <form method="post" action="/interview/start">
                        <input type="hidden" name="set" value=set.key />
                        <button type="submit" aria-label=label>"Begin"</button>
                    </form>
                    <p><a href=as_form aria-label=form_label>"Fill in the form"</a></p>
                }.into_any(),
                false => view! { <p><a class="button" href=as_form aria-label=form_label>"Fill in the form"</a></p> }.into_any(),
            }}
        </section>
    }
}

/// Returns the state of an interview in words.
fn state_text(state: InterviewState) -> &'static str {
    match state {
        InterviewState::Person => "Waits for you",
        InterviewState::Interviewer => "The interviewer thinks",
        InterviewState::Review => "Finished",
        InterviewState::Crisis | InterviewState::Failed => "Ended early",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_provider_is_named_only_where_a_model_asks() {
        let page = |has_model: bool| {
            let home = HomeView { sets: vec![], interviews: vec![], has_model };
            feature::testing::render_page(move |viewer| view! { <PageBody viewer home error=None /> }.into_any())
        };
        assert!(page(true).contains("Answers go to the provider of your model."));
        let without = page(false);
        assert!(without.contains("Answers stay here.") && !without.contains("provider of your model"), "{without}");
    }
}
