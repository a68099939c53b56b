//! Index of all active interests in memory: vectors of bytes in one block, and lists of the interests with each word or entity.
//!
//! Invariant: it only proposes interests. What is stored and shown comes from `score::explain` over the interest as it is now.

use crate::{
    interest::{InterestDraft, InterestId},
    score::{ProductFeatures, TermKind, combine, key_words, likeness, part_of, phrase, region_key},
};
use domain::EntityId;
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

/// Share of replaced interests from which the index is built again, as a divisor.
const STALE_DIVISOR: usize = 5;

/// Hash of a word, entity, region or tag.
type EntryKey = u64;

/// Figures of an interest.
#[derive(Debug, Clone, Copy)]
struct Figures {
    weights: [u8; TermKind::COUNT],
    /// Numbers of its words, entities, regions and tags.
    sizes: [u8; TermKind::COUNT],
    threshold: u8,
    has_vector: bool,
    is_live: bool,
    /// Position of its kinds in `kinds`.
    kinds: u16,
}

/// Interests that products are scored against.
#[derive(Debug, Default)]
pub struct InterestIndex {
    dimensions: usize,
    ids: Vec<InterestId>,
    figures: Vec<Figures>,
    vectors: Vec<i8>,
    /// Distinct lists of keys of sources; an empty one means all.
    kinds: Vec<Vec<String>>,
    entries: HashMap<(TermKind, EntryKey), Vec<u32>>,
    slots: HashMap<InterestId, u32>,
}

/// Product as the index scores it.
#[derive(Debug, Clone, Copy)]
pub struct ScoredProduct<'a> {
    /// Key of its source.
    pub source: &'a str,
    pub features: &'a ProductFeatures,
    /// Outlet whose followers alone are considered.
    pub outlet: Option<EntityId>,
}

fn key(entry: impl Hash) -> EntryKey {
    let mut hasher = DefaultHasher::new();
    entry.hash(&mut hasher);
    hasher.finish()
}

fn size(entries: usize) -> u8 {
    u8::try_from(entries).unwrap_or(u8::MAX)
}

impl InterestIndex {
    /// Returns an empty index for vectors of so many dimensions (0: without vectors), with room for the expected number of interests.
    pub fn new(dimensions: usize, expected: usize) -> Self {
        let (ids, figures) = (Vec::with_capacity(expected), Vec::with_capacity(expected));
        Self { dimensions, ids, figures, vectors: Vec::with_capacity(expected * dimensions), ..Self::default() }
    }

    /// Returns the number of live interests.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns whether so many interests were replaced that a new index is smaller.
    pub fn is_stale(&self) -> bool {
        let replaced = self.ids.len() - self.slots.len();
        replaced > self.ids.len() / STALE_DIVISOR
    }

    /// Adds or replaces an interest. A vector of other dimensions is left out.
    pub fn put(&mut self, id: InterestId, draft: &InterestDraft, vector: Option<&[i8]>) {
        self.remove(id);
        let Ok(slot) = u32::try_from(self.ids.len()) else { return };
        let words = key_words(&draft.sentence);
        let lists = [
            (TermKind::Words, words.iter().map(key).collect::<Vec<_>>()),
            (TermKind::Entities, draft.entities.iter().map(key).collect()),
            (TermKind::Regions, draft.regions.iter().map(|name| key(region_key(name))).collect()),
            (TermKind::Tags, draft.tags.iter().map(|name| key(phrase(name))).collect()),
        ];
        let mut sizes = [0; TermKind::COUNT];
        for (kind, keys) in lists {
            sizes[kind as usize] = size(keys.len());
            for key in keys {
                self.entries.entry((kind, key)).or_default().push(slot);
            }
        }
        let vector = vector.filter(|vector| self.dimensions > 0 && vector.len() == self.dimensions);
        match vector {
            Some(vector) => self.vectors.extend_from_slice(vector),
            None => self.vectors.resize(self.vectors.len() + self.dimensions, 0),
        }
        let kinds = self.kinds_of(&draft.kinds);
        let (weights, threshold) = (draft.weights.as_array(), draft.threshold);
        self.figures.push(Figures { weights, sizes, threshold, has_vector: vector.is_some(), is_live: true, kinds });
        self.ids.push(id);
        self.slots.insert(id, slot);
    }

