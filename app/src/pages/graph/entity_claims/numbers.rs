//! Numbers of claims by month and by outlet, as links that narrow the list.

use super::{address, claim_count, outlet_name};
use crate::prelude::*;
use domain::claim::Mode;
use std::cmp::Reverse;
use views::graph::{ClaimsFilter, MonthLine, OutletLine};

/// Outlets shown; further ones are counted.
const OUTLETS: usize = 12;

/// A labelled number with its filter.
struct Bar {
    label: String,
    claims: u64,
    filter: ClaimsFilter,
    is_current: bool,
}

/// A list of bars, each a link that narrows the claims; the longest is that of the most.
fn bars(id: EntityId, bars: Vec<Bar>) -> AnyView {
    let most = bars.iter().map(|bar| bar.claims).max().unwrap_or(1);
    let bar = |Bar { label, claims, filter, is_current }: Bar| {
        view! {
            <li>
                <a href=address(id, &filter) aria-current=is_current.then_some("true")>{label}</a> " "
                <meter min="0" max=most value=claims>{claim_count(claims)}</meter> " "
                <span class="number">{format::grouped(claims)}</span>
            </li>
        }
    };
    bars.into_iter().map(bar).collect_view().into_any()
}

/// Bars of the claims by month of publication; a list to screen readers.
#[component]
pub(super) fn Months(
    id: EntityId,
    filter: ClaimsFilter,
    months: Vec<MonthLine>,
    /// Number of claims without a date of publication.
    undated: u64,
) -> impl IntoView {
    (months.len() > 1 || filter.month.is_some()).then(|| {
        let months = months.into_iter().map(|MonthLine { month: label, claims }| {
            let month = PartialDate::parse(&label);
            Bar { label, claims, is_current: filter.month == month, filter: ClaimsFilter { month, ..filter.clone() } }
        });
        let bars = bars(id, months.collect());
        let undated = (undated > 0).then(|| format!(" {} without a date.", claim_count(undated)));
        view! {
            <section aria-labelledby="months-title">
                <h2 id="months-title">"By month of publication"</h2>
                <p class="muted">"When the documents were published, not when the events happened." {undated}</p>
                <ul class="months">{bars}</ul>
            </section>
        }
    })
}

/// Bars of the claims by outlet; a list to screen readers.
#[component]
pub(super) fn OutletBars(id: EntityId, filter: ClaimsFilter, outlets: Vec<OutletLine>) -> impl IntoView {
    (outlets.len() > 1).then(|| {
        let bar = |line: OutletLine| {
            let is_current = filter.outlet == Some(line.outlet);
            let claims = line.claims(filter.mode);
            let narrowed = ClaimsFilter { outlet: Some(line.outlet), ..filter.clone() };
            Bar { label: outlet_name(line.name), claims, filter: narrowed, is_current }
        };
        let mut lines: Vec<Bar> = outlets.into_iter().map(bar).filter(|bar| bar.claims > 0 || bar.is_current).collect();
        lines.sort_by_key(|bar| Reverse(bar.claims));
        lines.truncate(OUTLETS);
        let bars = bars(id, lines);
        view! {
            <section aria-labelledby="outlet-bars-title">
                <h2 id="outlet-bars-title">"By outlet"</h2>
                <ul class="months outlets">{bars}</ul>
            </section>
        }
    })
}

/// Outlets and how they put their claims, each number a link to them.
#[component]
pub(super) fn Outlets(id: EntityId, filter: ClaimsFilter, outlets: Vec<OutletLine>) -> impl IntoView {
    let more = outlets.len().saturating_sub(OUTLETS);
    let rows =
        outlets.into_iter().take(OUTLETS).map(|line| view! { <OutletRow id filter=filter.clone() line /> }).collect_view();
    view! {
        <section aria-labelledby="outlets-title">
            <h2 id="outlets-title">"Who says what"</h2>
            <div class="scroll" role="region" aria-label="Claims by outlet, scrolls sideways" tabindex="0">
                <table class="says">
                    <thead>
                        <tr><th>"Outlet"</th><th class="number">"Asserted"</th><th class="number">"Denied"</th><th class="number">"Alleged"</th><th class="number">"Other"</th></tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            {(more > 0).then(|| view! { <p class="muted">{format!("and {}", format::count(more as u64, "more outlet", "more outlets"))}</p> })}
        </section>
    }
    .into_any()
}

#[component]
fn OutletRow(id: EntityId, filter: ClaimsFilter, line: OutletLine) -> impl IntoView {
    let name = outlet_name(line.name.clone());
    // An outlet's own claims have one outlet.
    let of = |mode| {
        let outlet = Some(line.outlet).filter(|_| !filter.is_outlet);
        address(id, &ClaimsFilter { outlet, mode, ..filter.clone() })
    };
    let cell = |mode: Mode| {
        let claims = line.claims(Some(mode));
        let number = format::grouped(claims);
        let text = match claims {
            0 => number.into_any(),
            _ => {
                let what = format!(" {} by {name}", mode.as_str());
                view! { <a href=of(Some(mode))>{number} <span class="hidden">{what}</span></a> }.into_any()
            }
        };
        view! { <td class="number">{text}</td> }
    };
    let title = match filter.is_outlet {
        true => name.clone().into_any(),
        false => view! { <a href=of(None)>{name.clone()}</a> }.into_any(),
    };
    let other = line.claims(Some(Mode::Promised)) + line.claims(Some(Mode::Forecast));
    view! {
        <tr>
            <th scope="row">{title}</th>
            {cell(Mode::Asserted)} {cell(Mode::Denied)} {cell(Mode::Alleged)}
            <td class="number">{format::grouped(other)}</td>
        </tr>
    }
}
