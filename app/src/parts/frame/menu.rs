//! Entries of the account menu. Every entry leads to a page that its viewer may open.

use crate::islands::ThemeSwitch;
use domain::user::{Action, User};
use leptos::prelude::*;

/// Entries of the menu, by role.
#[component]
pub fn MenuItems(viewer: User) -> impl IntoView {
    let role = viewer.role;
    let entry = |href: &'static str, text: &'static str| view! { <li><a href=href>{text}</a></li> };
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
            <p class="menu-who">{viewer.name} <span class="muted">{role.as_str()}</span></p>
            <ul>
                {entry("/graph", "Graph")}
                {entry("/account", "Account")}
                {administration}
            </ul>
            <ThemeSwitch />
            <button type="button" class="quiet" data-keys hidden>"Keyboard shortcuts"</button>
            <form method="post" action="/sign-out">
                <button class="quiet" type="submit">"Sign out"</button>
            </form>
        </div>
    }
    .into_any()
}
