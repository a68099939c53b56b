//! Order-independent digest of records: count and hash per kind. The order must not matter because databases sort texts
//! differently.

use super::RecordKind;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use sha2::{Digest as _, Sha256};
use std::{collections::BTreeMap, fmt};

const WORDS: usize = 4;

/// Sum of the SHA-256 of every line, modulo 2^256; independent of order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Digest([u64; WORDS]);

impl Digest {
    pub fn add(&mut self, line: &str) {
        let hash = Sha256::digest(line.as_bytes());
        let mut carry = 0;
        // Least significant word first, on both sides.
        for (sum, bytes) in self.0.iter_mut().zip(hash.as_chunks::<8>().0) {
            let wide = u128::from(*sum) + u128::from(u64::from_le_bytes(*bytes)) + carry;
            *sum = (wide & u128::from(u64::MAX)) as u64;
            carry = wide >> u64::BITS;
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().rev().try_for_each(|word| write!(f, "{word:016x}"))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let refused = || D::Error::custom(format!("'{text}' is no digest"));
        let mut words = [0; WORDS];
        for (i, word) in words.iter_mut().rev().enumerate() {
            let digits = text.get(i * 16..(i + 1) * 16).ok_or_else(refused)?;
            *word = u64::from_str_radix(digits, 16).map_err(|_| refused())?;
        }
        Ok(Self(words))
    }
}

/// Count and digest of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub records: u64,
    pub digest: Digest,
}

impl Tally {
    pub fn add(&mut self, line: &str) {
        self.records += 1;
        self.digest.add(line);
    }
}

/// Tallies of a store, by kind; a missing kind has no records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Digests(BTreeMap<RecordKind, Tally>);

impl Digests {
    pub fn add(&mut self, kind: RecordKind, line: &str) {
        self.0.entry(kind).or_default().add(line);
    }

    pub fn set(&mut self, kind: RecordKind, tally: Tally) {
        self.0.insert(kind, tally);
    }

    pub fn tally(&self, kind: RecordKind) -> Tally {
        self.0.get(&kind).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(lines: &[&str]) -> Digest {
        let mut digest = Digest::default();
        lines.iter().for_each(|line| digest.add(line));
        digest
    }

    #[test]
    fn the_order_does_not_matter_and_every_line_does() {
        assert_eq!(digest(&["a", "b", "c"]), digest(&["c", "a", "b"]));
        assert_ne!(digest(&["a", "b"]), digest(&["a", "c"]));
        assert_ne!(digest(&["a"]), digest(&["a", "a"]), "two of one are no none");
        assert_ne!(digest(&["a", "a"]), Digest::default());
    }

    #[test]
    fn a_digest_is_read_as_it_is_written() {
        let digest = digest(&["a", "b"]);
        let json = serde_json::to_string(&digest).unwrap();
        assert_eq!(serde_json::from_str::<Digest>(&json).unwrap(), digest);
        assert!(serde_json::from_str::<Digest>("\"12\"").is_err());
    }
}
