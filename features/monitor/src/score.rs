//! Score of a product for an interest: likeness, words, entities, regions and tags, weighed, with every term explained. Pure.
//!
//! The sentence gives the score that a product begins with: the weighted mean of likeness and shared words. Each entity, region and tag is
//! further evidence: where the product names it, it closes a share of the distance to the full score. What is not named changes nothing,
//! because texts seldom name all that they are about.
//!
//! Functions that the index calls for each interest are `#[inline]`: a call of its own would take as long as the work.
//!
//! Invariant: the index (`index.rs`) and the explanation use `combine` and `part_of` alike, so that they agree on every score.

use crate::interest::InterestDraft;
use domain::EntityId;
use engine::graph::terms::terms;
use feature::region::Regions;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

/// Largest part, in hundredths.
pub const FULL: u8 = 100;
/// Largest value of a quantised dimension, and the scalar product of a quantised vector with itself.
const QUANTUM: f32 = 127.0;
const QUANTUM_SQUARED: i32 = 127 * 127;
/// Most words of a name of a region or of a tag that is found in a text.
const PHRASE_WORDS: usize = 4;
/// Words of a long sentence, and entities of a long list, that are all a product needs to have.
pub const ENOUGH_WORDS: usize = 4;
const ENOUGH_ENTITIES: usize = 2;
/// Words of English that say nothing of a subject, as `terms` gives them.
static STOP_WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| terms(include_str!("../stop_words.txt")).into_iter().collect());

/// Kind of a term of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
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
    /// Terms of the sentence, and those that add to them.
    const OF_SENTENCE: [Self; 2] = [Self::Likeness, Self::Words];
    const NAMES: [Self; 3] = [Self::Entities, Self::Regions, Self::Tags];

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
    /// Share of it that is met, in hundredths.
    pub part: u8,
    pub weight: u8,
    /// Words, names or ids that both have.
    pub hits: Vec<String>,
}

