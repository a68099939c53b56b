//! The bodies that passages name: found by the words around them, joined with their acronyms and short forms.

use std::collections::{BTreeMap, HashMap};

use super::corpus::Corpus;
use super::lexicon::{Class, Lexicon};
use super::phrase::{Reader, Run};
use super::words::Shape;
use finder::Finder;
pub use finder::written;

mod finder;

/// A name as a sequence of folded words.
pub type Key = Vec<String>;

/// One body and all the forms of its name.
#[derive(Debug, Clone)]
pub struct Name {
    /// Its folded words.
    pub key: Key,
    /// As it is written, white space folded.
    pub display: String,
    /// How much oftener its short form stands before it than after it.
    pub unfolded: i32,
    /// What sort of body it seems to be.
    pub class: Class,
    /// It has words that only describe.
    pub descriptive: bool,
    /// A short form in capital letters.
    pub acronym: bool,
    /// How often a pattern found it.
    pub found: usize,
    /// How often an article stood before it.
    pub articled: usize,
    /// A pattern that seldom errs found it.
    pub firm: bool,
}

/// All names, with a way to find them in the words of a passage.
#[derive(Debug, Default)]
pub struct Names {
    /// The names, by key.
    pub list: Vec<Name>,
    index: HashMap<Key, usize>,
    starts: HashMap<String, usize>,
    /// For each name the name that stands for its body.
    pub body: Vec<usize>,
}

impl Names {
    /// Reads the names out of all passages.
    pub fn discover(corpus: &Corpus<'_>, lexicon: &Lexicon) -> Self {
        let mut finder = Finder { found: BTreeMap::new(), aliases: BTreeMap::new(), lexicon };
        for unit in &corpus.units {
            finder.passage(unit.passage.text, Reader { words: &unit.words, lexicon });
        }
        let mut names = Self::default();
        for (key, name) in finder.found {
            names.starts.entry(key[0].clone()).and_modify(|n| *n = (*n).max(key.len())).or_insert(key.len());
            names.index.insert(key, names.list.len());
            names.list.push(name);
        }
        names.body = (0..names.list.len()).collect();
        names.join_aliases(&finder.aliases);
        names
    }

    /// The longest name that begins at a word.
    pub fn longest(&self, reader: Reader<'_>, i: usize) -> Option<(usize, Run)> {
        let most = *self.starts.get(reader.norm(i))?;
        let list = &reader.words.list;
        let (mut key, mut best): (Key, _) = (Vec::new(), None);
        for (at, word) in list.iter().enumerate().skip(i) {
            if key.len() >= most {
                break;
            }
            // Marks around a part of a name do not belong to it.
            if matches!(word.norm.as_str(), "\"" | "]") && !key.is_empty() {
                continue;
            }
            key.push(word.norm.clone());
            if let Some(&id) = self.index.get(&key) {
                best = Some((id, Run { from: i, to: at + 1 }));
            }
        }
        best
    }

    /// In mixed case a name is written with a capital, an acronym in capitals: "nations" is not NATIONS.
    pub fn miscast(&self, id: usize, reader: Reader<'_>, run: Run) -> bool {
        let name = &self.list[id];
        let (first, single) = (&reader.words.list[run.from], run.to == run.from + 1);
        match first.shape {
            _ if reader.words.capitals || !single || name.descriptive => false,
            Shape::Upper | Shape::Number => false,
            Shape::Title => name.acronym && name.key[0].len() <= 4,
            _ => true,
        }
    }

    /// Whether a name only describes.
    pub fn describes(&self, id: usize) -> bool {
        self.list[self.root(id)].descriptive && self.list[id].descriptive
    }

    /// The representative of a name's body.
    pub fn root(&self, mut id: usize) -> usize {
        while self.body[id] != id {
            id = self.body[id];
        }
        id
    }

    /// Joins two names into one body, the longer standing for it.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let longer = |id: usize| (self.list[id].key.len(), std::cmp::Reverse(self.list[id].key.clone()));
        if longer(a) >= longer(b) { self.body[b] = a } else { self.body[a] = b }
    }

    /// Makes one body of two names, the second standing for it.
    pub fn stand_in(&mut self, short: usize, long: usize) {
        let (short, long) = (self.root(short), self.root(long));
        if short != long {
            self.body[short] = long;
        }
    }

    fn join_aliases(&mut self, aliases: &BTreeMap<Key, BTreeMap<Key, usize>>) {
        for (short, longs) in aliases {
            let best = longs.iter().max_by_key(|(key, n)| (**n, key.len(), std::cmp::Reverse((*key).clone())));
            let Some((long, _)) = best else { continue };
            if let (Some(&a), Some(&b)) = (self.index.get(short), self.index.get(long)) {
                self.join(a, b);
            }
        }
    }
}
