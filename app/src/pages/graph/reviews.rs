//! Probable duplicates, one open with its evidence beside the names of the others, and the preview of a merge.

use super::{ClaimItem, Visit, number, query, render_page, value_text};
use crate::prelude::*;
use domain::{
    ReviewId,
    entity::{Entity, Review, ReviewStage},
};
use views::graph::{AssessmentMention, ClaimLine, MergePreview, MergeSide, PairView, ReviewsView};

/// Score from which names that are alike read "100 %".
const EQUAL_SCORE: f64 = 0.995;

async fn load_reviews(page: u64, chosen: Option<ReviewId>) -> Result<Visit<ReviewsView>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    let page = engine.reviews_view(&viewer, page, chosen).await?;
    Ok(Visit { viewer, page })
}

async fn load_merge_preview(left: String, right: String, survivor: Option<EntityId>) -> Result<Visit<MergePreview>, AppError> {
    let (engine, viewer) = crate::session::viewer().await?;
    if !viewer.role.may(Action::Investigate) {
        return Err(AppError::not_allowed("Entities are merged by analysts."));
    }
    let (Ok(left), Ok(right)) = (left.parse::<EntityId>(), right.parse::<EntityId>()) else {
        return Err(AppError::not_found("pair of entities"));
    };
    let page = engine.merge_preview(&viewer, [left, right], survivor).await?;
    let page = page.ok_or_else(|| AppError::not_found("pair of entities"))?;
    Ok(Visit { viewer, page })
}

#[component]
pub fn ReviewsPage() -> impl IntoView {
    let error = query("error");
    let review = |name| query(name).and_then(|id| id.parse::<ReviewId>().ok());
    let decided =
        review("apart").map(|id| (id, "Kept apart.")).or(review("later").map(|id| (id, "Moved to the end of the list.")));
    let many = |name| query(name).and_then(|number| number.parse::<u64>().ok());
    let decided_many =
        (many("merged").map(|number| (number, PastList::Merged))).or(many("kept").map(|number| (number, PastList::KeptApart)));
    render_page(load_reviews(number("page"), review("pair")), move |Visit { viewer, page }| {
        view! { <Pairs viewer page error decided decided_many /> }.into_any()
    })
}

#[component]
pub fn MergePage() -> impl IntoView {
    let (left, right) = (query("left").unwrap_or_default(), query("right").unwrap_or_default());
    let survivor = query("survivor").and_then(|id| id.parse().ok());
    let list = query("page").and_then(|page| page.parse::<u64>().ok());
    render_page(load_merge_preview(left, right, survivor), move |Visit { viewer, page }| {
        view! { <Preview viewer page list /> }.into_any()
    })
}

/// List on which a decision about several pairs can be undone.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::pages) enum PastList {
    Merged,
    KeptApart,
}

/// Lists of the reviews.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ReviewTab {
    Pairs,
    Apart,
    Merges,
}

