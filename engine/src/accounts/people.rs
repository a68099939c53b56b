//! Use cases of accounts: creation and changes, each with an audit entry.

use super::{
    Actor, AuditEntry, Passwords, password_rules,
    user_names::{self, MAX_NAME_CHARS},
};
use crate::{Engine, StoreError, StoreResult};
use domain::{
    Collection, CollectionId, CollectionKind, Scope, UserId,
    budget::OwnCap,
    user::{Role, SYSTEM_USER, User},
};
use std::collections::HashMap;

/// Attributes of a new account.
#[derive(Debug, Clone)]
pub struct NewAccount<'a> {
    pub name: &'a str,
    pub password: &'a str,
    pub role: Role,
    /// Its owner must choose another password at the first sign-in.
    pub must_change_password: bool,
}

/// Errors of account creation, changes and sign-in.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    #[error("choose a user name of 1 to {MAX_NAME_CHARS} visible characters, without spaces at either end")]
    BadName,
    #[error("user name already taken: choose another one")]
    NameTaken,
    #[error("the password is too short: use at least {min} characters; several words are fine")]
    PasswordShort { min: usize },
    #[error("the password is too long: use at most {max} characters")]
    PasswordLong { max: usize },
    #[error("that password is among the first to be guessed: use several words that do not belong together")]
    PasswordCommon,
    #[error("the new password is the old one: choose another")]
    PasswordSame,
    #[error("the set-up code is missing or wrong: open the address that `autosint serve` printed")]
    BadSetupCode,
    #[error("an account exists already: ask an administrator for yours")]
    NotTheFirst,
    #[error("user not found")]
    Missing,
    #[error("at least one administrator is required: make someone else an administrator first")]
    LastAdmin,
    /// Sign-in failure; identical for an unknown name, a wrong password and a disabled account.
    #[error("incorrect user name or password")]
    Refused,
    #[error("the password could not be processed: see the log")]
    Hashing,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Administrative change of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountChange {
    Role(Role),
    /// Disables or enables sign-in.
    Disabled(bool),
    /// Personal daily cap, which overrides the configured one.
    Cap(OwnCap),
}

/// Adds an account that can sign in. The actor is its creator, when created in the browser.
pub async fn create(engine: &Engine, passwords: &Passwords, new: NewAccount<'_>, by: Actor) -> Result<User, AccountError> {
    let (user, hash) = prepare(engine, passwords, &new).await?;
    let object = format!("{} as {}", user.name, user.role.as_str());
    let by = Actor { user: Some(by.user.unwrap_or(user.id)), ..by };
    let entry = entry(engine, by, "create_account", &object);
    let added = engine.accounts.add_user(&user, Some(&hash), Some(&entry)).await?;
    if added { Ok(user) } else { Err(AccountError::NameTaken) }
}

/// Changes the role of an account, or disables it. At least one administrator remains.
pub async fn change(engine: &Engine, by: Actor, id: UserId, change: AccountChange) -> Result<(), AccountError> {
    let user = engine.accounts.user(id).await?.ok_or(AccountError::Missing)?;
    let is_system = user.name == SYSTEM_USER;
    let (act, object) = match change {
        AccountChange::Role(role) => ("change_role", format!("{} to {}", user.name, role.as_str())),
        AccountChange::Disabled(true) => ("disable_account", user.name),
        AccountChange::Disabled(false) => ("enable_account", user.name),
        AccountChange::Cap(cap) => ("change_cap", format!("{} to {}", user.name, in_words(cap))),
    };
    let entry = entry(engine, by, act, &object);
    match engine.accounts.change_user(id, change, &entry).await? {
        true => Ok(()),
        false if is_system => Err(AccountError::Missing),
        false => Err(AccountError::LastAdmin),
    }
}

fn in_words(cap: OwnCap) -> String {
    let tokens = cap.tokens.map(|tokens| format!("{tokens} tokens"));
    let money = cap.cost_micros.map(|micros| format!("{:.2}", micros as f64 / 1e6));
    let parts: Vec<String> = tokens.into_iter().chain(money).collect();
    if parts.is_empty() { "what is configured".to_owned() } else { parts.join(" and ") }
}

