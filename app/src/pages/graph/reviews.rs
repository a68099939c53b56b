//! Probable duplicates, the preview of a merge, and past merges.

use super::{Visit, query, render_page, value_text};
use crate::{
    AppError,
    atoms::SampleBadge,
    format,
    parts::{Frame, NavItem, NoticeBanner},
};
use domain::{
    entity::{Entity, Merge},
    user::{Action, User},
};
use leptos::prelude::*;
use leptos_meta::Title;
use views::graph::{AssessmentMention, MergePreview, MergeSide, MergesView, PairView, ReviewsView};

#[server]
async fn load_reviews() -> Result<Visit<ReviewsView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let page = engine.reviews_view(&viewer).await?;
    Ok(Visit { viewer, page })
}

#[server]
async fn load_merges(entity: Option<String>) -> Result<Visit<MergesView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let page = engine.merges_view(&viewer, entity.and_then(|id| id.parse().ok())).await?;
    Ok(Visit { viewer, page })
}

#[server]
async fn load_merge_preview(left: String, right: String) -> Result<Visit<MergePreview>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    if !viewer.role.may(Action::Investigate) {
        return Err(AppError::not_allowed("Entities are merged by analysts."));
    }
    let (Ok(left), Ok(right)) = (left.parse::<domain::EntityId>(), right.parse::<domain::EntityId>()) else {
        return Err(AppError::not_found("pair of entities"));
    };
    let page = engine.merge_preview(&viewer, left, right).await?.ok_or_else(|| AppError::not_found("pair of entities"))?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn ReviewsPage() -> impl IntoView {
    let error = query("error");
    let decided =
        query("apart").map(|id| (id, "Kept apart.")).or(query("later").map(|id| (id, "Moved to the end of the list.")));
    render_page(load_reviews(), |Visit { viewer, page }| view! { <Pairs viewer page error decided /> }.into_any())
}

#[component]
pub fn MergesPage() -> impl IntoView {
    let error = query("error");
    render_page(load_merges(query("entity")), |Visit { viewer, page }| view! { <PastMerges viewer page error /> }.into_any())
}

#[component]
pub fn MergePage() -> impl IntoView {
    let (left, right) = (query("left").unwrap_or_default(), query("right").unwrap_or_default());
    render_page(load_merge_preview(left, right), |Visit { viewer, page }| view! { <Preview viewer page /> }.into_any())
}

#[component]
fn ReviewTabs(is_past: bool) -> impl IntoView {
    view! {
        <nav class="report-tabs" aria-label="Reviews">
            <ul>
                <li><a href="/reviews" aria-current=(!is_past).then_some("page")>"Probable duplicates"</a></li>
                <li><a href="/reviews/merges" aria-current=is_past.then_some("page")>"Past merges"</a></li>
            </ul>
        </nav>
    }
}

