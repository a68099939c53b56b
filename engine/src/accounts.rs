//! Accounts, sign-in, web sessions, read scopes and the audit log.

mod password_rules;
mod passwords;
mod people;
mod sign_in;
mod user_names;

pub use passwords::{PasswordConfig, Passwords};
pub use people::{
    AccountChange, AccountError, NewAccount, active_user, active_users, audit, audit_change, change, count_upload, create,
    entry, every_collection, listed, own_collection, scope_without_sample, system_user, upload_collection,
};
pub(crate) use people::{find_collection, find_upload_collection, new_collection, uploads_name};
pub use sign_in::{
    FirstAccount, PasswordChange, SignIn, change_password, confirm_password, create_first, reset_password, sign_in,
};

use crate::StoreResult;
use async_trait::async_trait;
use domain::{
    Collection, CollectionId, Scope, Timestamp, UserId,
    user::{Preferences, User, Visits},
};
use sha2::{Digest, Sha256};
use std::net::IpAddr;

/// Port of accounts and collections.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Adds an account. Returns false when the name (compared without case) is taken. `password_hash` is a PHC string; without
    /// one the account cannot sign in. The audit entry, if any, is written in the same transaction.
    async fn add_user(&self, user: &User, password_hash: Option<&str>, entry: Option<&AuditEntry>) -> StoreResult<bool>;
    /// Stores the hash of a set-up code, and drops those made before `drop_before`.
    async fn add_setup_code(&self, code_hash: &str, made_at: Timestamp, drop_before: Timestamp) -> StoreResult<()>;
    /// Returns whether this set-up code was made and no account exists yet.
    async fn has_setup_code(&self, code_hash: &str) -> StoreResult<bool>;
    /// Adds the first account that can sign in, with its audit entry, and drops all set-up codes. Returns false, atomically, when
    /// one exists.
    async fn add_first_user(&self, user: &User, password_hash: &str, entry: &AuditEntry) -> StoreResult<bool>;
    /// Returns whether any account can sign in.
    async fn has_people(&self) -> StoreResult<bool>;
    async fn user(&self, id: UserId) -> StoreResult<Option<User>>;
    /// Returns the accounts of those ids that exist, in no order.
    async fn users_by_id(&self, ids: &[UserId]) -> StoreResult<Vec<User>>;
    /// Returns the account of that name (compared without case) with its password hash.
    async fn user_by_name(&self, name: &str) -> StoreResult<Option<(User, Option<String>)>>;
    async fn users(&self) -> StoreResult<Vec<User>>;
    /// Stores another hash of the same password.
    async fn set_password_hash(&self, id: UserId, password_hash: &str) -> StoreResult<()>;
    /// Replaces a password, ends the sessions of the account except `keep_session`, and forgets its devices if `keep_session` is
    /// none; with its audit entry, in one transaction.
    async fn replace_password(&self, id: UserId, new: NewPassword<'_>, entry: &AuditEntry) -> StoreResult<()>;

    async fn set_preferences(&self, id: UserId, preferences: Preferences) -> StoreResult<()>;
    async fn set_visits(&self, id: UserId, visits: Visits) -> StoreResult<()>;

    /// Changes one attribute of an account that can sign in, with its audit entry, in one transaction. Returns false and writes
    /// nothing when the account is missing or the change would leave no administrator.
    async fn change_user(&self, id: UserId, change: AccountChange, entry: &AuditEntry) -> StoreResult<bool>;

    /// Returns the collection of that owner, kind and name, creating it when missing.
    async fn ensure_collection(&self, collection: &Collection) -> StoreResult<Collection>;
    async fn collection(&self, id: CollectionId) -> StoreResult<Option<Collection>>;
    async fn collections(&self) -> StoreResult<Vec<Collection>>;
    /// Returns the collections that `user` reads: shared, sample, their own private ones, and those opened to a team of theirs.
    async fn collections_of(&self, user: UserId) -> StoreResult<Vec<Collection>>;
    /// Returns the read scope of `user`: the ids of their `collections_of`.
    async fn scope_of(&self, user: UserId) -> StoreResult<Scope>;

    /// Returns the scope open to every account: all collections that are not private.
    async fn open_scope(&self) -> StoreResult<Scope>;

    /// Adds to what a user has uploaded on a day. Returns false and adds nothing when that would exceed `max_bytes`.
    async fn add_upload(&self, user: UserId, day: i64, bytes: u64, max_bytes: u64) -> StoreResult<bool>;

    /// Appends an entry to the audit log.
    async fn audit(&self, entry: &AuditEntry) -> StoreResult<()>;
    /// Returns audit entries, newest first.
    async fn audit_log(&self, limit: u32) -> StoreResult<Vec<AuditEntry>>;
    /// Returns a page of audit entries, newest first, and the number of all.
    async fn audit_page(&self, offset: u64, limit: u32) -> StoreResult<(Vec<AuditEntry>, u64)>;
    /// Deletes audit entries made before that time.
    async fn drop_audit_before(&self, time: Timestamp) -> StoreResult<()>;
}

