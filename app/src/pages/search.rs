//! Search over everything that the viewer may see, grouped by kind.

mod added;
mod address;
mod hits;

pub use added::{AddedSource, SourceHits, added_groups};

use super::{Visit, query, render_page};
use crate::{parts::assessment::AskButton, prelude::*};
use address::{address, from_address, kind_text, value_text};
use hits::{Added, Group};
use views::{AddedGroup, FacetKind, SearchFacet, SearchGroup, SearchKind, SearchOrder, SearchQuery, SearchView};

/// Values of a filter that are offered.
const VALUES: usize = 8;

async fn load_search(mut query: SearchQuery) -> Result<Visit<SearchView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let sources = Contributions::of_page().sources;
    if !sources.iter().any(|source| source.key == query.only_added) {
        query.only_added.clear();
    }
    let mut page = engine.search_view(&viewer, query).await?;
    page.added = added_groups(&sources, &viewer, &page.query, engine.config.pages.search_hits as usize).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn SearchPage() -> impl IntoView {
    render_page(load_search(from_address(query)), |Visit { viewer, page }| view! { <PageBody viewer page /> }.into_any())
}

#[component]
pub(super) fn PageBody(viewer: User, page: SearchView) -> impl IntoView {
    let SearchView { query, groups, added, facets } = page;
    let has_words = !query.words.is_empty();
    let place = Slot::Filters {
        page: "search",
        viewer: viewer.clone(),
        query: format::query_string(address::pairs(&query)),
        is_chosen: has_words,
    };
    let title = if has_words { format!("{} · Search", query.words) } else { "Search".to_owned() };
    let is_filtered = query.filters_claims() || query.has_period() || !query.entity_kind.is_empty();
    let all = SearchQuery {
        words: query.words.clone(),
        only: query.only,
        only_added: query.only_added.clone(),
        ..Default::default()
    };
    let found = if is_filtered || query.only.is_some() || !query.only_added.is_empty() {
        "Nothing here contains"
    } else {
        "Nothing contains"
    };
    let (may_ask, words) = (viewer.role.may(Action::Investigate), query.words.clone());
    let nothing = (groups.is_empty() && added.is_empty() && has_words).then(|| {
        let text = format!("{found} “{}”{}.", query.words, if is_filtered { " and passes the filters" } else { "" });
        let empty = match (is_filtered, may_ask) {
            (true, _) => view! { <EmptyState text href=address(&all) button="Clear filters" /> }.into_any(),
            (false, true) => {
                view! { <div class="empty"><p>{text}</p> <AskButton draft=words text="Ask it" /></div> }.into_any()
            }
            (false, false) => view! { <EmptyState text href="/documents" button="Browse documents" /> }.into_any(),
        };
        view! { <div role="status">{empty}</div> }
    });
    let kinds = has_words.then(|| view! { <Kinds query=query.clone() groups=groups.clone() added=added.clone() /> });
    let narrow = has_words.then(|| view! { <Narrow query=query.clone() facets /> });
    let groups = groups.into_iter().map(|group| view! { <Group group query=query.clone() /> }).collect_view();
    let added = added.into_iter().map(|group| view! { <Added group query=query.clone() /> }).collect_view();
    view! {
        <Title text=title />
        <Frame viewer nav=NavItem::Search>
            <h1>"Search"</h1>
            <Form query />
            <Pieces at=place />
            {has_words.then(|| view! {
                <p><button type="button" class="quiet needs-script" data-copy-link="query">"Copy link"</button></p>
            })}
            {kinds}
            <div class="with-margin">
                <div>{nothing} {groups} {added}</div>
                <div class="margin">{narrow}</div>
            </div>
        </Frame>
    }
    .into_any()
}

/// Words, period and order; the other filters are kept.
#[component]
fn Form(query: SearchQuery) -> impl IntoView {
    let kept = SearchQuery { words: String::new(), from: None, until: None, order: SearchOrder::Relevance, ..query.clone() };
    let hidden = address::pairs(&kept).into_iter().map(|(key, value)| view! { <input type="hidden" name=key value=value /> });
    let hidden = hidden.collect_view();
    let sort = if query.order == SearchOrder::Newest { "newest" } else { "" };
    view! {
        <form method="get" action="/search" class="filters" role="search" aria-label="Filter the hits">
            {hidden}
            <div class="filter-words">
                <label for="q" class="hidden">"Words to search for"</label>
                <input id="q" name="q" type="search" value=query.words placeholder="Assessments, entities, claims, documents" maxlength="300" />
            </div>
            <PeriodFields label="Published from" from=query.from until=query.until />
            <FilterSelect name="sort" label="Sort by" every="Relevance" chosen=sort options=vec![("newest", "Newest")] />
            <button type="submit">"Search"</button>
        </form>
    }
}

