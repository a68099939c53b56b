//! Splitting an entity: the claims that become those of a new one.

use super::{Visit, id_in_path, query, render_page};
use crate::{parts::SelectAll, prelude::*};
use views::graph::{ClaimLine, ClaimsFilter, EntityClaimsView};

async fn load_split(id: String) -> Result<Visit<EntityClaimsView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    if !viewer.role.may(domain::user::Action::Investigate) {
        return Err(AppError::not_allowed("Entities are split by analysts."));
    }
    let Ok(id) = id.parse::<domain::EntityId>() else { return Err(AppError::not_found("entity")) };
    let page =
        engine.entity_claims_view(&viewer, id, ClaimsFilter::default()).await?.ok_or_else(|| AppError::not_found("entity"))?;
    if page.entity.id != id {
        crate::session::see_other(&format!("/entities/{}/split", page.entity.id));
    }
    Ok(Visit { viewer, page })
}

#[component]
pub fn SplitPage() -> impl IntoView {
    let error = query("error");
    render_page(load_split(id_in_path()), |Visit { viewer, page }| view! { <PageBody viewer page error /> }.into_any())
}

#[component]
fn PageBody(viewer: User, page: EntityClaimsView, error: Option<String>) -> impl IntoView {
    let EntityClaimsView { entity, claims, total, .. } = page;
    let (id, name) = (entity.id, entity.name);
    let shown = claims.len() as u64;
    let only = (shown < total).then(|| format!(" These are the newest {shown} of {total} claims; older ones stay."));
    let items = claims.into_iter().map(|line| view! { <Choice line /> }).collect_view();
    view! {
        <Title text=format!("Split · {name}") />
        <Frame viewer nav=NavItem::Entities>
            <Breadcrumbs above=[("Entities", "/entities".to_owned()), ("Entity", format!("/entities/{id}"))] here="Split" />
            <h1>{format!("Split {name}")}</h1>
            <NoticeBanner code=error />
            <p>
                "Select the claims that are about somebody or something else. They become those of a new entity, with the names, values and relationships that rest on them."
                {only} " Merging the two takes it back."
            </p>
            <form method="post" action=format!("/entities/{id}/split")>
                <SelectAll name="claim" />
                <ol class="claim-choices" id="claims">{items}</ol>
                <p class="pair-acts">
                    <button type="submit">"Split"</button>
                    <a class="button outline" href=format!("/entities/{id}")>"Cancel"</a>
                </p>
            </form>
        </Frame>
    }
    .into_any()
}

#[component]
fn Choice(line: ClaimLine) -> impl IntoView {
    let ClaimLine { claim, source } = line;
    view! {
        <li>
            <label class="filter-check">
                <input type="checkbox" name="claim" value=claim.id.to_string() />
                <span>{claim.content}</span>
            </label>
            <p class="muted">
                {claim.mode.as_str()} " · " {source} ", " <Day published=claim.published />
            </p>
        </li>
    }
    .into_any()
}
