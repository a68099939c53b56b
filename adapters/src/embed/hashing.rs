//! Feature hashing (Weinberger et al. 2009): each word adds or subtracts one at the position given by its hash.

use any_ascii::any_ascii;
use async_trait::async_trait;
use engine::embeddings::{EmbedError, Embedder};
use sha2::{Digest, Sha256};
use unicode_segmentation::UnicodeSegmentation;

/// An embedder that finds texts with shared words. It needs no weights and never fails.
pub struct HashingEmbedder {
    dimensions: usize,
}

impl HashingEmbedder {
    /// Creates an embedder; `dimensions` is at least 8.
    pub fn new(dimensions: usize) -> Self {
        Self { dimensions: dimensions.max(8) }
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0; self.dimensions];
        for word in text.unicode_words() {
            self.add(&mut vector, &any_ascii(word).to_lowercase());
        }
        // No word, or words that cancel each other: the whole text gives a direction, as vector indexes refuse zero.
        if vector.iter().all(|number| *number == 0.0) {
            self.add(&mut vector, text);
        }
        super::normalise(&mut vector);
        vector
    }

    fn add(&self, vector: &mut [f32], term: &str) {
        let hash = Sha256::digest(term);
        let place = u64::from_le_bytes(hash[..8].try_into().unwrap_or_default()) as usize % self.dimensions;
        vector[place] += if hash[8] & 1 == 0 { 1.0 } else { -1.0 };
    }
}

#[async_trait]
impl Embedder for HashingEmbedder {
    fn model(&self) -> &'static str {
        "hashing"
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::HashingEmbedder;

    fn cosine(a: &str, b: &str) -> f32 {
        let hashing = HashingEmbedder::new(256);
        hashing.vector(a).iter().zip(hashing.vector(b)).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn shared_words_are_near_and_others_are_not() {
        assert!(cosine("the lock gate broke", "The lock-gate broke") > 0.99);
        assert!(cosine("the lock gate broke", "harvest prices rise") < 0.4);
    }

    #[test]
    fn every_text_has_a_direction() {
        // In eight dimensions many words cancel each other.
        let hashing = HashingEmbedder::new(8);
        let pairs = (0..200).map(|n| format!("a{n} b{n}"));
        for text in ["", "…!"].map(String::from).into_iter().chain(pairs) {
            let length: f32 = hashing.vector(&text).iter().map(|number| number * number).sum();
            assert!((length - 1.0).abs() < 1e-5, "{text:?}");
        }
    }
}
