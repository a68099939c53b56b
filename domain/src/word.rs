//! Words that features add to the lists of the kernel: names of roles, phases and owners of sessions.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{
    collections::BTreeSet,
    fmt,
    sync::{Mutex, PoisonError},
};

/// Maximum length of a word, in bytes.
const MAX_BYTES: usize = 40;
/// Maximum number of words that were read instead of declared. Stored data names few of them.
const MAX_READ: usize = 1_000;

/// Word of lower-case letters, digits and underscores. A cheap copy: each word that was read is kept once per process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(&'static str);

impl Word {
    /// Declares a word; `is_valid` tells whether it can be stored.
    pub const fn new(text: &'static str) -> Self {
        Self(text)
    }

    /// Reads a word that the program has stored or configured; words of requests are looked up in a list instead.
    pub fn parse(text: &str) -> Option<Self> {
        static READ: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
        if !is_word(text) {
            return None;
        }
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.get(text) {
            return Some(Self(*known));
        }
        if read.len() >= MAX_READ {
            return None;
        }
        let kept: &'static str = text.to_owned().leak();
        read.insert(kept);
        Some(Self(kept))
    }

    pub const fn as_str(self) -> &'static str {
        self.0
    }

    pub fn is_valid(self) -> bool {
        is_word(self.0)
    }
}

fn is_word(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    !text.is_empty() && text.len() <= MAX_BYTES && text.bytes().all(is_allowed)
}

impl fmt::Debug for Word {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, out)
    }
}

impl fmt::Display for Word {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0)
    }
}

impl Serialize for Word {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("a word of lower-case letters, digits and underscores is expected"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_was_read_equals_the_declared_one() {
        let read: Word = serde_json::from_str("\"scout_2\"").unwrap();
        assert_eq!(read, Word::new("scout_2"));
        assert_eq!(serde_json::to_string(&read).unwrap(), "\"scout_2\"");
        for bad in ["", "Scout", "a b", "../x", &"a".repeat(41)] {
            assert_eq!(Word::parse(bad), None, "{bad}");
        }
    }
}
