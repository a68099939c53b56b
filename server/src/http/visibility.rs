//! Form post that changes who may read a report.

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
use domain::{AssessmentId, InvestigationId, visibility::Visibility};
use engine::{
    accounts::Actor,
    teams::{self, VisibilityError},
};
use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct VisibilityChoice {
    #[serde(default)]
    visibility: String,
    /// The box that agrees to show the quotes.
    #[serde(default)]
    quotes: String,
    /// Id of the report to come back to.
    #[serde(default)]
    report: String,
}

pub(super) async fn change(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<VisibilityChoice>,
) -> Response<Body> {
    let Ok(id) = id.parse::<InvestigationId>() else { return redirect_back("/", Notice::NotFound, &[]) };
    let page = match form.report.parse::<AssessmentId>() {
        Ok(report) => format!("/assessments/{report}"),
        Err(_) => format!("/investigations/{id}"),
    };
    let Some(visibility) = Visibility::parse(&form.visibility) else { return redirect_back(&page, Notice::NotFound, &[]) };
    let by = Actor { user: Some(user.id), address: Some(address) };
    let changed = teams::set_visibility(&web.program.engine, &user, by, id, visibility, form.quotes == "agreed").await;
    match changed {
        Ok(()) => redirect(&format!("{page}?saved=visibility")),
        Err(VisibilityError::Missing) => redirect_back("/", Notice::NotFound, &[]),
        Err(error) => redirect_back(&page, notice_of(&error), &[("visibility", &form.visibility)]),
    }
}

pub(super) fn notice_of(error: &VisibilityError) -> Notice {
    match error {
        VisibilityError::Missing => Notice::NotFound,
        VisibilityError::NotAllowed => Notice::NotAllowed,
        VisibilityError::QuotesNotAgreed => Notice::QuotesNotAgreed,
        VisibilityError::Store(error) => store_notice(error),
    }
}
