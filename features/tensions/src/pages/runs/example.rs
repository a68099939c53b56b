//! Example of a run on the page of runs, written by hand, with the sample.

use crate::{
    example::{self, EXAMPLE, ExampleStep},
    pages::detail::address,
    sample::{is_own, sample_collections},
    store::NamedTension,
};
use app::atoms::{Badge, SampleBadge, Tone};
use domain::user::User;
use engine::StoreResult;
use feature::Web;
use leptos::prelude::*;

/// Returns the tensions of the example that `viewer` sees; none without the sample.
pub async fn load(web: &Web, viewer: &User) -> StoreResult<Vec<NamedTension>> {
    match sample_collections(&web.engine).await?.iter().find(|one| is_own(one)) {
        Some(own) => example::listed(web, viewer, own.id).await,
        None => Ok(vec![]),
    }
}

/// Steps of the example, and what they find.
#[component]
pub fn ExampleSteps(tensions: Vec<NamedTension>) -> impl IntoView {
    if tensions.is_empty() {
        return ().into_any();
    }
    let step = |step: &ExampleStep| {
        let ExampleStep { hop, act, input } = step.clone();
        view! { <tr><th scope="row">{hop}</th><td>{act}</td><td>{input}</td></tr> }
    };
    let rows = EXAMPLE.steps.iter().map(step).collect_view();
    let found = tensions.into_iter().map(|one| view! { <li class="row"><a href=address(one.id)>{one.title}</a></li> });
    let found = found.collect_view();
    view! {
        <section aria-labelledby="example">
            <h2 id="example">"Example: from fear to a boycott"</h2>
            <p class="card-facts"><SampleBadge is_shown=true /> <Badge tone=Tone::Quiet text="Written by hand" /></p>
            <p class="muted">"Written by hand over invented pages, to show the form of a run. No model did this."</p>
            <table>
                <thead><tr><th scope="col">"Question"</th><th scope="col">"Tool"</th><th scope="col">"Called with"</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
            <h3>"Tensions found, each from the one before"</h3>
            <ol class="rows">{found}</ol>
        </section>
    }
    .into_any()
}
