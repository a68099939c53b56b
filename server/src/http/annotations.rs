//! Form posts that annotate an assessment: exclude evidence, contest a rating. Tags and notes: `reader_notes`.

use super::{audit, prelude::*};
use app::session::encode;
use domain::{ContestId, annotation::ContestedItem, assessment::Marker};
use engine::annotations::{self, AnnotationRefusal, AnnotationResult};

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

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ExclusionForm {
    marker: String,
    reason: String,
}

pub(super) async fn contest(Path(id): Path<String>, post: FormPost<ContestForm>) -> Response<Body> {
    let Ok(id) = id.parse::<AssessmentId>() else { return post.lead_to(HOME, Notice::NotFound) };
    let item = post.form.item.trim().to_owned();
    let values = (item.as_str(), post.form.value.as_str(), post.form.reason.as_str());
    let done = annotations::contest(&post.web.engine, &post.user, id, values).await;
    let done = audit::done(&post, "contest", &format!("{id} {item}"), done).await;
    // A parsed item cannot lead elsewhere.
    let next = match ContestedItem::parse(&item) {
        Some(ContestedItem::Credibility(marker)) => evidence_page(id, &format!("c{marker}")),
        Some(ContestedItem::Likelihood(item)) => format!("{}#{}", analysis_page(id), encode(&item.to_lowercase())),
        None => analysis_page(id),
    };
    respond(post, done, &next, &form_page(id, &item)).await
}

pub(super) async fn withdraw(Path(id): Path<String>, post: FormPost<WithdrawForm>) -> Response<Body> {
    let (Ok(id), Ok(contest)) = (id.parse::<AssessmentId>(), post.form.contest.parse::<ContestId>()) else {
        return post.lead_to(HOME, Notice::NotFound);
    };
    let done = annotations::withdraw(&post.web.engine, &post.user, id, contest).await;
    let done = audit::done(&post, "withdraw_contest", &id.to_string(), done).await;
    respond(post, done, &analysis_page(id), &analysis_page(id)).await
}

pub(super) async fn exclude(Path(id): Path<String>, post: FormPost<ExclusionForm>) -> Response<Body> {
    let (Ok(id), Ok(marker)) = (id.parse::<AssessmentId>(), post.form.marker.parse::<Marker>()) else {
        return post.lead_to(HOME, Notice::NotFound);
    };
    let done = annotations::exclude(&post.web.engine, &post.user, id, marker, &post.form.reason).await;
    respond(post, done, &evidence_page(id, "recount"), &form_page(id, &format!("c{marker}"))).await
}

pub(super) async fn include(Path(id): Path<String>, post: FormPost<ExclusionForm>) -> Response<Body> {
    let (Ok(id), Ok(marker)) = (id.parse::<AssessmentId>(), post.form.marker.parse::<Marker>()) else {
        return post.lead_to(HOME, Notice::NotFound);
    };
    let done = annotations::include(&post.web.engine, &post.user, id, marker).await;
    respond(post, done, &evidence_page(id, &format!("c{marker}")), &evidence_page(id, "")).await
}

/// Returns the address of the Analysis tab.
fn analysis_page(id: AssessmentId) -> String {
    format!("{HOME}/{id}/analysis")
}

/// Returns the address of the Evidence tab, at an anchor if there is one.
fn evidence_page(id: AssessmentId, anchor: &str) -> String {
    match anchor {
        "" => format!("{HOME}/{id}/evidence"),
        anchor => format!("{HOME}/{id}/evidence#{}", encode(anchor)),
    }
}

/// Returns the address of the page with the forms about an item.
fn form_page(id: AssessmentId, item: &str) -> String {
    format!("{HOME}/{id}/contest?item={}", encode(item))
}

/// Leads on to `next`, or back to `page` with the input.
async fn respond<T>(post: FormPost<T>, done: StoreResult<AnnotationResult>, next: &str, page: &str) -> Response<Body> {
    let notice = match done {
        Ok(Ok(())) => return redirect(next),
        Ok(Err(AnnotationRefusal::NotFound)) => return post.lead_to(HOME, Notice::NotFound),
        Ok(Err(AnnotationRefusal::NotAllowed)) => Notice::NotAllowed,
        Ok(Err(AnnotationRefusal::BadReason)) => Notice::ReasonMissing,
        Ok(Err(AnnotationRefusal::BadValue)) => Notice::BadRating,
        Ok(Err(AnnotationRefusal::TooMany)) => Notice::TooManyAnnotations,
        Err(error) => return post.fail(page, &error).await,
    };
    post.refuse(page, notice).await
}
