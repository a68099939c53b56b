//! Form posts on entities: merge, undo a merge, split, decide about a probable pair.

use super::{
    WebState,
    answer::{redirect, redirect_back, store_notice},
    auth::SessionUser,
    client_address::ClientAddress,
};
use app::Notice;
use axum::{
    Form,
    body::Body,
    extract::{Path, State},
    http::Response,
};
use domain::{
    ClaimId, EntityId, MergeId, ReviewId,
    entity::ReviewDecision,
    user::{Action, User},
};
use engine::{
    StoreResult,
    accounts::Actor,
    graph::{
        SplitOutcome,
        reviews::{self, MergeOutcome, PairsDecision},
        split,
    },
};
use serde::Deserialize;
use std::net::IpAddr;

const PAIRS: &str = "/reviews";
const APART: &str = "/reviews/apart";
const MERGES: &str = "/reviews/merges";
/// The page says that a merge was undone.
const MERGES_UNDONE: &str = "/reviews/merges?undone=1";

#[derive(Deserialize)]
pub(super) struct MergeForm {
    #[serde(default)]
    survivor: String,
    #[serde(default)]
    merged: String,
}

pub(super) async fn merge(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Form(form): Form<MergeForm>,
) -> Response<Body> {
    let (by, engine) = match permitted(&user, address) {
        Ok(by) => (by, &web.program.engine),
        Err(notice) => return redirect_back(PAIRS, notice, &[]),
    };
    let (Ok(survivor), Ok(merged)) = (form.survivor.parse::<EntityId>(), form.merged.parse::<EntityId>()) else {
        return redirect_back(PAIRS, Notice::NotFound, &[]);
    };
    let done = match engine.accounts.scope_of(user.id).await {
        Ok(scope) => reviews::merge(engine, &scope, by, survivor, merged).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(MergeOutcome::Done { merge, survivor }) => redirect(&format!("/entities/{survivor}?merged={merge}")),
        Ok(MergeOutcome::Unknown) => redirect_back(PAIRS, Notice::NotFound, &[]),
        Ok(MergeOutcome::Divided) => redirect_back(PAIRS, Notice::MergeDivided, &[]),
        Err(error) => redirect_back(PAIRS, store_notice(&error), &[]),
    }
}

pub(super) async fn undo(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
) -> Response<Body> {
    let by = match permitted(&user, address) {
        Ok(by) => by,
        Err(notice) => return redirect_back(MERGES, notice, &[]),
    };
    let Ok(id) = id.parse::<MergeId>() else { return redirect_back(MERGES, Notice::NotFound, &[]) };
    let engine = &web.program.engine;
    let done = match engine.accounts.scope_of(user.id).await {
        Ok(scope) => reviews::undo_merge(engine, &scope, &user, by, id).await,
        Err(error) => Err(error),
    };
    answer(MERGES_UNDONE, MERGES, done)
}

