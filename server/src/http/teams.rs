//! Form posts that create teams and change them. A team that somebody may not change is reported as not found.

use super::prelude::*;
use domain::TeamId;
use engine::teams::{self, TeamError};

const PAGE: &str = "/teams";
const LIBRARY: &str = "/documents";

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct TeamForm {
    name: String,
    person: String,
    member: String,
}

#[derive(Deserialize)]
pub(super) struct CollectionForm {
    #[serde(default)]
    team: String,
}

pub(super) async fn create(post: FormPost<TeamForm>) -> Response<Body> {
    let done = teams::create(&post.web.engine, &post.user, post.by, &post.form.name).await;
    respond(post, PAGE, done.map(drop)).await
}

pub(super) async fn rename(Path(id): Path<String>, post: FormPost<TeamForm>) -> Response<Body> {
    let done = match parse(&id) {
        Ok(team) => teams::rename(&post.web.engine, &post.user, post.by, team, &post.form.name).await,
        Err(error) => Err(error),
    };
    respond(post, &format!("{PAGE}?team={id}"), done).await
}

pub(super) async fn add(Path(id): Path<String>, post: FormPost<TeamForm>) -> Response<Body> {
    let done = match parse(&id) {
        Ok(team) => teams::add_member(&post.web.engine, &post.user, post.by, team, &post.form.person).await,
        Err(error) => Err(error),
    };
    respond(post, &format!("{PAGE}?team={id}"), done).await
}

pub(super) async fn remove(Path(id): Path<String>, post: FormPost<TeamForm>) -> Response<Body> {
    let done = match (parse(&id), post.form.member.parse()) {
        (Ok(team), Ok(member)) => teams::remove_member(&post.web.engine, &post.user, post.by, team, member).await,
        _ => Err(TeamError::Missing),
    };
    respond(post, PAGE, done).await
}

pub(super) async fn accept(Path(id): Path<String>, post: FormPost<AnyFields>) -> Response<Body> {
    let done = answer_invitation(&post, &id, true).await;
    respond(post, PAGE, done).await
}

pub(super) async fn decline(Path(id): Path<String>, post: FormPost<AnyFields>) -> Response<Body> {
    match answer_invitation(&post, &id, false).await {
        Ok(()) => redirect(&format!("{PAGE}?invitation=declined")),
        error => respond(post, PAGE, error).await,
    }
}

async fn answer_invitation(post: &FormPost<AnyFields>, id: &str, accepts: bool) -> Result<(), TeamError> {
    teams::answer_invitation(&post.web.engine, &post.user, post.by, parse(id)?, accepts).await
}

pub(super) async fn delete(Path(id): Path<String>, post: FormPost<AnyFields>) -> Response<Body> {
    let done = match parse(&id) {
        Ok(team) => teams::delete(&post.web.engine, &post.user, post.by, team).await,
        Err(error) => Err(error),
    };
    respond(post, PAGE, done).await
}

/// Opens a collection to a team, or closes it where none is chosen.
pub(super) async fn open_collection(Path(id): Path<String>, post: FormPost<CollectionForm>) -> Response<Body> {
    let team = Some(post.form.team.as_str()).filter(|team| !team.is_empty()).map(parse).transpose();
    let done = match (id.parse(), team) {
        (Ok(collection), Ok(team)) => teams::open_collection(&post.web.engine, &post.user, post.by, collection, team).await,
        _ => Err(TeamError::Missing),
    };
    match done {
        Ok(()) => redirect(&format!("{LIBRARY}?collection={id}&readers=saved")),
        Err(TeamError::Store(error)) => post.lead_to(LIBRARY, app::store_notice(&error)),
        Err(TeamError::TooManyCollections) => post.lead_to(LIBRARY, Notice::TooManyTeamCollections),
        Err(_) => post.lead_to(LIBRARY, Notice::NotFound),
    }
}

fn parse(id: &str) -> Result<TeamId, TeamError> {
    id.parse().map_err(|_| TeamError::Missing)
}

/// Redirects to the list, after an error to `page` with the input.
async fn respond<T>(post: FormPost<T>, page: &str, done: Result<(), TeamError>) -> Response<Body> {
    let notice = match done {
        Ok(()) => return redirect(PAGE),
        Err(TeamError::Missing) => return post.lead_to(PAGE, Notice::NotFound),
        Err(TeamError::Store(error)) => return post.fail(page, &error).await,
        Err(TeamError::BadName) => Notice::TeamNameBad,
        Err(TeamError::NameTaken) => Notice::TeamNameTaken,
        Err(TeamError::NoSuchPerson) => Notice::NoSuchPerson,
        Err(TeamError::AlreadyInvited) => Notice::AlreadyInvited,
        Err(TeamError::NotAllowed) => Notice::NotAllowed,
        Err(TeamError::TooManyCollections) => Notice::TooManyTeamCollections,
    };
    post.refuse(page, notice).await
}
