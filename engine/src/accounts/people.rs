//! Use cases of accounts: creation, changes and sign-in, each with an audit entry.

use super::{AuditEntry, Passwords};
use crate::{Engine, StoreError, StoreResult};
use domain::{
    Collection, CollectionId, CollectionKind, UserId,
    budget::OwnCap,
    user::{Role, SYSTEM_USER, User},
};

/// Maximum length of a user name, in characters.
const MAX_NAME_CHARS: usize = 64;

/// Attributes of a new account.
#[derive(Debug, Clone)]
pub struct NewAccount<'a> {
    pub name: &'a str,
    pub password: &'a str,
    pub role: Role,
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

/// Adds an account that can sign in. `by` is its creator, when created in the browser.
pub async fn create(
    engine: &Engine,
    passwords: &Passwords,
    new: NewAccount<'_>,
    by: Option<UserId>,
) -> Result<User, AccountError> {
    let (user, hash) = prepare(engine, passwords, &new).await?;
    let object = format!("{} as {}", user.name, user.role.as_str());
    let entry = entry(engine, Some(by.unwrap_or(user.id)), "create_account", &object);
    let added = engine.accounts.add_user(&user, Some(&hash), Some(&entry)).await?;
    if added { Ok(user) } else { Err(AccountError::NameTaken) }
}

/// Changes the role of an account, or disables it. At least one administrator remains.
pub async fn change(engine: &Engine, by: &User, id: UserId, change: AccountChange) -> Result<(), AccountError> {
    let user = engine.accounts.user(id).await?.ok_or(AccountError::Missing)?;
    let is_system = user.name == SYSTEM_USER;
    let (act, object) = match change {
        AccountChange::Role(role) => ("change_role", format!("{} to {}", user.name, role.as_str())),
        AccountChange::Disabled(true) => ("disable_account", user.name),
        AccountChange::Disabled(false) => ("enable_account", user.name),
        AccountChange::Cap(cap) => ("change_cap", format!("{} to {}", user.name, in_words(cap))),
    };
    let entry = entry(engine, Some(by.id), act, &object);
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

/// Adds the first account that can sign in, an administrator, while none exists.
pub async fn create_first(engine: &Engine, passwords: &Passwords, name: &str, password: &str) -> Result<User, AccountError> {
    if engine.accounts.has_people().await? {
        return Err(AccountError::NotTheFirst);
    }
    let (user, hash) = prepare(engine, passwords, &NewAccount { name, password, role: Role::Admin }).await?;
    if engine.accounts.user_by_name(&user.name).await?.is_some() {
        return Err(AccountError::NameTaken);
    }
    let entry = entry(engine, Some(user.id), "create_first_account", &user.name);
    let added = engine.accounts.add_first_user(&user, &hash, &entry).await?;
    if added { Ok(user) } else { Err(AccountError::NotTheFirst) }
}

/// Returns the user with this name and password.
pub async fn sign_in(engine: &Engine, passwords: &Passwords, name: &str, password: &str) -> Result<User, AccountError> {
    let found = engine.accounts.user_by_name(name.trim()).await?;
    let (user, hash) = found.map_or((None, None), |(user, hash)| (Some(user), hash));
    // Skip hashing: no account can have a password of this length.
    let password = if password.chars().count() > passwords.config().max_chars { "" } else { password };
    let fits = passwords.verify(password, hash).await;
    let id = user.as_ref().map(|user| user.id);
    match user {
        Some(user) if fits && !user.is_disabled => {
            audit(engine, id, "sign_in", &user.name).await?;
            Ok(user)
        }
        _ => {
            let name: String = name.chars().filter(|c| !c.is_control()).take(MAX_NAME_CHARS).collect();
            audit(engine, id, "sign_in_refused", &name).await?;
            Err(AccountError::Refused)
        }
    }
}

/// Returns the system user, owner of runs from the command line and the first start. It cannot sign in.
pub async fn system_user(engine: &Engine) -> StoreResult<User> {
    if let Some((user, _)) = engine.accounts.user_by_name(SYSTEM_USER).await? {
        return Ok(user);
    }
    let user = User {
        id: UserId(engine.ids.next()),
        name: SYSTEM_USER.to_owned(),
        role: Role::Analyst,
        is_disabled: false,
        cap: OwnCap::default(),
        created_at: engine.clock.now(),
    };
    if engine.accounts.add_user(&user, None, None).await? {
        return Ok(user);
    }
    // Another process created it first.
    let found = engine.accounts.user_by_name(SYSTEM_USER).await?;
    found.map(|(user, _)| user).ok_or_else(|| StoreError::Defect("the user 'system' is taken and not there".to_owned()))
}

/// Returns the collection of that kind and name owned by `owner`, creating it when missing.
pub async fn own_collection(engine: &Engine, owner: &User, kind: CollectionKind, name: &str) -> StoreResult<Collection> {
    let wanted = Collection {
        id: CollectionId(engine.ids.next()),
        kind,
        name: name.to_owned(),
        owner: owner.id,
        created_at: engine.clock.now(),
    };
    engine.accounts.ensure_collection(&wanted).await
}

async fn prepare(engine: &Engine, passwords: &Passwords, new: &NewAccount<'_>) -> Result<(User, String), AccountError> {
    let name_chars = new.name.chars().count();
    if new.name.trim() != new.name || !(1..=MAX_NAME_CHARS).contains(&name_chars) || new.name.chars().any(char::is_control) {
        return Err(AccountError::BadName);
    }
    if new.name.eq_ignore_ascii_case(SYSTEM_USER) {
        return Err(AccountError::NameTaken);
    }
    let (min, max) = (passwords.config().min_chars, passwords.config().max_chars);
    match new.password.chars().count() {
        chars if chars < min => return Err(AccountError::PasswordShort { min }),
        chars if chars > max => return Err(AccountError::PasswordLong { max }),
        _ => {}
    }
    let hash = passwords.hash(new.password).await.ok_or(AccountError::Hashing)?;
    let user = User {
        id: UserId(engine.ids.next()),
        name: new.name.to_owned(),
        role: new.role,
        is_disabled: false,
        cap: OwnCap::default(),
        created_at: engine.clock.now(),
    };
    Ok((user, hash))
}

async fn audit(engine: &Engine, user: Option<UserId>, act: &str, object: &str) -> StoreResult<()> {
    engine.accounts.audit(&entry(engine, user, act, object)).await
}

fn entry(engine: &Engine, user: Option<UserId>, act: &str, object: &str) -> AuditEntry {
    AuditEntry { at: engine.clock.now(), user, act: act.to_owned(), object: object.to_owned() }
}
