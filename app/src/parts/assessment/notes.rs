//! What is not known, what was taken for granted, who is affected, how the outlets did, and what has changed.

use crate::{atoms::Cites, parts::assessment::Section};
use domain::assessment::{Assumption, Change, Gap, Impact, OutletNote};
use leptos::prelude::*;

#[component]
pub fn Gaps(gaps: Vec<Gap>) -> impl IntoView {
    let is_empty = gaps.is_empty();
    let items = gaps
        .into_iter()
        .map(|gap| {
            view! {
                <li>
                    <p class="note-head">{gap.text}</p>
                    <dl class="facts">
                        <dt>"Impact"</dt>
                        <dd>{gap.impact}</dd>
                        <dt>"To close it"</dt>
                        <dd>{gap.how_to_close}</dd>
                    </dl>
                </li>
            }
        })
        .collect_view();
    view! { <Section id="gaps">{nothing(is_empty, "None are known.")}<ul class="notes">{items}</ul></Section> }.into_any()
}

#[component]
pub fn Assumptions(assumptions: Vec<Assumption>) -> impl IntoView {
    let is_empty = assumptions.is_empty();
    let items = assumptions
        .into_iter()
        .map(|assumption| {
            view! {
                <li>
                    <p class="note-head">{assumption.text}</p>
                    <dl class="facts">
                        <dt>"If wrong"</dt>
                        <dd>{assumption.if_wrong}</dd>
                    </dl>
                </li>
            }
        })
        .collect_view();
    view! { <Section id="assumptions">{nothing(is_empty, "None were made.")}<ul class="notes">{items}</ul></Section> }
        .into_any()
}

#[component]
pub fn Impacts(impacts: Vec<Impact>) -> impl IntoView {
    let is_empty = impacts.is_empty();
    let items = impacts
        .into_iter()
        .map(|impact| {
            view! {
                <li>
                    <p class="note-head">{impact.who}</p>
                    <p>{impact.effect} " " <Cites markers=impact.citations /></p>
                </li>
            }
        })
        .collect_view();
    view! { <Section id="impacts">{nothing(is_empty, "None were found.")}<ul class="notes">{items}</ul></Section> }.into_any()
}

#[component]
pub fn Outlets(outlets: Vec<OutletNote>) -> impl IntoView {
    let is_empty = outlets.is_empty();
    let items = outlets.into_iter().map(|outlet| view! { <dt>{outlet.name}</dt><dd>{outlet.notes}</dd> }).collect_view();
    view! { <Section id="outlets">{nothing(is_empty, "None were evaluated.")}<dl class="outlets">{items}</dl></Section> }
        .into_any()
}

/// What is different from the assessment before, with a link to it.
#[component]
pub fn ChangeNote(change: Option<Change>) -> impl IntoView {
    change.map(|change| {
        view! {
            <aside class="change" aria-label="Change from the previous assessment">
                <strong>"What changed: "</strong>
                {change.summary}
                " "
                <a href=format!("/assessments/{}", change.previous_id)>"Previous assessment"</a>
            </aside>
        }
    })
}

fn nothing(is_empty: bool, text: &'static str) -> impl IntoView {
    is_empty.then(|| view! { <p class="muted">{text}</p> })
}
