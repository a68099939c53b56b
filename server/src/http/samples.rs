//! Form posts that investigate and remove the sample.

use super::{
    WebState,
    answer::{redirect, redirect_back, store_notice},
    auth::SessionUser,
    client_address::ClientAddress,
    investigations::notice_of,
};
use crate::sample::{self, SampleError};
use app::Notice;
use axum::{body::Body, extract::State, http::Response};
use domain::user::Action;
use engine::accounts::{self, Actor};

pub(super) async fn investigate(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
) -> Response<Body> {
    if !user.role.may(Action::Investigate) {
        return redirect_back("/", Notice::NotAllowed, &[]);
    }
    match sample::start(&web.program, &user, |_| {}).await {
        Ok((investigation, _)) => {
            tokio::spawn(sample::resume(web.program.clone(), web.shutdown.clone()));
            let by = Actor { user: Some(user.id), address: Some(address) };
            let object = investigation.id.to_string();
            if let Err(error) = accounts::audit(&web.program.engine, by, "investigate_sample", &object).await {
                tracing::error!(%error, "audit entry not written");
            }
            redirect(&format!("/investigations/{}", investigation.id))
        }
        Err(SampleError::Missing) => redirect_back("/", Notice::SampleMissing, &[]),
        Err(SampleError::OncePerDay) => redirect_back("/", Notice::SampleOncePerDay, &[]),
        Err(SampleError::Start(error)) => redirect_back("/", notice_of(&error), &[]),
    }
}

pub(super) async fn remove(State(web): State<WebState>, SessionUser(user): SessionUser) -> Response<Body> {
    if !user.role.may(Action::RemoveSample) {
        return redirect_back("/", Notice::NotAllowed, &[]);
    }
    match sample::remove(&web.program, &user).await {
        Ok(()) => redirect("/"),
        Err(error) => redirect_back("/", store_notice(&error), &[]),
    }
}
