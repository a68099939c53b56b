//! Pages of the feature, and its pieces inside pages of the kernel.

pub mod for_you;
pub mod interest_form;
pub mod interests;
pub mod pieces;
pub mod schedule;
pub mod schedule_form;

use crate::score::{ScoredTerm, TermKind};
use domain::EntityId;
use leptos::prelude::*;
use std::collections::HashMap;

/// Terms of a score, folded. `names` are those of entities that the reader sees.
#[component]
fn Terms(score: u8, terms: Vec<ScoredTerm>, names: HashMap<EntityId, String>) -> impl IntoView {
    let rows = terms.into_iter().map(|term| {
        let hits: Vec<String> = match term.kind {
            TermKind::Entities => term.hits.iter().filter_map(|id| names.get(&id.parse::<EntityId>().ok()?).cloned()).collect(),
            _ => term.hits,
        };
        let hits = if hits.is_empty() { String::new() } else { format!(": {}", hits.join(", ")) };
        view! { <li>{format!("{} {} of 100, weight {}{hits}", term.kind.label(), term.part, term.weight)}</li> }
    });
    view! {
        <details>
            <summary>{format!("Why this? Score {score}")}</summary>
            <ul>{rows.collect_view()}</ul>
            <p class="hint">"Likeness and words give a mean by their weights, from 0 to 100. What is named besides raises it, and what is not named changes nothing."</p>
        </details>
    }
    .into_any()
}