pub(super) async fn split(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    body: String,
) -> Response<Body> {
    let Ok(id) = id.parse::<EntityId>() else { return redirect_back("/entities", Notice::NotFound, &[]) };
    let page = format!("/entities/{id}/split");
    let by = match permitted(&user, address) {
        Ok(by) => by,
        Err(notice) => return redirect_back(&page, notice, &[]),
    };
    let fields = form_urlencoded::parse(body.as_bytes()).filter(|(name, _)| name == "claim");
    let claims: Vec<ClaimId> = fields.filter_map(|(_, id)| id.parse().ok()).collect();
    let engine = &web.program.engine;
    let done = match engine.accounts.scope_of(user.id).await {
        Ok(scope) => split::split(engine, &scope, by, id, claims).await,
        Err(error) => Err(error),
    };
    match done {
        Ok((new, SplitOutcome::Done)) => redirect(&format!("/entities/{new}")),
        Ok((_, SplitOutcome::Unknown)) => redirect_back(&page, Notice::NotFound, &[]),
        Ok((_, SplitOutcome::Merged)) => redirect_back(&page, Notice::SplitMerged, &[]),
        Ok((_, SplitOutcome::Divided)) => redirect_back(&page, Notice::SplitDivided, &[]),
        Ok((_, SplitOutcome::OneSided)) => redirect_back(&page, Notice::SplitOneSided, &[]),
        Err(error) => redirect_back(&page, store_notice(&error), &[]),
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
pub(super) async fn decide(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<DecisionForm>,
) -> Response<Body> {
    let by = match permitted(&user, address) {
        Ok(by) => by,
        Err(notice) => return redirect_back(PAIRS, notice, &[]),
    };
    let Ok(id) = id.parse::<ReviewId>() else { return redirect_back(PAIRS, Notice::NotFound, &[]) };
    let pairs = format!("{PAIRS}?page={}", form.page);
    let (decision, page) = match &*form.decision {
        "apart" => (ReviewDecision::KeepApart, format!("{pairs}&apart={id}")),
        "later" => (ReviewDecision::Later, format!("{pairs}&later={id}")),
        "open" => (ReviewDecision::Reopen, pairs),
        "reopen" => (ReviewDecision::Reopen, APART.to_owned()),
        _ => return redirect_back(PAIRS, Notice::NotFound, &[]),
    };
    let engine = &web.program.engine;
    let done = match engine.accounts.scope_of(user.id).await {
        Ok(scope) => reviews::decide(engine, &scope, by, id, decision).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(true) => redirect(&page),
        Ok(false) => redirect_back(PAIRS, Notice::NotFound, &[]),
        Err(error) => redirect_back(PAIRS, store_notice(&error), &[]),
    }
}

/// Decides about the chosen pairs of one reason: those of one page at most. The page then says how many, and where to undo it.
pub(super) async fn decide_many(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    body: String,
) -> Response<Body> {
    let by = match permitted(&user, address) {
        Ok(by) => by,
        Err(notice) => return redirect_back(PAIRS, notice, &[]),
    };
    let field = |wanted: &'static str| {
        form_urlencoded::parse(body.as_bytes()).filter(move |(name, _)| name == wanted).map(|(_, value)| value)
    };
    let page = field("page").next().and_then(|page| page.parse().ok()).unwrap_or_else(first_page);
    let number = page.to_string();
    let back = |notice: Notice| redirect_back(PAIRS, notice, &[("page", &number)]);
    let ids: Vec<ReviewId> = field("id").filter_map(|id| id.parse().ok()).collect();
    let engine = &web.program.engine;
    if ids.is_empty() {
        return back(Notice::NothingChosen);
    }
    if ids.len() > engine.config.pages.reviews as usize {
        return back(Notice::TooManyChosen);
    }
    let (decision, outcome) = match field("decision").next().as_deref() {
        Some("merge") => (PairsDecision::Merge, "merged"),
        Some("apart") => (PairsDecision::KeepApart, "kept"),
        _ => return back(Notice::NotFound),
    };
    let done = match engine.accounts.scope_of(user.id).await {
        Ok(scope) => reviews::decide_many(engine, &scope, by, &ids, page, decision).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(0) => back(Notice::NotFound),
        Ok(number) => redirect(&format!("{PAIRS}?page={page}&{outcome}={number}")),
        Err(error) => back(store_notice(&error)),
    }
}

fn permitted(user: &User, address: IpAddr) -> Result<Actor, Notice> {
    let by = Actor { user: Some(user.id), address: Some(address) };
    if user.role.may(Action::Investigate) { Ok(by) } else { Err(Notice::NotAllowed) }
}

fn answer(to: &str, page: &'static str, done: StoreResult<bool>) -> Response<Body> {
    match done {
        Ok(true) => redirect(to),
        Ok(false) => redirect_back(page, Notice::NotFound, &[]),
        Err(error) => redirect_back(page, store_notice(&error), &[]),
    }
}
