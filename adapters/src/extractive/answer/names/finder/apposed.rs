//! What stands beside a name says what it is: "the Xs, the armed wing of …", "the guerrilla group -- the Xs --".

use super::super::super::lexicon::Class;
use super::super::super::phrase::{Reader, Run};
use super::Finder;

/// The longest name and the longest description that are read so.
const MAX_NAME: usize = 4;
const MAX_DESCRIPTION: usize = 5;

impl Finder<'_> {
    /// Reads a name with its description on either side.
    pub(super) fn apposed(&mut self, text: &str, reader: Reader<'_>, i: usize) {
        if self.lexicon.determiners.contains(reader.norm(i)) {
            self.described_after(text, reader, i);
        }
        let telling = matches!(
            self.lexicon.heads.get(reader.norm(i)),
            Some(Class::Group | Class::Insurgent | Class::Criminal | Class::Paramilitary)
        );
        if telling {
            self.named_after(text, reader, i);
        }
    }

    /// "the Xs, the armed wing of the Brand cartel".
    fn described_after(&mut self, text: &str, reader: Reader<'_>, i: usize) {
        let at = i + 1 + usize::from(reader.norm(i + 1) == "\"");
        let to = reader.right(at);
        let comma = to + usize::from(reader.norm(to) == "\"");
        let Some(class) = (reader.norm(comma) == ",").then(|| self.description(reader, comma + 1)).flatten() else { return };
        if to > at && to - at <= MAX_NAME && !(at..to).any(|k| reader.describes(k)) {
            self.add(text, reader, Run { from: at, to }, class, to == at + 1 && reader.bare_acronym(at));
        }
    }

    /// "its armed wing -- the Xs --".
    fn named_after(&mut self, text: &str, reader: Reader<'_>, i: usize) {
        let mut at = i + 1;
        while matches!(reader.norm(at), "-" | ",") && at < i + 3 {
            at += 1;
        }
        let parted = at > i + 1 && self.lexicon.determiners.contains(reader.norm(at));
        let from = at + 1 + usize::from(reader.norm(at + 1) == "\"");
        let to = reader.right(from);
        let closed = matches!(reader.norm(to), "-" | "," | "." | "\"");
        if parted && closed && to > from && to - from <= MAX_NAME && !(from..to).any(|k| reader.describes(k)) {
            let class = self.class_of(reader, reader.body(i), i);
            self.add(text, reader, Run { from, to }, class, to == from + 1 && reader.bare_acronym(from));
        }
    }

    /// The class of the body that a description at `i` speaks of; "a wing of the cartel" has that of the cartel.
    fn description(&self, reader: Reader<'_>, i: usize) -> Option<Class> {
        if !self.lexicon.determiners.contains(reader.norm(i)) {
            return None;
        }
        let words = |from: usize| (from..from + MAX_DESCRIPTION).take_while(|&k| reader.at(k).is_some_and(|w| w.is_word()));
        let head = words(i + 1)
            .take_while(|&k| !self.lexicon.of.contains(reader.norm(k)))
            .find(|&k| self.lexicon.heads.contains_key(reader.norm(k)) && !reader.describes(k + 1))?;
        if self.lexicon.possessions.contains(reader.norm(head + 1)) {
            return None;
        }
        let class = self.class_of(reader, Run { from: i + 1, to: head + 1 }, head);
        let whole = self.lexicon.of.contains(reader.norm(head + 1));
        let owner = words(head + 2).filter(|_| whole).filter_map(|k| self.lexicon.heads.get(reader.norm(k))).last().copied();
        match (self.lexicon.heads.get(reader.norm(head)), owner) {
            (Some(Class::Group), Some(owner)) => Some(owner),
            _ => Some(class),
        }
    }
}
