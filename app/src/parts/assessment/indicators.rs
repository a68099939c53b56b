//! What to watch: each indicator with the question that settles it and by when.

use crate::parts::assessment::Section;
use domain::assessment::{Direction, Indicator};
use leptos::prelude::*;

#[component]
pub fn Indicators(indicators: Vec<Indicator>) -> impl IntoView {
    let is_empty = indicators.is_empty();
    let rows = indicators.into_iter().map(|indicator| view! { <Row indicator /> }).collect_view();
    view! {
        <Section id="indicators">
            {is_empty.then(|| view! { <p class="muted">"None were found."</p> })}
            <ul class="indicators">{rows}</ul>
        </Section>
    }
    .into_any()
}

#[component]
fn Row(indicator: Indicator) -> impl IntoView {
    let Indicator { id, text, hypotheses, direction, resolution } = indicator;
    let (sign, verb) = match direction {
        _ if hypotheses.is_empty() => ("◆", "to watch"),
        Direction::Supports => ("▲", "supports"),
        Direction::Weakens => ("▼", "weakens"),
    };
    let links = hypotheses
        .into_iter()
        .map(|hypothesis| {
            let href = format!("#{}", hypothesis.to_lowercase());
            view! { <a class="key" href=href>{hypothesis}</a> }
        })
        .collect_view();
    let by = match resolution.by {
        Some(by) => view! { <time datetime=by.clone()>"by " {by.clone()}</time> }.into_any(),
        None => view! { <span class="muted">"no date can be named"</span> }.into_any(),
    };
    view! {
        <li class="indicator">
            <p><span class="key">{id}</span>{text}</p>
            <p class="indicator-effect"><span aria-hidden="true">{sign}</span>" " {verb} " " {links}</p>
            <dl class="facts">
                <dt>"Settled by"</dt>
                <dd>{resolution.question} " " <span class="muted">{resolution.criteria}</span></dd>
                <dt>"When"</dt>
                <dd>{by}</dd>
            </dl>
        </li>
    }
    .into_any()
}