/// Returns the system user, owner of runs from the command line and the first start. It cannot sign in.
pub async fn system_user(engine: &Engine) -> StoreResult<User> {
    if let Some((user, _)) = engine.accounts.user_by_name(SYSTEM_USER).await? {
        return Ok(user);
    }
    let user = User::new(UserId(engine.ids.next()), SYSTEM_USER, Role::Analyst, engine.clock.now());
    if engine.accounts.add_user(&user, None, None).await? {
        return Ok(user);
    }
    // Another process created it first.
    let found = engine.accounts.user_by_name(SYSTEM_USER).await?;
    found.map(|(user, _)| user).ok_or_else(|| StoreError::Defect("the user 'system' is taken and not there".to_owned()))
}

/// Returns an account unless it is disabled.
pub async fn active_user(engine: &Engine, id: UserId) -> StoreResult<Option<User>> {
    Ok(engine.accounts.user(id).await?.filter(|user| !user.is_disabled))
}

/// Returns those of some accounts that are not disabled.
pub async fn active_users(engine: &Engine, ids: &[UserId]) -> StoreResult<HashMap<UserId, User>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let found = engine.accounts.users_by_id(ids).await?;
    Ok(found.into_iter().filter(|user| !user.is_disabled).map(|user| (user.id, user)).collect())
}

/// Returns the collection of that kind and name owned by `owner`, creating it when missing.
pub async fn own_collection(engine: &Engine, owner: &User, kind: CollectionKind, name: &str) -> StoreResult<Collection> {
    engine.accounts.ensure_collection(&new_collection(engine, owner, kind, name)).await
}

/// Returns a collection that is not stored yet.
pub(crate) fn new_collection(engine: &Engine, owner: &User, kind: CollectionKind, name: &str) -> Collection {
    let (id, created_at) = (CollectionId(engine.ids.next()), engine.clock.now());
    Collection { id, kind, name: name.to_owned(), owner: owner.id, created_at }
}

/// Returns the collection for a user's uploads. It is private, but that of `system` is shared: all users see what the command line reads.
pub async fn upload_collection(engine: &Engine, user: &User) -> StoreResult<Collection> {
    let (kind, name) = uploads_name(user);
    own_collection(engine, user, kind, name).await
}

/// Returns the collection for a user's uploads if there is one. An empty one would cost each read of the graph a statement.
pub(crate) async fn find_upload_collection(engine: &Engine, user: &User) -> StoreResult<Option<Collection>> {
    let (kind, name) = uploads_name(user);
    find_collection(engine, user, kind, name).await
}

/// Returns the collection of that kind and name owned by `owner`, if there is one.
pub(crate) async fn find_collection(
    engine: &Engine,
    owner: &User,
    kind: CollectionKind,
    name: &str,
) -> StoreResult<Option<Collection>> {
    let all = engine.accounts.collections_of(owner.id).await?;
    Ok(all.into_iter().find(|one| one.owner == owner.id && one.kind == kind && one.name == name))
}

/// Kind and name of the collection for a user's uploads.
pub(crate) fn uploads_name(user: &User) -> (CollectionKind, &'static str) {
    match user.name == SYSTEM_USER {
        true => (CollectionKind::Shared, "Command line"),
        false => (CollectionKind::Private, "Uploads"),
    }
}

/// Counts an upload of a user towards today. Returns false when it exceeds `max_bytes` a day.
pub async fn count_upload(engine: &Engine, user: &User, bytes: u64, max_bytes: u64) -> StoreResult<bool> {
    const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;
    let today = engine.clock.now().as_micros().div_euclid(DAY_MICROS);
    engine.accounts.add_upload(user.id, today, bytes, max_bytes).await
}

