//! Actors, chronology, disagreements, figures and scenarios of an assessment. Each section has content, or is left out.

use crate::{parts::assessment::Folded, prelude::*};
use domain::assessment::{Actor, Argument, Body, Disagreement, Statement, markers_beside};

/// Events that stand open.
const OPEN_EVENTS: usize = 3;
/// Figures and scenarios of a line each that stand open.
const OPEN_LINES: usize = 2;

/// Table of those who act: their interests, means and limits, behind a line with their names.
#[component]
pub fn Actors(actors: Vec<Actor>, known: KnownMarkers) -> impl IntoView {
    (!actors.is_empty()).then(|| {
        let names: Vec<&str> = actors.iter().map(|actor| actor.name.as_str()).collect();
        let summary = format!("{}: {}", format::count(actors.len() as u64, "actor", "actors"), names.join(", "));
        let rows = actors.into_iter().map(|actor| view! { <ActorRow actor known=known.clone() /> }).collect_view();
        view! {
            <Section id="actors">
                <Folded summary>
                    <table role="table" class="stacked" aria-label="Actors">
                        <Columns names=&["Who", "Wants", "Can", "Is bound by"] />
                        <tbody role="rowgroup">{rows}</tbody>
                    </table>
                </Folded>
            </Section>
        }
        .into_any()
    })
}

#[component]
fn ActorRow(actor: Actor, known: KnownMarkers) -> impl IntoView {
    let Actor { name, interests, means, limits, citations } = actor;
    let texts = format!("{interests} {} {}", means.as_deref().unwrap_or_default(), limits.as_deref().unwrap_or_default());
    let others = markers_beside(&texts, &citations);
    let marked = |text: String| view! { <MarkedText text known=known.clone() /> };
    view! {
        <tr role="row">
            <th role="rowheader" scope="row"><strong>{name}</strong> " " <Cites markers=others /></th>
            <td role="cell" data-label="Wants">{marked(interests)}</td>
            <td role="cell" data-label="Can">{means.map(marked)}</td>
            <td role="cell" data-label="Is bound by">{limits.map(marked)}</td>
        </tr>
    }
}

/// Events by the day on which they happened; the timeline has the citations by publication.
#[component]
pub fn Chronology(argument: Argument, known: KnownMarkers) -> impl IntoView {
    (!argument.chronology.is_empty()).then(|| {
        let items = argument.events().into_iter().map(|event| {
            let others = markers_beside(&event.event, &event.citations);
            view! {
                <li class="timeline-entry">
                    <time class="timeline-day" datetime=event.when.clone()>{event.day()}</time>
                    <p><MarkedText text=event.event.clone() known=known.clone() /> " " <Cites markers=others /></p>
                </li>
            }
            .into_any()
        });
        let entries: Vec<AnyView> = items.collect();
        view! {
            <Section id="chronology">
                <FoldedList entries class="timeline" open=OPEN_EVENTS names=("event", "events") is_ordered=true />
            </Section>
        }
        .into_any()
    })
}

/// Matters on which sources contradict each other: both sides, and which weighs more.
#[component]
pub fn Disagreements(disagreements: Vec<Disagreement>, known: KnownMarkers) -> impl IntoView {
    let items = disagreements.into_iter().map(|Disagreement { what, sides, weighing }| {
        let sides = sides.into_iter().map(|Statement { text, citations }| {
            let others = markers_beside(&text, &citations);
            view! { <li><MarkedText text known=known.clone() /> " " <Cites markers=others /></li> }
        });
        let sides = sides.collect_view();
        view! {
            <li>
                <p class="note-head">{what}</p>
                <ul>{sides}</ul>
                <p><MarkedText text=weighing known=known.clone() /></p>
            </li>
        }
        .into_any()
    });
    let entries: Vec<AnyView> = items.collect();
    (!entries.is_empty()).then(|| {
        let names = ("disagreement", "disagreements");
        view! { <Section id="disagreements"><FoldedList entries class="notes" names /></Section> }.into_any()
    })
}

/// Ranges of quantities, and the base rate with its class of cases.
#[component]
pub fn Figures(argument: Argument) -> impl IntoView {
    let Argument { ranges, base_rate, .. } = argument;
    let item = |text: String, markers: Vec<Marker>| view! { <li><p>{text} " " <Cites markers /></p></li> }.into_any();
    let rate = base_rate.map(|rate| item(format!("Base rate: {}", rate.sentence()), rate.citations));
    let ranges = ranges.into_iter().map(|range| item(range.words(), range.citations));
    let entries: Vec<AnyView> = rate.into_iter().chain(ranges).collect();
    (!entries.is_empty()).then(|| {
        let names = ("figure", "figures");
        view! { <Section id="figures"><FoldedList entries class="notes" open=OPEN_LINES names /></Section> }.into_any()
    })
}

/// Forks ahead, each with the moves of the hypotheses.
#[component]
pub fn Scenarios(body: Body) -> impl IntoView {
    let scenarios = body.argument.scenarios.iter();
    let items = scenarios.map(|scenario| view! { <li><p>{body.scenario_words(scenario)} "."</p></li> }.into_any());
    let entries: Vec<AnyView> = items.collect();
    (!entries.is_empty()).then(|| {
        let names = ("scenario", "scenarios");
        view! { <Section id="scenarios"><FoldedList entries class="notes" open=OPEN_LINES names /></Section> }.into_any()
    })
}
