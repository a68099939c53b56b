//! Form posts that investigate and remove the sample.

use super::{investigations::notice_of, prelude::*};
use crate::sample::{self, SampleError};
use engine::accounts;

const PAGE: &str = "/";

pub(super) async fn investigate(State(web): State<WebState>, post: FormPost<AnyFields>) -> Response<Body> {
    if !post.user.role.may(Action::Investigate) {
        return post.lead_to(PAGE, Notice::NotAllowed);
    }
    match sample::start(&web.program, &post.user, |_| {}).await {
        Ok((investigation, _)) => {
            tokio::spawn(sample::resume(web.program.clone(), web.shutdown.clone()));
            let object = investigation.id.to_string();
            if let Err(error) = accounts::audit(&post.web.engine, post.by, "investigate_sample", &object).await {
                tracing::error!(%error, "audit entry not written");
            }
            redirect(&format!("/investigations/{object}"))
        }
        Err(SampleError::Missing) => post.lead_to(PAGE, Notice::SampleMissing),
        Err(SampleError::OncePerDay) => post.lead_to(PAGE, Notice::SampleOncePerDay),
        Err(SampleError::Start(error)) => post.lead_to(PAGE, notice_of(&error)),
    }
}

pub(super) async fn remove(State(web): State<WebState>, post: FormPost<AnyFields>) -> Response<Body> {
    if !post.user.role.may(Action::RemoveSample) {
        return post.lead_to(PAGE, Notice::NotAllowed);
    }
    match sample::remove(&web.program, &post.user).await {
        Ok(()) => redirect(PAGE),
        Err(error) => post.lead_to(PAGE, app::store_notice(&error)),
    }
}
