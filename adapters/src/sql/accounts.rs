//! Users, collections and the audit log.

mod collections;

use super::{
    Store,
    fault::Fault,
    types::{Moment, count, id_list, word},
};
use async_trait::async_trait;
use collections::{CollectionRow, read_by};
use domain::{
    Collection, CollectionId, Scope, Timestamp, UserId,
    budget::OwnCap,
    user::{Preferences, Role, User, Visits},
};
use engine::{
    StoreError, StoreResult,
    accounts::{AccountChange, Accounts, AuditEntry, NewPassword},
};
use uuid::Uuid;

#[derive(sqlx::FromRow)]
struct UserRow {
    id: Uuid,
    name: String,
    role: String,
    password_hash: Option<String>,
    disabled: bool,
    /// Null in rows of older versions.
    must_change: Option<bool>,
    created_at: Moment,
    cap_tokens: Option<i64>,
    cap_micros: Option<i64>,
    shortcuts_off: Option<bool>,
    sample_hidden: Option<bool>,
    sample_seen: Option<bool>,
    setup_dismissed: Option<bool>,
    seen_at: Option<Moment>,
    seen_before: Option<Moment>,
}

impl UserRow {
    fn user(self) -> Result<(User, Option<String>), Fault> {
        let role = word("role", &self.role, Role::parse)?;
        let cap = own_cap(self.cap_tokens, self.cap_micros)?;
        let (id, created_at) = (UserId(self.id), self.created_at.0);
        let must_change_password = self.must_change.unwrap_or(false);
        let preferences = Preferences {
            shortcuts_off: self.shortcuts_off.unwrap_or(false),
            hides_sample: self.sample_hidden.unwrap_or(false),
            sample_seen: self.sample_seen.unwrap_or(false),
            setup_dismissed: self.setup_dismissed.unwrap_or(false),
        };
        let visits = Visits { seen_at: self.seen_at.map(|at| at.0), before: self.seen_before.map(|at| at.0) };
        let (name, is_disabled) = (self.name, self.disabled);
        let user = User { id, name, role, is_disabled, must_change_password, cap, preferences, visits, created_at };
        Ok((user, self.password_hash))
    }
}

/// Returns a user's own cap from its columns.
pub(super) fn own_cap(tokens: Option<i64>, micros: Option<i64>) -> Result<OwnCap, Fault> {
    Ok(OwnCap { tokens: tokens.map(count).transpose()?, cost_micros: micros.map(count).transpose()? })
}

#[derive(sqlx::FromRow)]
struct AuditRow {
    at: Moment,
    user_id: Option<Uuid>,
    act: String,
    object: String,
    address: Option<String>,
}

impl AuditRow {
    fn entry(self) -> AuditEntry {
        let address = self.address.and_then(|address| address.parse().ok());
        AuditEntry { at: self.at.0, user: self.user_id.map(UserId), act: self.act, object: self.object, address }
    }
}

/// Returns the stored cap; one too large for the column could never be reached and is stored as none.
fn stored(cap: Option<u64>) -> Option<i64> {
    cap.map(|cap| i64::try_from(cap).unwrap_or(i64::MAX))
}

pub(super) fn name_key(name: &str) -> String {
    name.to_lowercase()
}

/// Writes an audit entry in the transaction of the change that it records.
macro_rules! log_audit {
    ($conn:expr, $entry:expr) => {
        execute!($conn, "insert into audit_log (at, user_id, act, object, address) values ($1, $2, $3, $4, $5)";
            $crate::sql::types::Moment($entry.at), $entry.user.map(|user| user.0), &$entry.act, &$entry.object,
            $entry.address.map(|address| address.to_string()))
    };
}
pub(super) use log_audit;

/// Changes one column, and only while an administrator remains.
const CHANGE_ROLE: &str = "update users set role = $2 where id = $1 and password_hash is not null
     and ($2 = 'admin' or exists (select 1 from users o where o.id <> $1 and o.role = 'admin'
                                  and not o.disabled and o.password_hash is not null))";
