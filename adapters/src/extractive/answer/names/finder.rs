//! The patterns by which passages introduce bodies: heads, brackets, quotation marks, pointers, claims.

use std::collections::BTreeMap;

use super::super::lexicon::{Class, Lexicon};
use super::super::phrase::{Reader, Run};
use super::super::words::{Shape, dateline};
use super::{Key, Name};

mod apposed;
mod forms;

const MAX_KEY: usize = 10;
const MAX_QUOTED: usize = 6;

/// Collects names and which of them stand for one another.
pub(super) struct Finder<'l> {
    pub(super) found: BTreeMap<Key, Name>,
    pub(super) aliases: BTreeMap<Key, BTreeMap<Key, usize>>,
    pub(super) lexicon: &'l Lexicon,
}

impl Finder<'_> {
    /// Reads one passage.
    pub(super) fn passage(&mut self, text: &str, reader: Reader<'_>) {
        for i in dateline(&reader.words.list)..reader.words.list.len() {
            if reader.head(i).is_some() {
                self.around_head(text, reader, i);
            } else if reader.bare_acronym(i) {
                self.add(text, reader, Run { from: i, to: i + 1 }, Class::Group, true);
            }
            self.introduced(text, reader, i);
            self.pointed_at(text, reader, i);
            self.unfolded(text, reader, i);
            self.spelled(text, reader, i);
            self.apposed(text, reader, i);
            self.quoted(text, reader, i);
            self.by_or_claim(text, reader, i);
            if !reader.words.capitals {
                self.capitalised(text, reader, i);
            }
        }
    }

    /// "the National Front (NF)", "Shining Path guerrillas".
    fn around_head(&mut self, text: &str, reader: Reader<'_>, i: usize) {
        let run = reader.body(i);
        let class = self.class_of(reader, run, i);
        let people = self.lexicon.members.contains_key(reader.norm(i));
        let loose = people || self.lexicon.pointers.contains(reader.norm(i)) || reader.head(i) == Some(Class::Group);
        let inner =
            if loose && run.to == i + 1 { self.residue(text, reader, Run { from: run.from, to: i }, class) } else { None };
        let plain = matches!(reader.head(i), Some(Class::Group | Class::Paramilitary | Class::Criminal));
        if inner.is_some() && (people || !plain) {
            return;
        }
        let own = self.add(text, reader, run, class, false);
        if let (Some(own), Some(inner)) = (&own, inner) {
            *self.aliases.entry(inner).or_default().entry(own.clone()).or_default() += 1;
        }
        self.bracketed(text, reader, run, own.as_ref(), class);
        // "the guerrilla group Shining Path"
        let introduced = self.lexicon.introductions.contains(reader.norm(i + 1));
        let of_people =
            matches!(self.lexicon.heads.get(reader.norm(i)), Some(Class::Group | Class::Insurgent | Class::Criminal));
        if of_people && !introduced {
            let at = i + 1 + usize::from(self.lexicon.determiners.contains(reader.norm(i + 1)));
            if let Some(inner) = reader.enclosed(at, MAX_QUOTED) {
                if reader.norm(at) == "\"" {
                    self.add(text, reader, inner, class, false);
                }
            } else {
                let to = reader.right(at);
                let telling = to > at + 1 || reader.bare_acronym(at) || !reader.words.capitals;
                if to > at && telling && !reader.describes(to.saturating_sub(1)) && !reader.norm(i).ends_with('s') {
                    self.add(text, reader, Run { from: at, to }, class, to == at + 1 && reader.bare_acronym(at));
                }
            }
        }
    }

    /// What is left of a phrase when its describing words are taken off both ends.
    fn residue(&mut self, text: &str, reader: Reader<'_>, run: Run, class: Class) -> Option<Key> {
        let Run { mut from, mut to } = run;
        while from < to && reader.describes(from) && !reader.bare_acronym(from) {
            from += 1;
        }
        // "… battalion soldiers": what is left is itself the name of a body.
        let body = to > from + 1
            && self.lexicon.heads.contains_key(reader.norm(to - 1))
            && !self.lexicon.descriptors.contains_key(reader.norm(to - 1));
        if body {
            let class = self.class_of(reader, Run { from: run.from, to }, to - 1);
            return self.add(text, reader, Run { from: run.from, to }, class, false);
        }
        while to > from && reader.describes(to - 1) && !reader.bare_acronym(to - 1) {
            to -= 1;
        }
        // A capital at the start of a sentence names nothing by itself.
        let first = from == 0 || reader.at(from - 1).is_some_and(|w| w.ends_clause() || w.norm == "\"");
        if from == to || !reader.words.capitals && first && to == from + 1 && !reader.bare_acronym(from) {
            return None;
        }
        let acronym = to == from + 1 && reader.acronymish(from) && (!reader.words.capitals || reader.bare_acronym(from));
        self.add(text, reader, Run { from, to }, class, acronym)
    }

    /// "a rebel group calling itself …", "the band known as …".
    fn introduced(&mut self, text: &str, reader: Reader<'_>, i: usize) {
        let known = reader.norm(i) == "as" && i > 0 && self.lexicon.role("known", reader.norm(i - 1));
        if !known && !self.lexicon.introductions.contains(reader.norm(i)) {
            return;
        }
        let told = (i.saturating_sub(3)..i).rev().find(|&k| reader.head(k).is_some());
        let class = told.map_or(Class::Group, |head| self.class_of(reader, reader.body(head), head));
        let at = i + 1 + usize::from(self.lexicon.determiners.contains(reader.norm(i + 1)));
        if let Some(inner) = reader.enclosed(at, MAX_QUOTED).filter(|_| reader.norm(at) == "\"") {
            self.add(text, reader, inner, class, false);
            return;
        }
        let mut to = reader.right(at);
        // "a group called Tollen's Free Front": the owner belongs to the name.
        if to > at && reader.at(to - 1).is_some_and(|w| w.possessive) {
            to = reader.right(to);
        }
        if to > at {
            self.add(text, reader, Run { from: at, to }, class, false);
        }
    }

    /// "members of the …".
    fn pointed_at(&mut self, text: &str, reader: Reader<'_>, i: usize) {
        let pointer = self.lexicon.pointers.contains(reader.norm(i)) && self.lexicon.of.contains(reader.norm(i + 1));
        if pointer {
            let mut at = i + 2;
            while self.lexicon.determiners.contains(reader.norm(at)) || reader.norm(at) == "\"" {
                at += 1;
            }
            let to = reader.right(at);
            let plain = (at..to).all(|k| reader.describes(k));
            if to > at && !plain {
                self.add(text, reader, Run { from: at, to }, Class::Group, to == at + 1 && reader.bare_acronym(at));
            }
        }
    }

    /// A name in quotation marks after an article or a word for a group.
    fn quoted(&mut self, text: &str, reader: Reader<'_>, i: usize) {
        if i == 0 || reader.norm(i) != "\"" {
            return;
        }
        let before = reader.norm(i - 1);
        let led = self.lexicon.determiners.contains(before)
            || reader.head(i - 1).is_some()
            || self.lexicon.descriptors.contains_key(before);
        let Some(inner) = reader.enclosed(i, MAX_QUOTED).filter(|_| led) else { return };
        let named = (inner.from..inner.to).all(|k| {
            reader.nameish(k)
                || self.lexicon.joints.contains(reader.norm(k))
                || reader.at(k).is_some_and(|w| w.shape == Shape::Number)
        });
        if named {
            self.add(text, reader, inner, Class::Group, false);
        }
    }

    /// In mixed case every run of capitals inside a sentence may be a name.
    fn capitalised(&mut self, text: &str, reader: Reader<'_>, i: usize) {
        let starts = i == 0 || !reader.nameish(i - 1);
        let first = i == 0 || reader.at(i - 1).is_some_and(|w| w.ends_clause() || w.norm == "\"");
        let to = reader.right(i);
        if starts && to > i && (!first || to > i + 1) {
            self.add(text, reader, Run { from: i, to }, Class::Plain, to == i + 1 && reader.bare_acronym(i));
        }
    }

    /// "… killed by the Xs", "the Xs claimed responsibility".
    fn by_or_claim(&mut self, text: &str, reader: Reader<'_>, i: usize) {
        let lexicon = self.lexicon;
        // "by a gas bottle" names nobody.
        if !lexicon.determiners.contains(reader.norm(i)) || lexicon.role("indefinite", reader.norm(i)) {
            return;
        }
        let at = i + 1 + usize::from(reader.norm(i + 1) == "\"");
        let to = reader.right(at);
        if to == at || to - at > 3 {
            return;
        }
        let acted = |k: usize| lexicon.role("act_verbs", reader.norm(k)) || lexicon.role("act_nouns", reader.norm(k));
        let by = i > 1
            && lexicon.role("by", reader.norm(i - 1))
            && !lexicon.role("no_deeds", reader.norm(i - 2))
            && (reader.norm(i - 2).ends_with("ed") || (i.saturating_sub(9)..i - 1).any(acted));
        let after = (to..to + 3).find(|&k| !lexicon.role("hedges", reader.norm(k)) && reader.norm(k) != "\"").unwrap_or(to);
        let object = (after + 1..after + 6).any(|k| lexicon.role("claim_objects", reader.norm(k)));
        let claims = lexicon.role("claims", reader.norm(after)) && object || lexicon.role("denials", reader.norm(after));
        if by || claims {
            self.add(text, reader, Run { from: at, to }, Class::Plain, to == at + 1 && reader.bare_acronym(at));
        }
    }

    /// The class that the words of a phrase suggest.
    fn class_of(&self, reader: Reader<'_>, run: Run, head: usize) -> Class {
        let own = reader.head(head).unwrap_or(Class::Group);
        let norms = || (run.from..run.to).map(|k| reader.norm(k));
        let soft = matches!(own, Class::Military | Class::Group | Class::Political | Class::Paramilitary | Class::Unknown);
        if soft && norms().any(|n| self.lexicon.insurgent_marks.contains(n)) {
            return Class::Insurgent;
        }
        if matches!(own, Class::Group | Class::Unknown | Class::Business) {
            let told = norms().filter_map(|n| self.lexicon.descriptors.get(n)).find(|c| **c != Class::Plain);
            return told.copied().unwrap_or(own);
        }
        own
    }

    fn add(&mut self, text: &str, reader: Reader<'_>, run: Run, class: Class, acronym: bool) -> Option<Key> {
        let Run { mut from, to } = run;
        while from < to && self.lexicon.determiners.contains(reader.norm(from)) {
            from += 1;
        }
        while from + 2 < to
            && self.lexicon.epithets.contains(reader.norm(from))
            && !(from + 2..to).all(|k| reader.describes(k) && !self.lexicon.insurgent_marks.contains(reader.norm(k)))
        {
            from += 1;
        }
        let bare = to == from + 1
            && (reader.head(from) == Some(Class::Group)
                || self.lexicon.pointers.contains(reader.norm(from)) && reader.head(from).is_none());
        let empty = (from..to).all(|k| self.lexicon.joints.contains(reader.norm(k)));
        if from >= to || to - from > MAX_KEY || bare || empty {
            return None;
        }
        let words = &reader.words.list[from..to];
        let marks = |norm: &str| matches!(norm, "\"" | "[" | "]");
        let key: Key = words.iter().filter(|w| !marks(&w.norm)).map(|w| w.norm.clone()).collect();
        if key.is_empty() || reader.norm(from) == "\"" {
            return None;
        }
        let naming =
            to - from >= 3 && !reader.norm(to - 1).ends_with('s') && matches!(class, Class::Insurgent | Class::Political);
        let descriptive =
            !acronym && !naming && (from..to).all(|k| reader.describes(k) || self.lexicon.joints.contains(reader.norm(k)));
        let pronoun = to == from + 1
            && (self.lexicon.is_demonym(&key[0])
                || self.lexicon.descriptors.contains_key(&key[0])
                    && !self.lexicon.heads.contains_key(&key[0])
                    && !self.lexicon.members.contains_key(&key[0]));
        if pronoun && !acronym {
            return None;
        }
        let name = self.found.entry(key.clone()).or_insert_with(|| Name {
            key: key.clone(),
            display: written(text, reader, Run { from, to }, acronym),
            unfolded: 0,
            class,
            descriptive,
            acronym,
            found: 0,
            articled: 0,
            firm: false,
        });
        name.found += 1;
        let before = if from > 0 && reader.norm(from - 1) == "\"" { from.saturating_sub(2) } else { from.saturating_sub(1) };
        name.articled += usize::from(from > 0 && self.lexicon.determiners.contains(reader.norm(before)));
        name.firm |=
            acronym || (from..to).any(|k| reader.head(k).is_some()) || reader.norm(to) == "\"" || reader.head(to).is_some();
        name.acronym |= acronym;
        name.class = firmer(name.class, class);
        Some(key)
    }
}