/// A new password of an account, as its hash.
#[derive(Debug, Clone, Copy)]
pub struct NewPassword<'a> {
    pub hash: &'a str,
    /// Its owner must choose another at the next sign-in.
    pub must_change: bool,
    /// Key of the session that goes on.
    pub keep_session: Option<&'a str>,
}

/// Audit record of one sensitive action: actor, action, target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    pub at: Timestamp,
    pub user: Option<UserId>,
    /// Action name, such as `sign_in`, `sign_in_refused`, `remove_collection`.
    pub act: String,
    pub object: String,
    /// Address of the client, for requests over the network.
    pub address: Option<IpAddr>,
}

/// Actor of an audit entry: a user, and the address of the client for requests over the network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Actor {
    pub user: Option<UserId>,
    pub address: Option<IpAddr>,
}

impl From<UserId> for Actor {
    fn from(user: UserId) -> Self {
        Self { user: Some(user), address: None }
    }
}

/// Port of signed-in browser sessions and of known devices; `server` wraps it as its session store.
///
/// Invariant: ids and tokens are stored as hashes only (`hash_token`), so that a copy of the database opens no account.
#[async_trait]
pub trait WebSessions: Send + Sync {
    /// Inserts a session. Returns false when the key exists.
    async fn create(&self, session: &WebSession) -> StoreResult<bool>;
    /// Updates an existing session; an ended session stays ended.
    async fn save(&self, session: &WebSession) -> StoreResult<()>;
    /// Returns the session, or none when missing or expired at `now`.
    async fn load(&self, key: &str, now: Timestamp) -> StoreResult<Option<WebSession>>;
    /// Returns the sessions of a user that have not expired, last used first.
    async fn sessions_of(&self, user: UserId, now: Timestamp) -> StoreResult<Vec<WebSession>>;
    async fn delete(&self, key: &str) -> StoreResult<()>;
    /// Ends one session of a user, with the audit entry. Returns false and writes nothing when they have none with this key.
    async fn end(&self, user: UserId, key: &str, entry: &AuditEntry) -> StoreResult<bool>;
    /// Ends all sessions of a user and forgets their devices, with the audit entry.
    async fn end_all(&self, user: UserId, entry: &AuditEntry) -> StoreResult<()>;
    async fn delete_expired(&self, now: Timestamp) -> StoreResult<()>;

    /// Remembers a device of a user; of each user only the `keep` used last.
    async fn remember_device(&self, token_hash: &str, user: UserId, now: Timestamp, keep: u32) -> StoreResult<()>;
    /// Returns whether that device is one of the account of this name.
    async fn is_device_of(&self, token_hash: &str, name: &str) -> StoreResult<bool>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebSession {
    /// Hash of the session id (`hash_token`).
    pub key: String,
    /// Signed-in user, if any.
    pub user: Option<UserId>,
    /// Browser and system, in words.
    pub device: String,
    /// Session data as JSON.
    pub data: String,
    pub started_at: Timestamp,
    /// Last use, to within the interval at which sessions are extended.
    pub used_at: Timestamp,
    pub expires_at: Timestamp,
}

/// Returns the SHA-256 of a random token, as hexadecimal digits. Tokens are too long to be guessed from it.
pub fn hash_token(token: &str) -> String {
    hex::encode(Sha256::digest(token.as_bytes()))
}
