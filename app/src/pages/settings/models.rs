//! Models by role, with their connection tests.

use crate::{
    atoms::{Age, Badge, Tone},
    format,
};
use domain::Timestamp;
use leptos::prelude::*;
use views::settings::{ModelLine, ModelTest, RoleModels};

#[component]
pub fn Models(roles: Vec<RoleModels>, models: Vec<ModelLine>, now: Timestamp) -> impl IntoView {
    let roles = roles
        .into_iter()
        .map(|role| view! { <dt>{format::capitalised(&role.role)}</dt><dd>{role.models.join(", then ")}</dd> })
        .collect_view();
    let models = models.into_iter().map(|line| view! { <Model line now /> }).collect_view();
    view! {
        <section aria-labelledby="models-title" class="settings-part">
            <h2 id="models-title">"Models"</h2>
            <dl class="facts">{roles}</dl>
            <ul class="setting-list">{models}</ul>
        </section>
    }
    .into_any()
}

#[component]
fn Model(line: ModelLine, now: Timestamp) -> impl IntoView {
    let ModelLine { name, trial } = line;
    let is_running = trial == ModelTest::Running;
    let label = format!("Test {name}");
    let came = match trial {
        ModelTest::None => view! { <p class="hint">"Not tested yet."</p> }.into_any(),
        ModelTest::Running => view! { <p><Badge tone=Tone::Live text="Testing" /></p> }.into_any(),
        ModelTest::Done { at, is_usable, line } => {
            let (tone, text) = if is_usable { (Tone::Good, "Usable") } else { (Tone::Bad, "Not usable") };
            view! { <p><Badge tone text /> " " {line} " " <span class="muted"><Age then=at now /></span></p> }.into_any()
        }
    };
    view! {
        <li class="setting">
            <div>
                <p><strong>{name.clone()}</strong></p>
                {came}
            </div>
            <form method="post" action="/settings/probe">
                <input type="hidden" name="model" value=name />
                <button class="quiet" type="submit" disabled=is_running aria-label=label>"Test connection"</button>
            </form>
        </li>
    }
    .into_any()
}
