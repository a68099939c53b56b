//! View model of the page of users, for administrators.

use crate::{Engine, StoreResult};
use domain::{
    pages::PeopleView,
    user::{Action, SYSTEM_USER, User},
};

impl Engine {
    /// Returns accounts that can sign in, oldest first; none for other viewers.
    pub async fn people_view(&self, viewer: &User) -> StoreResult<Option<PeopleView>> {
        if !viewer.role.may(Action::ManageUsers) {
            return Ok(None);
        }
        let people = self.accounts.users().await?.into_iter().filter(|user| user.name != SYSTEM_USER).collect();
        Ok(Some(PeopleView { people }))
    }
}
