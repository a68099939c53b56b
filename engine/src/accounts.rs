//! People: accounts, passwords, what each may see, and the audit log.

mod passwords;
mod people;

pub use passwords::{PasswordConfig, Passwords};
pub use people::{AccountChange, AccountError, NewAccount, change, create, create_first, own_collection, sign_in, system_user};

use crate::StoreResult;
use async_trait::async_trait;
use domain::{Collection, CollectionId, Scope, Timestamp, UserId, user::User};

/// Accounts and collections.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Adds an account; false when the name (compared without case) is taken. `password_hash` is a PHC string; none: cannot sign in.
    /// With its entry in the audit log, where somebody did it, in one transaction.
    async fn add_user(&self, user: &User, password_hash: Option<&str>, entry: Option<&AuditEntry>) -> StoreResult<bool>;
    /// Adds the first account that can sign in, with its entry in the audit log; false, atomically, when there is one already.
    async fn add_first_user(&self, user: &User, password_hash: &str, entry: &AuditEntry) -> StoreResult<bool>;
    /// Whether anybody can sign in yet.
    async fn has_people(&self) -> StoreResult<bool>;
    async fn user(&self, id: UserId) -> StoreResult<Option<User>>;
    /// The account of that name (compared without case) with its password hash.
    async fn user_by_name(&self, name: &str) -> StoreResult<Option<(User, Option<String>)>>;
    async fn users(&self) -> StoreResult<Vec<User>>;
    async fn set_password(&self, id: UserId, password_hash: &str) -> StoreResult<()>;

    /// Changes one thing of somebody who can sign in and leaves the others as they are, with its entry in the audit log, in one
    /// transaction; false, and nothing noted, when there is no such person, or nobody would be left who administers.
    async fn change_user(&self, id: UserId, change: AccountChange, entry: &AuditEntry) -> StoreResult<bool>;

    /// Gives the collection of that owner, kind and name, making it when it is missing.
    async fn ensure_collection(&self, collection: &Collection) -> StoreResult<Collection>;
    async fn collection(&self, id: CollectionId) -> StoreResult<Option<Collection>>;
    async fn collections(&self) -> StoreResult<Vec<Collection>>;
    /// What `user` may read: shared, sample, and their own private collections.
    async fn scope_of(&self, user: UserId) -> StoreResult<Scope>;

    /// What everybody with an account may read: every collection that is not private.
    async fn open_scope(&self) -> StoreResult<Scope>;

    /// Appends to the audit log.
    async fn audit(&self, entry: &AuditEntry) -> StoreResult<()>;
    /// The newest entries first.
    async fn audit_log(&self, limit: u32) -> StoreResult<Vec<AuditEntry>>;
}

/// One sensitive act: who did what to what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    pub at: Timestamp,
    pub user: Option<UserId>,
    /// A verb phrase such as `sign_in`, `sign_in_refused`, `remove_collection`.
    pub act: String,
    pub object: String,
}

/// Signed-in browser sessions; `server` wraps this as its session store.
#[async_trait]
pub trait WebSessions: Send + Sync {
    /// Inserts; false when the id exists.
    async fn create(&self, session: &WebSession) -> StoreResult<bool>;
    /// Changes a session that is there; one that has ended stays ended.
    async fn save(&self, session: &WebSession) -> StoreResult<()>;
    /// None when missing or expired at `now`.
    async fn load(&self, id: &str, now: Timestamp) -> StoreResult<Option<WebSession>>;
    async fn delete(&self, id: &str) -> StoreResult<()>;
    async fn delete_expired(&self, now: Timestamp) -> StoreResult<()>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebSession {
    pub id: String,
    /// JSON of what the session holds.
    pub data: String,
    pub expires_at: Timestamp,
}
