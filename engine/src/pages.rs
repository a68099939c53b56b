//! What each page of the web app needs, read through the ports in as few calls as possible. Changes nothing.
//!
//! Invariant: everything is read through the viewer's scope; what they may not see is answered like what does not exist.

mod assessment;
mod config;
mod dashboard;
mod documents;
mod investigation;
mod people;
mod sessions;
mod tools;

pub use config::PagesConfig;
pub use investigation::may_stop;

use crate::{Engine, StoreResult};
use domain::{CollectionId, CollectionKind, Scope, pages::Ownership, user::User};

impl Engine {
    /// What `viewer` may read, and which of it is the sample.
    async fn reach(&self, viewer: &User) -> StoreResult<Reach> {
        let collections = self.accounts.collections().await?;
        let open = collections.iter().filter(|collection| collection.is_open_to(viewer.id)).map(|found| found.id);
        let scope = Scope::new(open.collect());
        let sample = collections.iter().find(|collection| collection.kind == CollectionKind::Sample).map(|found| found.id);
        let shared = collections.iter().filter(|collection| collection.kind == CollectionKind::Shared).map(|found| found.id);
        Ok(Reach { scope, sample, shared: shared.collect() })
    }
}

struct Reach {
    scope: Scope,
    sample: Option<CollectionId>,
    shared: Vec<CollectionId>,
}

impl Reach {
    fn is_sample(&self, collection: CollectionId) -> bool {
        self.sample == Some(collection)
    }

    /// Whose it is. A private collection that is seen is the viewer's own.
    fn of(&self, collection: CollectionId) -> Ownership {
        if self.is_sample(collection) {
            Ownership::Sample
        } else if self.shared.contains(&collection) {
            Ownership::Shared
        } else {
            Ownership::Yours
        }
    }
}
