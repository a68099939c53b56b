//! The projection of an entity from its visible facts.

use super::{KindRanking, NameRanking, RankedName, RankedValue};
use domain::{
    ClaimId, EntityId, Timestamp,
    entity::{DatedValue, Entity, EvidencedValue, PropertyKey},
};
use engine::{StoreError, StoreResult, names::NameMatcher};
use std::collections::{BTreeMap, HashMap};
use uuid::Uuid;

/// The claims behind each fact, in document order.
pub(in crate::graph) type FactEvidence = HashMap<i64, Vec<ClaimId>>;

/// The key of an alias among the name facts. The name itself has no key.
pub(in crate::graph) const ALIAS: &str = "alias";

/// Values kept of a property, the newest ones.
const MAX_VALUES: usize = 20;

/// The facts of one entity before the current values are chosen.
#[derive(Default)]
pub(in crate::graph) struct EntityProjection {
    id: Uuid,
    names: NameRanking,
    kinds: KindRanking,
    summaries: HashMap<String, RankedValue>,
    properties: BTreeMap<String, HashMap<String, RankedValue>>,
    external_ids: BTreeMap<String, HashMap<String, RankedValue>>,
    is_stub: bool,
    last_updated: i64,
}

impl EntityProjection {
    pub fn new(id: Uuid) -> Self {
        Self { id, is_stub: true, ..Self::default() }
    }

    /// Adds a stated value; `at` is when the fact was last written, in microseconds.
    pub fn add(&mut self, facet: &str, key: String, ranked: RankedValue, at: i64) {
        self.last_updated = self.last_updated.max(at);
        let values = match facet {
            "name" => {
                let RankedValue { value: name, claims, oldest, .. } = ranked;
                return self.names.add(RankedName { name, is_alias: key == ALIAS, claims, oldest });
            }
            "kind" => return self.kinds.add(ranked.value, ranked.claims),
            "summary" => &mut self.summaries,
            "property" => self.properties.entry(key).or_default(),
            "external" => self.external_ids.entry(key).or_default(),
            _ => return self.is_stub = false,
        };
        match values.get_mut(&ranked.value) {
            Some(same) => same.join(ranked),
            None => {
                values.insert(ranked.value.clone(), ranked);
            }
        }
    }

    /// Returns the facts whose evidence is part of the entity.
    pub fn facts_with_evidence(&self) -> impl Iterator<Item = i64> + '_ {
        let shown = self.properties.values().flat_map(newest_first).chain(current(&self.summaries));
        shown.flat_map(|ranked| ranked.facts.iter().copied())
    }

    /// Returns the entity, or `None` when the scope sees no name of it.
    pub fn entity(self, names: &NameMatcher, evidence: &FactEvidence, embedding_pending: bool) -> StoreResult<Option<Entity>> {
        let claims_of =
            |ranked: &RankedValue| ranked.facts.iter().filter_map(|fact| evidence.get(fact)).flatten().copied().collect();
        let summary =
            current(&self.summaries).map(|ranked| EvidencedValue { value: ranked.value.clone(), claim_ids: claims_of(ranked) });
        let (mut properties, mut history) = (BTreeMap::new(), BTreeMap::new());
        for (key, values) in &self.properties {
            let defect = |what: &str, value: &str| StoreError::Defect(format!("'{value}' is not a property {what}"));
            let name = PropertyKey::try_from(key.clone()).map_err(|_| defect("name", key))?;
            let dated = |ranked: &RankedValue| {
                Ok(DatedValue {
                    value: serde_json::from_str(&ranked.value).map_err(|_| defect("value", &ranked.value))?,
                    claim_ids: claims_of(ranked),
                    first: ranked.oldest.map(Timestamp::from_micros),
                    last: ranked.newest.map(Timestamp::from_micros),
                })
            };
            let dated = newest_first(values).map(dated).collect::<StoreResult<Vec<_>>>()?;
            let Some(current) = dated.first() else { continue };
            let (value, claim_ids) = (current.value.clone(), current.claim_ids.clone());
            properties.insert(name.clone(), EvidencedValue { value, claim_ids });
            if dated.len() > 1 {
                history.insert(name, dated);
            }
        }
        let external_ids =
            self.external_ids.iter().filter_map(|(key, values)| Some((key.clone(), current(values)?.value.clone())));
        let external_ids = external_ids.collect();
        let mut names = self.names.into_ranked(names).into_iter();
        let Some(canonical_name) = names.next() else { return Ok(None) };
        Ok(Some(Entity {
            id: EntityId(self.id),
            canonical_name,
            aliases: names.collect(),
            kind: self.kinds.current().unwrap_or_default(),
            summary,
            is_stub: self.is_stub,
            properties,
            history,
            external_ids,
            last_updated: Timestamp::from_micros(self.last_updated),
            embedding_pending,
        }))
    }
}

/// Returns the values of a property, the current one first.
fn newest_first(values: &HashMap<String, RankedValue>) -> impl Iterator<Item = &RankedValue> {
    let mut ranked: Vec<&RankedValue> = values.values().collect();
    ranked.sort_unstable_by(|one, other| other.cmp(one));
    ranked.truncate(MAX_VALUES);
    ranked.into_iter()
}

fn current(values: &HashMap<String, RankedValue>) -> Option<&RankedValue> {
    values.values().max()
}