#[component]
pub(super) fn ReviewTabs(tab: ReviewTab) -> impl IntoView {
    let item = |of: ReviewTab, address: &'static str, text: &'static str| {
        view! { <li><a href=address aria-current=(tab == of).then_some("page")>{text}</a></li> }
    };
    view! {
        <nav class="report-tabs" aria-label="Reviews">
            <ul>
                {item(ReviewTab::Pairs, "/reviews", "Probable duplicates")}
                {item(ReviewTab::Apart, "/reviews/apart", "Kept apart")}
                {item(ReviewTab::Merges, "/reviews/merges", "Past merges")}
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
    decided: Option<(ReviewId, &'static str)>,
    /// Number of pairs that were just decided at once.
    decided_many: Option<(u64, PastList)>,
) -> impl IntoView {
    let ReviewsView { pairs, open, total, page, per_page } = page;
    let last = total.div_ceil(per_page.max(1)).max(1);
    let may_decide = viewer.role.may(Action::Investigate);
    let count = match total {
        0 => String::new(),
        count if last > 1 => format!("{}, the likeliest first", format::count(count, "pair", "pairs")),
        count => format::count(count, "pair", "pairs"),
    };
    let opened = pairs.iter().find(|pair| Some(pair.review.id) == open).or(pairs.first()).cloned();
    let current = opened.as_ref().map(|pair| pair.review.id);
    let opened = opened.map(|pair| view! { <Pair pair may_decide page /> });
    let has_pairs = !pairs.is_empty();
    let groups = (1..).zip(by_reason(pairs));
    let groups =
        groups.map(|(number, (reason, pairs))| view! { <Group number reason pairs may_decide page current /> }).collect_view();
    let decided_many = decided_many.filter(|_| may_decide).map(|(number, list)| {
        let pairs = format::count(number, "pair", "pairs");
        let (outcome, address, name) = match list {
            PastList::Merged => (format!("{pairs} merged."), "/reviews/merges", "past merges"),
            PastList::KeptApart => (format!("{pairs} kept apart."), "/reviews/apart", "pairs kept apart"),
        };
        view! { <p class="notice" role="status">{outcome} " Undo one in the list of " <a href=address>{name}</a> "."</p> }
    });
    let decided = decided.filter(|_| may_decide).map(|(id, outcome)| {
        view! {
            <div class="notice" role="status">
                <p>{outcome}</p>
                <form method="post" action=format!("/reviews/{id}/decide")>
                    <input type="hidden" name="page" value=page.to_string() />
                    <button type="submit" class="quiet" name="decision" value="open" data-act="undo">"Undo"</button>
                </form>
            </div>
        }
    });
    view! {
        <Title text="Probable duplicates" />
        <Frame viewer nav=NavItem::Duplicates>
            <h1>"Reviews"</h1>
            <ReviewTabs tab=ReviewTab::Pairs />
            <NoticeBanner code=error />
            {decided}
            {decided_many}
            <p class="muted" role="status">{count}</p>
            {(total == 0).then(|| view! {
                <EmptyState
                    text="No probable duplicates: no two names are alike without a decision."
                    href="/entities"
                    button="All entities"
                />
            })}
            {(has_pairs && may_decide).then(|| view! {
                <p class="hint">"Keys: m merge, x keep apart, l decide later, u undo, j and k next and previous pair."</p>
            })}
            <div class="with-margin">
                <div>{opened}</div>
                <div class="margin">
                    <div id="pairs" class="pair-groups">{groups}</div>
                    <PageLinks label="Pages" address="/reviews".to_owned() name="page" fields=vec![] page last />
                </div>
            </div>
            <script type="module" src="/reviews.js"></script>
        </Frame>
    }
    .into_any()
}

/// Groups pairs by the reason of their proposal, in the order of the best pair of each.
fn by_reason(pairs: Vec<PairView>) -> Vec<(String, Vec<PairView>)> {
    let mut groups: Vec<(String, Vec<PairView>)> = vec![];
    for pair in pairs {
        let reason = group_reason(&pair.review);
        match groups.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, pairs)) => pairs.push(pair),
            None => groups.push((reason, vec![pair])),
        }
    }
    groups
}

/// Returns the reason that pairs have in common: without figures and without the words of a document or judge. Pairs put off stay at
/// the end.
fn group_reason(review: &Review) -> String {
    let (names, verdict) = review.why.split_once(Review::JUDGED).unwrap_or((&review.why, ""));
    let names = if review.stage() == ReviewStage::Document { "a document says so" } else { names };
    let verdict = verdict.split(':').next().unwrap_or_default();
    let judged = if verdict.is_empty() { String::new() } else { format!("; judged {verdict}") };
    let put_off = if review.postponed_at.is_some() { ", put off" } else { "" };
    format::capitalised(&format!("{names}{judged}{put_off}"))
}

