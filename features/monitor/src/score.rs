//! Score of a product for an interest: likeness, words, entities, regions and tags, weighed, with every term explained. Pure.
//!
//! Invariant: the index (`index.rs`) and the explanation use `weighted` and `parts` alike, so that they agree on every score.

use crate::interest::InterestDraft;
use domain::EntityId;
use engine::graph::terms::terms;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashSet};

/// Largest part, in hundredths.
pub const FULL: u8 = 100;
/// Largest value of a quantised dimension.
const QUANTUM: f32 = 127.0;
/// Most words of a name of a region or of a tag that is found in a text.
const PHRASE_WORDS: usize = 4;
/// Words of English that say nothing of an interest, as `terms` gives them.
const STOP_WORDS: [&str; 42] = [
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "between", "but", "by", "for", "from", "has", "hav",
    "how", "i", "in", "into", "is", "it", "my", "new", "not", "of", "on", "or", "our", "that", "the", "their", "this", "to",
    "us", "we", "what", "when", "which", "who", "with",
];

/// Kind of a term of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TermKind {
    Likeness,
    Words,
    Entities,
    Regions,
    Tags,
}

impl TermKind {
    pub const COUNT: usize = 5;
    pub const ALL: [Self; Self::COUNT] = [Self::Likeness, Self::Words, Self::Entities, Self::Regions, Self::Tags];

    pub const fn label(self) -> &'static str {
        match self {
            Self::Likeness => "Likeness",
            Self::Words => "Words",
            Self::Entities => "Entities",
            Self::Regions => "Regions",
            Self::Tags => "Tags",
        }
    }
}

/// Term of a score, as it is explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoredTerm {
    pub kind: TermKind,
    /// How much of it is met, in hundredths.
    pub part: u8,
    pub weight: u8,
    /// Words, names or ids that both have.
    pub hits: Vec<String>,
}

impl ScoredTerm {
    /// Returns what it adds to the sum.
    pub fn share(&self) -> u32 {
        u32::from(self.part) * u32::from(self.weight)
    }
}

/// A score with its terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// Hundredths.
    pub score: u8,
    pub terms: Vec<ScoredTerm>,
}

/// Returns the weighted mean of the parts of the terms in use, in hundredths; 0 without any.
pub fn weighted(parts: &[Option<u8>; TermKind::COUNT], weights: &[u8; TermKind::COUNT]) -> u8 {
    let (mut sum, mut total) = (0_u32, 0_u32);
    for (part, weight) in parts.iter().zip(weights) {
        if let Some(part) = part {
            sum += u32::from(*part) * u32::from(*weight);
            total += u32::from(*weight);
        }
    }
    (sum + total / 2).checked_div(total).map_or(0, |mean| u8::try_from(mean).unwrap_or(FULL))
}

/// Returns the part of a term of which `hits` of `size` entries are met; none for a term without entries. Two entities are all that a product
/// needs to name, one region and one tag.
pub fn part_of(kind: TermKind, hits: usize, size: usize) -> Option<u8> {
    let needed = match kind {
        TermKind::Likeness => return None,
        TermKind::Words => size,
        TermKind::Entities => size.min(2),
        TermKind::Regions | TermKind::Tags => size.min(1),
    };
    (needed > 0).then(|| u8::try_from(hits.min(needed) * usize::from(FULL) / needed).unwrap_or(FULL))
}

/// Returns the part of likeness of two quantised vectors, in hundredths.
pub fn likeness(one: &[i8], other: &[i8]) -> u8 {
    let cosine = dot(one, other) as f32 / (QUANTUM * QUANTUM);
    (cosine.clamp(0.0, 1.0) * f32::from(FULL)).round() as u8
}

/// Returns the scalar product of two vectors of bytes.
fn dot(one: &[i8], other: &[i8]) -> i32 {
    one.iter().zip(other).map(|(a, b)| i32::from(i16::from(*a) * i16::from(*b))).sum()
}

/// Returns a unit vector with a signed byte for each dimension.
pub fn quantised(vector: &[f32]) -> Vec<i8> {
    vector.iter().map(|number| (number.clamp(-1.0, 1.0) * QUANTUM).round() as i8).collect()
}

/// Returns the distinct words of a sentence by which products are matched.
pub fn key_words(sentence: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let is_key = |word: &String| !STOP_WORDS.contains(&word.as_str()) && seen.insert(word.clone());
    terms(sentence).into_iter().filter(is_key).collect()
}

/// Returns a name as it is compared: its words, folded.
pub fn phrase(name: &str) -> String {
    terms(name).join(" ")
}

/// Features of a product that interests are matched with.
#[derive(Debug, Clone, Default)]
pub struct ProductFeatures {
    pub words: HashSet<String>,
    pub entities: BTreeSet<EntityId>,
    /// Phrases of one to four words of its text, and the names of its regions.
    pub regions: HashSet<String>,
    /// The same phrases, and its tags.
    pub tags: HashSet<String>,
    /// None without an embedder.
    pub vector: Option<Vec<i8>>,
}

