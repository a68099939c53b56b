//! Files that could not be read, each with the reason, page by page.

use super::PageLinks;
use crate::prelude::*;
use views::RejectedPage;

/// List of rejected files, empty without any. `address` is the page without its query, `fields` the other values of the query.
#[component]
pub fn Rejected(page: RejectedPage, address: String, #[prop(optional)] fields: Vec<(&'static str, String)>) -> impl IntoView {
    let RejectedPage { files, total, page, per_page } = page;
    (total > 0).then(|| {
        let rows =
            files.into_iter().map(|file| view! { <li><code>{file.path}</code><span>{file.reason}</span></li> }).collect_view();
        let last = total.div_ceil(per_page.max(1)).max(1);
        view! {
            <section aria-labelledby="rejected-title" id="rejected">
                <h2 id="rejected-title">"Rejected files"</h2>
                {(last > 1).then(|| view! { <p class="muted">{format::count(total, "file", "files")}</p> })}
                <ul class="rejected">{rows}</ul>
                <PageLinks label="Files that could not be read" address=format!("{address}#rejected") name="rejected" fields page last />
            </section>
        }
    })
}
