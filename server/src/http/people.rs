//! Managing people from the browser: adding them, their roles, keeping them out.

use super::{
    Web,
    answer::{back, see_other},
    doors::notice_of,
    visitor::Visitor,
};
use app::Notice;
use axum::{
    Form,
    body::Body,
    extract::{Path, State},
    http::Response,
};
use domain::{
    UserId,
    user::{Action, Role, User},
};
use engine::accounts::{self, Change, NewAccount};
use serde::Deserialize;

const PAGE: &str = "/people";

#[derive(Deserialize)]
pub(super) struct NewPerson {
    #[serde(default)]
    username: String,
    #[serde(default)]
    role: String,
    #[serde(default)]
    password: String,
}

#[derive(Deserialize)]
pub(super) struct NewRole {
    #[serde(default)]
    role: String,
}

pub(super) async fn add(State(web): State<Web>, Visitor(user): Visitor, Form(form): Form<NewPerson>) -> Response<Body> {
    if !user.role.may(Action::ManageUsers) {
        return back("/", Notice::NotAllowed, &[]);
    }
    let Some(role) = Role::parse(&form.role) else { return back(PAGE, Notice::Internal, &[]) };
    let program = &web.program;
    let new = NewAccount { name: &form.username, password: &form.password, role };
    match accounts::create(&program.engine, &program.passwords, new, Some(user.id)).await {
        Ok(_) => see_other(PAGE),
        Err(error) => back(PAGE, notice_of(&error), &[("username", form.username.trim())]),
    }
}

pub(super) async fn change_role(
    State(web): State<Web>,
    Visitor(user): Visitor,
    Path(id): Path<String>,
    Form(form): Form<NewRole>,
) -> Response<Body> {
    match Role::parse(&form.role) {
        Some(role) => change(&web, &user, &id, Change::Role(role)).await,
        None => back(PAGE, Notice::Internal, &[]),
    }
}

pub(super) async fn disable(State(web): State<Web>, Visitor(user): Visitor, Path(id): Path<String>) -> Response<Body> {
    change(&web, &user, &id, Change::Disabled(true)).await
}

pub(super) async fn enable(State(web): State<Web>, Visitor(user): Visitor, Path(id): Path<String>) -> Response<Body> {
    change(&web, &user, &id, Change::Disabled(false)).await
}

async fn change(web: &Web, by: &User, id: &str, change: Change) -> Response<Body> {
    if !by.role.may(Action::ManageUsers) {
        return back("/", Notice::NotAllowed, &[]);
    }
    let Ok(id) = id.parse::<UserId>() else { return back(PAGE, Notice::NotFound, &[]) };
    match accounts::change(&web.program.engine, by, id, change).await {
        Ok(()) => see_other(PAGE),
        Err(error) => back(PAGE, notice_of(&error), &[]),
    }
}
