//! Frames of pages: skip link, navigation bar and landmarks; a plain frame before sign-in.

use crate::islands::ThemeSwitch;
use domain::user::{Action, User};
use leptos::prelude::*;

/// Item of the navigation bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NavItem {
    Dashboard,
    Documents,
    NewInvestigation,
    Sources,
    People,
    Settings,
    Account,
    Other,
}

/// Frame of a page for a signed-in user.
#[component]
pub fn Frame(viewer: User, nav: NavItem, children: Children) -> impl IntoView {
    let item = |at: NavItem, href: &'static str, text: &'static str| {
        view! { <a href=href aria-current=(at == nav).then_some("page")>{text}</a> }
    };
    // On a phone the bar is one line: there the second word is only heard.
    let new = || {
        let current = (nav == NavItem::NewInvestigation).then_some("page");
        view! { <a href="/investigations/new" aria-current=current><span>"New"<span class="when-wide">" investigation"</span></span></a> }
    };
    view! {
        <a class="skip" href="#main">"Skip to the content"</a>
        <header class="bar">
            <a class="wordmark" href="/" aria-label="AutOSINT, dashboard"><Wordmark /></a>
            <nav aria-label="Main">
                {item(NavItem::Dashboard, "/", "Dashboard")}
                {item(NavItem::Documents, "/documents", "Documents")}
                {viewer.role.may(Action::Investigate).then(new)}
                {item(NavItem::Sources, "/sources", "Sources")}
                {viewer.role.may(Action::ManageUsers).then(|| item(NavItem::People, "/people", "People"))}
                {item(NavItem::Settings, "/settings", "Settings")}
            </nav>
            <div class="bar-end">
                <ThemeSwitch />
                <form method="post" action="/sign-out" class="who">
                    <a class="who-name" href="/account" title=viewer.role.as_str() aria-current=(nav == NavItem::Account).then_some("page")>
                        <span class="hidden">"Account of "</span>
                        {viewer.name}
                    </a>
                    <button class="quiet" type="submit">"Sign out"</button>
                </form>
            </div>
        </header>
        <main id="main" tabindex="-1">{children()}</main>
    }
    .into_any()
}

/// Frame of the pages before sign-in.
#[component]
pub fn AuthLayout(children: Children) -> impl IntoView {
    view! {
        <a class="skip" href="#main">"Skip to the content"</a>
        <header class="bar">
            <a class="wordmark" href="/" aria-label="AutOSINT, dashboard"><Wordmark /></a>
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
