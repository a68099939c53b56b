//! Short and long forms of one name: in brackets after one another, and spelled by the first letters.

use super::super::super::lexicon::Class;
use super::super::super::phrase::{Reader, Run};
use super::super::super::words::Shape;
use super::{Finder, Key, MAX_KEY};

/// A short form in brackets has at least so many letters where no word tells that a body stands before it.
const MIN_SPELLED: usize = 3;

impl Finder<'_> {
    /// A short form in brackets after a long one, or a long one after a short one.
    pub(super) fn bracketed(&mut self, text: &str, reader: Reader<'_>, run: Run, own: Option<&Key>, class: Class) {
        let Some(own) = own else { return };
        let comma =
            reader.norm(run.to) == "," && reader.bare_acronym(run.to + 1) && matches!(reader.norm(run.to + 2), "," | ".");
        let inner = if comma {
            Some(Run { from: run.to + 1, to: run.to + 2 })
        } else if reader.norm(run.to) == "\"" {
            reader.enclosed(run.to + 1, MAX_KEY)
        } else {
            reader.enclosed(run.to, MAX_KEY).or_else(|| reader.remarked(run.to))
        };
        let juxtaposed = inner.is_none() && reader.bare_acronym(run.to);
        let inner = if juxtaposed { Some(Run { from: run.to, to: run.to + 1 }) } else { inner };
        let Some(inner) = inner else { return };
        let glued = reader.words.list[inner.from + 1..inner.to].iter().all(|w| w.glued);
        let short = glued
            && (inner.from..inner.to).all(|k| reader.at(k).is_some_and(|w| w.shape == Shape::Upper))
            && reader.acronymish(inner.from);
        // What an editor puts into square brackets may be any word; a speakable one must be short to be an acronym.
        let square = reader.norm(inner.from.saturating_sub(1)) == "[";
        let fits = !square || reader.words.list[inner.from].norm.len() <= 5 || reader.bare_acronym(inner.from);
        let short = short && fits;
        let long = inner.to - inner.from >= 3;
        if !(short || long) {
            return;
        }
        if let Some(key) = self.add(text, reader, inner, class, short) {
            if short { self.same(Some(key), Some(own.clone()), -1) } else { self.same(Some(own.clone()), Some(key), 1) }
        }
    }

    /// An acronym with the long form in brackets after it.
    pub(super) fn unfolded(&mut self, text: &str, reader: Reader<'_>, i: usize) {
        let opens = matches!(reader.norm(i + 1), "[" | "(");
        let short = reader.bare_acronym(i) || !reader.words.capitals || reader.norm(i).len() <= 5;
        if !(opens && short && reader.acronymish(i)) {
            return;
        }
        let Some(inner) = reader.enclosed(i + 1, MAX_KEY).filter(|r| r.to - r.from >= 2) else { return };
        let Some(head) = (inner.from..inner.to).find(|&k| reader.head(k).is_some()) else { return };
        let class = self.class_of(reader, inner, head);
        let long = self.add(text, reader, inner, class, false);
        let short = self.add(text, reader, Run { from: i, to: i + 1 }, class, true);
        self.same(short, long, 1);
    }

    /// "the Federation of Mothers and Relatives (FEMAR)", "the Dignity Wave (DW)": a long form that does not end with the word for
    /// what it is, or that only its first letters tell.
    pub(super) fn spelled(&mut self, text: &str, reader: Reader<'_>, i: usize) {
        if !matches!(reader.norm(i), "(" | "[") || i < 2 {
            return;
        }
        let inner = reader.enclosed(i, 1).or_else(|| reader.remarked(i)).filter(|r| r.to == r.from + 1);
        let Some(inner) = inner.filter(|r| reader.acronymish(r.from) && reader.norm(r.from).len() >= MIN_SPELLED) else {
            return;
        };
        let headed = (i.saturating_sub(MAX_KEY)..i)
            .rev()
            .take_while(|&k| reader.nameish(k) || self.lexicon.joints.contains(reader.norm(k)))
            .find(|&k| self.lexicon.heads.contains_key(reader.norm(k)));
        let long = match headed {
            Some(head) if head + 1 == i || reader.body(head).to >= i => return,
            Some(head) => Some((Run { from: reader.left(head), to: i }, head)),
            None => initials(reader, i, reader.norm(inner.from)).map(|from| (Run { from, to: i }, from)),
        };
        let Some((run, head)) = long else { return };
        let class = self.class_of(reader, run, head);
        let long = self.add(text, reader, run, class, false);
        let short = self.add(text, reader, inner, class, true);
        self.same(short, long, -1);
    }

    /// Two forms are of one name; `before` is 1 where the short one stood first, -1 where the long one did.
    fn same(&mut self, short: Option<Key>, long: Option<Key>, before: i32) {
        let (Some(short), Some(long)) = (short, long) else { return };
        if let Some(name) = self.found.get_mut(&long) {
            name.unfolded += before;
        }
        *self.aliases.entry(short).or_default().entry(long).or_default() += 1;
    }
}

/// Where the words before `i` begin whose first letters spell a short form, small joints left out.
fn initials(reader: Reader<'_>, i: usize, short: &str) -> Option<usize> {
    let mut from = i;
    for letter in short.chars().rev() {
        from = from.checked_sub(1)?;
        while !reader.norm(from).starts_with(letter) && reader.lexicon.joints.contains(reader.norm(from)) {
            from = from.checked_sub(1)?;
        }
        if !reader.norm(from).starts_with(letter) || !reader.nameish(from) {
            return None;
        }
    }
    Some(from)
}
