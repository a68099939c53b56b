//! Form posts on entities: merge, undo a merge, split, decide about a probable pair.

use super::prelude::*;
use domain::{ClaimId, EntityId, MergeId, ReviewId, entity::ReviewDecision};
use engine::graph::{
    SplitOutcome,
    reviews::{self, MergeOutcome, PairsDecision},
    split,
};

const PAIRS: &str = "/reviews";
const APART: &str = "/reviews/apart";
const MERGES: &str = "/reviews/merges";
/// The page says that a merge was undone.
const MERGES_UNDONE: &str = "/reviews/merges?undone=1";

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct MergeForm {
    survivor: String,
    merged: String,
    /// Page of the list of pairs on which the merge was begun; empty: elsewhere.
    page: String,
}

pub(super) async fn merge(post: FormPost<MergeForm>) -> Response<Body> {
    if !is_permitted(&post) {
        return post.lead_to(PAIRS, Notice::NotAllowed);
    }
    let (Ok(survivor), Ok(merged)) = (post.form.survivor.parse::<EntityId>(), post.form.merged.parse::<EntityId>()) else {
        return post.lead_to(PAIRS, Notice::NotFound);
    };
    let engine = &post.web.engine;
    let done = match engine.accounts.scope_of(post.user.id).await {
        Ok(scope) => reviews::merge(engine, &scope, post.by, survivor, merged).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(MergeOutcome::Done { merge, survivor }) => match post.form.page.parse::<u64>() {
            Ok(page) => redirect(&format!("{PAIRS}?page={page}&merged=1")),
            Err(_) => redirect(&format!("/entities/{survivor}?merged={merge}")),
        },
        Ok(MergeOutcome::Unknown) => post.lead_to(PAIRS, Notice::NotFound),
        Ok(MergeOutcome::Divided) => post.lead_to(PAIRS, Notice::MergeDivided),
        Err(error) => post.lead_to(PAIRS, store_notice(&error)),
    }
}

pub(super) async fn undo(Path(id): Path<String>, post: FormPost<AnyFields>) -> Response<Body> {
    if !is_permitted(&post) {
        return post.lead_to(MERGES, Notice::NotAllowed);
    }
    let Ok(id) = id.parse::<MergeId>() else { return post.lead_to(MERGES, Notice::NotFound) };
    let engine = &post.web.engine;
    let done = match engine.accounts.scope_of(post.user.id).await {
        Ok(scope) => reviews::undo_merge(engine, &scope, &post.user, post.by, id).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(true) => redirect(MERGES_UNDONE),
        Ok(false) => post.lead_to(MERGES, Notice::NotFound),
        Err(error) => post.lead_to(MERGES, store_notice(&error)),
    }
}

pub(super) async fn split(Path(id): Path<String>, post: FormPost<AnyFields>) -> Response<Body> {
    let Ok(id) = id.parse::<EntityId>() else { return post.lead_to("/entities", Notice::NotFound) };
    let page = format!("/entities/{id}/split");
    if !is_permitted(&post) {
        return post.lead_to(&page, Notice::NotAllowed);
    }
    let claims: Vec<ClaimId> = post.values("claim").filter_map(|id| id.parse().ok()).collect();
    let engine = &post.web.engine;
    let done = match engine.accounts.scope_of(post.user.id).await {
        Ok(scope) => split::split(engine, &scope, post.by, id, claims).await,
        Err(error) => Err(error),
    };
    match done {
        Ok((new, SplitOutcome::Done)) => redirect(&format!("/entities/{new}")),
        Ok((_, SplitOutcome::Unknown)) => post.lead_to(&page, Notice::NotFound),
        Ok((_, SplitOutcome::Merged)) => post.lead_to(&page, Notice::SplitMerged),
        Ok((_, SplitOutcome::Divided)) => post.lead_to(&page, Notice::SplitDivided),
        Ok((_, SplitOutcome::OneSided)) => post.lead_to(&page, Notice::SplitOneSided),
        Err(error) => post.lead_to(&page, store_notice(&error)),
    }
}

#[derive(Deserialize)]
pub(super) struct DecisionForm {
    /// `apart`, `later`, `open`, or `reopen` from the list of pairs that are kept apart.
    #[serde(default)]
    decision: String,
    /// Page of the list that the decision was made on.
    #[serde(default = "first_page")]
    page: u64,
}

const fn first_page() -> u64 {
    1
}

/// Stores a decision about a pair. The page then offers to undo it.
pub(super) async fn decide(Path(id): Path<String>, post: FormPost<DecisionForm>) -> Response<Body> {
    if !is_permitted(&post) {
        return post.lead_to(PAIRS, Notice::NotAllowed);
    }
    let Ok(id) = id.parse::<ReviewId>() else { return post.lead_to(PAIRS, Notice::NotFound) };
    let pairs = format!("{PAIRS}?page={}", post.form.page);
    let (decision, page) = match &*post.form.decision {
        "apart" => (ReviewDecision::KeepApart, format!("{pairs}&apart={id}")),
        "later" => (ReviewDecision::Later, format!("{pairs}&later={id}")),
        "open" => (ReviewDecision::Reopen, pairs),
        "reopen" => (ReviewDecision::Reopen, APART.to_owned()),
        _ => return post.lead_to(PAIRS, Notice::NotFound),
    };
    let engine = &post.web.engine;
    let done = match engine.accounts.scope_of(post.user.id).await {
        Ok(scope) => reviews::decide(engine, &scope, post.by, id, decision).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(true) => redirect(&page),
        Ok(false) => post.lead_to(PAIRS, Notice::NotFound),
        Err(error) => post.lead_to(PAIRS, store_notice(&error)),
    }
}

/// Decides about the chosen pairs of one reason: those of one page at most. The page then says how many, and where to undo it.
pub(super) async fn decide_many(post: FormPost<AnyFields>) -> Response<Body> {
    if !is_permitted(&post) {
        return post.lead_to(PAIRS, Notice::NotAllowed);
    }
    let page = post.values("page").next().and_then(|page| page.parse().ok()).unwrap_or_else(first_page);
    let back = |notice: Notice| redirect_back(PAIRS, notice, &[("page", &page.to_string())]);
    let ids: Vec<ReviewId> = post.values("id").filter_map(|id| id.parse().ok()).collect();
    let engine = &post.web.engine;
    if ids.is_empty() {
        return back(Notice::NothingChosen);
    }
    if ids.len() > engine.config.pages.reviews as usize {
        return back(Notice::TooManyChosen);
    }
    let (decision, outcome) = match post.values("decision").next().as_deref() {
        Some("merge") => (PairsDecision::Merge, "merged"),
        Some("apart") => (PairsDecision::KeepApart, "kept"),
        _ => return back(Notice::NotFound),
    };
    let done = match engine.accounts.scope_of(post.user.id).await {
        Ok(scope) => reviews::decide_many(engine, &scope, post.by, &ids, page, decision).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(0) => back(Notice::NotFound),
        Ok(number) => redirect(&format!("{PAIRS}?page={page}&{outcome}={number}")),
        Err(error) => back(store_notice(&error)),
    }
}

fn is_permitted<T>(post: &FormPost<T>) -> bool {
    post.user.role.may(Action::Investigate)
}
