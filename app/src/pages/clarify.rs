//! Questions about a vague question: at most two, with suggested answers. It can be asked as it is.

use super::{Visit, query, render_page};
use crate::{
    prelude::*,
    session::{KEPT, QuestionDraft},
};
use views::{ClarifyView, PeriodChoice};

/// Fields of the question form that are passed on.
const PASSED_ON: [&str; 10] = ["follows", "kind", "web", "reading", "depth", "model", "from", "until", "visibility", "quotes"];

async fn load_clarify(question: String, has_period: bool) -> Result<Visit<ClarifyView>, AppError> {
    use domain::user::Action;
    let (engine, viewer) = crate::session::viewer().await?;
    if !viewer.role.may(Action::Investigate) {
        return Err(AppError::not_allowed("Readers cannot start investigations. Ask an administrator for the role analyst."));
    }
    let page = engine.clarify_view(&viewer, &question, has_period).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn ClarifyPage() -> impl IntoView {
    let question = query("draft").unwrap_or_default();
    let is_kept = query(KEPT).is_some();
    let mut fields: Vec<(&'static str, String)> = PASSED_ON.into_iter().filter_map(|name| Some((name, query(name)?))).collect();
    let collections = query("collections").unwrap_or_default();
    let has_period = fields.iter().any(|(name, _)| matches!(*name, "from" | "until"));
    let load = async move {
        let typed = QuestionDraft { question, collections, ..QuestionDraft::default() };
        let kept = if is_kept { crate::session::question_draft().await.unwrap_or(typed) } else { typed };
        let Visit { viewer, page } = load_clarify(kept.question.clone(), has_period).await?;
        Ok(Visit { viewer, page: (page, kept) })
    };
    render_page(load, move |Visit { viewer, page: (page, QuestionDraft { question, collections, .. }) }| {
        fields.extend(collections.split(',').filter(|id| !id.is_empty()).map(|id| ("collection", id.to_owned())));
        view! { <PageBody viewer page question fields /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(
    viewer: User,
    page: ClarifyView,
    question: String,
    /// Further fields of the question form.
    fields: Vec<(&'static str, String)>,
) -> impl IntoView {
    let ClarifyView { subjects, periods } = page;
    let slot = Slot::Clarify { question: question.clone(), fields: fields.clone() };
    let hidden = fields.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value /> }).collect_view();
    view! {
        <Title text="Make the question clearer" />
        <Frame viewer nav=NavItem::NewInvestigation>
            <Breadcrumbs above=[("Home", "/".to_owned())] here="Make the question clearer" />
            <h1>"Make the question clearer"</h1>
            <p class="lead">"“" {question.clone()} "” names nothing to look for. An answer here finds more; none is needed."</p>
            <form method="post" action="/investigations" enctype="multipart/form-data" class="form form-wide">
                <input type="hidden" name="question" value=question />
                <input type="hidden" name="clear" value="1" />
                {hidden}
                <Subject subjects />
                <Time periods />
                <p>
                    <button type="submit">"Ask with these answers"</button>
                    " " <button type="submit" class="quiet" name="as_is" value="1">"Ask as is"</button>
                </p>
            </form>
            <Pieces at=slot />
        </Frame>
    }
    .into_any()
}

#[component]
fn Subject(subjects: Vec<String>) -> impl IntoView {
    let choices = subjects
        .into_iter()
        .map(|name| {
            view! { <li><label><input type="radio" name="subject" value=name.clone() />{name.clone()}</label></li> }
        })
        .collect_view();
    view! {
        <fieldset class="field">
            <legend>"Who or what is it about?"</legend>
            <ul class="choices">{choices}</ul>
            <label for="subject-other">"In your words"</label>
            <input id="subject-other" name="subject_other" type="text" maxlength="300" placeholder="The fire at the grain store of Port Halen" />
        </fieldset>
    }
    .into_any()
}

/// Choice of a time, which becomes the period of the question.
#[component]
fn Time(periods: Vec<PeriodChoice>) -> impl IntoView {
    (!periods.is_empty()).then(|| {
        let choices = periods
            .into_iter()
            .map(|PeriodChoice { name, from }| {
                view! { <li><label><input type="radio" name="since" value=from />{name}</label></li> }
            })
            .collect_view();
        view! {
            <fieldset class="field">
                <legend>"Published when?"</legend>
                <ul class="choices">
                    <li><label><input type="radio" name="since" value="" checked />"Any time"</label></li>
                    {choices}
                </ul>
                <p class="hint">"With a time, documents without a date are left out."</p>
            </fieldset>
        }
    })
}
