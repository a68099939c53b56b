//! View models of accounts: people and the audit log, for administrators, and one's own account.

use crate::{
    Engine, StoreResult,
    accounts::{AuditEntry, WebSession, WebSessions},
};
use domain::{
    UserId,
    user::{Action, SYSTEM_USER, User},
};
use std::collections::HashMap;
use views::{AccountView, AuditLine, AuditView, DeviceLine, PeopleView};

impl Engine {
    /// Returns accounts that can sign in, oldest first; none for other viewers than administrators.
    pub async fn people_view(&self, viewer: &User, min_password_chars: usize) -> StoreResult<Option<PeopleView>> {
        if !viewer.role.may(Action::ManageUsers) {
            return Ok(None);
        }
        let people = self.accounts.users().await?.into_iter().filter(|user| user.name != SYSTEM_USER).collect();
        Ok(Some(PeopleView { people, min_password_chars }))
    }

    /// Returns a page of the audit log, newest first; none for other viewers than administrators.
    pub async fn audit_view(&self, viewer: &User, page: u64) -> StoreResult<Option<AuditView>> {
        if !viewer.role.may(Action::ManageUsers) {
            return Ok(None);
        }
        let (page, limit) = (page.max(1), self.config.pages.audit_per_page);
        let offset = (page - 1).saturating_mul(u64::from(limit));
        let (entries, total) = self.accounts.audit_page(offset, limit).await?;
        let lines = self.audit_lines(entries).await?;
        Ok(Some(AuditView { lines, total, page, per_page: u64::from(limit) }))
    }

    /// Returns audit entries with the names of their actors.
    pub async fn audit_lines(&self, entries: Vec<AuditEntry>) -> StoreResult<Vec<AuditLine>> {
        let users = self.accounts.users().await?;
        let names: HashMap<UserId, String> = users.into_iter().map(|user| (user.id, user.name)).collect();
        let line = |entry: AuditEntry| AuditLine {
            at: entry.at,
            actor: entry.user.map(|id| names.get(&id).cloned().unwrap_or_else(|| id.to_string())),
            act: entry.act,
            object: entry.object,
            address: entry.address.map(|address| address.to_string()),
        };
        Ok(entries.into_iter().map(line).collect())
    }

    /// Returns the viewer's own account. `current`: key of the session of this request.
    pub async fn account_view(
        &self,
        sessions: &dyn WebSessions,
        viewer: &User,
        current: &str,
        min_password_chars: usize,
    ) -> StoreResult<AccountView> {
        let found = sessions.sessions_of(viewer.id, self.clock.now()).await?;
        let line = |session: WebSession| DeviceLine {
            is_current: session.key == current,
            key: session.key,
            device: session.device,
            started_at: session.started_at,
            used_at: session.used_at,
        };
        Ok(AccountView { sessions: found.into_iter().map(line).collect(), min_password_chars })
    }
}
