//! Head of a table.

use leptos::prelude::*;

/// Row with the names of columns; those of `numbers` are aligned as numbers.
#[component]
pub fn Columns(names: &'static [&'static str], #[prop(optional)] numbers: &'static [&'static str]) -> impl IntoView {
    let heads = names.iter().map(|name| {
        let class = numbers.contains(name).then_some("number");
        view! { <th role="columnheader" scope="col" class=class>{*name}</th> }
    });
    view! { <thead role="rowgroup"><tr role="row">{heads.collect_view()}</tr></thead> }
}
