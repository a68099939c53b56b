//! The heat of all tensions: finding sentence, filters, board, and the table of the chosen list.

mod chosen;

use super::{detail::address, latest_text, origins_text, runs};
use crate::{
    heat::heat_text,
    heat_cache::HeatCache,
    settings::TensionSettings,
    store::TensionStore,
    taxonomy::Taxonomy,
    tension::day_start,
    view::{HeatFigures, HeatOverview, HeatedTension, TensionList, Trend},
};
use app::{
    atoms::{Columns, SampleBadge},
    format,
    parts::{EmptyState, FilterSelect, Frame, LiveScripts, NavItem, NoticeBanner, PageLinks},
};
use axum::{body::Body, http::Response};
use chosen::{Chosen, SHOWN};
use domain::{
    Scope, Timestamp,
    user::{Action, Role, User},
};
use engine::StoreResult;
use feature::{PageVisit, Web, query_string, region::Regions};
use leptos::prelude::*;
use leptos_meta::Title;
use std::sync::Arc;
use tensions_islands::{BOARD_FIELDS, BoardState, HeatBoard, HeatBoardPicture, hundredths};

pub const PAGE: &str = "/tensions";

/// Longest window of a trend in days, for which history is loaded.
const LONGEST_WINDOW: i64 = 30;

/// Chosen state of the page.
#[derive(Debug, Clone, PartialEq)]
pub struct ListQuery {
    pub state: BoardState,
    pub list: TensionList,
    pub page: u64,
}

/// Loaded page.
#[derive(Debug, Clone, PartialEq)]
pub struct TensionListView {
    pub query: ListQuery,
    pub figures: HeatFigures,
    pub board: HeatBoard,
    /// Rows of the page, and the number of all.
    pub rows: Vec<HeatedTension>,
    pub total: usize,
    pub per_page: usize,
    /// Number of active or dismissed tensions without the filters.
    pub all: usize,
    pub today: i64,
    pub least_change: u8,
    pub searched: u64,
    pub searched_at: Option<Timestamp>,
    /// Hottest tensions of the chosen cell; empty where no place and theme are chosen.
    pub chosen: Vec<HeatedTension>,
    /// Documents about strain in the chosen region, where they are few.
    pub few_documents: Option<u64>,
}

/// Handler of `GET /tensions`.
pub async fn page(visit: PageVisit) -> Response<Body> {
    let error = visit.query("error");
    let values: Vec<(&str, String)> = BOARD_FIELDS.into_iter().filter_map(|field| Some((field, visit.query(field)?))).collect();
    let query = ListQuery {
        state: BoardState::parse(&query_string(values.iter().map(|(name, value)| (*name, value.as_str())))),
        list: TensionList::parse(&visit.query("list").unwrap_or_default()),
        page: visit.query("page").and_then(|page| page.parse().ok()).unwrap_or(1).max(1),
    };
    let loaded = load(&visit.web, &visit.viewer, query).await;
    visit.show(loaded, |viewer, page| view! { <PageBody viewer page error /> }.into_any()).await
}

/// Loads the tensions that `viewer` sees.
pub async fn load(web: &Web, viewer: &User, mut query: ListQuery) -> StoreResult<TensionListView> {
    let settings = web.settings.get::<TensionSettings>();
    let scope = web.engine.listed_scope(viewer).await?;
    let overview = overview_of(web, &scope).await?;
    let store = TensionStore::new(web);
    let (searched, searched_at) = store.searched(&scope).await?;
    let per_page = settings.per_page;
    let (rows, total) = overview.page(query.list, &query.state, query.page, per_page);
    // A page behind the last is the last.
    let last = (total as u64).div_ceil(per_page as u64).max(1);
    if query.page > last {
        query.page = last;
    }
    let (rows, total) = if rows.is_empty() { overview.page(query.list, &query.state, last, per_page) } else { (rows, total) };
    let (figures, board) = (overview.figures(&query.state), overview.board(&query.state));
    let has_cell = query.state.region.is_some() && query.state.theme.is_some();
    let shown = if has_cell { SHOWN } else { 0 };
    let chosen = overview.select(TensionList::Hot, &query.state).take(shown).cloned().collect();
    let documents = match &query.state.region {
        Some(region) => {
            let codes = Regions::shared().codes_within(region);
            Some(store.documents_on(&scope, &codes, settings.few_documents).await?)
        }
        None => None,
    };
    Ok(TensionListView {
        query,
        figures,
        board,
        rows,
        total,
        per_page,
        all: overview.tensions.len(),
        today: overview.today,
        least_change: overview.least_change,
        searched,
        searched_at,
        chosen,
        few_documents: documents.filter(|documents| *documents < u64::from(settings.few_documents)),
    })
}

