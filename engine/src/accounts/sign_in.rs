//! Use cases of sign-in: the first account, sign-in itself, and passwords, each with an audit entry.

use super::{
    Actor, NewPassword, Passwords, hash_token,
    people::{AccountError, NewAccount, audit, checked_hash, entry, prepare},
};
use crate::Engine;
use domain::user::{Role, SYSTEM_USER, User};
use std::net::IpAddr;

/// A sign-in attempt.
#[derive(Debug, Clone, Copy)]
pub struct SignIn<'a> {
    pub name: &'a str,
    pub password: &'a str,
    pub address: Option<IpAddr>,
    /// Words of the audit log for a name without an account, which may be a password typed into the wrong field. Without words no
    /// entry is made.
    pub unknown_name: Option<&'a str>,
}

/// The first account, as its form gives it.
#[derive(Debug, Clone, Copy)]
pub struct FirstAccount<'a> {
    pub name: &'a str,
    pub password: &'a str,
    /// One-time code that `serve` printed.
    pub code: &'a str,
    pub address: Option<IpAddr>,
}

/// A password change by its owner.
#[derive(Debug, Clone, Copy)]
pub struct PasswordChange<'a> {
    pub old: &'a str,
    pub new: &'a str,
    /// Key of the session that goes on.
    pub keep_session: Option<&'a str>,
    pub address: Option<IpAddr>,
}

/// Adds the first account that can sign in, an administrator, while none exists.
pub async fn create_first(engine: &Engine, passwords: &Passwords, first: FirstAccount<'_>) -> Result<User, AccountError> {
    if engine.accounts.has_people().await? {
        return Err(AccountError::NotTheFirst);
    }
    if !engine.accounts.has_setup_code(&hash_token(first.code.trim())).await? {
        return Err(AccountError::BadSetupCode);
    }
    let new = NewAccount { name: first.name, password: first.password, role: Role::Admin, must_change_password: false };
    let (user, hash) = prepare(engine, passwords, &new).await?;
    if engine.accounts.user_by_name(&user.name).await?.is_some() {
        return Err(AccountError::NameTaken);
    }
    let by = Actor { user: Some(user.id), address: first.address };
    let added = engine.accounts.add_first_user(&user, &hash, &entry(engine, by, "create_first_account", &user.name)).await?;
    if added { Ok(user) } else { Err(AccountError::NotTheFirst) }
}

/// Returns the user with this name and password.
pub async fn sign_in(engine: &Engine, passwords: &Passwords, attempt: SignIn<'_>) -> Result<User, AccountError> {
    let found = engine.accounts.user_by_name(attempt.name.trim()).await?;
    let (user, hash) = found.map_or((None, None), |(user, hash)| (Some(user), hash));
    let fits = passwords.verify(bounded(passwords, attempt.password), hash.clone()).await;
    let by = Actor { user: user.as_ref().map(|user| user.id), address: attempt.address };
    match (user, attempt.unknown_name) {
        (Some(user), _) if fits && !user.is_disabled => {
            audit(engine, by, "sign_in", &user.name).await?;
            if hash.is_some_and(|hash| passwords.is_outdated(&hash)) {
                rehash(engine, passwords, &user, attempt.password).await;
            }
            Ok(user)
        }
        (Some(user), _) => {
            audit(engine, by, "sign_in_refused", &user.name).await?;
            Err(AccountError::Refused)
        }
        (None, Some(words)) => {
            audit(engine, by, "sign_in_refused", words).await?;
            Err(AccountError::Refused)
        }
        (None, None) => Err(AccountError::Refused),
    }
}

/// Returns whether this is the password of a signed-in user.
pub async fn confirm_password(
    engine: &Engine,
    passwords: &Passwords,
    user: &User,
    password: &str,
    address: Option<IpAddr>,
) -> Result<(), AccountError> {
    let (_, hash) = engine.accounts.user_by_name(&user.name).await?.ok_or(AccountError::Missing)?;
    if passwords.verify(bounded(passwords, password), hash).await {
        return Ok(());
    }
    audit(engine, Actor { user: Some(user.id), address }, "password_refused", &user.name).await?;
    Err(AccountError::Refused)
}

/// Changes the password of its owner, and ends their other sessions.
pub async fn change_password(
    engine: &Engine,
    passwords: &Passwords,
    user: &User,
    change: PasswordChange<'_>,
) -> Result<(), AccountError> {
    confirm_password(engine, passwords, user, change.old, change.address).await?;
    if change.old == change.new {
        return Err(AccountError::PasswordSame);
    }
    let hash = checked_hash(passwords, change.new, &user.name).await?;
    let entry = entry(engine, Actor { user: Some(user.id), address: change.address }, "change_password", &user.name);
    let new = NewPassword { hash: &hash, must_change: false, keep_session: change.keep_session };
    Ok(engine.accounts.replace_password(user.id, new, &entry).await?)
}

/// Sets the password of an account without the old one, for the operator or an administrator, and ends all its sessions.
pub async fn reset_password(
    engine: &Engine,
    passwords: &Passwords,
    by: Actor,
    name: &str,
    password: &str,
    must_change: bool,
) -> Result<User, AccountError> {
    let found = engine.accounts.user_by_name(name).await?.filter(|(user, _)| user.name != SYSTEM_USER);
    let (user, _) = found.ok_or(AccountError::Missing)?;
    let hash = checked_hash(passwords, password, &user.name).await?;
    let entry = entry(engine, by, "reset_password", &user.name);
    engine.accounts.replace_password(user.id, NewPassword { hash: &hash, must_change, keep_session: None }, &entry).await?;
    Ok(user)
}

/// Returns the password, or an empty one where no account can have one of this length, to bound the cost of hashing.
fn bounded<'a>(passwords: &Passwords, password: &'a str) -> &'a str {
    if password.chars().count() > passwords.config().max_chars { "" } else { password }
}

/// Stores the password under the costs of the configuration. A failure is no reason to refuse the sign-in.
async fn rehash(engine: &Engine, passwords: &Passwords, user: &User, password: &str) {
    let Some(hash) = passwords.hash(password).await else { return };
    if let Err(error) = engine.accounts.set_password_hash(user.id, &hash).await {
        tracing::warn!(%error, "password hash not renewed");
    }
}