const CHANGE_DISABLED: &str = "update users set disabled = $2 where id = $1 and password_hash is not null
     and (not $2 or exists (select 1 from users o where o.id <> $1 and o.role = 'admin'
                            and not o.disabled and o.password_hash is not null))";
/// Also covers the user of the command line, who cannot sign in.
const CHANGE_CAP: &str = "update users set cap_tokens = $2, cap_micros = $3 where id = $1";

const USER: &str = "select * from users where id = $1";

#[async_trait]
impl Accounts for Store {
    async fn add_user(&self, user: &User, password_hash: Option<&str>, entry: Option<&AuditEntry>) -> StoreResult<bool> {
        write!(self, conn => {
            let added = execute!(conn, "insert into users (id, name, name_key, role, password_hash, created_at, must_change)
                 values ($1, $2, $3, $4, $5, $6, $7) on conflict (name_key) do nothing";
                user.id.0, &user.name, name_key(&user.name), user.role.as_str(), password_hash, Moment(user.created_at),
                user.must_change_password);
            let is_added = added.rows_affected() == 1;
            if let Some(entry) = entry.filter(|_| is_added) {
                log_audit!(conn, entry);
            }
            is_added
        })
    }

    async fn add_setup_code(&self, code_hash: &str, made_at: Timestamp, drop_before: Timestamp) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "delete from setup_codes where made_at < $1"; Moment(drop_before));
            execute!(conn, "insert into setup_codes (code_hash, made_at) values ($1, $2)"; code_hash, Moment(made_at));
        })
    }

    async fn has_setup_code(&self, code_hash: &str) -> StoreResult<bool> {
        read!(self, conn => {
            values!(conn.fetch_one, "select exists (select 1 from setup_codes where code_hash = $1)
                    and not exists (select 1 from users where password_hash is not null)"; code_hash)
        })
    }

    async fn add_first_user(&self, user: &User, password_hash: &str, entry: &AuditEntry) -> StoreResult<bool> {
        let is_postgres = self.sqlite().is_none();
        write!(self, conn => {
            if is_postgres {
                // SQLite has one writer; here two first visitors could pass the check together.
                execute!(conn, "lock table users in share row exclusive mode");
            }
            let taken: bool = values!(conn.fetch_one, "select exists (select 1 from users where password_hash is not null)");
            if !taken {
                execute!(conn,
                    "insert into users (id, name, name_key, role, password_hash, created_at) values ($1, $2, $3, $4, $5, $6)";
                    user.id.0, &user.name, name_key(&user.name), user.role.as_str(), password_hash, Moment(user.created_at));
                execute!(conn, "delete from setup_codes");
                log_audit!(conn, entry);
            }
            !taken
        })
    }

    async fn has_people(&self) -> StoreResult<bool> {
        read!(self, conn => {
            values!(conn.fetch_one, "select exists (select 1 from users where password_hash is not null)")
        })
    }

    async fn user(&self, id: UserId) -> StoreResult<Option<User>> {
        read!(self, conn => {
            let row: Option<UserRow> = rows!(conn.fetch_optional, USER; id.0);
            row.map(UserRow::user).transpose()?.map(|(user, _)| user)
        })
    }

    async fn users_by_id(&self, ids: &[UserId]) -> StoreResult<Vec<User>> {
        read!(self, conn => {
            let rows: Vec<UserRow> = rows!(conn.fetch_all,
                "select * from users where id in (select unhex(value) from json_each($1))"; id_list(ids.iter().map(|id| id.0)));
            rows.into_iter().map(|row| Ok(row.user()?.0)).collect::<Result<_, Fault>>()?
        })
    }

    async fn user_by_name(&self, name: &str) -> StoreResult<Option<(User, Option<String>)>> {
        read!(self, conn => {
            let row: Option<UserRow> = rows!(conn.fetch_optional, "select * from users where name_key = $1"; name_key(name));
            row.map(UserRow::user).transpose()?
        })
    }

    async fn users(&self) -> StoreResult<Vec<User>> {
        read!(self, conn => {
            let rows: Vec<UserRow> = rows!(conn.fetch_all, "select * from users order by created_at, id");
            rows.into_iter().map(|row| Ok(row.user()?.0)).collect::<Result<_, Fault>>()?
        })
    }

    async fn set_password_hash(&self, id: UserId, password_hash: &str) -> StoreResult<()> {
        write!(self, conn => {
            let changed = execute!(conn, "update users set password_hash = $2 where id = $1"; id.0, password_hash);
            if changed.rows_affected() == 0 {
                return Err(Fault::Store(StoreError::Invalid("no such account".into())));
            }
        })
    }

    async fn replace_password(&self, id: UserId, new: NewPassword<'_>, entry: &AuditEntry) -> StoreResult<()> {
        write!(self, conn => {
            let changed = execute!(conn, "update users set password_hash = $2, must_change = $3 where id = $1"; id.0, new.hash,
                new.must_change);
            if changed.rows_affected() == 0 {
                return Err(Fault::Store(StoreError::Invalid("no such account".into())));
            }
            execute!(conn, "delete from web_sessions where user_id = $1 and id_hash <> $2"; id.0,
                new.keep_session.unwrap_or_default());
            if new.keep_session.is_none() {
                execute!(conn, "delete from devices where user_id = $1"; id.0);
            }
            log_audit!(conn, entry);
        })
    }

    async fn set_preferences(&self, id: UserId, preferences: Preferences) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn,
                "update users set shortcuts_off = $2, sample_hidden = $3, sample_seen = $4, setup_dismissed = $5 where id = $1";
                id.0, preferences.shortcuts_off, preferences.hides_sample, preferences.sample_seen,
                preferences.setup_dismissed);
        })
    }

    async fn set_visits(&self, id: UserId, visits: Visits) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "update users set seen_at = $2, seen_before = $3 where id = $1"; id.0, visits.seen_at.map(Moment),
                visits.before.map(Moment));
        })
    }

    async fn change_user(&self, id: UserId, change: AccountChange, entry: &AuditEntry) -> StoreResult<bool> {
        let is_postgres = self.sqlite().is_none();
        write!(self, conn => {
            if is_postgres {
                // SQLite has one writer; here two administrators could take the office from each other.
                execute!(conn, "lock table users in share row exclusive mode");
            }
            let changed = match change {
                AccountChange::Role(role) => execute!(conn, CHANGE_ROLE; id.0, role.as_str()),
                AccountChange::Disabled(is_disabled) => execute!(conn, CHANGE_DISABLED; id.0, is_disabled),
                AccountChange::Cap(OwnCap { tokens, cost_micros }) => {
                    execute!(conn, CHANGE_CAP; id.0, stored(tokens), stored(cost_micros))
                }
            };
            let is_changed = changed.rows_affected() == 1;
            if is_changed && change == AccountChange::Disabled(true) {
                // Letting somebody in again must not bring back the sessions for which they were kept out.
                execute!(conn, "delete from web_sessions where user_id = $1"; id.0);
            }
            if is_changed {
                log_audit!(conn, entry);
            }
            is_changed
        })
    }

    async fn ensure_collection(&self, collection: &Collection) -> StoreResult<Collection> {
        write!(self, conn => {
            execute!(conn, "insert into collections (id, kind, name, owner, created_at) values ($1, $2, $3, $4, $5)
                 on conflict (owner, kind, name) do nothing";
                collection.id.0, collection.kind.as_str(), &collection.name, collection.owner.0,
                Moment(collection.created_at));
            let row: CollectionRow = rows!(conn.fetch_one,
                "select id, kind, name, owner, created_at from collections where owner = $1 and kind = $2 and name = $3";
                collection.owner.0, collection.kind.as_str(), &collection.name);
            row.collection()?
        })
    }

    async fn collection(&self, id: CollectionId) -> StoreResult<Option<Collection>> {
        read!(self, conn => {
            let row: Option<CollectionRow> = rows!(conn.fetch_optional,
                "select id, kind, name, owner, created_at from collections where id = $1"; id.0);
            row.map(CollectionRow::collection).transpose()?
        })
    }

    async fn collections(&self) -> StoreResult<Vec<Collection>> {
        read!(self, conn => {
            let rows: Vec<CollectionRow> = rows!(conn.fetch_all,
                "select id, kind, name, owner, created_at from collections order by created_at, id");
            rows.into_iter().map(CollectionRow::collection).collect::<Result<_, Fault>>()?
        })
    }

    async fn collections_of(&self, user: UserId) -> StoreResult<Vec<Collection>> {
        read!(self, conn => {
            let rows: Vec<CollectionRow> = rows!(conn.fetch_all, concat!(
                "select c.id, c.kind, c.name, c.owner, c.created_at from collections c where ",
                read_by!("$1"),
                " order by c.created_at, c.id"
            ); user.0);
            rows.into_iter().map(CollectionRow::collection).collect::<Result<_, Fault>>()?
        })
    }

    async fn scope_of(&self, user: UserId) -> StoreResult<Scope> {
        read!(self, conn => {
            let ids: Vec<Uuid> = values!(conn.fetch_all, concat!("select c.id from collections c where ", read_by!("$1"));
                user.0);
            Scope::new(ids.into_iter().map(CollectionId).collect())
        })
    }

    async fn open_scope(&self) -> StoreResult<Scope> {
        read!(self, conn => {
            let ids: Vec<Uuid> = values!(conn.fetch_all, "select id from collections where kind <> 'private'");
            Scope::new(ids.into_iter().map(CollectionId).collect())
        })
    }

    async fn add_upload(&self, user: UserId, day: i64, bytes: u64, max_bytes: u64) -> StoreResult<bool> {
        let number = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
        if bytes > max_bytes {
            return Ok(false);
        }
        write!(self, conn => {
            let added = execute!(conn, "insert into upload_days (user_id, day, bytes) values ($1, $2, $3)
                 on conflict (user_id) do update set
                     day = excluded.day,
                     bytes = case when upload_days.day = excluded.day then upload_days.bytes else 0 end + excluded.bytes
                 where upload_days.day <> excluded.day or upload_days.bytes <= $4";
                user.0, day, number(bytes), number(max_bytes - bytes));
            added.rows_affected() > 0
        })
    }

    async fn audit(&self, entry: &AuditEntry) -> StoreResult<()> {
        write!(self, conn => {
            log_audit!(conn, entry);
        })
    }

    async fn audit_log(&self, limit: u32) -> StoreResult<Vec<AuditEntry>> {
        Ok(self.audit_page(0, limit).await?.0)
    }

    async fn audit_page(&self, offset: u64, limit: u32) -> StoreResult<(Vec<AuditEntry>, u64)> {
        read!(self, conn => {
            let rows: Vec<AuditRow> = rows!(conn.fetch_all,
                "select at, user_id, act, object, address from audit_log order by sequence desc limit $1 offset $2";
                i64::from(limit), i64::try_from(offset).unwrap_or(i64::MAX));
            let total: i64 = values!(conn.fetch_one, "select count(*) from audit_log");
            (rows.into_iter().map(AuditRow::entry).collect(), count(total)?)
        })
    }

    async fn drop_audit_before(&self, time: Timestamp) -> StoreResult<()> {
        write!(self, conn => {
            execute!(conn, "delete from audit_log where at < $1"; Moment(time));
        })
    }
}