/// Loads all tensions that lists show to `viewer`, with their heat of today and of the days before.
pub async fn load_overview(web: &Web, viewer: &User) -> StoreResult<Arc<HeatOverview>> {
    overview_of(web, &web.engine.listed_scope(viewer).await?).await
}

async fn overview_of(web: &Web, scope: &Scope) -> StoreResult<Arc<HeatOverview>> {
    let settings = web.settings.get::<TensionSettings>();
    let days = i64::from(settings.history_days).max(LONGEST_WINDOW);
    let cache = web.memory.get_or_load("heat of tensions", async { HeatCache::default() }).await;
    cache.load(&TensionStore::new(web), &settings, scope, days, web.engine.clock.now()).await
}

#[component]
fn PageBody(viewer: User, page: TensionListView, error: Option<String>) -> impl IntoView {
    let body = match page.all == 0 {
        true => view! { <Empty searched=page.searched role=viewer.role /> }.into_any(),
        false => view! { <Overview viewer=viewer.clone() page /> }.into_any(),
    };
    view! {
        <Title text="Tensions" />
        <Frame viewer nav=NavItem::Page(PAGE)>
            <h1>"Tensions"</h1>
            <NoticeBanner code=error />
            {body}
        </Frame>
    }
    .into_any()
}

/// Text of the page without a tension.
#[component]
fn Empty(searched: u64, role: Role) -> impl IntoView {
    let text = match searched {
        0 => "No strain recorded: no documents have been read for it yet.".to_owned(),
        1 => "No strain recorded: 1 document was read for it, and it stated none.".to_owned(),
        many => format!("No strain recorded: {} documents were read for it, and nothing stated any.", format::grouped(many)),
    };
    // Agents ask which strain is behind what was read.
    let (href, button) = match searched {
        _ if !role.may(Action::Investigate) => ("/documents", "Browse documents"),
        0 if role.may(Action::Configure) => ("/sources", "Turn on sources"),
        0 => ("/documents", "Add documents"),
        _ => (runs::PAGE, "Run now"),
    };
    view! {
        <EmptyState text href button />
        <p class="muted">{STATED_ONLY}</p>
    }
}

/// Reach of the word lists, for people.
const STATED_ONLY: &str = "Strain is found where a document states it in words such as strike, shortage or threat, in English, with a \
    model or without one. Days are those of UTC.";

/// Note on evidence without a date, for people.
const UNDATED_NOTE: &str = "Evidence without a date counts less, from the day on which it was read.";

/// Meaning of the counts, for people.
const COUNT_NOTE: &str =
    "Nothing answers a tension where no response to it is still on. Texts that repeat one another are one origin.";

/// Note on invented tensions, for people.
const SAMPLE_NOTE: &str = "Tensions marked Sample are invented, also on matrix and map. The menu hides the sample.";

#[component]
fn Overview(viewer: User, page: TensionListView) -> impl IntoView {
    let TensionListView { query, board, rows, total, per_page, today, least_change, chosen, few_documents, .. } = page;
    let cell = (!chosen.is_empty()).then(|| {
        let (title, window) = (cell_title(&query.state), query.state.window);
        view! { <Chosen viewer title tensions=chosen today window least_change /> }
    });
    let few = few_documents.map(|documents| view! { <p class="muted">{few_sentence(documents)}</p> });
    let sentence = finding_sentence(&page.figures);
    let rising = format!(
        "Heat is that of {}. Rising: heat of dated evidence up by at least {} within {} days. {UNDATED_NOTE} {COUNT_NOTE}",
        format::day(day_start(today)),
        hundredths(least_change),
        query.state.window
    );
    let basis = basis_sentence(page.searched, page.searched_at, page.figures.origins);
    let last = (total as u64).div_ceil(per_page as u64).max(1);
    let (list, number) = (query.list, query.page);
    let fields = fields(&query);
    let window = query.state.window;
    let filters = view! { <Filters query=query.clone() board=board.clone() /> };
    let lists = lists(&query);
    let is_empty = rows.is_empty();
    let is_filtered = query.state.region.is_some() || query.state.theme.is_some() || query.state.unanswered;
    let has_sample = rows.iter().any(|one| one.summary.is_sample);
    let rows = rows.into_iter().map(|one| view! { <Row one today window least_change /> }).collect_view();
    view! {
        <p class="lead" role="status">{sentence}</p>
        <p class="muted">{basis} " " {STATED_ONLY} " " {rising}</p>
        {has_sample.then(|| view! { <p class="muted">{SAMPLE_NOTE}</p> })}
        {filters}
        <HeatBoardPicture board state=query.state />
        <LiveScripts />
        {cell}
        {few}
        <h2 id="all">{format!("{} tensions", list.label())}</h2>
        {lists}
        {match is_empty {
            true if is_filtered => view! {
                <EmptyState text="No tension matches these filters." href=PAGE button="Clear filters" />
            }.into_any(),
            true => {
                let (text, href, button) = no_tension(list);
                view! { <EmptyState text href button /> }.into_any()
            }
            false => view! {
                <table class="library stacked" role="table" aria-label="Tensions">
                    <Columns
                        names=&["Tension", "Heat", "Place", "Theme", "Evidence", "Responses"]
                        numbers=&["Heat", "Responses"]
                    />
                    <tbody role="rowgroup">{rows}</tbody>
                </table>
            }.into_any(),
        }}
        <PageLinks label="Pages" address=PAGE.to_owned() name="page" fields page=number last />
    }
    .into_any()
}

