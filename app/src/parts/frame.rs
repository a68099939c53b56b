//! Frames of pages: skip link, navigation by objects and landmarks; a plain frame before sign-in.

mod breadcrumbs;
mod menu;

pub use breadcrumbs::Breadcrumbs;

use super::ThemeSwitch;
use crate::{Contributions, Pieces, Slot};
use domain::user::{Action, Role, User};
use leptos::prelude::*;
use menu::MenuItems;

/// Item of the navigation bar, or of a section below it.
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

    const fn is_library(self) -> bool {
        matches!(self, Self::Documents | Self::Sources)
    }

    const fn is_explore(self) -> bool {
        matches!(self, Self::Graph | Self::Entities | Self::Duplicates)
    }
}

/// Frame of a page for a signed-in user.
#[component]
pub fn Frame(viewer: User, nav: NavItem, children: Children) -> impl IntoView {
    let may_ask = viewer.role.may(Action::Investigate);
    let ask = may_ask.then(|| {
        let current = (nav == NavItem::NewInvestigation).then_some("page");
        view! { <a class="button bar-ask" href="/investigations/new" aria-label="Ask a question" aria-current=current>"Ask"</a> }
    });
    let bar = Slot::Bar { viewer: viewer.id, address: nav.address() };
    let shortcuts = if viewer.preferences.shortcuts_off { "off" } else { "on" };
    view! {
        <a class="skip" href="#main">"Skip to the content"</a>
        <header class="bar" data-shortcuts=shortcuts>
            <a class="wordmark" href="/" aria-label="AutOSINT, home"><Wordmark /></a>
            <nav aria-label="Main" class="bar-nav">
                <Destinations nav role=viewer.role />
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
                <MenuItems viewer=viewer.clone() />
            </details>
        </header>
        {nav.is_library().then(|| view! { <LibraryTabs nav /> })}
        {nav.is_explore().then(|| view! { <ExploreTabs nav /> })}
        <main id="main" tabindex="-1">{children()}</main>
        <nav aria-label="Tabs" class="tabs">
            {destination(nav == NavItem::Dashboard, "/", "Home")}
            {destination(nav == NavItem::Assessments, "/assessments", "Assessments")}
            {may_ask.then(|| destination(nav == NavItem::NewInvestigation, "/investigations/new", "Ask"))}
            {destination(nav.is_library(), "/documents", "Library")}
            <details class="menu">
                <summary>"More"</summary>
                <MenuItems viewer />
            </details>
        </nav>
    }
    .into_any()
}

fn destination(is_current: bool, href: &'static str, text: &'static str) -> AnyView {
    view! { <a href=href aria-current=is_current.then_some("page")>{text}</a> }.into_any()
}

/// Areas of the product, those of features between the kernel's. A key after `g` leads to each: its first letter.
#[component]
fn Destinations(nav: NavItem, role: Role) -> impl IntoView {
    let areas = Contributions::of_page().areas;
    let areas = areas.iter().filter(|area| area.needs.is_none_or(|action| role.may(action)));
    let areas = areas.map(|area| destination(nav.address() == area.href, area.href, area.text)).collect_view();
    view! {
        {destination(nav == NavItem::Dashboard, "/", "Home")}
        {destination(nav == NavItem::Assessments, "/assessments", "Assessments")}
        {areas}
        {destination(nav.is_explore(), "/graph", "Explore")}
        {destination(nav.is_library(), "/documents", "Library")}
    }
}

/// Ways into the graph.
#[component]
fn ExploreTabs(nav: NavItem) -> impl IntoView {
    view! {
        <nav aria-label="Explore" class="subnav">
            {destination(nav == NavItem::Graph, "/graph", "Graph")}
            {destination(nav == NavItem::Entities, "/entities", "Entities")}
            {destination(nav == NavItem::Duplicates, "/reviews", "Duplicates")}
        </nav>
    }
}

/// The two lists of the library.
#[component]
fn LibraryTabs(nav: NavItem) -> impl IntoView {
    view! {
        <nav aria-label="Library" class="subnav">
            {destination(nav == NavItem::Documents, "/documents", "Documents")}
            {destination(nav == NavItem::Sources, "/sources", "Sources")}
        </nav>
    }
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
    .into_any()
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
    .into_any()
}