/// A stated class is better than none.
fn firmer(a: Class, b: Class) -> Class {
    let vague = |c: Class| matches!(c, Class::Plain | Class::Group | Class::Unknown | Class::Business);
    match (vague(a), vague(b)) {
        (true, false) => b,
        (true, true) if a == Class::Plain => b,
        _ => a,
    }
}

/// A name fit for a sentence, as it is written at a run of words.
pub fn written(text: &str, reader: Reader<'_>, run: Run, acronym: bool) -> String {
    let words = &reader.words.list[run.from..run.to];
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return String::new() };
    // A bracket that closes inside the name opened right before it.
    let cut = words.iter().any(|w| w.norm == "]") && !words.iter().any(|w| w.norm == "[");
    shown(&text[first.start - usize::from(cut)..last.end], reader.words.capitals, acronym, reader.lexicon)
}

/// White space folded, and out of capitals when the whole text is in them.
fn shown(raw: &str, capitals: bool, acronym: bool, lexicon: &Lexicon) -> String {
    let plain = raw.replace(['"', '\u{201c}', '\u{201d}'], "");
    let folded: Vec<&str> = plain.split_whitespace().collect();
    if !capitals || acronym {
        return folded.join(" ");
    }
    let cased = folded.iter().enumerate().map(|(i, word)| {
        let lower = word.to_lowercase();
        let small = i > 0 && (lexicon.joints.contains(&lower) || lexicon.stop.contains(&lower));
        let unspoken = !lower.chars().any(|c| "aeiouy".contains(c));
        match (small, unspoken) {
            (true, _) => lower,
            (_, true) => (*word).to_owned(),
            _ => title(&lower),
        }
    });
    cased.collect::<Vec<_>>().join(" ")
}

fn title(word: &str) -> String {
    let mut begins = true;
    let cased = word.chars().map(|c| {
        let out = if begins { c.to_uppercase().next().unwrap_or(c) } else { c };
        begins = matches!(c, '-' | '[' | '(' | '"' | '.');
        out
    });
    cased.collect()
}