    /// Removes an interest.
    pub fn remove(&mut self, id: InterestId) {
        if let Some(figures) = self.slots.remove(&id).and_then(|slot| self.figures.get_mut(slot as usize)) {
            figures.is_live = false;
        }
    }

    /// Returns the position of a list of kinds, which few interests differ in.
    fn kinds_of(&mut self, kinds: &[String]) -> u16 {
        let mut kinds = kinds.to_vec();
        kinds.sort_unstable();
        let known = self.kinds.iter().position(|one| *one == kinds).unwrap_or_else(|| {
            self.kinds.push(kinds);
            self.kinds.len() - 1
        });
        u16::try_from(known).unwrap_or(u16::MAX)
    }

    /// Returns the interests whose score for a product is at most `margin` hundredths below their threshold, with the scores.
    pub fn candidates(&self, product: ScoredProduct<'_>, margin: u8) -> Vec<(InterestId, u8)> {
        let hits = self.count_hits(product.features);
        let wanted: Vec<bool> =
            self.kinds.iter().map(|kinds| kinds.is_empty() || kinds.iter().any(|kind| kind == product.source)).collect();
        let followers = product.outlet.map(|outlet| self.followers(outlet));
        let vector = product.features.vector.as_deref().filter(|vector| vector.len() == self.dimensions);
        let mut found = vec![];
        for (slot, figures) in self.figures.iter().enumerate() {
            let is_wanted = figures.is_live && wanted.get(usize::from(figures.kinds)).copied().unwrap_or_default();
            if !is_wanted || followers.as_ref().is_some_and(|followers| !followers[slot]) {
                continue;
            }
            let mut parts = [None; TermKind::COUNT];
            for kind in TermKind::ALL {
                let counted = hits[kind as usize].get(slot).copied().unwrap_or_default();
                parts[kind as usize] = part_of(kind, usize::from(counted), usize::from(figures.sizes[kind as usize]));
            }
            if let Some(vector) = vector.filter(|_| figures.has_vector) {
                let start = slot * self.dimensions;
                parts[TermKind::Likeness as usize] = Some(likeness(&self.vectors[start..start + self.dimensions], vector));
            }
            // No score is above the sum of its parts; few interests come near their threshold.
            let most: u32 = parts.iter().flatten().map(|part| u32::from(*part)).sum();
            if most + u32::from(margin) < u32::from(figures.threshold) {
                continue;
            }
            let score = combine(&parts, &figures.weights);
            if score > 0 && score.saturating_add(margin) >= figures.threshold {
                found.push((self.ids[slot], score));
            }
        }
        found
    }

    /// Counts what each interest and the product both have; a list without hits is empty.
    fn count_hits(&self, product: &ProductFeatures) -> [Vec<u8>; TermKind::COUNT] {
        let mut hits: [Vec<u8>; TermKind::COUNT] = Default::default();
        let keys = product.words.iter().map(|word| (TermKind::Words, key(word)));
        let keys = keys.chain(product.entities.iter().map(|id| (TermKind::Entities, key(id))));
        let keys = keys.chain(product.regions.iter().map(|name| (TermKind::Regions, key(name))));
        for (kind, key) in keys.chain(product.tags.iter().map(|name| (TermKind::Tags, key(name)))) {
            let Some(slots) = self.entries.get(&(kind, key)) else { continue };
            let counts = &mut hits[kind as usize];
            counts.resize(self.ids.len(), 0);
            for slot in slots {
                let count = &mut counts[*slot as usize];
                *count = count.saturating_add(1);
            }
        }
        hits
    }

