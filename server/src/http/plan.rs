//! Form posts that change the plan of a running investigation.

use super::prelude::*;
use domain::{WorkOrderId, investigation::Investigation};
use engine::{
    investigations::plan::{self, Editor, TaskError},
    pages::may_stop,
};

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

pub(super) async fn remove(Path(id): Path<String>, post: FormPost<TaskForm>) -> Response<Body> {
    let found = match find(&post, &id).await {
        Ok(found) => found,
        Err(notice) => return post.lead_to("/", notice),
    };
    let Ok(task) = post.form.task.parse::<WorkOrderId>() else { return post.lead_to(&page(found.id), Notice::NotFound) };
    let done = plan::remove_task(&post.web.engine, editor(&post), found.id, task).await;
    respond(post, found.id, done)
}

pub(super) async fn first(Path(id): Path<String>, post: FormPost<TaskForm>) -> Response<Body> {
    let found = match find(&post, &id).await {
        Ok(found) => found,
        Err(notice) => return post.lead_to("/", notice),
    };
    let Ok(task) = post.form.task.parse::<WorkOrderId>() else { return post.lead_to(&page(found.id), Notice::NotFound) };
    let done = plan::raise_task(&post.web.engine, editor(&post), found.id, task).await;
    respond(post, found.id, done)
}

pub(super) async fn add(Path(id): Path<String>, post: FormPost<NewTaskForm>) -> Response<Body> {
    let found = match find(&post, &id).await {
        Ok(found) => found,
        Err(notice) => return post.lead_to("/", notice),
    };
    let (objective, addresses) = (&post.form.objective, &post.form.addresses);
    match plan::add_task(&post.web.engine, editor(&post), &found, objective, addresses).await {
        Ok(_) => redirect(&page(found.id)),
        Err(error) => post.refuse(&page(found.id), notice_of(&error)).await,
    }
}

fn page(id: InvestigationId) -> String {
    format!("/investigations/{id}/plan")
}

fn editor<T>(post: &FormPost<T>) -> Editor {
    Editor { user: post.user.id, actor: post.by }
}

/// Returns an investigation whose plan the user may change, or the notice of a refusal.
async fn find<T>(post: &FormPost<T>, id: &str) -> Result<Investigation, Notice> {
    let engine = &post.web.engine;
    let id = id.parse::<InvestigationId>().map_err(|_| Notice::NotFound)?;
    if !engine.may_watch(&post.user, id).await.map_err(|error| store_notice(&error))? {
        return Err(Notice::NotFound);
    }
    let found = engine.investigations.investigation(id).await.map_err(|error| store_notice(&error))?;
    found.filter(|found| may_stop(&post.user, found)).ok_or(Notice::NotFound)
}

fn respond<T>(post: FormPost<T>, id: InvestigationId, done: StoreResult<bool>) -> Response<Body> {
    match done {
        Ok(true) => redirect(&page(id)),
        Ok(false) => post.lead_to(&page(id), Notice::TaskBegun),
        Err(error) => post.lead_to(&page(id), store_notice(&error)),
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
