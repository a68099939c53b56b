//! Form posts that change the plan of a running investigation.

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
use domain::{InvestigationId, WorkOrderId, investigation::Investigation, user::User};
use engine::{
    StoreError, StoreResult,
    accounts::Actor,
    investigations::plan::{self, Editor, TaskError},
    pages::may_stop,
};
use serde::Deserialize;
use std::net::IpAddr;

#[derive(Deserialize)]
pub(super) struct TaskForm {
    task: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct NewTaskForm {
    objective: String,
    addresses: String,
}

pub(super) async fn remove(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<TaskForm>,
) -> Response<Body> {
    let found = match find(&web, &user, &id).await {
        Ok(found) => found,
        Err(refused) => return refused,
    };
    let Ok(task) = form.task.parse::<WorkOrderId>() else { return redirect_back(&page(found.id), Notice::NotFound, &[]) };
    answer(found.id, plan::remove_task(&web.program.engine, editor(&user, address), found.id, task).await)
}

pub(super) async fn first(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<TaskForm>,
) -> Response<Body> {
    let found = match find(&web, &user, &id).await {
        Ok(found) => found,
        Err(refused) => return refused,
    };
    let Ok(task) = form.task.parse::<WorkOrderId>() else { return redirect_back(&page(found.id), Notice::NotFound, &[]) };
    answer(found.id, plan::raise_task(&web.program.engine, editor(&user, address), found.id, task).await)
}

pub(super) async fn add(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<NewTaskForm>,
) -> Response<Body> {
    let found = match find(&web, &user, &id).await {
        Ok(found) => found,
        Err(refused) => return refused,
    };
    let by = editor(&user, address);
    match plan::add_task(&web.program.engine, by, &found, &form.objective, &form.addresses).await {
        Ok(_) => redirect(&page(found.id)),
        Err(error) => {
            let typed = [("objective", form.objective.as_str()), ("addresses", form.addresses.as_str())];
            redirect_back(&page(found.id), notice_of(&error), &typed)
        }
    }
}

fn page(id: InvestigationId) -> String {
    format!("/investigations/{id}/plan")
}

fn editor(user: &User, address: IpAddr) -> Editor {
    Editor { user: user.id, actor: Actor { user: Some(user.id), address: Some(address) } }
}

/// Returns an investigation whose plan the user may change, or the redirect of a refusal.
async fn find(web: &WebState, user: &User, id: &str) -> Result<Investigation, Response<Body>> {
    match find_stored(web, user, id).await {
        Ok(Some(found)) => Ok(found),
        Ok(None) => Err(redirect_back("/", Notice::NotFound, &[])),
        Err(error) => Err(redirect_back("/", store_notice(&error), &[])),
    }
}

async fn find_stored(web: &WebState, user: &User, id: &str) -> Result<Option<Investigation>, StoreError> {
    let Ok(id) = id.parse::<InvestigationId>() else { return Ok(None) };
    let engine = &web.program.engine;
    if !engine.may_watch(user, id).await? {
        return Ok(None);
    }
    Ok(engine.investigations.investigation(id).await?.filter(|found| may_stop(user, found)))
}

fn answer(id: InvestigationId, done: StoreResult<bool>) -> Response<Body> {
    match done {
        Ok(true) => redirect(&page(id)),
        Ok(false) => redirect_back(&page(id), Notice::TaskBegun, &[]),
        Err(error) => redirect_back(&page(id), store_notice(&error), &[]),
    }
}

fn notice_of(error: &TaskError) -> Notice {
    match error {
        TaskError::Empty => Notice::TaskEmpty,
        TaskError::TooLong => Notice::TaskLong,
        TaskError::BadAddress => Notice::BadAddress,
        TaskError::OffTheWeb => Notice::OffTheWeb,
        TaskError::Known => Notice::TaskKnown,
        TaskError::Full => Notice::PlanFull,
        TaskError::Closed => Notice::PlanClosed,
        TaskError::Store(error) => store_notice(error),
    }
}
