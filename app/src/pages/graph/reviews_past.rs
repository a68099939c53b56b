//! Past decisions about entities: pairs that are kept apart, and merges, each with who decided and when.

use super::{
    Visit, query, render_page,
    reviews::{ReviewTab, ReviewTabs, reason},
};
use crate::prelude::*;
use domain::entity::{Merge, ReviewStage};
use views::graph::{KeptApartLine, KeptApartView, MergeLine, MergesView};

async fn load_merges(entity: Option<String>) -> Result<Visit<MergesView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let page = engine.merges_view(&viewer, entity.and_then(|id| id.parse().ok())).await?;
    Ok(Visit { viewer, page })
}

async fn load_kept_apart() -> Result<Visit<KeptApartView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let page = engine.kept_apart_view(&viewer).await?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn MergesPage() -> impl IntoView {
    let (error, is_undone) = (query("error"), query("undone").is_some());
    render_page(load_merges(query("entity")), move |Visit { viewer, page }| {
        view! { <PastMerges viewer page error is_undone /> }.into_any()
    })
}

#[component]
pub fn KeptApartPage() -> impl IntoView {
    let error = query("error");
    render_page(load_kept_apart(), |Visit { viewer, page }| view! { <KeptApart viewer page error /> }.into_any())
}

#[component]
fn PastMerges(viewer: User, page: MergesView, error: Option<String>, is_undone: bool) -> impl IntoView {
    let may_decide = viewer.role.may(Action::Investigate);
    let is_empty = page.merges.is_empty();
    let rows = page
        .merges
        .into_iter()
        .map(|MergeLine { merge: Merge { id, survivor, survivor_name, merged_name, at, .. }, by }| {
            let names = format!("{merged_name} and {survivor_name}");
            let undo = may_decide.then(|| {
                view! {
                    <form method="post" action=format!("/reviews/merges/{id}/undo")>
                        <button type="submit" class="quiet">"Undo" <span class="hidden">" the merge of " {names}</span></button>
                    </form>
                }
            });
            view! {
                <li class="row merge">
                    <p>{merged_name} " is " <a href=format!("/entities/{survivor}")>{survivor_name}</a></p>
                    <p class="muted">{by.map(|by| format!("Merged by {by}, "))} <Minute at /></p>
                    {undo}
                </li>
            }
        })
        .collect_view();
    view! {
        <Title text="Past merges" />
        <Frame viewer nav=NavItem::Duplicates>
            <h1>"Reviews"</h1>
            <ReviewTabs tab=ReviewTab::Merges />
            <NoticeBanner code=error />
            {is_undone.then(|| view! {
                <p class="notice" role="status">"The merge is undone: the two are separate again."</p>
            })}
            {page.entity.map(|_| view! { <p class="muted">"Only merges of one entity are shown. " <a href="/reviews/merges">"Show all"</a></p> })}
            {is_empty.then(|| view! { <EmptyState text="No merges yet." href="/reviews" button="Probable duplicates" /> })}
            <ul class="rows">{rows}</ul>
        </Frame>
    }
}

#[component]
fn Minute(at: Timestamp) -> impl IntoView {
    view! { <time datetime=at.to_string()>{format::minute(at)}</time> }
}

#[component]
fn KeptApart(viewer: User, page: KeptApartView, error: Option<String>) -> impl IntoView {
    let KeptApartView { pairs, limit } = page;
    let may_decide = viewer.role.may(Action::Investigate);
    let is_empty = pairs.is_empty();
    let count = match pairs.len() {
        0 => String::new(),
        count if count >= limit => format!("The {count} latest pairs"),
        count => format::count(count as u64, "pair", "pairs"),
    };
    let rows = pairs.into_iter().map(|pair| view! { <KeptApartRow pair may_decide /> }).collect_view();
    view! {
        <Title text="Kept apart" />
        <Frame viewer nav=NavItem::Duplicates>
            <h1>"Reviews"</h1>
            <ReviewTabs tab=ReviewTab::Apart />
            <NoticeBanner code=error />
            <p class="muted" role="status">{count}</p>
            {is_empty.then(|| view! {
                <EmptyState text="No pairs are kept apart." href="/reviews" button="Probable duplicates" />
            })}
            <ul class="rows">{rows}</ul>
        </Frame>
    }
}

#[component]
fn KeptApartRow(pair: KeptApartLine, may_decide: bool) -> impl IntoView {
    let KeptApartLine { review, left, right, by } = pair;
    let names = format!("{} and {}", left.name, right.name);
    let why = reason(&review, [&left.kind, &right.kind]);
    let undo = may_decide.then(|| {
        view! {
            <form method="post" action=format!("/reviews/{}/decide", review.id)>
                <button type="submit" class="quiet" name="decision" value="reopen">"Undo" <span class="hidden">" the decision about " {names}</span></button>
            </form>
        }
    });
    let decided = match (by, review.decided_at, review.stage()) {
        (Some(by), ..) => format!("Kept apart by {by}"),
        (None, Some(_), _) => "Kept apart".to_owned(),
        (None, None, ReviewStage::Model) => "Kept apart by a model".to_owned(),
        (None, None, ReviewStage::Descriptions) => "Kept apart because the descriptions differ".to_owned(),
        (None, None, _) => "Kept apart; who decided was not recorded".to_owned(),
    };
    view! {
        <li class="row merge">
            <p>
                <a href=format!("/entities/{}", left.id)>{left.name}</a> " and "
                <a href=format!("/entities/{}", right.id)>{right.name}</a>
            </p>
            <p class="muted">{decided} {review.decided_at.map(|at| view! { ", " <Minute at /> })}</p>
            <p class="muted">{why}</p>
            {undo}
        </li>
    }
}
