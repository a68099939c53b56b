//! Frames of pages: skip link, areas with their second row, and landmarks; a plain frame before sign-in.

mod areas;
mod breadcrumbs;
mod menu;

pub use breadcrumbs::Breadcrumbs;

use super::ThemeSwitch;
use crate::{Area, prelude::*};
use areas::{AreaPage, ShownPages};
use menu::MenuItems;

/// Page of the navigation: of the bar, or of the second row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NavItem {
    Dashboard,
    Assessments,
    Graph,
    Entities,
    Duplicates,
    Documents,
    NewInvestigation,
    Sources,
    People,
    Settings,
    Account,
    Search,
    /// A page of a feature, by its address.
    Page(&'static str),
    Other,
}

impl NavItem {
    /// Returns the address of a page of a feature; empty for the others.
    const fn address(self) -> &'static str {
        match self {
            Self::Page(address) => address,
            _ => "",
        }
    }
}

/// Frame of a page for a signed-in user. People who may add nothing see the areas in which they read something.
#[component]
pub fn Frame(viewer: User, nav: NavItem, children: Children) -> impl IntoView {
    let Some(port) = ShownPages::port_for(viewer.role) else {
        let shown = ShownPages::of_role(viewer.role);
        return frame_of_pages(viewer, nav, &shown, children);
    };
    Suspend::new(async move {
        let shown = ShownPages::find(&viewer, &port).await;
        frame_of_pages(viewer, nav, &shown, children)
    })
    .into_any()
}

/// Frame with the pages that are shown.
fn frame_of_pages(viewer: User, nav: NavItem, shown: &ShownPages, children: Children) -> AnyView {
    let may_ask = viewer.role.may(Action::Investigate);
    let ask = may_ask.then(|| {
        let current = (nav == NavItem::NewInvestigation).then_some("page");
        view! { <a class="button bar-ask" href="/investigations/new" aria-label="Ask a question" aria-current=current>"Ask"</a> }
    });
    let bar = Slot::Bar { viewer: viewer.id, address: nav.address() };
    let areas: Vec<(Area, Vec<AreaPage>)> = Area::ALL.map(|area| (area, shown.of_area(area))).into();
    let destinations = areas.iter().map(|(area, pages)| area_link(*area, pages, nav)).collect_view();
    let second_row = areas.iter().map(|(area, pages)| second_row(*area, pages, nav)).collect_view();
    let thumb =
        |wanted: Area| areas.iter().find(|(area, _)| *area == wanted).and_then(|(area, pages)| area_link(*area, pages, nav));
    let (tensions, monitor) = (thumb(Area::Tensions), thumb(Area::Monitor));
    let shortcuts = if viewer.preferences.shortcuts_off { "off" } else { "on" };
    view! {
        <a class="skip" href="#main">"Skip to the content"</a>
        <header class="bar" data-shortcuts=shortcuts>
            <a class="wordmark" href="/" aria-label="AutOSINT, home"><Wordmark /></a>
            <nav aria-label="Main" class="bar-nav">
                {destination(nav == NavItem::Dashboard, "/", "Home")}
                {destinations}
            </nav>
            <form method="get" action="/search" role="search" aria-label="Everything" class="bar-search">
                <label for="find" class="hidden">"Search everything"</label>
                <input id="find" name="q" type="search" placeholder="Search" maxlength="300" autocomplete="off" />
            </form>
            <a class="bar-find" href="/search" aria-label="Search" aria-current=(nav == NavItem::Search).then_some("page")>"⌕"</a>
            {ask}
            <Pieces at=bar />
            <details class="menu bar-menu">
                <summary><span class="hidden">"Menu of "</span><span class="who-name">{viewer.name.clone()}</span></summary>
                <MenuItems viewer=viewer.clone() shown=shown.clone() />
            </details>
        </header>
        {second_row}
        <main id="main" tabindex="-1">{children()}</main>
        <nav aria-label="Tabs" class="tabs">
            {destination(nav == NavItem::Dashboard, "/", "Home")}
            {tensions}
            {may_ask.then(|| destination(nav == NavItem::NewInvestigation, "/investigations/new", "Ask"))}
            {monitor}
            <details class="menu">
                <summary>"More"</summary>
                <MenuItems viewer shown=shown.clone() />
            </details>
        </nav>
    }
    .into_any()
}

fn destination(is_current: bool, href: &'static str, text: &'static str) -> AnyView {
    view! { <a href=href aria-current=is_current.then_some("page")>{text}</a> }.into_any()
}

fn holds(pages: &[AreaPage], nav: NavItem) -> bool {
    pages.iter().any(|(item, ..)| *item == nav)
}

/// Link to the first page of an area; none without one. A key after `g` leads to each: the first letter of its name.
fn area_link(area: Area, pages: &[AreaPage], nav: NavItem) -> Option<AnyView> {
    let &(_, href, _) = pages.first()?;
    Some(destination(holds(pages, nav), href, area.name()))
}

/// Pages of the area that is open, where it has several.
fn second_row(area: Area, pages: &[AreaPage], nav: NavItem) -> Option<AnyView> {
    let links = pages.iter().map(|&(item, href, text)| destination(item == nav, href, text)).collect_view();
    (pages.len() > 1 && holds(pages, nav))
        .then(|| view! { <nav aria-label=area.name() class="subnav">{links}</nav> }.into_any())
}

/// Frame of the pages before sign-in.
#[component]
pub fn AuthLayout(children: Children) -> impl IntoView {
    view! {
        <a class="skip" href="#main">"Skip to the content"</a>
        <header class="bar">
            <a class="wordmark" href="/" aria-label="AutOSINT, home"><Wordmark /></a>
            <div class="bar-end"><ThemeSwitch /></div>
        </header>
        <main id="main" class="auth" tabindex="-1">{children()}</main>
    }
}

/// The name, with the mark of a bearing taken: a ring, its centre, and a line out.
#[component]
fn Wordmark() -> impl IntoView {
    view! {
        <svg class="bearing" viewBox="0 0 24 24" aria-hidden="true">
            <circle cx="11" cy="13" r="8" class="bearing-ring" />
            <path d="M11 13 22 2" class="bearing-line" />
            <circle cx="11" cy="13" r="2.2" class="bearing-dot" />
        </svg>
        <span>"AutOSINT"</span>
    }
}