/// Kinds as links, each with its number of matches where it was searched.
#[component]
fn Kinds(query: SearchQuery, groups: Vec<SearchGroup>, added: Vec<AddedGroup>) -> impl IntoView {
    let everything = SearchQuery { only: None, only_added: String::new(), ..query.clone() };
    let is_everything = query.only.is_none() && query.only_added.is_empty();
    let link = |kind: SearchKind| {
        let group = groups.iter().find(|group| group.kind == kind);
        let count = group.map(|group| (group.total, group.is_at_least));
        let href = address(&SearchQuery { only: Some(kind), ..everything.clone() });
        kind_link(kind_text(kind), href, query.only == Some(kind), count.or_else(|| query.covers(kind).then_some((0, false))))
    };
    let links = SearchKind::ALL.map(link).into_iter().collect_view();
    let link = |source: &AddedSource| {
        let group = added.iter().find(|group| group.key == source.key);
        let count = group.map(|group| (group.hits.len() as u64, group.is_at_least));
        let href = address(&SearchQuery { only_added: source.key.to_owned(), ..everything.clone() });
        let count = count.or_else(|| query.covers_added(source.key).then_some((0, false)));
        kind_link(source.title, href, query.only_added == source.key, count)
    };
    let added = Contributions::of_page().sources.iter().map(link).collect_view();
    view! {
        <nav class="report-tabs" aria-label="Kinds of results">
            <ul>
                <li><a href=address(&everything) aria-current=is_everything.then_some("page")>"All"</a></li>
                {links} {added}
            </ul>
        </nav>
    }
    .into_any()
}

/// Returns the link of a kind with its number of matches, and whether there may be more; no number where the kind was not searched.
fn kind_link(title: &'static str, href: String, is_current: bool, count: Option<(u64, bool)>) -> impl IntoView {
    let count = count.map(|(count, is_at_least)| format!("{}{}", format::grouped(count), if is_at_least { "+" } else { "" }));
    let count = count.map(|count| view! { " " <span class="muted">{count}</span> });
    view! { <li><a href=href aria-current=is_current.then_some("page")>{title} {count}</a></li> }
}

/// Filters that are set, each with a link that removes it, and values that narrow the search further.
#[component]
fn Narrow(query: SearchQuery, facets: Vec<SearchFacet>) -> impl IntoView {
    let period = query.from.is_some() || query.until.is_some();
    let labels = facets.clone();
    let label = move |kind: FacetKind, value: String| {
        let known = labels.iter().filter(|facet| facet.kind == kind).flat_map(|facet| &facet.values);
        known.clone().find(|one| one.value == value).map_or(value, |one| value_text(kind, &one.label))
    };
    let mut set: Vec<(String, SearchQuery)> = vec![];
    if let Some(outlet) = query.outlet {
        set.push((label(FacetKind::Outlet, outlet.to_string()), SearchQuery { outlet: None, ..query.clone() }));
    }
    if let Some(attribution) = query.attribution {
        let text = sentence_case(format::attribution(attribution));
        set.push((text, SearchQuery { attribution: None, ..query.clone() }));
    }
    if let Some(mode) = query.mode {
        set.push((sentence_case(mode.as_str()), SearchQuery { mode: None, ..query.clone() }));
    }
    if !query.entity_kind.is_empty() {
        set.push((query.entity_kind.clone(), SearchQuery { entity_kind: String::new(), ..query.clone() }));
    }
    if period {
        set.push((address::period_text(&query), SearchQuery { from: None, until: None, ..query.clone() }));
    }
    let chips = set.into_iter().map(|(text, without)| {
        view! { <li><a class="button outline" href=address(&without)>{text} " " <span aria-hidden="true">"×"</span><span class="hidden">" Remove this filter"</span></a></li> }
    });
    let chips = chips.collect_view();
    let lists = facets.into_iter().map(|facet| view! { <Facet query=query.clone() facet /> }).collect_view();
    view! {
        <ul class="search-filters" aria-label="Filters that are set">{chips}</ul>
        {lists}
    }
}

#[component]
fn Facet(query: SearchQuery, facet: SearchFacet) -> impl IntoView {
    let SearchFacet { kind, values } = facet;
    let (title, id) = match kind {
        FacetKind::Outlet => ("Outlet", "facet-outlet"),
        FacetKind::Attribution => ("Attribution", "facet-attribution"),
        FacetKind::Mode => ("Put as", "facet-mode"),
        FacetKind::Year => ("Year of publication", "facet-year"),
        FacetKind::EntityKind => ("Kind of entity", "facet-kind"),
    };
    let items = values.into_iter().take(VALUES).map(|value| {
        let href = address(&address::narrowed(&query, kind, &value.value));
        view! { <li><a href=href>{value_text(kind, &value.label)}</a> " " <span class="muted">{format::grouped(value.count)}</span></li> }
    });
    let items = items.collect_view();
    view! {
        <section aria-labelledby=id>
            <h2 id=id class="small-title">{title}</h2>
            <ul class="copies">{items}</ul>
        </section>
    }
}

fn sentence_case(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
