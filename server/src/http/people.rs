//! Form posts that add people, change roles, and disable or enable accounts.

use super::{
    WebState,
    answer::{redirect, redirect_back},
    auth::ConfirmedUser,
    client_address::ClientAddress,
    sign_in::{notice_of, with_typed_name},
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
use engine::accounts::{self, AccountChange, Actor, NewAccount};
use serde::Deserialize;
use std::net::IpAddr;

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
    ConfirmedUser(user): ConfirmedUser,
    ClientAddress(address): ClientAddress,
    Form(form): Form<NewPersonForm>,
) -> Response<Body> {
    let by = Actor { user: Some(user.id), address: Some(address) };
    if !user.role.may(Action::ManageUsers) {
        return not_allowed(&web, by).await;
    }
    let Some(role) = Role::parse(&form.role) else { return redirect_back(PAGE, Notice::Internal, &[]) };
    let program = &web.program;
    let new = NewAccount { name: &form.username, password: &form.password, role, must_change_password: true };
    match accounts::create(&program.engine, &program.passwords, new, by).await {
        Ok(_) => redirect(PAGE),
        Err(error) => with_typed_name(redirect_back(PAGE, notice_of(&error), &[]), &form.username),
    }
}

pub(super) async fn change_role(
    State(web): State<WebState>,
    ConfirmedUser(user): ConfirmedUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
    Form(form): Form<ChangeRoleForm>,
) -> Response<Body> {
    match Role::parse(&form.role) {
        Some(role) => change(&web, &user, address, &id, AccountChange::Role(role)).await,
        None => redirect_back(PAGE, Notice::Internal, &[]),
    }
}

pub(super) async fn disable(
    State(web): State<WebState>,
    ConfirmedUser(user): ConfirmedUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
) -> Response<Body> {
    change(&web, &user, address, &id, AccountChange::Disabled(true)).await
}

pub(super) async fn enable(
    State(web): State<WebState>,
    ConfirmedUser(user): ConfirmedUser,
    ClientAddress(address): ClientAddress,
    Path(id): Path<String>,
) -> Response<Body> {
    change(&web, &user, address, &id, AccountChange::Disabled(false)).await
}

async fn change(web: &WebState, user: &User, address: IpAddr, id: &str, change: AccountChange) -> Response<Body> {
    let by = Actor { user: Some(user.id), address: Some(address) };
    if !user.role.may(Action::ManageUsers) {
        return not_allowed(web, by).await;
    }
    let Ok(id) = id.parse::<UserId>() else { return redirect_back(PAGE, Notice::NotFound, &[]) };
    match accounts::change(&web.program.engine, by, id, change).await {
        Ok(()) => redirect(PAGE),
        Err(error) => redirect_back(PAGE, notice_of(&error), &[]),
    }
}

/// Refuses and records an attempt to manage people without the role for it.
async fn not_allowed(web: &WebState, by: Actor) -> Response<Body> {
    if let Err(error) = accounts::audit(&web.program.engine, by, "administration_refused", PAGE).await {
        tracing::error!(%error, "audit entry not written");
    }
    redirect_back("/", Notice::NotAllowed, &[])
}
