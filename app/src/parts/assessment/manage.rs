//! Forms that archive and delete the investigation of a report.

use domain::InvestigationId;
use leptos::prelude::*;

/// Archive and delete; nothing for those who may not.
#[component]
pub fn Manage(id: InvestigationId, may_manage: bool, is_archived: bool) -> impl IntoView {
    may_manage.then(|| {
        let (action, text) =
            if is_archived { ("/investigations/unarchive", "Unarchive") } else { ("/investigations/archive", "Archive") };
        view! {
            <form method="post" action=action class="manage">
                <input type="hidden" name="id" value=id.to_string() />
                <button type="submit" class="quiet">{text}</button>
                <a class="button quiet" href=format!("/investigations/delete?id={id}")>"Delete…"</a>
            </form>
        }
    })
}
