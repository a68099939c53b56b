//! Form post that changes who may read a report.

use super::prelude::*;
use domain::visibility::Visibility;
use engine::teams::{self, VisibilityError};

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct VisibilityChoice {
    visibility: String,
    /// The box that agrees to show the quotes.
    quotes: String,
    /// Id of the report to come back to.
    report: String,
}

pub(super) async fn change(Path(id): Path<String>, post: FormPost<VisibilityChoice>) -> Response<Body> {
    let Ok(id) = id.parse::<InvestigationId>() else { return post.lead_to("/", Notice::NotFound) };
    let form = &post.form;
    let page = match form.report.parse::<AssessmentId>() {
        Ok(report) => format!("/assessments/{report}"),
        Err(_) => format!("/investigations/{id}"),
    };
    let Some(visibility) = Visibility::parse(&form.visibility) else { return post.lead_to(&page, Notice::NotFound) };
    let agrees = form.quotes == "agreed";
    match teams::set_visibility(&post.web.engine, &post.user, post.by, id, visibility, agrees).await {
        Ok(()) => redirect(&format!("{page}?saved=visibility")),
        Err(VisibilityError::Missing) => post.lead_to("/", Notice::NotFound),
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