/// Text of an empty list without filters, and address and text of its button.
const fn no_tension(list: TensionList) -> (&'static str, &'static str, &'static str) {
    match list {
        TensionList::Hot => ("No tension has heat now.", "/tensions?list=cooled#all", "Cooled tensions"),
        TensionList::Cooled => ("No tension has cooled.", "/tensions#all", "Hot tensions"),
        TensionList::Dismissed => ("No tension was dismissed.", "/tensions#all", "Hot tensions"),
    }
}

/// `41 tensions, 6 rising, 9 that nothing answers.`
fn finding_sentence(figures: &HeatFigures) -> String {
    let tensions = format::count(figures.tensions as u64, "tension", "tensions");
    let sample = match figures.sample {
        0 => String::new(),
        sample => format!(" Of the tensions, {sample} are of the sample."),
    };
    format!("{tensions}, {} rising, {} that nothing answers.{sample}", figures.rising, figures.unanswered)
}

/// `Sahel, Food`.
fn cell_title(state: &BoardState) -> String {
    let place = Regions::shared().label(state.region.as_deref().unwrap_or_default());
    let code = state.theme.as_deref().unwrap_or_default();
    let theme = Taxonomy::shared().theme(code).map_or(code, |theme| theme.label.as_str());
    format!("{place}, {theme}")
}

/// `Only 3 documents are about strain in this region.`
fn few_sentence(documents: u64) -> String {
    match documents {
        0 => "No document is about strain in this region.".to_owned(),
        1 => "Only 1 document is about strain in this region.".to_owned(),
        some => format!("Only {some} documents are about strain in this region."),
    }
}

/// `312 documents, 74 origins; last searched 28 Nov 2026.`
fn basis_sentence(searched: u64, searched_at: Option<Timestamp>, origins: usize) -> String {
    let documents = format::count(searched, "document", "documents");
    let at = searched_at.map(|at| format!("; last searched {}", format::day(at))).unwrap_or_default();
    format!("{documents} read, {} of strain{at}.", origins_text(origins))
}

/// Fields of the address, without the page.
fn fields(query: &ListQuery) -> Vec<(&'static str, String)> {
    let list = Some(query.list.as_str().to_owned()).filter(|list| !list.is_empty());
    BoardState { list, ..query.state.clone() }.fields()
}

/// Links to the three lists, in the state of the page.
fn lists(query: &ListQuery) -> AnyView {
    let links = TensionList::ALL.into_iter().map(|list| {
        let query = ListQuery { list, ..query.clone() };
        let address = format!("{PAGE}?{}#all", format::query_string(fields(&query)));
        (address, list)
    });
    let current = query.list;
    let items = links
        .map(|(href, list)| {
            view! { <li><a href=href aria-current=(list == current).then_some("page")>{list.label()}</a></li> }
        })
        .collect_view();
    view! { <nav class="report-tabs" aria-label="Lists of tensions"><ul>{items}</ul></nav> }.into_any()
}

#[component]
fn Filters(query: ListQuery, board: HeatBoard) -> impl IntoView {
    let hidden = fields(&query).into_iter().filter(|(name, _)| ["day", "list", "view"].contains(name));
    let hidden = hidden.map(|(name, value)| view! { <input type="hidden" name=name value=value /> }).collect_view();
    let ListQuery { state, .. } = query;
    let regions = Regions::shared();
    let mut places: Vec<(String, String)> = board.regions.into_iter().map(|place| (place.code, place.label)).collect();
    // A country or area that was chosen on the board.
    if let Some(region) = state.region.as_ref().filter(|region| places.iter().all(|(code, _)| code != *region)) {
        places.push((region.clone(), regions.label(region).to_owned()));
    }
    let themes: Vec<(String, String)> = board.themes.into_iter().map(|theme| (theme.code, theme.label)).collect();
    let long = LONGEST_WINDOW.to_string();
    let window = if i64::from(state.window) == LONGEST_WINDOW { long.clone() } else { String::new() };
    view! {
        <form method="get" action=PAGE class="filters" aria-label="Filters">
            {hidden}
            <FilterSelect name="region" label="Region" every="Every region" chosen=state.region.unwrap_or_default() options=places />
            <FilterSelect name="theme" label="Theme" every="Every theme" chosen=state.theme.unwrap_or_default() options=themes />
            <FilterSelect name="window" label="Trend over" every="7 days" chosen=window options=vec![(long, "30 days")] />
            <label class="filter">
                <span>"Responses"</span>
                <span><input type="checkbox" name="unanswered" value="1" checked=state.unanswered /> " unanswered only"</span>
            </label>
            <button type="submit" class="quiet">"Filter"</button>
        </form>
    }
    .into_any()
}

