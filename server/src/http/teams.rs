//! Form posts that create teams and change them. A team that somebody may not change is reported as not found.

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
use domain::{TeamId, user::User};
use engine::{
    accounts::Actor,
    teams::{self, TeamError},
};
use serde::Deserialize;
use std::net::IpAddr;

const PAGE: &str = "/teams";
const LIBRARY: &str = "/documents";

#[derive(Deserialize)]
pub(super) struct TeamForm {
    #[serde(default)]
    name: String,
    #[serde(default)]
    person: String,
    #[serde(default)]
    member: String,
}

#[derive(Deserialize)]
pub(super) struct CollectionForm {
    #[serde(default)]
    team: String,
}

pub(super) async fn create(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Form(form): Form<TeamForm>,
) -> Response<Body> {
    let by = Actor { user: Some(user.id), address: Some(address) };
    let done = teams::create(&web.program.engine, &user, by, &form.name).await;
    answer(done.map(|_| ()), &[("name", &form.name)])
}

pub(super) async fn rename(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<TeamForm>,
) -> Response<Body> {
    let by = Actor { user: Some(user.id), address: Some(address) };
    let done = match parse(&id) {
        Ok(team) => teams::rename(&web.program.engine, &user, by, team, &form.name).await,
        Err(error) => Err(error),
    };
    answer(done, &[("team", &id), ("name", &form.name)])
}

pub(super) async fn add(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<TeamForm>,
) -> Response<Body> {
    let by = Actor { user: Some(user.id), address: Some(address) };
    let done = match parse(&id) {
        Ok(team) => teams::add_member(&web.program.engine, &user, by, team, &form.person).await,
        Err(error) => Err(error),
    };
    answer(done, &[("team", &id), ("person", &form.person)])
}

pub(super) async fn remove(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<TeamForm>,
) -> Response<Body> {
    let by = Actor { user: Some(user.id), address: Some(address) };
    let done = match (parse(&id), form.member.parse()) {
        (Ok(team), Ok(member)) => teams::remove_member(&web.program.engine, &user, by, team, member).await,
        _ => Err(TeamError::Missing),
    };
    answer(done, &[])
}

pub(super) async fn accept(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
) -> Response<Body> {
    answer(answer_invitation(&web, &user, address, &id, true).await, &[])
}

pub(super) async fn decline(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
) -> Response<Body> {
    match answer_invitation(&web, &user, address, &id, false).await {
        Ok(()) => redirect(&format!("{PAGE}?invitation=declined")),
        error => answer(error, &[]),
    }
}

async fn answer_invitation(web: &WebState, user: &User, address: IpAddr, id: &str, accepts: bool) -> Result<(), TeamError> {
    let by = Actor { user: Some(user.id), address: Some(address) };
    teams::answer_invitation(&web.program.engine, user, by, parse(id)?, accepts).await
}

pub(super) async fn delete(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
) -> Response<Body> {
    let by = Actor { user: Some(user.id), address: Some(address) };
    let done = match parse(&id) {
        Ok(team) => teams::delete(&web.program.engine, &user, by, team).await,
        Err(error) => Err(error),
    };
    answer(done, &[])
}

/// Opens a collection to a team, or closes it where none is chosen.
pub(super) async fn open_collection(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<CollectionForm>,
) -> Response<Body> {
    let by = Actor { user: Some(user.id), address: Some(address) };
    let team = Some(form.team.as_str()).filter(|team| !team.is_empty()).map(parse).transpose();
    let done = match (id.parse(), team) {
        (Ok(collection), Ok(team)) => teams::open_collection(&web.program.engine, &user, by, collection, team).await,
        _ => Err(TeamError::Missing),
    };
    match done {
        Ok(()) => redirect(&format!("{LIBRARY}?collection={id}&readers=saved")),
        Err(TeamError::Store(error)) => redirect_back(LIBRARY, store_notice(&error), &[]),
        Err(TeamError::TooManyCollections) => redirect_back(LIBRARY, Notice::TooManyTeamCollections, &[]),
        Err(_) => redirect_back(LIBRARY, Notice::NotFound, &[]),
    }
}

fn parse(id: &str) -> Result<TeamId, TeamError> {
    id.parse().map_err(|_| TeamError::Missing)
}

/// Redirects to the page, after an error with the typed values.
fn answer(done: Result<(), TeamError>, typed: &[(&str, &str)]) -> Response<Body> {
    let notice = match done {
        Ok(()) => return redirect(PAGE),
        Err(TeamError::BadName) => Notice::TeamNameBad,
        Err(TeamError::NameTaken) => Notice::TeamNameTaken,
        Err(TeamError::NoSuchPerson) => Notice::NoSuchPerson,
        Err(TeamError::AlreadyInvited) => Notice::AlreadyInvited,
        Err(TeamError::NotAllowed) => Notice::NotAllowed,
        Err(TeamError::TooManyCollections) => Notice::TooManyTeamCollections,
        Err(TeamError::Missing) => return redirect_back(PAGE, Notice::NotFound, &[]),
        Err(TeamError::Store(error)) => store_notice(&error),
    };
    let typed: Vec<(&str, String)> = typed.iter().map(|(name, value)| (*name, value.chars().take(200).collect())).collect();
    let typed: Vec<(&str, &str)> = typed.iter().map(|(name, value)| (*name, value.as_str())).collect();
    redirect_back(PAGE, notice, &typed)
}
