//! Indicators, each with its probability, resolution question and due date.

use super::ids::{IdLinks, anchor};
use crate::{parts::assessment::IndicatorPieces, prelude::*};
use domain::{
    assessment::{Body, Direction, Indicator, Resolution},
    likelihood::Likelihood,
};

#[component]
pub fn Indicators(body: Body) -> impl IntoView {
    let is_empty = body.indicators.is_empty();
    let indicators = body.indicators.iter();
    let rows = indicators.map(|one| view! { <Row indicator=one.clone() moves=body.moves(&one.effects) /> }.into_any());
    let entries: Vec<AnyView> = rows.collect();
    view! {
        <Section id="indicators">
            {is_empty.then(|| view! { <p class="muted">"The author named none."</p> })}
            <FoldedList entries class="indicators" names=("indicator", "indicators") />
        </Section>
    }
}

#[component]
fn Row(
    indicator: Indicator,
    /// Points by which it moves hypotheses, in words.
    moves: String,
) -> impl IntoView {
    let Indicator { id, text, probability, hypotheses, judgements, direction, resolution, .. } = indicator;
    let ids: Vec<String> = hypotheses.into_iter().chain(judgements).collect();
    let (sign, verb) = match direction {
        _ if ids.is_empty() => ("◆", "to watch"),
        Some(Direction::Supports) => ("▲", "supports"),
        Some(Direction::Weakens) => ("▼", "weakens"),
        None => ("◆", "bears on"),
    };
    let Resolution { question, criteria, by, no_date_because } = resolution;
    let by = match by {
        Some(by) => view! { "by " <WrittenDay text=by /> }.into_any(),
        None => {
            let reason = no_date_because.unwrap_or_else(|| "no deadline".to_owned());
            view! { <span class="muted">{reason}</span> }.into_any()
        }
    };
    let probability = probability.map(|probability| {
        view! { <dt>"Probability"</dt><dd class="pictured"><Scale likelihood=Likelihood::from_point(probability) /><span>{format::percent(probability)}</span></dd> }
    });
    let anchor = anchor(&id);
    let watched = id.clone();
    view! {
        <li class="indicator" id=anchor>
            <p><span class="key">{id}</span>{text}</p>
            <p class="indicator-effect"><span aria-hidden="true">{sign}</span>" " {verb} " " <IdLinks ids /></p>
            <dl class="facts">
                {probability}
                {(!moves.is_empty()).then(|| view! { <dt>"If it does"</dt><dd>{moves}</dd> })}
                <dt>"Settled by"</dt>
                <dd>{question} " " <span class="muted">{criteria}</span></dd>
                <dt>"When"</dt>
                <dd>{by}</dd>
            </dl>
            <IndicatorPieces indicator=watched />
        </li>
    }
    .into_any()
}
