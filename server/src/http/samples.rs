//! The sample, tried and removed from the dashboard.

use super::{
    Web,
    answer::{back, see_other, store_notice},
    investigations::notice_of,
    visitor::Visitor,
};
use crate::{
    intake,
    sample::{self, SampleError},
};
use app::Notice;
use axum::{body::Body, extract::State, http::Response};
use domain::user::Action;

pub(super) async fn investigate(State(web): State<Web>, Visitor(user): Visitor) -> Response<Body> {
    if !user.role.may(Action::Investigate) {
        return back("/", Notice::NotAllowed, &[]);
    }
    match sample::begin(&web.program, |_| {}).await {
        Ok((investigation, _)) => {
            tokio::spawn(sample::go_on(web.program.clone(), web.shutdown.clone()));
            if let Err(error) = intake::audit(&web.program, &user, "investigate_sample", &investigation.id.to_string()).await {
                tracing::error!(%error, "the audit log has a gap");
            }
            see_other(&format!("/investigations/{}", investigation.id))
        }
        Err(SampleError::Missing) => back("/", Notice::SampleMissing, &[]),
        Err(SampleError::Intake(error)) => back("/", notice_of(&error), &[]),
    }
}

pub(super) async fn remove(State(web): State<Web>, Visitor(user): Visitor) -> Response<Body> {
    if !user.role.may(Action::RemoveSample) {
        return back("/", Notice::NotAllowed, &[]);
    }
    match sample::remove(&web.program, &user).await {
        Ok(()) => see_other("/"),
        Err(error) => back("/", store_notice(&error), &[]),
    }
}
