//! The page of the people, for whoever administers them.

use crate::{Engine, StoreResult};
use domain::{
    pages::PeopleView,
    user::{Action, SYSTEM_USER, User},
};

impl Engine {
    /// Everybody who can have a place at the door, oldest account first; none for a viewer who does not administer them.
    pub async fn people_view(&self, viewer: &User) -> StoreResult<Option<PeopleView>> {
        if !viewer.role.may(Action::ManageUsers) {
            return Ok(None);
        }
        let people = self.accounts.users().await?.into_iter().filter(|user| user.name != SYSTEM_USER).collect();
        Ok(Some(PeopleView { people }))
    }
}
