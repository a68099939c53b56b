//! Example of a scouting on the page of runs, played from a script with the sample.

use crate::{
    cycle::order::figures_text,
    example::{self, ExampleStep},
    pages::detail::address,
    store::TensionStore,
    tension::TensionId,
};
use app::atoms::{Badge, SampleBadge, Tone};
use domain::user::User;
use engine::StoreResult;
use feature::Web;
use leptos::prelude::*;

/// Share of invention in the example, for people.
const EXPLANATION: &str = "Played over invented pages. The replies of the model are a script written by hand; no model did this. The rest is \
    a run like any other: the tools, the checks of addresses and quotes, and what is stored.";

/// Example that was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExampleView {
    pub steps: Vec<ExampleStep>,
    /// Figures of what was stored and refused.
    pub figures: String,
    /// The tension that was scouted, then those that came up on the way.
    pub tensions: Vec<(TensionId, String)>,
}

/// Loads the example; none where `viewer` does not see its tension.
pub async fn load(web: &Web, viewer: &User) -> StoreResult<Option<ExampleView>> {
    let (engine, store) = (&web.engine, TensionStore::new(web));
    let Some(task) = example::played(&store).await? else { return Ok(None) };
    let scope = engine.listed_scope(viewer).await?;
    let scouted = match task.tension {
        Some(id) => store.tension(&scope, id).await?,
        None => None,
    };
    let Some(scouted) = scouted else { return Ok(None) };
    let mut tensions = vec![(scouted.id, scouted.title)];
    tensions.extend(store.children(&scope, scouted.id).await?);
    Ok(Some(ExampleView { steps: example::steps(engine, &task).await?, figures: figures_text(&task.counts), tensions }))
}

/// Steps of the example, and what they find.
#[component]
pub fn ExampleSteps(example: ExampleView) -> impl IntoView {
    let ExampleView { steps, figures, tensions } = example;
    let step = |step: ExampleStep| {
        let ExampleStep { question, tool, input } = step;
        view! { <tr><th scope="row">{question}</th><td>{tool}</td><td>{input}</td></tr> }
    };
    let rows = steps.into_iter().map(step).collect_view();
    let found = tensions.into_iter().map(|(id, title)| view! { <li class="row"><a href=address(id)>{title}</a></li> });
    let found = found.collect_view();
    view! {
        <section aria-labelledby="example">
            <h2 id="example">"Example: from fear to a boycott"</h2>
            <p class="card-facts"><SampleBadge is_shown=true /> <Badge tone=Tone::Quiet text="Scripted" /></p>
            <p class="muted">{EXPLANATION}</p>
            <table>
                <thead><tr><th scope="col">"Question"</th><th scope="col">"Tool"</th><th scope="col">"Called with"</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
            <p>{figures}"."</p>
            <h3>"The tension, and those that came up on the way"</h3>
            <ol class="rows">{found}</ol>
        </section>
    }
    .into_any()
}
