//! Form posts that add people, change roles, and disable or enable accounts.

use super::{
    WebState,
    answer::{redirect, redirect_back},
    auth::SessionUser,
    sign_in::notice_of,
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
use engine::accounts::{self, AccountChange, NewAccount};
use serde::Deserialize;

const PAGE: &str = "/people";

#[derive(Deserialize)]
pub(super) struct NewPersonForm {
    #[serde(default)]
    username: String,
    #[serde(default)]
    role: String,
    #[serde(default)]
    password: String,
}

#[derive(Deserialize)]
pub(super) struct ChangeRoleForm {
    #[serde(default)]
    role: String,
}

pub(super) async fn add(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Form(form): Form<NewPersonForm>,
) -> Response<Body> {
    if !user.role.may(Action::ManageUsers) {
        return redirect_back("/", Notice::NotAllowed, &[]);
    }
    let Some(role) = Role::parse(&form.role) else { return redirect_back(PAGE, Notice::Internal, &[]) };
    let program = &web.program;
    let new = NewAccount { name: &form.username, password: &form.password, role };
    match accounts::create(&program.engine, &program.passwords, new, Some(user.id)).await {
        Ok(_) => redirect(PAGE),
        Err(error) => redirect_back(PAGE, notice_of(&error), &[("username", form.username.trim())]),
    }
}

pub(super) async fn change_role(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Path(id): Path<String>,
    Form(form): Form<ChangeRoleForm>,
) -> Response<Body> {
    match Role::parse(&form.role) {
        Some(role) => change(&web, &user, &id, AccountChange::Role(role)).await,
        None => redirect_back(PAGE, Notice::Internal, &[]),
    }
}

pub(super) async fn disable(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Path(id): Path<String>,
) -> Response<Body> {
    change(&web, &user, &id, AccountChange::Disabled(true)).await
}

pub(super) async fn enable(
    State(web): State<WebState>,
    SessionUser(user): SessionUser,
    Path(id): Path<String>,
) -> Response<Body> {
    change(&web, &user, &id, AccountChange::Disabled(false)).await
}

async fn change(web: &WebState, by: &User, id: &str, change: AccountChange) -> Response<Body> {
    if !by.role.may(Action::ManageUsers) {
        return redirect_back("/", Notice::NotAllowed, &[]);
    }
    let Ok(id) = id.parse::<UserId>() else { return redirect_back(PAGE, Notice::NotFound, &[]) };
    match accounts::change(&web.program.engine, by, id, change).await {
        Ok(()) => redirect(PAGE),
        Err(error) => redirect_back(PAGE, notice_of(&error), &[]),
    }
}