/// Names of the pairs of one reason. Several can be decided at once.
#[component]
fn Group(
    /// Number on the page, from 1.
    number: usize,
    reason: String,
    pairs: Vec<PairView>,
    may_decide: bool,
    page: u64,
    /// The pair that stands open.
    current: Option<ReviewId>,
) -> impl IntoView {
    let form = (may_decide && pairs.len() > 1).then(|| format!("group-{number}"));
    let title = format!("reason-{number}");
    let count = format::count(pairs.len() as u64, "pair", "pairs");
    let choose = form.clone().map(|id| {
        view! {
            <form id=id method="post" action="/reviews/decide" class="pair-acts">
                <input type="hidden" name="page" value=page.to_string() />
                <button type="button" class="quiet" data-act="all" hidden>"Select all" <span class="hidden">" of: " {reason.clone()}</span></button>
                <button type="submit" name="decision" value="merge">"Merge the selected"</button>
                <button type="submit" class="outline" name="decision" value="apart">"Keep apart the selected"</button>
            </form>
        }
    });
    let items = pairs.into_iter().map(|PairView { review, left, right, .. }| {
        let names = format!("{} / {}", left.canonical_name, right.canonical_name);
        let href = format!("/reviews?page={page}&pair={}", review.id);
        let is_current = (Some(review.id) == current).then_some("true");
        let select = form.clone().map(|form| {
            let label = format!("Select: {names}");
            view! { <input type="checkbox" form=form name="id" value=review.id.to_string() aria-label=label /> }
        });
        view! { <li>{select} <a class="pair-link" href=href aria-current=is_current>{names}</a></li> }
    });
    let items = items.collect_view();
    view! {
        <section aria-labelledby=title.clone()>
            <h2 id=title.clone()>{reason.clone()} " " <span class="muted">{count}</span></h2>
            <ol class="pair-names">{items}</ol>
            {choose}
        </section>
    }
    .into_any()
}

#[component]
fn Pair(
    pair: PairView,
    may_decide: bool,
    /// Page of the list, to which a decision returns.
    page: u64,
) -> impl IntoView {
    let PairView { review, left, right, left_claims, right_claims } = pair;
    let merge = format!("/reviews/merge?left={}&right={}&page={page}", left.id, right.id);
    let names = format!("{} and {}", left.canonical_name, right.canonical_name);
    let why = reason(&review, [&left.kind, &right.kind]);
    let forms = may_decide.then(|| {
        view! {
            <div class="pair-acts">
                <a class="button" href=merge data-act="merge">"Merge…" <span class="hidden">" " {names.clone()}</span></a>
                <form method="post" action=format!("/reviews/{}/decide", review.id) class="pair-acts">
                    <input type="hidden" name="page" value=page.to_string() />
                    <button type="submit" class="outline" name="decision" value="apart" data-act="apart">"Keep apart" <span class="hidden">" " {names.clone()}</span></button>
                    <button type="submit" class="quiet" name="decision" value="later" data-act="later">"Decide later" <span class="hidden">" about " {names.clone()}</span></button>
                </form>
            </div>
        }
    });
    view! {
        <section class="pair" aria-label=names>
            <div class="pair-sides"><Side entity=left claims=left_claims /> <Side entity=right claims=right_claims /></div>
            <p class="muted">{why}</p>
            {review.postponed_at.map(|at| view! { <p class="muted">"Decision put off on " {format::day(at)} "."</p> })}
            {forms}
        </section>
    }
}

/// Returns why a pair of entities of these kinds was proposed.
pub(super) fn reason(review: &Review, kinds: [&str; 2]) -> String {
    let (names, verdict) = review.why.split_once(Review::JUDGED).unwrap_or((&review.why, ""));
    let names = match names {
        Review::SAME_NAME | Review::TWO_KINDS if kinds[0].eq_ignore_ascii_case(kinds[1]) => {
            "Same name, kinds agree.".to_owned()
        }
        Review::SAME_NAME | Review::TWO_KINDS => "Same name, kinds differ.".to_owned(),
        Review::SHORT_FORM => sentence(names),
        other if review.score >= EQUAL_SCORE => sentence(other),
        other => sentence(&format!("names {} alike: {other}", format::percent(review.score))),
    };
    match review.stage() {
        ReviewStage::Document => format!("Proposed by a document. {}", sentence(&review.why)),
        ReviewStage::ExternalIds => sentence(&review.why),
        ReviewStage::Names => names,
        ReviewStage::Descriptions => format!("{names} {}", sentence(&format!("judged by descriptions as {verdict}"))),
        ReviewStage::Model => format!("{names} {}", sentence(&format!("judged by a model as {verdict}"))),
    }
}

/// Returns a reason as a sentence.
fn sentence(why: &str) -> String {
    let text = format::capitalised(why.trim());
    if text.is_empty() || text.ends_with(['.', '!', '?']) { text } else { format!("{text}.") }
}