impl ScoredTerm {
    /// Returns how much it counts beside the other terms.
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

/// Returns the score of the parts of the terms in use, in hundredths; 0 without any. The terms of the sentence give their weighted mean. Each
/// name then closes a share of the distance to `FULL`: its weight, by how much of it is met.
#[inline]
pub fn combine(parts: &[Option<u8>; TermKind::COUNT], weights: &[u8; TermKind::COUNT]) -> u8 {
    let full = u32::from(FULL);
    let (mut sum, mut total) = (0_u32, 0_u32);
    for kind in TermKind::OF_SENTENCE {
        if let Some(part) = parts[kind as usize] {
            sum += u32::from(part) * u32::from(weights[kind as usize]);
            total += u32::from(weights[kind as usize]);
        }
    }
    // In hundredths of a hundredth.
    let mut distance = full * full - (full * sum).checked_div(total).unwrap_or_default();
    for kind in TermKind::NAMES {
        let part = parts[kind as usize].unwrap_or_default();
        distance -= distance * u32::from(part) * u32::from(weights[kind as usize]) / (full * full);
    }
    FULL - u8::try_from((distance + full / 2) / full).unwrap_or(FULL)
}

/// Returns the part of a term of which `hits` of `size` entries are met; none for a term without entries.
#[inline]
pub fn part_of(kind: TermKind, hits: usize, size: usize) -> Option<u8> {
    let needed = match kind {
        TermKind::Likeness => return None,
        TermKind::Words => size.min(ENOUGH_WORDS),
        TermKind::Entities => size.min(ENOUGH_ENTITIES),
        TermKind::Regions | TermKind::Tags => size.min(1),
    };
    match (needed, hits) {
        (0, _) => None,
        // Most pairs have nothing in common, and a division takes a while.
        (_, 0) => Some(0),
        _ => u8::try_from(hits.min(needed) * usize::from(FULL) / needed).ok(),
    }
}

/// Returns the part of likeness of two quantised vectors, the second one widened, in hundredths.
#[inline]
pub fn likeness(one: &[i8], widened: &[i16]) -> u8 {
    let cosine = i32::from(dot(one, widened)).clamp(0, QUANTUM_SQUARED);
    ((cosine * i32::from(FULL) + QUANTUM_SQUARED / 2) / QUANTUM_SQUARED) as u8
}

/// Returns the scalar product of two quantised vectors. As both are of length `QUANTUM`, it fits into 16 bits, which the compiler adds up
/// eight at a time on every processor.
#[inline]
fn dot(one: &[i8], widened: &[i16]) -> i16 {
    let products = one.iter().zip(widened).map(|(a, b)| i16::from(*a).wrapping_mul(*b));
    products.fold(0, i16::wrapping_add)
}

/// Returns a quantised vector with numbers of twice the width, as `likeness` takes one of the two.
pub fn widened(vector: &[i8]) -> Vec<i16> {
    vector.iter().copied().map(i16::from).collect()
}

/// Returns a unit vector with a signed byte for each dimension.
pub fn quantised(vector: &[f32]) -> Vec<i8> {
    vector.iter().map(|number| (number.clamp(-1.0, 1.0) * QUANTUM).round() as i8).collect()
}

/// Returns the distinct words of a sentence by which products are matched.
pub fn key_words(sentence: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let is_key = |word: &String| !STOP_WORDS.contains(word) && seen.insert(word.clone());
    terms(sentence).into_iter().filter(is_key).collect()
}

/// Returns a name as it is compared: its words, folded.
pub fn phrase(name: &str) -> String {
    terms(name).join(" ")
}

/// Returns a region as it is compared: a country by its code, under any of its names; another place as a phrase. A word of a text that only
/// looks like a country has no code: a turkey, New Jersey, Michael Jordan.
pub fn region_key(name: &str) -> String {
    let known = Regions::shared();
    known.country_named(name).map_or_else(|| phrase(name), |code| format!("country {code}"))
}

/// Features of a product that interests are matched with.
#[derive(Debug, Clone, Default)]
pub struct ProductFeatures {
    pub words: HashSet<String>,
    pub entities: BTreeSet<EntityId>,
    /// Phrases of one to four words of its text, and the keys of its regions, of the countries that its text names, and of the areas
    /// that hold them.
    pub regions: HashSet<String>,
    /// The same phrases, and its tags.
    pub tags: HashSet<String>,
    /// Quantised and widened; none without an embedder.
    pub vector: Option<Vec<i16>>,
}

impl ProductFeatures {
    /// Reads the features of a product with its quantised vector.
    pub fn new(product: &feature::Product, vector: Option<Vec<i8>>) -> Self {
        let all = terms(&product.text);
        let mut phrases = HashSet::new();
        for length in 1..=PHRASE_WORDS {
            phrases.extend(all.windows(length).map(|words| words.join(" ")));
        }
        let with = |names: &[String], key: fn(&str) -> String| -> HashSet<String> {
            phrases.iter().cloned().chain(names.iter().map(|name| key(name))).collect()
        };
        let (mut regions, tags) = (with(&product.regions, region_key), with(&product.tags, phrase));
        let known = Regions::shared();
        let named = known.countries_in(&product.text).into_iter().flat_map(|code| known.names(code));
        regions.extend(named.map(region_key));
        let entities = product.entities.iter().copied().chain(product.outlet).collect();
        let vector = vector.map(|vector| widened(&vector));
        Self { words: all.into_iter().collect(), entities, regions, tags, vector }
    }
}

/// Returns the score of a product for an interest with its terms. `vector` is that of the sentence.
pub fn explain(draft: &InterestDraft, vector: Option<&[i8]>, product: &ProductFeatures) -> Explanation {
    let weights = draft.weights.as_array();
    let words = key_words(&draft.sentence);
    let of_words = words.iter().filter(|word| product.words.contains(*word)).cloned().collect();
    let of_entities = draft.entities.iter().filter(|id| product.entities.contains(*id)).map(ToString::to_string).collect();
    let of_regions = draft.regions.iter().filter(|name| product.regions.contains(&region_key(name))).cloned().collect();
    let of_tags = draft.tags.iter().filter(|name| product.tags.contains(&phrase(name))).cloned().collect();
    let hits: [Vec<String>; TermKind::COUNT] = [vec![], of_words, of_entities, of_regions, of_tags];
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
    Explanation { score: combine(&parts, &weights), terms }
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
    fn a_score_is_the_mean_of_the_sentence_raised_by_what_is_named() {
        let weights = [45, 25, 50, 30, 20];
        assert_eq!(combine(&[Some(40), Some(100), None, None, None], &weights), 61);
        assert_eq!(combine(&[Some(40), Some(100), None, Some(0), Some(0)], &weights), 61, "what is not named changes nothing");
        assert_eq!(combine(&[Some(40), Some(100), None, None, Some(100)], &weights), 69, "a fifth of the way to 100");
        assert_eq!(combine(&[Some(40), None, Some(50), None, None], &weights), 55, "a quarter for one of two entities");
        assert_eq!(combine(&[None; 5], &weights), 0);
        assert_eq!(combine(&[None, None, Some(100), None, None], &weights), 50);
        assert_eq!(part_of(TermKind::Words, 1, 3), Some(33));
        assert_eq!(part_of(TermKind::Words, 2, 25), Some(50), "four words are enough");
        assert_eq!(part_of(TermKind::Entities, 1, 5), Some(50));
        assert_eq!(part_of(TermKind::Regions, 1, 5), Some(100));
        assert_eq!(part_of(TermKind::Tags, 0, 0), None);
    }

    #[test]
    fn a_tag_never_lowers_a_score_and_raises_it_where_the_product_has_it() {
        let untagged = draft("Strikes in the ports");
        let tagged = InterestDraft { tags: vec!["grain".into()], ..untagged.clone() };
        let score =
            |interest: &InterestDraft, text: &str| explain(interest, None, &ProductFeatures::new(&product(text), None)).score;
        assert_eq!(score(&tagged, "A port is closed."), score(&untagged, "A port is closed."));
        assert!(score(&tagged, "A port for grain is closed.") > score(&untagged, "A port for grain is closed."));
    }

    #[test]
    fn an_area_is_met_by_a_text_that_names_a_country_in_it() {
        let regions = vec!["Africa".to_owned(), "United Kingdom".to_owned()];
        let interest = InterestDraft { regions, ..draft("Grain transit") };
        let hits = |text: &str| {
            let found = explain(&interest, None, &ProductFeatures::new(&product(text), None));
            found.terms.into_iter().find(|term| term.kind == TermKind::Regions).map(|term| term.hits).unwrap_or_default()
        };
        assert_eq!(hits("Prices doubled across Mali, traders said."), ["Africa"]);
        assert_eq!(hits("British farmers blocked roads."), ["United Kingdom"]);
        assert_eq!(hits("Dockers in Romania walked out."), Vec::<String>::new());
    }

    #[test]
    fn a_country_is_met_under_any_of_its_names_and_not_by_words_that_look_like_one() {
        let regions = ["Turkey", "Jersey", "Jordan", "Ireland", "UK"].map(str::to_owned).to_vec();
        let interest = InterestDraft { regions, ..draft("Grain transit") };
        let hits = |text: &str| {
            let found = explain(&interest, None, &ProductFeatures::new(&product(text), None));
            found.terms.into_iter().find(|term| term.kind == TermKind::Regions).map(|term| term.hits).unwrap_or_default()
        };
        let looks = "A turkey was sold; strikes in New Jersey; Michael Jordan scored.";
        assert_eq!(hits(looks), Vec::<String>::new());
        assert_eq!(hits("Police in Northern Ireland"), ["UK"]);
        assert_eq!(hits("Prices rose in Türkiye and in Jordan."), ["Turkey", "Jordan"]);
    }

    #[test]
    fn words_of_every_text_are_no_key_words() {
        assert_eq!(key_words("What has been said about the bank's new loans?"), ["bank", "loan"]);
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
        let with = |vector: &[f32]| likeness(&quantised(&one), &widened(&quantised(vector)));
        assert_eq!([with(&other), with(&one), with(&[-0.6, -0.8, 0.0])], [96, 100, 0]);
        let features = ProductFeatures { vector: Some(widened(&quantised(&other))), ..ProductFeatures::default() };
        let vector = quantised(&one);
        let found = explain(&draft("Grain"), Some(&vector), &features);
        assert_eq!((found.terms[0].kind, found.terms[0].part, found.terms[1].part), (TermKind::Likeness, 96, 0));
        assert_eq!(found.score, 62, "45 of 70 by likeness");
    }
}
