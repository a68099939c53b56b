//! Who does and who suffers what a verb tells, in either voice: the phrases on its two sides, read without a grammar.

use super::phrase::{Reader, Run};
use super::words::Shape;
use crate::extractive::text;

/// A phrase beside a verb has at most so many words.
const PHRASE: usize = 14;
/// A description that stands for a name has at most so many.
const DESCRIPTION: usize = 7;
/// "by" stands at most so many words behind a passive.
const BY_REACH: usize = 8;

/// What a verb says and of whom.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clause {
    /// Who does it.
    pub agent: Option<Phrase>,
    /// Whom it is done to.
    pub patient: Option<Phrase>,
    /// It is said not to be so.
    pub negated: bool,
    /// It is told without an object, and without who does it.
    pub bare: bool,
}

/// What stands on one side of a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phrase {
    /// A name.
    Name(Run),
    /// A description without a name.
    Description(Run),
    /// A word that points back to somebody, and where it stands.
    Pronoun(usize),
}

/// Reads the clause of the word at `k`; `undergone` where its subject is the one it happens to ("died").
pub fn clause(reader: Reader<'_>, k: usize, undergone: bool) -> Clause {
    let mut from = k;
    let (mut passive, mut negated) = (false, false);
    let role = |list: &str, i: usize| reader.lexicon.role(list, reader.norm(i));
    while from > 0 {
        let helps = role("passive", from - 1)
            || role("auxiliaries", from - 1)
            || reader.lexicon.forward.contains(reader.norm(from - 1));
        let adverb = reader.lexicon.is_adverb(reader.norm(from - 1));
        let not = role("negations", from - 1);
        if !(helps || adverb || not) {
            break;
        }
        passive |= role("passive", from - 1);
        negated |= not;
        from -= 1;
    }
    let left = before(reader, from);
    let by = (k + 1..k + BY_REACH).take_while(|&i| reader.at(i).is_some_and(|w| !w.ends_clause())).find(|&i| role("by", i));
    let behind_by = by.and_then(|i| after(reader, i + 1));
    // "arrested and questioned Bo Sund"
    let joined = reader.lexicon.conjunctions.contains(reader.norm(k + 1)) && past(reader, k + 2);
    let right = after(reader, k + 1).or_else(|| after(reader, k + 3).filter(|_| joined));
    negated |= (k + 1..k + 3).any(|i| role("none", i));
    let noun = !verbal(reader.norm(k)) || from == k && reader.lexicon.determiners.contains(reader.norm(k.wrapping_sub(1)));
    let (agent, patient) = match (undergone, right) {
        _ if noun && reader.lexicon.of.contains(reader.norm(k + 1)) => (None, after(reader, k + 2)),
        (true, _) => (None, left),
        _ if passive || noun => (behind_by, left),
        (_, Some(right)) => (left, Some(right)),
        // "two men arrested by the guard", "the men arrested on Monday": a verb without an object is read as either.
        (_, None) if by.is_some() => (behind_by, left),
        (_, None) => (left, left),
    };
    Clause { agent, patient, negated, bare: !noun && !passive && right.is_none() && by.is_none() }
}

/// A form of a verb by its looks.
pub fn verbal(norm: &str) -> bool {
    let lexicon = text::Lexicon::english();
    let ending = ["s", "ing"].iter().any(|e| norm.len() > e.len() + 2 && norm.ends_with(e));
    lexicon.is_past(norm) || ending || lexicon.lemma(norm) != norm
}

/// A form of a verb or several of a thing, and no name that ends like one ("Carlos").
fn inflected(reader: Reader<'_>, i: usize) -> bool {
    verbal(reader.norm(i)) && !text::Lexicon::english().is(text::Class::Given, reader.norm(i))
}

/// The phrase that ends before `end`: the subject of what follows it.
pub fn before(reader: Reader<'_>, end: usize) -> Option<Phrase> {
    let role = |list: &str, i: usize| reader.lexicon.role(list, reader.norm(i));
    let mut end = end;
    if end > 0 && role("relatives", end - 1) {
        end -= 1;
    }
    // "Ann Vale, the head of Brand, resigned"; "the head of Brand, Ann Vale, resigned".
    if end > 1 && reader.norm(end - 1) == "," {
        let open = (end.saturating_sub(PHRASE)..end - 1).rev().find(|&i| reader.norm(i) == ",");
        let start = (0..end - 1).rev().take_while(|&i| reader.at(i).is_some_and(|w| !w.ends_clause())).last();
        let inner = Run { from: open.map_or(start.unwrap_or(0), |i| i + 1), to: end - 1 };
        if let Some(name) = whole_name(reader, inner) {
            return Some(Phrase::Name(name));
        }
        end = open.unwrap_or(end - 1);
    }
    let mut from = end;
    while from > 0 && end - from < PHRASE && !bounds(reader, from - 1) {
        from -= 1;
    }
    // "Police searched the house and found …": the subject stands before the first of the verbs.
    if end > from && reader.lexicon.conjunctions.contains(reader.norm(end - 1)) {
        end = (from..end).find(|&i| past(reader, i)).unwrap_or(end - 1);
    }
    phrase(reader, Run { from, to: end })
}

