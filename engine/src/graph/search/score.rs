//! Candidate scores: query words weighted by rarity, and vector similarity.

use super::{ScoredItem, SearchConfig};
use crate::graph::{
    Candidate,
    terms::{each_term, query_terms, terms},
};
use std::collections::{HashMap, HashSet};

/// Scores of candidates, in their order.
pub(super) struct Scores {
    wanted: HashSet<String>,
    text: Vec<f64>,
    similarity: Vec<Option<f64>>,
    /// Weights of words and vectors.
    weights: (f64, f64),
    min_similarity: f64,
}

impl Scores {
    /// Computes scores; `texts` returns the texts of an item.
    pub fn compute<T>(
        query: Option<&str>,
        config: &SearchConfig,
        found: &[Candidate<T>],
        texts: impl Fn(&T) -> Vec<&str>,
    ) -> Self {
        let wanted = query.map(query_terms).unwrap_or_default();
        let place: HashMap<&str, usize> = wanted.iter().enumerate().map(|(place, term)| (term.as_str(), place)).collect();
        let held: Vec<Vec<bool>> = found.iter().map(|candidate| contains_words(&place, texts(&candidate.item))).collect();
        let weights: Vec<f64> = (0..wanted.len()).map(|place| rarity(place, &held)).collect();
        let all: f64 = weights.iter().sum();
        let share = |held: &Vec<bool>| {
            let has: f64 = weights.iter().zip(held).filter(|(_, held)| **held).map(|(weight, _)| weight).sum();
            if all > 0.0 { has / all } else { 0.0 }
        };
        Self {
            text: held.iter().map(share).collect(),
            similarity: found.iter().map(|candidate| candidate.similarity).collect(),
            weights: (config.text_weight, config.vector_weight),
            wanted: wanted.into_iter().collect(),
            min_similarity: config.min_similarity,
        }
    }

    /// Adds name coverage: items with a name fully contained in the query rank higher.
    pub fn add_names(&mut self, config: &SearchConfig, names: impl Iterator<Item = Vec<String>>) {
        for (text, names) in self.text.iter_mut().zip(names) {
            let share = |name: &String| {
                let of_name: HashSet<String> = terms(name).into_iter().collect();
                of_name.intersection(&self.wanted).count() as f64 / of_name.len().max(1) as f64
            };
            let named = names.iter().map(share).fold(0.0, f64::max);
            *text = *text * (1.0 - config.name_weight) + named * config.name_weight;
        }
    }

    /// Sorts by score. Items without a vector get the average similarity. Items with neither query words nor sufficient
    /// similarity are dropped.
    pub fn apply<T>(self, found: Vec<Candidate<T>>) -> impl Iterator<Item = ScoredItem<T>> {
        let known: Vec<f64> = self.similarity.iter().flatten().map(|likeness| likeness.max(0.0)).collect();
        let (words, vectors) = match (self.wanted.is_empty(), known.is_empty()) {
            (true, _) => (0.0, 1.0),
            (false, true) => (1.0, 0.0),
            (false, false) => self.weights,
        };
        let is_filter_only = self.wanted.is_empty() && known.is_empty();
        let min_similarity = self.min_similarity;
        let is_found = move |text: f64, likeness: Option<f64>| {
            is_filter_only || text > 0.0 || likeness.is_some_and(|likeness| likeness >= min_similarity)
        };
        let average = known.iter().sum::<f64>() / known.len().max(1) as f64;
        let scores = self.text.into_iter().zip(self.similarity).map(move |(text, likeness)| {
            let is_found = is_found(text, likeness);
            let likeness = likeness.map_or(average, |likeness| likeness.max(0.0));
            let total = words + vectors;
            is_found.then(|| if total > 0.0 { (text * words + likeness * vectors) / total } else { 0.0 })
        });
        let scores: Vec<Option<f64>> = scores.collect();
        found.into_iter().zip(scores).filter_map(|(candidate, score)| Some(ScoredItem { item: candidate.item, score: score? }))
    }
}

/// Returns which of the query terms occur in the texts.
fn contains_words(place: &HashMap<&str, usize>, texts: Vec<&str>) -> Vec<bool> {
    let mut held = vec![false; place.len()];
    if !held.is_empty() {
        for text in texts {
            each_term(text, |term| {
                if let Some(place) = place.get(term) {
                    held[*place] = true;
                }
            });
        }
    }
    held
}

/// Returns the rarity weight of a term: rare terms weigh more; a term without matches weighs like the rarest.
fn rarity(place: usize, held: &[Vec<bool>]) -> f64 {
    let holders = held.iter().filter(|held| held[place]).count().max(1);
    (1.0 + held.len() as f64 / holders as f64).ln()
}
