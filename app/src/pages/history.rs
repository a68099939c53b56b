//! History of a question: its answers over its versions, and the cause of each change.

mod picture;
mod steps;

use super::{Visit, id_in_path, render_page};
use crate::prelude::*;
use domain::{
    ObjectId,
    assessment::{AnswerLine, with_whole_percents},
    investigation::FollowKind,
};
use picture::{Picture, letter};
use steps::Steps;
use views::{HistoryVersion, HistoryView};

/// Kind of a question among the objects that people watch.
pub const WATCHED_QUESTION: &str = "question";

type Page = (AssessmentId, HistoryView);

async fn load_history(id: String) -> Result<Visit<Page>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let missing = || AppError::not_found("assessment");
    let id: AssessmentId = id.parse().map_err(|_| missing())?;
    let history = engine.history_view(&viewer, id).await?.ok_or_else(missing)?;
    Ok(Visit { viewer, page: (id, history) })
}

#[component]
pub fn HistoryPage() -> impl IntoView {
    render_page(load_history(id_in_path()), |Visit { viewer, page: (id, history) }| {
        view! { <PageBody viewer id history /> }.into_any()
    })
}

#[component]
pub(super) fn PageBody(viewer: User, id: AssessmentId, history: HistoryView) -> impl IntoView {
    let HistoryView { question, first, answers, scores, versions } = history;
    let (object, title) = (ObjectId(first.0), question.clone());
    let place = Slot::Object { viewer: viewer.id, kind: WATCHED_QUESTION, object, title };
    let may_ask = viewer.role.may(Action::Investigate);
    let again = format!(
        "/investigations/new?follows={first}&kind={}&draft={}",
        FollowKind::Rerun.as_str(),
        format::percent_encoded(&question)
    );
    let is_single = versions.len() < 2;
    let single = is_single.then(|| {
        view! {
            <p>"This question has one version. Run it again later, with new documents or another model, to see what changes."</p>
            {may_ask.then(|| view! { <p><a class="button outline" href=again>"Run again"</a></p> })}
        }
    });
    let is_judged = answers.iter().any(|line| line.probabilities.iter().any(Option::is_some));
    let judged = is_judged.then(|| {
        view! {
            <section>
                <h2>"Answers over time"</h2>
                <Picture answers=answers.clone() versions=versions.clone() />
                <Table answers versions=versions.clone() />
            </section>
        }
    });
    let scored = (!scores.is_empty()).then(|| {
        let lines = scores.into_iter().map(|line| view! { <li>{line}</li> }).collect_view();
        view! {
            <section>
                <h2>"Earlier forecasts"</h2>
                <ul>{lines}</ul>
                <p class="muted">"0 is best; always saying 50\u{a0}% gives 0.25."</p>
            </section>
        }
    });
    view! {
        <Title text="History" />
        <Frame viewer nav=NavItem::Assessments>
            <Breadcrumbs above=[("Assessments", "/assessments".to_owned()), ("Report", format!("/assessments/{id}"))] here="History" />
            <h1>{question}</h1>
            <Pieces at=place />
            {single}
            {judged}
            {scored}
            {(!is_single).then(|| view! { <Steps versions /> })}
        </Frame>
    }
    .into_any()
}

/// Probability of each answer in each version.
#[component]
fn Table(answers: Vec<AnswerLine>, versions: Vec<HistoryVersion>) -> impl IntoView {
    let heads = versions.iter().map(|version| {
        let address = format!("/assessments/{}", version.id);
        view! {
            <th role="columnheader" scope="col" class="number">
                <a href=address>{format!("v{}", version.number)}</a>
                " "
                <span class="muted">{format::day(version.created_at)}</span>
            </th>
        }
    });
    let heads = heads.collect_view();
    let numbers: Vec<u32> = versions.iter().map(|version| version.number).collect();
    let rows = answers.into_iter().enumerate().map(|(n, line)| {
        let cells = line.probabilities.iter().zip(&numbers).map(|(probability, number)| {
            let value = probability.map_or_else(|| "–".to_owned(), format::percent);
            view! { <td role="cell" class="number" data-label=format!("v{number}")>{value}</td> }
        });
        let cells = cells.collect_view();
        view! {
            <tr role="row">
                <th role="rowheader" scope="row">
                    <span class="key">{letter(n).to_string()}</span>
                    " "
                    {with_whole_percents(&line.statement)}
                </th>
                {cells}
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        <table role="table" class="stacked">
            <thead role="rowgroup">
                <tr role="row">
                    <th role="columnheader" scope="col">"Answer"</th>
                    {heads}
                </tr>
            </thead>
            <tbody role="rowgroup">{rows}</tbody>
        </table>
        <p class="hint">"A dash: this version does not have the answer. Answers are matched by their words."</p>
    }
}
