//! Claims about an entity: when they were published, who says what, and each with its quote.

use super::{ClaimItem, EntityTab, EntityTabs, Visit, id_in_path, query, render_page};
use crate::{
    AppError, format,
    parts::{Breadcrumbs, Frame, NavItem},
};
use domain::{EntityId, claim::Mode, user::User};
use leptos::prelude::*;
use leptos_meta::Title;
use views::graph::{EntityClaimsView, MonthLine, OutletLine};

/// Outlets shown; further ones are counted.
const OUTLETS: usize = 12;

async fn load_entity_claims(id: String, mode: Option<Mode>, is_outlet: bool) -> Result<Visit<EntityClaimsView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let Ok(id) = id.parse::<EntityId>() else { return Err(AppError::not_found("entity")) };
    let page = engine.entity_claims_view(&viewer, id, mode, is_outlet).await?.ok_or_else(|| AppError::not_found("entity"))?;
    if page.entity.id != id {
        crate::session::see_other(&format!("/entities/{}/claims", page.entity.id));
    }
    Ok(Visit { viewer, page })
}

const MODES: [Mode; 5] = [Mode::Asserted, Mode::Denied, Mode::Alleged, Mode::Promised, Mode::Forecast];

#[component]
pub fn EntityClaimsPage() -> impl IntoView {
    let mode = query("mode").and_then(|text| MODES.into_iter().find(|mode| format::mode(*mode) == text));
    render_page(load_entity_claims(id_in_path(), mode, query("published").is_some()), |Visit { viewer, page }| {
        view! { <PageBody viewer page /> }.into_any()
    })
}

#[component]
fn PageBody(viewer: User, page: EntityClaimsView) -> impl IntoView {
    let EntityClaimsView { entity, claims, limit, mode, is_outlet, outlets, months } = page;
    let total: u64 = outlets.iter().map(OutletLine::total).sum();
    let title = match (claims.len() >= limit, mode) {
        (true, None) if total as usize > limit => format!("The newest {limit} of {total} claims"),
        (true, Some(mode)) => format!("The newest {limit} claims that are {}", format::mode(mode)),
        _ => format::count(claims.len() as u64, "claim", "claims"),
    };
    let items = claims.into_iter().map(|line| view! { <ClaimItem line /> }).collect_view();
    view! {
        <Title text=format!("Claims · {}", entity.name) />
        <Frame viewer nav=NavItem::Graph>
            <Breadcrumbs above=[("Entities", "/entities".to_owned())] here=entity.name.clone() />
            <p class="overline">{entity.kind}</p>
            <h1>{entity.name}</h1>
            <EntityTabs id=entity.id tab=EntityTab::Claims />
            <div class="with-margin" data-panels="">
                <section aria-labelledby="claims-title">
                    <h2 id="claims-title">{title}</h2>
                    <Side id=entity.id is_outlet />
                    <ModeFilter id=entity.id mode is_outlet />
                    {(total == 0).then(|| view! { <p>{if is_outlet { "It published no claims." } else { "No claims about it." }}</p> })}
                    <ol class="claim-list">{items}</ol>
                </section>
                <div class="margin">
                    <Months months />
                    <OutletBars outlets=outlets.clone() />
                    <Outlets outlets />
                </div>
            </div>
        </Frame>
    }
    .into_any()
}

/// Choice between the claims about an entity and those that it published.
#[component]
fn Side(id: EntityId, is_outlet: bool) -> impl IntoView {
    let address = format!("/entities/{id}/claims");
    view! {
        <p class="sorts">
            <a href=address.clone() aria-current=(!is_outlet).then_some("true")>"About it"</a> " "
            <a href=format!("{address}?published=1") aria-current=is_outlet.then_some("true")>"Published by it"</a>
        </p>
    }
}

#[component]
fn ModeFilter(id: EntityId, mode: Option<Mode>, is_outlet: bool) -> impl IntoView {
    let address = format!("/entities/{id}/claims?{}", if is_outlet { "published=1&" } else { "" });
    let links = MODES
        .into_iter()
        .map(|one| {
            let text = format::mode(one);
            view! { <a href=format!("{address}mode={text}") aria-current=(mode == Some(one)).then_some("true")>{text}</a> " " }
        })
        .collect_view();
    view! { <p class="sorts">"Show " <a href=address.clone() aria-current=mode.is_none().then_some("true")>"all"</a> " " {links}</p> }
}

/// Bars of the claims by month; a list to screen readers.
#[component]
fn Months(months: Vec<MonthLine>) -> impl IntoView {
    (months.len() > 1).then(|| {
        let bars = bars(months.into_iter().map(|MonthLine { month, claims }| (month, claims)).collect());
        view! {
            <section aria-labelledby="months-title">
                <h2 id="months-title">"By month"</h2>
                <ul class="months">{bars}</ul>
            </section>
        }
    })
}

/// Bars of the claims by outlet; a list to screen readers.
#[component]
fn OutletBars(outlets: Vec<OutletLine>) -> impl IntoView {
    (outlets.len() > 1).then(|| {
        let number = |line: OutletLine| {
            let claims = line.total();
            (name(line), claims)
        };
        let bars = bars(outlets.into_iter().take(OUTLETS).map(number).collect());
        view! {
            <section aria-labelledby="outlet-bars-title">
                <h2 id="outlet-bars-title">"By outlet"</h2>
                <ul class="months outlets">{bars}</ul>
            </section>
        }
    })
}

fn name(line: OutletLine) -> String {
    line.outlet.unwrap_or_else(|| "No outlet named".to_owned())
}

/// A labelled bar for each number of claims.
fn bars(numbers: Vec<(String, u64)>) -> AnyView {
    let most = numbers.iter().map(|(_, claims)| *claims).max().unwrap_or(1);
    let bar = |(label, claims): (String, u64)| {
        let count = format::count(claims, "claim", "claims");
        view! { <li><span>{label}</span> <meter min="0" max=most value=claims>{count}</meter> <span class="number">{claims}</span></li> }
    };
    numbers.into_iter().map(bar).collect_view().into_any()
}

/// Which outlets say so, and how.
#[component]
fn Outlets(outlets: Vec<OutletLine>) -> impl IntoView {
    let more = outlets.len().saturating_sub(OUTLETS);
    let rows = outlets
        .into_iter()
        .take(OUTLETS)
        .map(|line| {
            let cell = |count: u64| view! { <td class="number">{count}</td> };
            view! {
                <tr>
                    <th scope="row">{line.outlet.unwrap_or_else(|| "No outlet named".to_owned())}</th>
                    {cell(line.asserted)} {cell(line.denied)} {cell(line.alleged)} {cell(line.other)}
                </tr>
            }
        })
        .collect_view();
    view! {
        <section aria-labelledby="outlets-title">
            <h2 id="outlets-title">"Who says what"</h2>
            <div class="scroll" role="region" aria-label="Claims by outlet, scrolls sideways" tabindex="0">
                <table>
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
