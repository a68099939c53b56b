//! Path from a list to the page that is open.

use crate::prelude::*;

/// Characters of a name in the path.
const NAME_CHARS: usize = 60;

/// Breadcrumbs: the lists above a page as links, and its own name.
#[component]
pub fn Breadcrumbs(#[prop(into)] above: Vec<(&'static str, String)>, #[prop(into)] here: String) -> impl IntoView {
    let links = above.into_iter().map(|(text, href)| view! { <li><a href=href>{text}</a></li> }).collect_view();
    view! {
        <nav aria-label="Breadcrumbs" class="crumbs">
            <ol>
                {links}
                <li aria-current="page">{format::abridged(&here, NAME_CHARS)}</li>
            </ol>
        </nav>
    }
    .into_any()
}
