//! Accounts, web sessions, read scopes and the audit log.

mod passwords;
mod people;

pub use passwords::{PasswordConfig, Passwords};
pub use people::{AccountChange, AccountError, NewAccount, change, create, create_first, own_collection, sign_in, system_user};

use crate::StoreResult;
use async_trait::async_trait;
use domain::{Collection, CollectionId, Scope, Timestamp, UserId, user::User};

/// Port of accounts and collections.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Adds an account. Returns false when the name (compared without case) is taken. `password_hash` is a PHC string; without
    /// one the account cannot sign in. The audit entry, if any, is written in the same transaction.
    async fn add_user(&self, user: &User, password_hash: Option<&str>, entry: Option<&AuditEntry>) -> StoreResult<bool>;
    /// Adds the first account that can sign in, with its audit entry. Returns false, atomically, when one exists.
    async fn add_first_user(&self, user: &User, password_hash: &str, entry: &AuditEntry) -> StoreResult<bool>;
    /// Returns whether any account can sign in.
    async fn has_people(&self) -> StoreResult<bool>;
    async fn user(&self, id: UserId) -> StoreResult<Option<User>>;
    /// Returns the account of that name (compared without case) with its password hash.
    async fn user_by_name(&self, name: &str) -> StoreResult<Option<(User, Option<String>)>>;
    async fn users(&self) -> StoreResult<Vec<User>>;
    async fn set_password(&self, id: UserId, password_hash: &str) -> StoreResult<()>;

    /// Changes one attribute of an account that can sign in, with its audit entry, in one transaction. Returns false and writes
    /// nothing when the account is missing or the change would leave no administrator.
    async fn change_user(&self, id: UserId, change: AccountChange, entry: &AuditEntry) -> StoreResult<bool>;

    /// Returns the collection of that owner, kind and name, creating it when missing.
    async fn ensure_collection(&self, collection: &Collection) -> StoreResult<Collection>;
    async fn collection(&self, id: CollectionId) -> StoreResult<Option<Collection>>;
    async fn collections(&self) -> StoreResult<Vec<Collection>>;
    /// Returns the read scope of `user`: shared, sample, and their own private collections.
    async fn scope_of(&self, user: UserId) -> StoreResult<Scope>;

    /// Returns the scope open to every account: all collections that are not private.
    async fn open_scope(&self) -> StoreResult<Scope>;

    /// Appends an entry to the audit log.
    async fn audit(&self, entry: &AuditEntry) -> StoreResult<()>;
    /// Returns audit entries, newest first.
    async fn audit_log(&self, limit: u32) -> StoreResult<Vec<AuditEntry>>;
}

/// Audit record of one sensitive action: actor, action, target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    pub at: Timestamp,
    pub user: Option<UserId>,
    /// Action name, such as `sign_in`, `sign_in_refused`, `remove_collection`.
    pub act: String,
    pub object: String,
}

/// Port of signed-in browser sessions; `server` wraps it as its session store.
#[async_trait]
pub trait WebSessions: Send + Sync {
    /// Inserts a session. Returns false when the id exists.
    async fn create(&self, session: &WebSession) -> StoreResult<bool>;
    /// Updates an existing session; an ended session stays ended.
    async fn save(&self, session: &WebSession) -> StoreResult<()>;
    /// Returns the session, or none when missing or expired at `now`.
    async fn load(&self, id: &str, now: Timestamp) -> StoreResult<Option<WebSession>>;
    async fn delete(&self, id: &str) -> StoreResult<()>;
    async fn delete_expired(&self, now: Timestamp) -> StoreResult<()>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebSession {
    pub id: String,
    /// Session data as JSON.
    pub data: String,
    pub expires_at: Timestamp,
}
