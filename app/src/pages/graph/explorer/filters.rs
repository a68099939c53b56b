//! Form of the filters. It holds the whole address, so that applying it keeps what is expanded, hidden and pinned.

use crate::prelude::*;
use views::graph::{ExplorerQuery, NodeColour};

/// Returns whether one of the less used filters is set.
fn has_more(query: &ExplorerQuery) -> bool {
    let plain = ExplorerQuery { words: String::new(), hidden: vec![], ..query.clone() };
    plain.is_filtered() || query.colour != NodeColour::Group
}

#[component]
pub(super) fn Filters(query: ExplorerQuery, kinds: Vec<String>, target: String) -> impl IntoView {
    let strength = query.min_strength();
    let is_open = has_more(&query);
    let ExplorerQuery { report, shows_all, .. } = query;
    let ExplorerQuery { seeds, to, words, min_claims, is_asserted_only, from, until, kind, colour, hidden, pinned, .. } = query;
    let kept = |name: &'static str, ids: Vec<EntityId>| {
        ids.into_iter().map(|id| view! { <input type="hidden" name=name value=id.to_string() /> }).collect_view()
    };
    let mut kinds = kinds;
    if !kind.is_empty() && !kinds.contains(&kind) {
        kinds.push(kind.clone());
    }
    let kinds: Vec<_> = kinds.into_iter().map(|kind| (kind.clone(), kind)).collect();
    let colour = if colour == NodeColour::Kind { "kind" } else { "" };
    view! {
        <form method="get" action="/graph" class="filters" id="graph-filters">
            {kept("seed", seeds)}
            {kept("hide", hidden)}
            {kept("pin", pinned)}
            {kept("to", to.into_iter().collect())}
            {report.map(|report| view! {
                <input type="hidden" name="report" value=report.to_string() />
                <label class="filter-check">
                    <input type="checkbox" name="known" value="1" checked=shows_all />
                    <span>"Also what else is known"</span>
                </label>
            })}
            <label class="filter">
                <span>"Description contains"</span>
                <input name="words" type="text" value=words maxlength="200" placeholder="owns, stake …" />
            </label>
            <label class="filter">
                <span>"Path to"</span>
                <input name="target" type="text" value=target maxlength="300" placeholder="Name of an entity" />
            </label>
            <button type="submit" class="outline">"Apply"</button>
            <details class="more-filters" open=is_open>
                <summary>"More filters"</summary>
                <div class="filters">
                    <FilterSelect name="kind" label="Kind of entity" every="Any kind" chosen=kind options=kinds />
                    <label class="filter">
                        <span>"Strength, at least"</span>
                        <input name="strength" type="text" inputmode="decimal" pattern="[01]?([.,][0-9]*)?" maxlength="4" size="4" value=strength placeholder="0.5" />
                    </label>
                    <label class="filter">
                        <span>"Claims, at least"</span>
                        <input name="claims" type="text" inputmode="numeric" pattern="[0-9]*" maxlength="3" size="4" value=(min_claims > 0).then(|| min_claims.to_string()) />
                    </label>
                    <PeriodFields label="Stated from" from=from until=until />
                    <FilterSelect name="colour" label="Colour by" every="Group" chosen=colour options=vec![("kind", "Kind")] />
                    <label class="filter-check">
                        <input type="checkbox" name="asserted" value="1" checked=is_asserted_only />
                        <span>"Asserted only"</span>
                    </label>
                </div>
            </details>
        </form>
    }
}