#[component]
pub(in crate::pages) fn Pairs(
    viewer: User,
    page: ReviewsView,
    error: Option<String>,
    /// Review that was just decided, with the outcome.
    decided: Option<(String, &'static str)>,
) -> impl IntoView {
    let ReviewsView { pairs, limit } = page;
    let may_decide = viewer.role.may(Action::Investigate);
    let count = match pairs.len() {
        0 => {
            "No probable duplicates. Pairs appear here when two names are alike and nothing settles whether they are the same."
                .to_owned()
        }
        count if count >= limit => format!("The {count} likeliest pairs"),
        count => format::count(count as u64, "pair", "pairs"),
    };
    let has_pairs = !pairs.is_empty();
    let items = pairs.into_iter().map(|pair| view! { <Pair pair may_decide /> }).collect_view();
    let decided = decided.filter(|_| may_decide).map(|(id, outcome)| {
        view! {
            <div class="notice" role="status">
                <p>{outcome}</p>
                <form method="post" action=format!("/reviews/{id}/decide")>
                    <button type="submit" class="quiet" name="decision" value="open" data-act="undo">"Undo"</button>
                </form>
            </div>
        }
    });
    view! {
        <Title text="Probable duplicates" />
        <Frame viewer nav=NavItem::Graph>
            <h1>"Reviews"</h1>
            <ReviewTabs is_past=false />
            <NoticeBanner code=error />
            {decided}
            <p class="muted" role="status">{count}</p>
            {(has_pairs && may_decide).then(|| view! {
                <p class="hint">"Keys: j and k next and previous pair, m merge, x keep apart, l decide later, u undo."</p>
            })}
            <ol class="pairs" id="pairs">{items}</ol>
            <script type="module" src="/reviews.js"></script>
        </Frame>
    }
    .into_any()
}

#[component]
fn Pair(pair: PairView, may_decide: bool) -> impl IntoView {
    let PairView { review, left, right } = pair;
    let merge = format!("/reviews/merge?left={}&right={}", left.id, right.id);
    let names = format!("{} and {}", left.canonical_name, right.canonical_name);
    let forms = may_decide.then(|| {
        view! {
            <div class="pair-acts">
                <a class="button" href=merge data-act="merge">"Merge…" <span class="hidden">" " {names.clone()}</span></a>
                <form method="post" action=format!("/reviews/{}/decide", review.id) class="pair-acts">
                    <button type="submit" class="outline" name="decision" value="apart" data-act="apart">"Keep apart" <span class="hidden">" " {names.clone()}</span></button>
                    <button type="submit" class="quiet" name="decision" value="later" data-act="later">"Decide later" <span class="hidden">" about " {names.clone()}</span></button>
                </form>
            </div>
        }
    });
    view! {
        <li class="pair" tabindex="-1">
            <div class="pair-sides"><Side entity=left /> <Side entity=right /></div>
            <p class="muted">{format!("Likeness {:.2}. {}", review.score, sentence(&review.why))}</p>
            {review.postponed_at.map(|at| view! { <p class="muted">"Decision put off on " {format::day(at)} "."</p> })}
            {forms}
        </li>
    }
    .into_any()
}

/// Returns a reason as a sentence.
fn sentence(why: &str) -> String {
    let text = format::capitalised(why.trim());
    if text.is_empty() || text.ends_with(['.', '!', '?']) { text } else { format!("{text}.") }
}

#[component]
fn Side(entity: Entity) -> impl IntoView {
    let facts = entity.properties.iter().take(4).map(|(key, held)| {
        view! { <dt>{format::capitalised(&key.as_str().replace('_', " "))}</dt><dd>{value_text(&held.value)}</dd> }
    });
    let ids = entity.external_ids.iter().map(|(system, id)| view! { <dt>{system.clone()}</dt><dd>{id.clone()}</dd> });
    view! {
        <div class="pair-side">
            <p><a class="row-title" href=format!("/entities/{}", entity.id)>{entity.canonical_name.clone()}</a> " " <span class="muted">{entity.kind.clone()}</span></p>
            {(!entity.aliases.is_empty()).then(|| view! { <p class="muted">"Also " {entity.aliases.join(", ")}</p> })}
            {entity.summary.as_ref().map(|summary| view! { <p>{summary.value.clone()}</p> })}
            <dl class="facts">{facts.collect_view()} {ids.collect_view()}</dl>
            <p><a href=format!("/entities/{}/claims", entity.id)>"Claims" <span class="hidden">" about " {entity.canonical_name.clone()}</span></a></p>
        </div>
    }
    .into_any()
}

#[component]
fn Preview(viewer: User, page: MergePreview) -> impl IntoView {
    let MergePreview { sides: [left, right], assessments } = page;
    let (one, other) = (left.entity.id, right.entity.id);
    let mentions = assessments
        .into_iter()
        .map(|AssessmentMention { id, question, is_sample }| {
            view! { <li><a href=format!("/assessments/{id}")>{question}</a> " " <SampleBadge is_shown=is_sample /></li> }
        })
        .collect_view();
    view! {
        <Title text="Merge entities" />
        <Frame viewer nav=NavItem::Graph>
            <h1>"Merge two entities"</h1>
            <p>"Both become one entity with all names, claims and relationships. Assessments keep their text. A merge can be undone."</p>
            <div class="pair-sides"><PreviewSide side=left /> <PreviewSide side=right /></div>
            <section aria-labelledby="mentions-title">
                <h2 id="mentions-title">"Assessments that mention either"</h2>
                <ul class="copies">{mentions}</ul>
            </section>
            <form method="post" action="/reviews/merge" class="pair-acts">
                <input type="hidden" name="survivor" value=one.to_string() />
                <input type="hidden" name="merged" value=other.to_string() />
                <button type="submit">"Merge"</button>
                <a class="button outline" href="/reviews">"Cancel"</a>
            </form>
        </Frame>
    }
    .into_any()
}

#[component]
fn PreviewSide(side: MergeSide) -> impl IntoView {
    let MergeSide { entity, claims, relationships } = side;
    let moves = format!(
        "{} and {} move.",
        format::count(u64::from(claims), "claim", "claims"),
        format::count(relationships as u64, "relationship", "relationships")
    );
    view! { <div><Side entity /> <p class="muted">{moves}</p></div> }
}

#[component]
fn PastMerges(viewer: User, page: MergesView, error: Option<String>) -> impl IntoView {
    let may_decide = viewer.role.may(Action::Investigate);
    let is_empty = page.merges.is_empty();
    let rows = page
        .merges
        .into_iter()
        .map(|Merge { id, survivor, survivor_name, merged_name, at, .. }| {
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
                    <p class="muted"><time datetime=at.to_string()>{format::minute(at)}</time></p>
                    {undo}
                </li>
            }
        })
        .collect_view();
    view! {
        <Title text="Past merges" />
        <Frame viewer nav=NavItem::Graph>
            <h1>"Reviews"</h1>
            <ReviewTabs is_past=true />
            <NoticeBanner code=error />
            {page.entity.map(|_| view! { <p class="muted">"Only merges of one entity are shown. " <a href="/reviews/merges">"Show all"</a></p> })}
            {is_empty.then(|| view! { <p>"No merges yet. Merge two entities from " <a href="/reviews">"the probable duplicates"</a> " or from the page of an entity."</p> })}
            <ul class="rows">{rows}</ul>
        </Frame>
    }
    .into_any()
}