    /// Returns for each interest whether it names an outlet.
    fn followers(&self, outlet: EntityId) -> Vec<bool> {
        let mut followers = vec![false; self.ids.len()];
        for slot in self.entries.get(&(TermKind::Entities, key(outlet))).into_iter().flatten() {
            followers[*slot as usize] = true;
        }
        followers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        interest::{InterestDraft, tests::draft},
        score::{explain, quantised, tests::product},
    };
    use feature::Product;
    use testkit::id;

    fn all(index: &InterestIndex, features: &ProductFeatures) -> Vec<(InterestId, u8)> {
        index.candidates(ScoredProduct { source: "report", features, outlet: None }, 0)
    }

    #[test]
    fn the_index_and_the_explanation_agree_on_every_score() {
        let (port, other) = (EntityId(id()), EntityId(id()));
        let drafts = [
            draft("Strikes in the ports of the Black Sea"),
            InterestDraft { entities: vec![port, other], ..draft("Grain transit") },
            InterestDraft { regions: vec!["Black Sea".into(), "Ukraine".into(), "Mali".into()], ..draft("Insurers and grain") },
            InterestDraft { tags: vec!["work".into()], ..draft("Wages of dockers") },
        ];
        let vectors: Vec<Vec<i8>> = [[1.0, 0.0], [0.6, 0.8], [0.0, 1.0], [0.8, 0.6]].iter().map(|one| quantised(one)).collect();
        let mut index = InterestIndex::new(2, 4);
        let ids: Vec<InterestId> = drafts.iter().map(|_| InterestId(id())).collect();
        for ((id, draft), vector) in ids.iter().zip(&drafts).zip(&vectors) {
            index.put(*id, draft, Some(vector));
        }
        let text = "Dockers strike in a port of the Black Sea; Ukrainian grain waits.";
        let features = Product { entities: vec![port], tags: vec!["Work".into()], ..product(text) };
        let features = ProductFeatures::new(&features, Some(quantised(&[0.6, 0.8])));
        let found: HashMap<InterestId, u8> =
            index.candidates(ScoredProduct { source: "report", features: &features, outlet: None }, 95).into_iter().collect();
        for ((id, draft), vector) in ids.iter().zip(&drafts).zip(&vectors) {
            assert_eq!(found.get(id), Some(&explain(draft, Some(vector), &features).score), "{}", draft.sentence);
        }
    }

    #[test]
    fn a_replaced_interest_matches_by_its_new_sentence_alone() {
        let mut index = InterestIndex::new(0, 0);
        let interest = InterestId(id());
        index.put(interest, &draft("Grain"), None);
        let grain = ProductFeatures::new(&product("Grain is shipped."), None);
        assert_eq!(all(&index, &grain), [(interest, 100)]);
        index.put(interest, &draft("Wages"), None);
        assert_eq!(all(&index, &grain), []);
        assert!(index.len() == 1 && index.is_stale());
        index.remove(interest);
        assert_eq!(all(&index, &ProductFeatures::new(&product("Wages rise."), None)), []);
    }

    #[test]
    fn kinds_and_followed_outlets_narrow_the_candidates() {
        let outlet = EntityId(id());
        let mut index = InterestIndex::new(0, 0);
        let (any, tensions, follower) = (InterestId(id()), InterestId(id()), InterestId(id()));
        index.put(any, &draft("Grain"), None);
        index.put(tensions, &InterestDraft { kinds: vec!["tension".into()], ..draft("Grain") }, None);
        index.put(follower, &InterestDraft { entities: vec![outlet], ..draft("Grain") }, None);
        let features = ProductFeatures::new(&Product { outlet: Some(outlet), ..product("Grain is shipped.") }, None);
        let scored = |source: &'static str, outlet: Option<EntityId>| -> Vec<InterestId> {
            let found = index.candidates(ScoredProduct { source, features: &features, outlet }, 0);
            found.into_iter().map(|(id, _)| id).collect()
        };
        assert_eq!(scored("report", None), [any, follower]);
        assert_eq!(scored("tension", None), [any, tensions, follower]);
        assert_eq!(scored("document", Some(outlet)), [follower]);
    }
}