#[component]
fn Side(
    entity: Entity,
    /// Newest claims about it.
    #[prop(optional)]
    claims: Vec<ClaimLine>,
) -> impl IntoView {
    let evidence = claims.into_iter().map(|line| view! { <ClaimItem line /> }).collect_view();
    let facts = entity.properties.iter().take(4).map(|(key, held)| {
        view! { <dt>{format::sentence_case(key.as_str())}</dt><dd>{value_text(&held.value)}</dd> }
    });
    let ids = entity.external_ids.iter().map(|(system, id)| view! { <dt>{system.clone()}</dt><dd>{id.clone()}</dd> });
    view! {
        <div class="pair-side">
            <p><a class="row-title" href=format!("/entities/{}", entity.id)>{entity.canonical_name.clone()}</a> " " <span class="muted">{entity.kind.clone()}</span></p>
            {(!entity.aliases.is_empty()).then(|| view! { <p class="muted">"Also " {entity.aliases.join(", ")}</p> })}
            {entity.summary.as_ref().map(|summary| view! { <p>{summary.value.clone()}</p> })}
            <dl class="facts">{facts.collect_view()} {ids.collect_view()}</dl>
            <ol class="claim-list">{evidence}</ol>
            <p><a href=format!("/entities/{}/claims", entity.id)>"All claims" <span class="hidden">" about " {entity.canonical_name.clone()}</span></a></p>
        </div>
    }
}

#[component]
fn Preview(
    viewer: User,
    page: MergePreview,
    /// Page of the list of pairs to return to; none where the merge was begun elsewhere.
    list: Option<u64>,
) -> impl IntoView {
    let MergePreview { sides: [left, right], assessments } = page;
    let (one, other) = (left.entity.id, right.entity.id);
    let (survivor, merged) = (left.entity.canonical_name.clone(), right.entity.canonical_name.clone());
    let moves = format!("{} move to {survivor}, with all names of {merged}.", brought(&right));
    let stays = format!("{} stay where they are.", brought(&left));
    let from = list.map(|page| format!("&page={page}")).unwrap_or_default();
    let swapped = format!("/reviews/merge?left={one}&right={other}&survivor={other}{from}");
    let pairs = list.map_or_else(|| "/reviews".to_owned(), |page| format!("/reviews?page={page}"));
    let is_mentioned = !assessments.is_empty();
    let mentions = assessments
        .into_iter()
        .map(|AssessmentMention { id, question, is_sample }| {
            view! { <li><a href=format!("/assessments/{id}")>{question}</a> " " <SampleBadge is_shown=is_sample /></li> }
        })
        .collect_view();
    view! {
        <Title text="Merge entities" />
        <Frame viewer nav=NavItem::Duplicates>
            <h1>"Merge two entities"</h1>
            <p>{format!("{merged} becomes part of {survivor}; its address leads there.")} " Assessments keep their text. A merge can be undone."</p>
            <div class="pair-sides">
                <div><Side entity=left.entity /> <p class="muted">{stays}</p></div>
                <div><Side entity=right.entity /> <p class="muted">{moves}</p></div>
            </div>
            <p><a href=swapped>{format!("Merge {survivor} into {merged} instead")}</a></p>
            <section aria-labelledby="mentions-title">
                <h2 id="mentions-title">"Assessments that mention either"</h2>
                {if is_mentioned { view! { <ul class="copies">{mentions}</ul> }.into_any() } else { view! { <p class="muted">"None."</p> }.into_any() }}
            </section>
            <form method="post" action="/reviews/merge" class="pair-acts">
                <input type="hidden" name="survivor" value=one.to_string() />
                <input type="hidden" name="merged" value=other.to_string() />
                {list.map(|page| view! { <input type="hidden" name="page" value=page.to_string() /> })}
                <button type="submit">"Merge"</button>
                <a class="button outline" href=pairs>"Cancel"</a>
            </form>
        </Frame>
    }
    .into_any()
}

/// Returns the numbers of claims and relationships of a side: `3 claims and 1 relationship of Halvek Rail`.
fn brought(side: &MergeSide) -> String {
    format!(
        "{} and {} of {}",
        format::count(u64::from(side.claims), "claim", "claims"),
        format::count(side.relationships as u64, "relationship", "relationships"),
        side.entity.canonical_name
    )
}