/// Returns the user's scope without the sample, so that invented events never mix with real ones.
pub async fn scope_without_sample(engine: &Engine, user: &User) -> StoreResult<Scope> {
    let scope = engine.accounts.scope_of(user.id).await?;
    let collections = engine.accounts.collections().await?;
    let real = collections.into_iter().filter(|collection| collection.kind != CollectionKind::Sample);
    Ok(scope.intersect(&Scope::new(real.map(|collection| collection.id).collect())))
}

/// Returns the scope of all collections, for operators and for what a program compares.
pub async fn every_collection(engine: &Engine) -> StoreResult<Scope> {
    let collections = engine.accounts.collections().await?;
    Ok(Scope::new(collections.into_iter().map(|collection| collection.id).collect()))
}

/// Checks a new account and hashes its password.
pub(super) async fn prepare(
    engine: &Engine,
    passwords: &Passwords,
    new: &NewAccount<'_>,
) -> Result<(User, String), AccountError> {
    if !user_names::is_valid(new.name) {
        return Err(AccountError::BadName);
    }
    if new.name.eq_ignore_ascii_case(SYSTEM_USER) {
        return Err(AccountError::NameTaken);
    }
    let hash = checked_hash(passwords, new.password, new.name).await?;
    let user = User {
        must_change_password: new.must_change_password,
        ..User::new(UserId(engine.ids.next()), new.name, new.role, engine.clock.now())
    };
    Ok((user, hash))
}

/// Checks a new password of the user of that name, and hashes it.
pub(super) async fn checked_hash(passwords: &Passwords, password: &str, name: &str) -> Result<String, AccountError> {
    let (min, max) = (passwords.config().min_chars, passwords.config().max_chars);
    match password.chars().count() {
        chars if chars < min => return Err(AccountError::PasswordShort { min }),
        chars if chars > max => return Err(AccountError::PasswordLong { max }),
        _ if password_rules::is_common(password, name) => return Err(AccountError::PasswordCommon),
        _ => {}
    }
    passwords.hash(password).await.ok_or(AccountError::Hashing)
}

/// Appends an entry to the audit log.
pub async fn audit(engine: &Engine, by: Actor, act: &str, object: &str) -> StoreResult<()> {
    engine.accounts.audit(&entry(engine, by, act, object)).await
}

/// Appends one entry for a change of several objects, unless nothing changed.
pub async fn audit_change<Id: ToString + Sync>(engine: &Engine, by: Actor, act: &str, changed: &[Id]) -> StoreResult<()> {
    if changed.is_empty() {
        return Ok(());
    }
    audit(engine, by, act, &listed(changed)).await
}

/// Maximum length of the object of an audit entry, in characters.
const MAX_OBJECT_CHARS: usize = 500;

/// Returns ids as the object of an audit entry: as many as fit, with the number of all where some are left out.
pub fn listed<Id: ToString>(ids: &[Id]) -> String {
    let count = format!(" … ({} in all)", ids.len());
    let mut object = String::new();
    for id in ids.iter().map(Id::to_string) {
        if object.chars().count() + id.chars().count() + count.chars().count() >= MAX_OBJECT_CHARS {
            return object + &count;
        }
        if !object.is_empty() {
            object.push(' ');
        }
        object.push_str(&id);
    }
    object
}

/// Returns an entry for the audit log, made now.
pub fn entry(engine: &Engine, by: Actor, act: &str, object: &str) -> AuditEntry {
    AuditEntry {
        at: engine.clock.now(),
        user: by.user,
        act: act.to_owned(),
        object: object.chars().take(MAX_OBJECT_CHARS).collect(),
        address: by.address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_names_as_many_objects_as_fit() {
        let ids: Vec<String> = (0..1_000).map(|n| format!("{n:036}")).collect();
        assert_eq!(listed(&ids[..2]), ids[..2].join(" "));
        let many = listed(&ids);
        assert!(many.chars().count() <= MAX_OBJECT_CHARS && many.ends_with(" … (1000 in all)"), "{many}");
        assert!(many.starts_with(&ids[0]));
    }
}
