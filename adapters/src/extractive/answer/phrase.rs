//! Where a name begins and ends: phrases around the word that makes them a body, in capitals or in mixed case.

use super::lexicon::{Class, Lexicon};
use super::words::{Shape, Word, Words};

const MAX_LEFT: usize = 7;
const MAX_RIGHT: usize = 5;
const MAX_ACRONYM: usize = 8;
const MAX_REMARK: usize = 12;

/// A run of words, from the first to one past the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// First word.
    pub from: usize,
    /// One past the last word.
    pub to: usize,
}

/// Reads phrases out of the words of one passage.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    /// The words.
    pub words: &'a Words,
    /// The language.
    pub lexicon: &'a Lexicon,
}

impl<'a> Reader<'a> {
    /// The folded word at an index, for as long as the words live.
    pub fn list_norm(&self, i: usize) -> &'a str {
        self.words.list.get(i).map_or("", |w| w.norm.as_str())
    }

    /// The word at an index.
    pub fn at(&self, i: usize) -> Option<&Word> {
        self.words.list.get(i)
    }

    /// The folded word at an index, empty past the end.
    pub fn norm(&self, i: usize) -> &str {
        self.at(i).map_or("", |w| w.norm.as_str())
    }

    /// The class of a word that makes a phrase a body or its people.
    pub fn head(&self, i: usize) -> Option<Class> {
        let word = self.at(i)?;
        let norm = &word.norm;
        let idiom = i > 0 && self.lexicon.role("not_before_front", self.norm(i - 1)) && norm == "front";
        if word.possessive && !self.lexicon.heads.contains_key(norm) || idiom {
            return None;
        }
        // "the military" is a body, "the military garrison" is not.
        let next = self.norm(i + 1);
        let own = self.lexicon.role("instruments", next);
        let deed = self.lexicon.role("act_nouns", next) && self.lexicon.heads.get(norm) == Some(&Class::Military);
        let plain = deed || self.at(i + 1).is_some_and(|w| w.is_word() && !self.stops(&w.norm) && !own);
        let adjective = self.lexicon.adjectival.contains(norm) && plain;
        if adjective {
            return None;
        }
        // "the far right" is a camp, "the right" is not.
        if i > 0 && self.lexicon.role("camps", self.norm(i - 1)) && self.lexicon.descriptors.contains_key(norm) {
            match norm.as_str() {
                "right" => return Some(Class::Paramilitary),
                "left" => return Some(Class::Insurgent),
                _ => {}
            }
        }
        self.lexicon.heads.get(norm).or_else(|| self.lexicon.members.get(norm)).copied()
    }

    /// Whether a word may be part of a name here.
    pub fn nameish(&self, i: usize) -> bool {
        let Some(word) = self.at(i) else { return false };
        if !word.is_word() || self.stops(&word.norm) || self.lexicon.months.contains(&word.norm) {
            return false;
        }
        if self.words.capitals {
            return !self.participle(i);
        }
        matches!(word.shape, Shape::Title | Shape::Upper)
    }

    /// Whether a word describes a body: a known descriptor, a demonym or another head.
    pub fn describes(&self, i: usize) -> bool {
        let Some(word) = self.at(i) else { return false };
        self.lexicon.descriptors.contains_key(&word.norm)
            || self.lexicon.is_demonym(&word.norm)
            || self.lexicon.heads.contains_key(&word.norm)
            || self.lexicon.members.contains_key(&word.norm)
    }

    fn stops(&self, norm: &str) -> bool {
        let barred = self.lexicon.stop.contains(norm) || self.lexicon.breaks.contains(norm);
        barred && !self.lexicon.descriptors.contains_key(norm)
    }

    /// A word that looks like a verb form and stands where a verb may.
    fn participle(&self, i: usize) -> bool {
        let norm = self.norm(i);
        let known =
            norm.len() < 5 || self.lexicon.not_participles.contains(norm) || self.lexicon.descriptors.contains_key(norm);
        if known {
            return false;
        }
        if norm.ends_with("ing") {
            let opens = i > 0
                && (self.lexicon.determiners.contains(self.norm(i - 1))
                    || self.norm(i - 1) == "\""
                    || self.lexicon.of.contains(self.norm(i - 1))
                    || self.lexicon.role("by", self.norm(i - 1))
                    || self.describes(i - 1));
            let next = self.at(i + 1).is_some_and(|w| w.is_word() && !self.stops(&w.norm));
            return !(opens && next);
        }
        norm.ends_with("ed") || norm.ends_with("ly")
    }

    /// First word of the phrase that a head at `i` ends.
    pub fn left(&self, i: usize) -> usize {
        let mut from = i;
        while from > 0 && i - from < MAX_LEFT {
            let k = from - 1;
            let word = &self.words.list[k];
            if word.norm == "\""
                && let Some(open) = self.quoted_name(k)
            {
                return open;
            }
            if word.norm == "]"
                && let Some(open) = self.inserted(k)
            {
                return open;
            }
            if word.possessive && !self.lexicon.insurgent_marks.contains(&word.norm) {
                break;
            }
            let ordinal = word.shape == Shape::Number && word.norm.ends_with(|c: char| c.is_ascii_alphabetic());
            let dated = word.shape == Shape::Number && self.lexicon.months.contains(&self.words.list[from].norm);
            let month = self.lexicon.months.contains(&word.norm) && k > 0 && self.words.list[k - 1].shape == Shape::Number;
            let lower_descriptor = word.shape == Shape::Lower
                && (self.lexicon.descriptors.contains_key(&word.norm) || self.lexicon.is_demonym(&word.norm));
            // "to capture …": a verb, not a name.
            let infinitive = self.words.capitals && k > 0 && self.lexicon.role("to", self.norm(k - 1)) && !self.describes(k);
            if infinitive || !(self.nameish(k) || ordinal || dated || month || lower_descriptor) {
                break;
            }
            // A name does not run on over a small word into a large one at the start of a sentence.
            from = k;
        }
        from
    }

    /// First word of a short name in quotation marks that close at `k`.
    fn quoted_name(&self, k: usize) -> Option<usize> {
        let open = (k.saturating_sub(4)..k).rev().find(|&o| self.norm(o) == "\"")?;
        let first = open + 1 + usize::from(self.lexicon.determiners.contains(self.norm(open + 1)));
        (first < k && (first..k).all(|n| self.nameish(n))).then_some(first)
    }

    /// First word of what an editor has put before the rest of a name in brackets that close at `k`: "the [Dignity] Battalions".
    fn inserted(&self, k: usize) -> Option<usize> {
        let open = (k.saturating_sub(4)..k).rev().find(|&o| self.norm(o) == "[")?;
        let inner = open + 1 < k && (open + 1..k).all(|n| self.nameish(n));
        (inner && (open == 0 || !self.nameish(open - 1))).then_some(open + 1)
    }

    /// One past the last word of a name that begins at `i`, small joints inside it included.
    pub fn right(&self, i: usize) -> usize {
        let mut to = i;
        while to - i < MAX_RIGHT {
            if self.nameish(to) {
                let ends = self.at(to).is_some_and(|w| w.possessive);
                to += 1;
                if ends {
                    break;
                }
            } else if to > i
                && self.lexicon.joints.contains(self.norm(to))
                && self.nameish(to + 1)
                && !self.lexicon.loose_joints.contains(self.norm(to))
            {
                to += 2;
            } else {
                break;
            }
        }
        to
    }

    /// The phrase around the head at `i`, with what "of" adds to it.
    pub fn body(&self, i: usize) -> Run {
        let from = self.left(i);
        let mut to = i + 1;
        let pointer = self.lexicon.pointers.contains(self.norm(i));
        if !pointer && self.lexicon.heads.contains_key(self.norm(i)) && self.lexicon.of.contains(self.norm(to)) {
            let skip = to + 1 + usize::from(self.lexicon.determiners.contains(self.norm(to + 1)));
            let end = self.right(skip);
            // "the commission of the … front" is about two bodies.
            let another = (skip..end).any(|k| self.head(k).is_some()) || (skip..end).any(|k| self.bare_acronym(k));
            if end > skip && !another {
                to = end;
            }
        }
        Run { from, to }
    }

    /// A short all-capital word that stands for a longer name.
    pub fn acronymish(&self, i: usize) -> bool {
        let Some(word) = self.at(i) else { return false };
        let length = word.end - word.start;
        let fits = (2..=MAX_ACRONYM).contains(&length) && word.shape == Shape::Upper && !self.stops(&word.norm);
        fits && !self.describes(i)
    }

    /// An acronym by its looks alone: in mixed case all capitals; in capitals a word that cannot be spoken.
    pub fn bare_acronym(&self, i: usize) -> bool {
        let Some(word) = self.at(i) else { return false };
        let plain = word.norm.chars().all(|c| c.is_ascii_lowercase());
        self.acronymish(i) && plain && word.norm.len() >= 3 && (!self.words.capitals || !self.lexicon.can_be_spoken(&word.norm))
    }

    /// The words inside brackets or quotation marks that open at `i`; what ends the sentence may stand before the closing mark.
    pub fn enclosed(&self, i: usize, most: usize) -> Option<Run> {
        let close = closing(self.norm(i))?;
        let end = (i + 1..=i + 1 + most).find(|&k| self.norm(k) == close)?;
        let mut to = end;
        while close == "\"" && to > i + 1 && matches!(self.norm(to - 1), "." | "," | ";" | "!" | "?") {
            to -= 1;
        }
        let inner = self.words.list.get(i + 1..to)?;
        (!inner.is_empty() && inner.iter().all(|w| w.shape != Shape::Mark)).then_some(Run { from: i + 1, to })
    }

    /// One past the mark that closes the brackets or quotation marks which open at `i`; `i` where none do.
    pub fn past_enclosed(&self, i: usize, most: usize) -> usize {
        let close = closing(self.norm(i));
        close.and_then(|close| (i + 1..=i + 1 + most).find(|&k| self.norm(k) == close)).map_or(i, |end| end + 1)
    }

    /// A short form with a remark behind it in the brackets that open at `i`: "(ABC, opposition)".
    pub fn remarked(&self, i: usize) -> Option<Run> {
        let mut to = i + 2;
        while self.at(to).is_some_and(|w| w.glued) {
            to += 1;
        }
        let fits = matches!(self.norm(i), "(" | "[") && self.acronymish(i + 1) && self.norm(to) == ",";
        (fits && self.past_enclosed(i, MAX_REMARK) > i).then_some(Run { from: i + 1, to })
    }
}

/// The mark that closes what a mark opens.
fn closing(open: &str) -> Option<&'static str> {
    match open {
        "(" => Some(")"),
        "[" => Some("]"),
        "\"" => Some("\""),
        _ => None,
    }
}
