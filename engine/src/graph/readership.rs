//! Readers of collections, so that a decision about entities changes nothing for people who cannot see what it rests on.

use crate::{Engine, StoreResult};
use domain::{CollectionId, CollectionKind, UserId};
use std::collections::{BTreeSet, HashMap};

/// Readers of all collections. A collection that is unknown has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Readership(HashMap<CollectionId, Readers>);

/// Readers of something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Readers {
    Everybody,
    These(BTreeSet<UserId>),
}

impl Default for Readers {
    fn default() -> Self {
        Self::These(BTreeSet::new())
    }
}

impl Readers {
    /// Returns whether all of the others are among these.
    pub fn include(&self, others: &Self) -> bool {
        match (self, others) {
            (Self::Everybody, _) => true,
            (Self::These(_), Self::Everybody) => false,
            (Self::These(these), Self::These(others)) => these.is_superset(others),
        }
    }

    fn with(self, others: &Self) -> Self {
        match (self, others) {
            (Self::These(these), Self::These(others)) => Self::These(these.union(others).copied().collect()),
            _ => Self::Everybody,
        }
    }
}

impl FromIterator<(CollectionId, Readers)> for Readership {
    fn from_iter<T: IntoIterator<Item = (CollectionId, Readers)>>(readers: T) -> Self {
        Self(readers.into_iter().collect())
    }
}

impl Readership {
    /// Loads it: everybody reads a collection that is not private, its owner and the members of its team a private one.
    pub async fn load(engine: &Engine) -> StoreResult<Self> {
        let opened = engine.teams.opened_collections().await?;
        let teams = engine.teams.teams(None).await?;
        let members: HashMap<_, BTreeSet<UserId>> =
            teams.into_iter().map(|(team, members)| (team.id, members.into_iter().map(|member| member.id).collect())).collect();
        let collections = engine.accounts.collections().await?.into_iter().map(|collection| {
            let readers = if collection.kind == CollectionKind::Private {
                let team = opened.get(&collection.id).and_then(|team| members.get(team));
                Readers::These(team.into_iter().flatten().copied().chain([collection.owner]).collect())
            } else {
                Readers::Everybody
            };
            (collection.id, readers)
        });
        Ok(collections.collect())
    }

    /// Returns who reads any of these collections.
    pub fn collect_readers(&self, collections: impl IntoIterator<Item = CollectionId>) -> Readers {
        collections.into_iter().filter_map(|id| self.0.get(&id)).fold(Readers::default(), Readers::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn readers_include_everybody_or_the_listed_people() {
        let user = |n| UserId(Uuid::from_u128(n));
        let some = |ids: &[u128]| Readers::These(ids.iter().map(|n| user(*n)).collect());
        for (these, others, is_so) in [
            (Readers::Everybody, some(&[1]), true),
            (some(&[1]), Readers::Everybody, false),
            (some(&[1, 2]), some(&[2]), true),
            (some(&[1]), some(&[1, 2]), false),
            (some(&[1]), some(&[2]), false),
            (some(&[]), some(&[]), true),
        ] {
            assert_eq!(these.include(&others), is_so, "{these:?} {others:?}");
        }
        let [one, other, open] = [1, 2, 3].map(|n| CollectionId(Uuid::from_u128(n)));
        let readership = Readership(HashMap::from([(one, some(&[1])), (other, some(&[2])), (open, Readers::Everybody)]));
        assert_eq!(readership.collect_readers([one, other]), some(&[1, 2]));
        assert_eq!(readership.collect_readers([one, open]), Readers::Everybody);
    }
}