/// Address of a tension with those of its sections, and the text of its evidence.
struct TensionLinks {
    href: String,
    terms: String,
    evidenced: String,
    answered: String,
    evidence: String,
}

impl TensionLinks {
    fn new(one: &HeatedTension, today: i64) -> Self {
        let href = address(one.summary.tension.id);
        Self {
            terms: format!("{href}#why"),
            evidenced: format!("{href}#timeline"),
            answered: format!("{href}#answers"),
            evidence: format!("{}, {}", origins_text(one.origins.len()), latest_text(one.latest, today)),
            href,
        }
    }
}

#[component]
fn Row(one: HeatedTension, today: i64, window: u16, least_change: u8) -> impl IntoView {
    let direction = one.trend(window, least_change);
    let tension = &one.summary.tension;
    let theme = Taxonomy::shared().theme(&tension.theme).map_or_else(|| tension.theme.clone(), |theme| theme.label.clone());
    let TensionLinks { href, terms, evidenced, answered, evidence } = TensionLinks::new(&one, today);
    let (title, statement) = (tension.title.clone(), format::abridged(&tension.statement, 160));
    view! {
        <tr role="row">
            <td role="cell">
                <a href=href>{title}</a> " " <SampleBadge is_shown=one.summary.is_sample />
                <p class="muted">{statement}</p>
            </td>
            <td role="cell" data-label="Heat" class="number">
                <a class="heat-terms" href=terms>{heat_text(one.heat())}</a> <TrendMark trend=direction />
            </td>
            <td role="cell" data-label="Place">{tension.region.label()}</td>
            <td role="cell" data-label="Theme">{theme}</td>
            <td role="cell" data-label="Evidence"><a class="heat-terms" href=evidenced>{evidence}</a></td>
            <td role="cell" data-label="Responses" class="number">
                <a class="heat-terms" href=answered>{format::grouped(one.summary.responses)}</a>
            </td>
        </tr>
    }
    .into_any()
}

/// Arrow of a trend, with its word for those who do not see it.
#[component]
pub fn TrendMark(trend: Trend) -> impl IntoView {
    (trend != Trend::Steady).then(|| {
        view! { " " <span aria-hidden="true">{trend.arrow()}</span><span class="hidden">{trend.word()}</span> }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn empty(searched: u64) -> TensionListView {
        let state = BoardState::default();
        let overview = HeatOverview { tensions: vec![], today: 20_000, days: 30, least_change: 5 };
        TensionListView {
            figures: overview.figures(&state),
            board: overview.board(&state),
            query: ListQuery { state, list: TensionList::Hot, page: 1 },
            rows: vec![],
            total: 0,
            per_page: 25,
            all: 0,
            today: overview.today,
            least_change: 5,
            searched,
            searched_at: None,
            chosen: vec![],
            few_documents: None,
        }
    }

    #[test]
    fn an_empty_page_says_what_was_read_and_how_to_go_on() {
        let draw = |searched| {
            feature::testing::render_page(move |viewer| {
                view! { <PageBody viewer page=empty(searched) error=None /> }.into_any()
            })
        };
        let html = draw(312);
        assert!(html.contains("312 documents were read for it, and nothing stated any"), "{html}");
        assert!(html.contains("href=\"/tensions/runs\"") && html.contains("Run now"), "{html}");
        let html = draw(0);
        assert!(html.contains("no documents have been read") && html.contains("Add documents"), "{html}");
    }

    #[test]
    fn the_finding_is_a_sentence() {
        let figures = HeatFigures { tensions: 41, sample: 0, rising: 6, unanswered: 9, origins: 74 };
        assert_eq!(finding_sentence(&figures), "41 tensions, 6 rising, 9 that nothing answers.");
        let invented = HeatFigures { sample: 12, ..figures };
        assert!(finding_sentence(&invented).ends_with("nothing answers. Of the tensions, 12 are of the sample."));
        let at = Timestamp::parse("2026-11-28");
        assert_eq!(basis_sentence(312, at, 74), "312 documents read, 74 origins of strain; last searched 28 Nov 2026.");
    }
}
