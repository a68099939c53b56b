//! Form posts that add people, change roles, reset passwords, and disable or enable accounts.

use super::{
    auth::{Administrator, ConfirmedUser, ask_to_confirm, is_confirmed},
    prelude::*,
    sign_in::{notice_of, with_typed_name},
};
use domain::user::Role;
use engine::accounts::{self, AccountChange, NewAccount};

const PAGE: &str = "/people";

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct NewPersonForm {
    username: String,
    role: String,
    password: String,
}

// No `Debug`, because it holds a password.
#[derive(Deserialize)]
pub(super) struct PasswordForm {
    #[serde(default)]
    password: String,
}

#[derive(Deserialize)]
pub(super) struct ChangeRoleForm {
    #[serde(default)]
    role: String,
}

pub(super) async fn add(
    Administrator { web, by }: Administrator,
    session: Session,
    Form(form): Form<NewPersonForm>,
) -> Response<Body> {
    let Some(role) = Role::parse(&form.role) else { return redirect_back(PAGE, Notice::Internal, &[]) };
    if !is_confirmed(&web, &session).await {
        // The typed name and the role stand in the form again.
        return with_typed_name(ask_to_confirm(&format!("{PAGE}?role={}", role.as_str())), &form.username);
    }
    let program = &web.program;
    let new = NewAccount { name: &form.username, password: &form.password, role, must_change_password: true };
    match accounts::create(&program.engine, &program.passwords, new, by).await {
        Ok(_) => redirect(PAGE),
        Err(error) => with_typed_name(redirect_back(PAGE, notice_of(&error), &[("role", role.as_str())]), &form.username),
    }
}

pub(super) async fn change_role(
    admin: Administrator,
    _: ConfirmedUser,
    Path(id): Path<String>,
    Form(form): Form<ChangeRoleForm>,
) -> Response<Body> {
    match Role::parse(&form.role) {
        Some(role) => change(&admin, &id, AccountChange::Role(role)).await,
        None => redirect_back(PAGE, Notice::Internal, &[]),
    }
}

pub(super) async fn disable(admin: Administrator, _: ConfirmedUser, Path(id): Path<String>) -> Response<Body> {
    change(&admin, &id, AccountChange::Disabled(true)).await
}

pub(super) async fn enable(admin: Administrator, _: ConfirmedUser, Path(id): Path<String>) -> Response<Body> {
    change(&admin, &id, AccountChange::Disabled(false)).await
}

/// Sets a temporary password, which the person changes at the next sign-in; ends all their sessions.
pub(super) async fn reset_password(
    Administrator { web, by }: Administrator,
    _: ConfirmedUser,
    Path(id): Path<String>,
    Form(form): Form<PasswordForm>,
) -> Response<Body> {
    let engine = &web.program.engine;
    let Ok(id) = id.parse::<UserId>() else { return redirect_back(PAGE, Notice::NotFound, &[]) };
    let name = match engine.accounts.user(id).await {
        Ok(Some(user)) if by.user != Some(user.id) => user.name,
        Ok(_) => return redirect_back(PAGE, Notice::NotFound, &[]),
        Err(error) => return redirect_back(PAGE, store_notice(&error), &[]),
    };
    match accounts::reset_password(engine, &web.program.passwords, by, &name, &form.password, true).await {
        Ok(_) => redirect(&format!("{PAGE}?reset={id}")),
        Err(error) => redirect_back(PAGE, notice_of(&error), &[("person", &id.to_string())]),
    }
}

async fn change(admin: &Administrator, id: &str, change: AccountChange) -> Response<Body> {
    let Ok(id) = id.parse::<UserId>() else { return redirect_back(PAGE, Notice::NotFound, &[]) };
    match accounts::change(&admin.web.program.engine, admin.by, id, change).await {
        Ok(()) => redirect(PAGE),
        Err(error) => redirect_back(PAGE, notice_of(&error), &[]),
    }
}