impl ProductFeatures {
    /// Reads the features of a product.
    pub fn new(product: &feature::Product, vector: Option<Vec<i8>>) -> Self {
        let all = terms(&product.text);
        let mut phrases = HashSet::new();
        for length in 1..=PHRASE_WORDS {
            phrases.extend(all.windows(length).map(|words| words.join(" ")));
        }
        let with = |names: &[String]| phrases.iter().cloned().chain(names.iter().map(|name| phrase(name))).collect();
        let (regions, tags) = (with(&product.regions), with(&product.tags));
        let entities = product.entities.iter().copied().chain(product.outlet).collect();
        Self { words: all.into_iter().collect(), entities, regions, tags, vector }
    }
}

/// Returns the score of a product for an interest with its terms. `vector` is that of the sentence.
pub fn explain(draft: &InterestDraft, vector: Option<&[i8]>, product: &ProductFeatures) -> Explanation {
    let weights = draft.weights.as_array();
    let words = key_words(&draft.sentence);
    let of_words = words.iter().filter(|word| product.words.contains(*word)).cloned().collect();
    let of_entities = draft.entities.iter().filter(|id| product.entities.contains(*id)).map(ToString::to_string).collect();
    let of_names = |names: &[String], found: &HashSet<String>| -> Vec<String> {
        names.iter().filter(|name| found.contains(&phrase(name))).cloned().collect()
    };
    let hits: [Vec<String>; TermKind::COUNT] =
        [vec![], of_words, of_entities, of_names(&draft.regions, &product.regions), of_names(&draft.tags, &product.tags)];
    let sizes = [0, words.len(), draft.entities.len(), draft.regions.len(), draft.tags.len()];
    let mut parts = [None; TermKind::COUNT];
    let mut terms = vec![];
    for (((kind, hits), size), weight) in TermKind::ALL.into_iter().zip(hits).zip(sizes).zip(weights) {
        let part = match (kind, vector, &product.vector) {
            (TermKind::Likeness, Some(one), Some(other)) => Some(likeness(one, other)),
            _ => part_of(kind, hits.len(), size),
        };
        parts[kind as usize] = part;
        terms.extend(part.map(|part| ScoredTerm { kind, part, weight, hits }));
    }
    Explanation { score: weighted(&parts, &weights), terms }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::interest::tests::draft;
    use domain::{ObjectId, Timestamp};
    use feature::Product;

    /// A product with a text alone.
    pub fn product(text: &str) -> Product {
        Product {
            id: ObjectId(testkit::id()),
            at: Timestamp::from_micros(1_900_000_000_000_000),
            text: text.to_owned(),
            entities: vec![],
            regions: vec![],
            tags: vec![],
            outlet: None,
        }
    }

    #[test]
    fn a_score_is_the_weighted_mean_of_the_terms_in_use() {
        let parts = [Some(40), Some(100), None, Some(0), None];
        assert_eq!(weighted(&parts, &[45, 25, 50, 30, 20]), 43);
        assert_eq!(weighted(&[None; 5], &[45, 25, 50, 30, 20]), 0);
        assert_eq!(part_of(TermKind::Words, 1, 3), Some(33));
        assert_eq!(part_of(TermKind::Entities, 1, 5), Some(50));
        assert_eq!(part_of(TermKind::Regions, 1, 5), Some(100));
        assert_eq!(part_of(TermKind::Tags, 0, 0), None);
    }

    #[test]
    fn words_are_compared_by_their_stems_and_names_by_their_phrases() {
        let regions = vec!["Black Sea".to_owned()];
        let interest = InterestDraft { regions, ..draft("Strikes in the ports") };
        let features = ProductFeatures::new(&product("A port of the Black Sea is closed by a strike."), None);
        let found = explain(&interest, None, &features);
        let hits: Vec<(TermKind, u8, Vec<String>)> =
            found.terms.iter().map(|term| (term.kind, term.part, term.hits.clone())).collect();
        assert_eq!(hits[0].1, 100, "{hits:?}");
        assert_eq!(hits[1], (TermKind::Regions, 100, vec!["Black Sea".to_owned()]));
        assert_eq!(found.score, 100);
        let other = ProductFeatures::new(&product("The sea is black in winter."), None);
        assert_eq!(explain(&interest, None, &other).score, 0, "a name is its words in order");
    }

    #[test]
    fn likeness_survives_the_quantisation() {
        let (one, other) = ([0.6_f32, 0.8, 0.0], [0.8_f32, 0.6, 0.0]);
        assert_eq!(likeness(&quantised(&one), &quantised(&other)), 96);
        assert_eq!(likeness(&quantised(&one), &quantised(&[-0.6, -0.8, 0.0])), 0);
        let features = ProductFeatures { vector: Some(quantised(&other)), ..ProductFeatures::default() };
        let vector = quantised(&one);
        let found = explain(&draft("Grain"), Some(&vector), &features);
        assert_eq!((found.terms[0].kind, found.terms[0].part, found.terms[1].part), (TermKind::Likeness, 96, 0));
        assert_eq!(found.score, 62, "45 of 70 by likeness");
    }
}
