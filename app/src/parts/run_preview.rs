//! Which models will answer a question, and what past questions used.

use crate::format;
use domain::{budget::Estimate, pages::RunPreview};
use leptos::prelude::*;

#[component]
pub fn RunPreviewNote(preview: RunPreview) -> impl IntoView {
    let RunPreview { roles, estimate, over_budget } = preview;
    let is_built_in = roles.iter().flat_map(|role| &role.models).any(|model| model == "extractive");
    let roles = roles
        .into_iter()
        .map(|role| view! { <dt>{format::capitalised(&role.role)}</dt><dd>{role.models.join(", then ")}</dd> })
        .collect_view();
    view! {
        <section class="run-preview" aria-labelledby="run-preview-title">
            <h2 id="run-preview-title">"Who answers, and what it takes"</h2>
            {over_budget.map(|why| view! { <p class="notice">{format!("Nothing can be asked now: {why}.")}</p> })}
            <dl class="facts">{roles}</dl>
            {is_built_in.then(|| view! {
                <p class="hint">"extractive is built in: it quotes, counts and groups by fixed rules, and is no language model."</p>
            })}
            <p class="hint">{words(&estimate)}</p>
        </section>
    }
    .into_any()
}

fn words(estimate: &Estimate) -> String {
    let Estimate { past_runs, median, p90, currency } = estimate;
    if *past_runs == 0 {
        return "No question has been completed with these models yet, so what it will use cannot be said.".to_owned();
    }
    if p90.tokens() == 0 && p90.cost_micros == 0 {
        return "Questions completed with these models used no tokens and cost nothing.".to_owned();
    }
    let runs = format::count(u64::from(*past_runs), "question", "questions");
    let (half, most) = (format::spend(median, currency), format::spend(p90, currency));
    format!("Of {runs} completed with these models, half used at most {half}; nine of ten at most {most}.")
}
