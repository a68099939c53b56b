//! Links to the pages around this one, as forms: they encode what the address holds.

use leptos::prelude::*;

/// Nothing where there is one page. `name` is the field that holds the number of the page.
#[component]
pub fn PageLinks(
    label: &'static str,
    address: String,
    name: &'static str,
    fields: Vec<(&'static str, String)>,
    page: u64,
    last: u64,
) -> impl IntoView {
    (last > 1).then(|| {
        let to = move |page: u64, text: &'static str, is_there: bool| {
            let hidden = fields
                .iter()
                .map(|(name, value)| view! { <input type="hidden" name=*name value=value.clone() /> })
                .collect_view();
            view! {
                <form method="get" action=address.clone()>
                    {hidden}
                    <button class="quiet" name=name value=page.to_string() disabled=!is_there>{text}</button>
                </form>
            }
        };
        view! {
            <nav class="pages" aria-label=label>
                {(last > 2).then(|| to(1, "First", page > 1))}
                {to(page.saturating_sub(1), "Earlier page", page > 1)}
                <span>{page} " of " {last}</span>
                {to(page + 1, "Next page", page < last)}
                {(last > 2).then(|| to(last, "Last", page < last))}
            </nav>
        }
    })
}
