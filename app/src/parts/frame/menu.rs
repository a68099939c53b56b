//! Entries of the account menu; on a phone also the areas. Every entry leads to a page that its viewer may open.

use super::areas::ShownPages;
use crate::{Area, parts::ThemeSwitch, prelude::*};

/// Entries of the menu, by role and data.
#[component]
pub(super) fn MenuItems(viewer: User, shown: ShownPages) -> impl IntoView {
    let role = viewer.role;
    let entry = |href: &'static str, text: &'static str| view! { <li><a href=href>{text}</a></li> };
    let added = shown.of_account().into_iter().map(|(href, text)| entry(href, text)).collect_view();
    // Beside a bar with areas, the style sheet hides them; the command palette lists them all the same.
    let areas = Area::ALL.into_iter().flat_map(|area| {
        let name = move |place: usize, text: &'static str| if place == 0 { area.name() } else { text };
        shown.of_area(area).into_iter().enumerate().map(move |(place, (_, href, text))| (href, name(place, text)))
    });
    let areas = areas.map(|(href, text)| view! { <li class="menu-area"><a href=href>{text}</a></li> }).collect_view();
    let administration = role.may(Action::Investigate).then(|| {
        view! {
            <li class="menu-title">"Administration"</li>
            {entry("/settings", "Settings")}
            {entry("/tools", "Tools")}
            {role.may(Action::ManageUsers).then(|| entry("/people", "People"))}
            {role.may(Action::ManageUsers).then(|| entry("/people/log", "Audit log"))}
            {role.may(Action::Configure).then(|| entry("/work-orders/failed", "Failed work orders"))}
        }
    });
    view! {
        <div class="menu-sheet">
            <p class="menu-who">{viewer.name}" "<span class="muted">{format::sentence_case(role.as_str())}</span></p>
            <ul>
                {areas}
                {added}
                {entry("/account", "Account")}
                {entry("/teams", "Teams")}
                {administration}
            </ul>
            <ThemeSwitch />
            <SampleSwitch is_hidden=viewer.preferences.hides_sample />
            <form method="post" action="/sign-out">
                <button class="quiet" type="submit">"Sign out"</button>
            </form>
        </div>
    }
}

/// Hides or shows the sample in home, lists and search.
#[component]
pub fn SampleSwitch(is_hidden: bool) -> impl IntoView {
    let (value, text) = if is_hidden { ("show", "Show the sample") } else { ("hide", "Hide the sample") };
    view! {
        <form method="post" action="/account/sample">
            <button class="quiet" type="submit" name="sample" value=value>{text}</button>
        </form>
    }
}
