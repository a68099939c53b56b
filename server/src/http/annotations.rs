//! Form posts that annotate an assessment: exclude evidence, contest a rating. Tags and notes: `reader_notes`.

use super::{
    WebState,
    answer::{redirect, redirect_back, store_notice},
    audit,
    auth::SessionUser,
    client_address::ClientAddress,
};
use app::{Notice, session::encode};
use axum::{
    Form,
    body::Body,
    extract::{Path, State},
    http::Response,
};
use domain::{AssessmentId, ContestId, annotation::ContestedItem, assessment::Marker};
use engine::{
    StoreResult,
    annotations::{self, AnnotationRefusal, AnnotationResult},
};
use serde::Deserialize;

const HOME: &str = "/assessments";

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ContestForm {
    item: String,
    value: String,
    reason: String,
}

#[derive(Deserialize)]
pub(super) struct WithdrawForm {
    #[serde(default)]
    contest: String,
}

#[derive(Deserialize)]
pub(super) struct ExclusionForm {
    #[serde(default)]
    marker: String,
    #[serde(default)]
    reason: String,
}

pub(super) async fn contest(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<ContestForm>,
) -> Response<Body> {
    let Ok(id) = id.parse::<AssessmentId>() else { return redirect_back(HOME, Notice::NotFound, &[]) };
    let (item, value, reason) = (form.item.trim(), form.value.as_str(), form.reason.as_str());
    let done = annotations::contest(&web.program.engine, &user, id, (item, value, reason)).await;
    let done = audit::done(&web, &user, address, "contest", &format!("{id} {item}"), done).await;
    // A parsed item cannot lead elsewhere.
    let anchor = ContestedItem::parse(item).map(|item| item.to_string().to_lowercase()).unwrap_or_default();
    answer(done, id, &anchor, &[("item", item), ("value", value), ("reason", reason)])
}

pub(super) async fn withdraw(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<WithdrawForm>,
) -> Response<Body> {
    let (Ok(id), Ok(contest)) = (id.parse::<AssessmentId>(), form.contest.parse::<ContestId>()) else {
        return redirect_back(HOME, Notice::NotFound, &[]);
    };
    let done = annotations::withdraw(&web.program.engine, &user, id, contest).await;
    answer(audit::done(&web, &user, address, "withdraw_contest", &id.to_string(), done).await, id, "", &[])
}

pub(super) async fn exclude(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Path(id): Path<String>,
    Form(form): Form<ExclusionForm>,
) -> Response<Body> {
    let (Ok(id), Ok(marker)) = (id.parse::<AssessmentId>(), form.marker.parse::<Marker>()) else {
        return redirect_back(HOME, Notice::NotFound, &[]);
    };
    let done = annotations::exclude(&web.program.engine, &user, id, marker, &form.reason).await;
    answer(done, id, "recount", &[("item", &format!("c{marker}")), ("form", "exclude"), ("reason", &form.reason)])
}

pub(super) async fn include(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Path(id): Path<String>,
    Form(form): Form<ExclusionForm>,
) -> Response<Body> {
    let (Ok(id), Ok(marker)) = (id.parse::<AssessmentId>(), form.marker.parse::<Marker>()) else {
        return redirect_back(HOME, Notice::NotFound, &[]);
    };
    answer(annotations::include(&web.program.engine, &user, id, marker).await, id, &format!("c{marker}"), &[])
}

/// Leads to the Evidence tab, or back to the form with what was typed.
fn answer(done: StoreResult<AnnotationResult>, id: AssessmentId, anchor: &str, typed: &[(&str, &str)]) -> Response<Body> {
    let evidence = format!("{HOME}/{id}/evidence");
    let notice = match done {
        Ok(Ok(())) if anchor.is_empty() => return redirect(&evidence),
        Ok(Ok(())) => return redirect(&format!("{evidence}#{}", encode(anchor))),
        Ok(Err(AnnotationRefusal::NotFound)) => return redirect_back(HOME, Notice::NotFound, &[]),
        Ok(Err(AnnotationRefusal::NotAllowed)) => Notice::NotAllowed,
        Ok(Err(AnnotationRefusal::BadReason)) => Notice::ReasonMissing,
        Ok(Err(AnnotationRefusal::BadValue)) => Notice::BadRating,
        Ok(Err(AnnotationRefusal::TooMany)) => Notice::TooManyAnnotations,
        Err(error) => store_notice(&error),
    };
    match typed {
        [] => redirect_back(&evidence, notice, &[]),
        _ => redirect_back(&format!("{HOME}/{id}/contest"), notice, typed),
    }
}
