//! View models of the web pages, read through the ports in few calls. Read-only.
//!
//! Invariant: everything is read through the viewer's scope; invisible data is treated as missing.

mod assessment;
mod config;
mod dashboard;
mod documents;
mod graph;
mod history;
mod investigation;
mod live_states;
mod people;
mod plan;
mod search;
mod sessions;
mod setup;
mod teams;
mod text_window;
mod thread;
mod tidy;
mod tools;
mod visit_changes;
mod work_orders;

pub use config::PagesConfig;
pub use investigation::may_stop;
pub(crate) use live_states::LiveStates;

use crate::{Engine, StoreResult};
use domain::{Collection, CollectionId, CollectionKind, Scope, user::User};
use std::collections::{BTreeMap, BTreeSet};
use views::Ownership;

impl Engine {
    /// Returns what `viewer` may read, and which of it is the sample.
    async fn visible(&self, viewer: &User) -> StoreResult<VisibleScope> {
        let collections = self.accounts.collections_of(viewer.id).await?;
        let scope = Scope::new(collections.iter().map(|found| found.id).collect()).read_by(viewer.id);
        let of_kind = |kind: CollectionKind| -> Vec<CollectionId> {
            collections.iter().filter(|collection| collection.kind == kind).map(|found| found.id).collect()
        };
        let (samples, shared) = (of_kind(CollectionKind::Sample), of_kind(CollectionKind::Shared));
        let names = self.names_of(viewer, &collections).await?;
        let is_lent = |found: &&Collection| found.kind == CollectionKind::Private && found.owner != viewer.id;
        let lent = collections.iter().filter(is_lent).map(|found| found.id).collect();
        let edited = collections.iter().filter(|collection| collection.is_edited_by(viewer)).map(|found| found.id).collect();
        Ok(VisibleScope { scope, samples, shared, lent, edited, names })
    }

    /// Returns the names of collections. That of another person carries its owner where two have the same name.
    async fn names_of(&self, viewer: &User, collections: &[Collection]) -> StoreResult<BTreeMap<CollectionId, String>> {
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for collection in collections {
            *times.entry(&collection.name).or_default() += 1;
        }
        let is_shared_name = |found: &Collection| found.owner != viewer.id && times[found.name.as_str()] > 1;
        let owners = if collections.iter().any(is_shared_name) { self.accounts.users().await? } else { vec![] };
        let name = |found: &Collection| {
            let owner = owners.iter().find(|owner| owner.id == found.owner).filter(|_| is_shared_name(found));
            owner.map_or_else(|| found.name.clone(), |owner| format!("{} ({})", found.name, owner.name))
        };
        Ok(collections.iter().map(|found| (found.id, name(found))).collect())
    }

    /// Returns the scope in which `viewer` reads pages: their collections, and the reports that others made visible to them.
    pub async fn read_scope(&self, viewer: &User) -> StoreResult<Scope> {
        Ok(self.accounts.scope_of(viewer.id).await?.read_by(viewer.id))
    }

    /// Returns the scope of lists and searches for `viewer`: all that is visible, without a sample that they hide.
    pub async fn listed_scope(&self, viewer: &User) -> StoreResult<Scope> {
        Ok(self.listed(viewer).await?.scope)
    }

    /// Returns what home, lists and search show to `viewer`: all that is visible, without a sample that they hide.
    async fn listed(&self, viewer: &User) -> StoreResult<VisibleScope> {
        let visible = self.visible(viewer).await?;
        let hides_sample = viewer.preferences.hides_sample;
        Ok(if hides_sample { VisibleScope { scope: visible.without_sample(), ..visible } } else { visible })
    }
}

struct VisibleScope {
    scope: Scope,
    /// Collections of the sample.
    samples: Vec<CollectionId>,
    shared: Vec<CollectionId>,
    /// Collections of others, opened to a team of the viewer.
    lent: BTreeSet<CollectionId>,
    /// Collections that the viewer may delete documents of.
    edited: BTreeSet<CollectionId>,
    names: BTreeMap<CollectionId, String>,
}

impl VisibleScope {
    fn is_sample(&self, collection: CollectionId) -> bool {
        self.samples.contains(&collection)
    }

    /// Returns what is visible beside the sample.
    fn without_sample(&self) -> Scope {
        self.samples.iter().fold(self.scope.clone(), |scope, sample| scope.without(*sample))
    }

    /// Returns the scope of a list, which may hide the sample.
    fn listed(&self, hides_sample: bool) -> Scope {
        if hides_sample { self.without_sample() } else { self.scope.clone() }
    }

    /// Returns the ownership of a visible collection.
    fn ownership(&self, collection: CollectionId) -> Ownership {
        if self.is_sample(collection) {
            Ownership::Sample
        } else if self.shared.contains(&collection) {
            Ownership::Shared
        } else if self.lent.contains(&collection) {
            Ownership::Team
        } else {
            Ownership::Yours
        }
    }
}
