//! Preview of a run: models and expected cost.

use crate::prelude::*;
use domain::{budget::Estimate, investigation::Depth, model_choice::ModelRole};
use views::{
    RunPreview,
    settings::{BUILT_IN_MODEL, SilentModel},
};

#[component]
pub fn RunPreviewNote(preview: RunPreview) -> impl IntoView {
    let RunPreview { roles, estimates, over_budget, silent } = preview;
    let estimate = estimates.into_iter().find(|estimate| estimate.depth == Depth::Standard).unwrap_or_default();
    // The Analyst writes the report.
    let writes = roles.iter().find(|role| role.role == ModelRole::Analyst.as_str());
    let is_built_in = writes.is_some_and(|role| role.models.iter().all(|model| model == BUILT_IN_MODEL));
    let silent = silent.into_iter().map(|SilentModel { name, why }| {
        view! { <p class="notice"><code>{name}</code> {format!(" does not answer: {why}. A question would wait for it.")}</p> }
    });
    let silent = silent.collect_view();
    let roles = roles
        .into_iter()
        .map(|role| view! { <dt>{format::sentence_case(&role.role)}</dt><dd>{role.models.join(", then ")}</dd> })
        .collect_view();
    view! {
        <section class="run-preview" aria-labelledby="run-preview-title">
            <h2 id="run-preview-title">"Model and cost"</h2>
            {over_budget.map(|why| view! { <p class="notice">{format!("Budget exhausted: {why}.")}</p> })}
            <dl class="facts">{roles}</dl>
            {silent}
            {is_built_in.then(|| view! {
                <p class="hint">"No language model is set up. The built-in engine only quotes and counts; it does not reason."</p>
            })}
            <p class="hint">{words(&estimate)}</p>
        </section>
    }
}

fn words(estimate: &Estimate) -> String {
    let Estimate { past_investigations, median, p90, currency, .. } = estimate;
    if *past_investigations == 0 {
        return "No estimate yet: these models have not finished a question here.".to_owned();
    }
    if p90.tokens() == 0 && p90.cost_micros == 0 {
        return "Questions answered with these models used no tokens and cost nothing.".to_owned();
    }
    let runs = format::count(u64::from(*past_investigations), "question", "questions");
    let (typical, large) = (format::spend(median, currency), format::spend(p90, currency));
    format!("A typical question with these models uses {typical}; a large one uses {large}. Measured on the last {runs}.")
}
