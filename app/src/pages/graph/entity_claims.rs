//! Claims about an entity, narrowed by mode, outlet and month of publication, each with its quote.

mod numbers;

use super::{ClaimItem, EntityTab, EntityTabs, Visit, id_in_path, query, render_page};
use crate::prelude::*;
use domain::claim::Mode;
use numbers::{Months, OutletBars, Outlets};
use views::graph::{ClaimsFilter, EntityClaimsView, OutletFilter};

/// Modes that are offered without claims, too: a 0 shows that there are no denials.
const ALWAYS_OFFERED: [Mode; 3] = [Mode::Asserted, Mode::Denied, Mode::Alleged];

async fn load_entity_claims(id: String, filter: ClaimsFilter) -> Result<Visit<EntityClaimsView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let Ok(id) = id.parse::<EntityId>() else { return Err(AppError::not_found("entity")) };
    let page = engine.entity_claims_view(&viewer, id, filter).await?.ok_or_else(|| AppError::not_found("entity"))?;
    if page.entity.id != id {
        crate::session::see_other(&address(page.entity.id, &page.filter));
    }
    Ok(Visit { viewer, page })
}

#[component]
pub fn EntityClaimsPage() -> impl IntoView {
    render_page(load_entity_claims(id_in_path(), ClaimsFilter::from_address(query)), |Visit { viewer, page }| {
        view! { <PageBody viewer page /> }.into_any()
    })
}

/// Returns the address of the first page of the claims that pass a filter.
fn address(id: EntityId, filter: &ClaimsFilter) -> String {
    let path = format!("/entities/{id}/claims");
    match format::query_string(filter.pairs()) {
        query if query.is_empty() => path,
        query => format!("{path}?{query}"),
    }
}

/// Returns the name of an outlet for readers.
fn outlet_name(name: Option<String>) -> String {
    name.unwrap_or_else(|| "No outlet named".to_owned())
}

#[component]
pub(in crate::pages) fn PageBody(viewer: User, page: EntityClaimsView) -> impl IntoView {
    let EntityClaimsView { entity, filter, claims, total, per_page, all, outlet, modes, outlets, months, undated } = page;
    let id = entity.id;
    let count = match filter.is_narrowed() {
        true => format!("{} of {}", format::grouped(total), claim_count(all)),
        false => claim_count(total),
    };
    let overview = (format!("/entities/{id}"), "Overview");
    let nothing = match (total, filter.is_narrowed(), filter.is_outlet) {
        (0, true, _) => Some(("No claims pass the filters.", (format!("/entities/{id}/claims"), "Clear filters"))),
        (0, false, true) => Some(("It published no claims.", overview)),
        (0, false, false) => Some(("No claims about it.", overview)),
        _ => None,
    };
    let items = claims.into_iter().map(|line| view! { <ClaimItem line /> }).collect_view();
    let (page, last) = (filter.page, total.div_ceil(per_page.max(1)));
    let first = (page - 1) * per_page + 1;
    view! {
        <Title text=format!("Claims · {}", entity.name) />
        <Frame viewer nav=NavItem::Entities>
            <Breadcrumbs above=[("Entities", "/entities".to_owned())] here=entity.name.clone() />
            <p class="overline">{entity.kind}</p>
            <h1>{entity.name}</h1>
            <EntityTabs id tab=EntityTab::Claims />
            <div class="with-margin" data-panels="">
                <section aria-labelledby="claims-title">
                    <h2 id="claims-title">{count}</h2>
                    <Side id is_outlet=filter.is_outlet />
                    <ModeFilter id filter=filter.clone() modes />
                    <SetFilters id filter=filter.clone() outlet />
                    {nothing.map(|(text, (href, button))| view! { <EmptyState text href button /> })}
                    <ol class="claim-list" start=first>{items}</ol>
                    <PageLinks label="Pages of claims" address=format!("/entities/{id}/claims") name="page" fields=filter.pairs() page last />
                </section>
                <div class="margin">
                    <Months id filter=filter.clone() months undated />
                    <OutletBars id filter=filter.clone() outlets=outlets.clone() />
                    <Outlets id filter outlets />
                </div>
            </div>
        </Frame>
    }
    .into_any()
}

fn claim_count(claims: u64) -> String {
    format::count(claims, "claim", "claims")
}

/// Choice between the claims about an entity and those that it published.
#[component]
fn Side(id: EntityId, is_outlet: bool) -> impl IntoView {
    let of = |is_outlet: bool| address(id, &ClaimsFilter { is_outlet, ..ClaimsFilter::default() });
    view! {
        <p class="sorts">
            <a href=of(false) aria-current=(!is_outlet).then_some("true")>"About it"</a> " "
            <a href=of(true) aria-current=is_outlet.then_some("true")>"Published by it"</a>
        </p>
    }
}

/// Modes as links, each with its number of claims.
#[component]
fn ModeFilter(id: EntityId, filter: ClaimsFilter, modes: Vec<(Mode, u64)>) -> impl IntoView {
    let all: u64 = modes.iter().map(|(_, claims)| claims).sum();
    let chosen = filter.mode;
    let link = move |mode: Option<Mode>, claims: u64| {
        let text = format!("{} {}", mode.map_or("all", Mode::as_str), format::grouped(claims));
        if claims == 0 && mode != chosen {
            return view! { <span>{text}</span> " " }.into_any();
        }
        let href = address(id, &ClaimsFilter { mode, ..filter.clone() });
        view! { <a href=href aria-current=(mode == chosen).then_some("true")>{text}</a> " " }.into_any()
    };
    let offered = modes
        .into_iter()
        .filter(|(mode, claims)| *claims > 0 || chosen == Some(*mode) || ALWAYS_OFFERED.contains(mode))
        .map(|(mode, claims)| link(Some(mode), claims))
        .collect_view();
    view! { <p class="sorts">"Put as " {link(None, all)} {offered}</p> }.into_any()
}

/// Filters that are set, each with a link that removes it.
#[component]
fn SetFilters(
    id: EntityId,
    filter: ClaimsFilter,
    /// Name of its outlet.
    outlet: Option<String>,
) -> impl IntoView {
    let mut set: Vec<(String, ClaimsFilter)> = vec![];
    if let Some(mode) = filter.mode {
        set.push((format::capitalised(mode.as_str()), ClaimsFilter { mode: None, ..filter.clone() }));
    }
    if let Some(chosen) = filter.outlet {
        let name = match chosen {
            OutletFilter::Entity(_) if outlet.is_none() => "Unknown outlet".to_owned(),
            _ => outlet_name(outlet),
        };
        set.push((name, ClaimsFilter { outlet: None, ..filter.clone() }));
    }
    if let Some(month) = filter.month {
        set.push((format!("Published {month}"), ClaimsFilter { month: None, ..filter.clone() }));
    }
    (!set.is_empty()).then(|| {
        let chips = set.into_iter().map(|(text, without)| {
            view! { <li><a class="button outline" href=address(id, &without)>{text} " " <span aria-hidden="true">"×"</span><span class="hidden">" Remove this filter"</span></a></li> }
        });
        let chips = chips.collect_view();
        view! { <ul class="search-filters" aria-label="Filters that are set">{chips}</ul> }
    })
}