/// A form of the past, written small.
fn past(reader: Reader<'_>, i: usize) -> bool {
    let small = reader.at(i).is_some_and(|w| w.shape == Shape::Lower);
    small && text::Lexicon::english().is_past(reader.norm(i))
}

/// The phrase that begins at `from`: the object of what stands before it.
fn after(reader: Reader<'_>, from: usize) -> Option<Phrase> {
    let inside =
        |i: &usize| reader.at(*i).is_some() && !bounds(reader, *i) && !reader.lexicon.role("object_ends", reader.norm(*i));
    let to = (from..from + PHRASE).take_while(inside).last()? + 1;
    let found = phrase(reader, Run { from, to });
    // "arrested the head of the mill, Ann Vale, on Monday"
    if reader.norm(to) == "," && !matches!(found, Some(Phrase::Name(_))) {
        let end = (to + 1..to + PHRASE).take_while(inside).last().map_or(to + 1, |i| i + 1);
        let inner = whole_name(reader, Run { from: to + 1, to: end });
        return inner.map(Phrase::Name).or(found);
    }
    found
}

/// What a run of words names: its last name before any "of", else a description.
fn phrase(reader: Reader<'_>, run: Run) -> Option<Phrase> {
    let content = |i: &usize| {
        let word = &reader.words.list[*i];
        word.shape != Shape::Mark && !reader.lexicon.stop.contains(&word.norm) && !reader.lexicon.role("hedges", &word.norm)
    };
    let pronoun = (run.from..run.to).find(|&i| reader.lexicon.role("pronouns", reader.norm(i)));
    let Some(first) = (run.from..run.to).find(content) else { return pronoun.map(Phrase::Pronoun) };
    let head = (first..run.to).find(|&i| reader.lexicon.role("joined_on", reader.norm(i))).unwrap_or(run.to);
    if let Some(name) = names(reader, Run { from: first, to: head }).pop() {
        return Some(Phrase::Name(name));
    }
    let from = first - usize::from(first > run.from && reader.lexicon.determiners.contains(reader.norm(first - 1)));
    let words = |run: Run| {
        run.to - run.from <= DESCRIPTION
            && (run.from..run.to).all(|i| reader.at(i).is_some_and(|w| w.shape != Shape::Mark || w.norm == "-"))
    };
    let told = [Run { from, to: run.to }, Run { from, to: head }].into_iter().find(|r| words(*r));
    told.map(Phrase::Description)
}

/// The part of a run behind its last verb of saying, where it is one name and nothing else.
fn whole_name(reader: Reader<'_>, run: Run) -> Option<Run> {
    let from = (run.from..run.to).rev().find(|&i| bounds(reader, i)).map_or(run.from, |i| i + 1);
    let title = |i: usize| reader.lexicon.titles.contains(reader.norm(i));
    names(reader, Run { from, to: run.to }).into_iter().find(|name| name.to == run.to && (from..name.from).all(title))
}

/// The names in a run of words, possessives left out.
pub fn names(reader: Reader<'_>, run: Run) -> Vec<Run> {
    let mut found: Vec<Run> = Vec::new();
    if reader.words.capitals {
        return found;
    }
    let mut i = run.from;
    while i < run.to {
        let mut to = reader.right(i).min(run.to);
        if to == i {
            i += 1;
            continue;
        }
        // "the Brand gang"
        let owned = reader.at(to - 1).is_some_and(|w| w.possessive);
        to += usize::from(to < run.to && !owned && reader.lexicon.heads.contains_key(reader.norm(to)));
        let opens = i == 0 || reader.at(i - 1).is_some_and(|w| w.ends_clause() || w.norm == "\"");
        let ordinary = |k: usize| text::Lexicon::english().is(text::Class::Common, reader.norm(k));
        let common = opens
            && to == i + 1
            && (ordinary(i) || reader.describes(i) || inflected(reader, i) && !reader.at(i).is_some_and(|w| w.possessive));
        if !reader.at(to - 1).is_some_and(|w| w.possessive) && !common {
            found.push(Run { from: i, to });
        }
        i = to;
    }
    found
}

/// A word that a phrase does not run over.
fn bounds(reader: Reader<'_>, i: usize) -> bool {
    let Some(word) = reader.at(i) else { return true };
    let mark = word.shape == Shape::Mark && !matches!(word.norm.as_str(), "-" | "'");
    let lists = ["clauses", "relatives", "auxiliaries", "passive", "reporting", "subordinate"];
    mark || word.shape == Shape::Lower && lists.iter().any(|list| reader.lexicon.role(list, &word.norm))
}
