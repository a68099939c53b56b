//! Where passages name bodies, by name or by a word that points back to one.

use super::super::corpus::Corpus;
use super::super::lexicon::{Class, Lexicon, WordSet};
use super::super::names::Names;
use super::super::phrase::{Reader, Run};
use super::super::roles::{Roles, roles};
use super::super::words::dateline;

/// Passages below this weight say nothing of the event.
const MIN_WEIGHT: f64 = 0.02;
/// At most so many passages are read for mentions, the weightiest first.
const MAX_UNITS: usize = 600;

/// A word that points back does so over at most so many passages.
const MAX_BACK: usize = 3;

/// What the question asks about, by stems.
pub(super) struct Deed<'q> {
    /// Its verbs: whoever is their subject is an answer.
    pub(super) verbs: &'q WordSet,
    /// Words for deeds of the kind asked about.
    pub(super) kin: &'q WordSet,
}

/// One place where a passage names a body.
pub(super) struct Mention {
    pub(super) body: usize,
    pub(super) name: usize,
    pub(super) unit: usize,
    /// What names it, with a description that stands beside the name.
    pub(super) run: Run,
    /// The name alone; none where a word only points back to it.
    pub(super) own: Option<Run>,
    pub(super) roles: Roles,
    pub(super) weight: f64,
}

/// All mentions in the weightiest passages, in order of the text.
pub(super) fn mentions(corpus: &Corpus<'_>, names: &Names, deed: &Deed<'_>, lexicon: &Lexicon) -> Vec<Mention> {
    let mut units: Vec<usize> = (0..corpus.units.len()).filter(|&u| corpus.weight(u) >= MIN_WEIGHT).collect();
    units.sort_by(|&a, &b| {
        corpus.weight(b).total_cmp(&corpus.weight(a)).then(corpus.units[a].order().cmp(&corpus.units[b].order()))
    });
    units.truncate(MAX_UNITS);
    units.sort_unstable();
    let read = |name: usize, run: Run, own: Option<Run>, unit: usize| {
        let reader = Reader { words: &corpus.units[unit].words, lexicon };
        let weight = corpus.weight(unit) * corpus.recency(unit);
        Mention { body: names.root(name), name, unit, run, own, roles: roles(reader, run, deed.verbs, deed.kin), weight }
    };
    let mut mentions: Vec<Mention> = Vec::new();
    for unit in units {
        let reader = Reader { words: &corpus.units[unit].words, lexicon };
        let mut i = dateline(&reader.words.list);
        while i < reader.words.list.len() {
            if let Some(run) = anaphor(reader, i)
                && let Some(name) = antecedent(&mentions, unit, corpus, names)
            {
                mentions.push(read(name, run, None, unit));
                i = run.to;
                continue;
            }
            let Some((mut name, mut run)) = names.longest(reader, i) else {
                i += 1;
                continue;
            };
            if names.miscast(name, reader, run) {
                i += 1;
                continue;
            }
            let mut own = run;
            // "the guerrilla group Bright Star": the description stands beside the name and is part of its mention.
            let next = run.to + usize::from(reader.norm(run.to) == "\"");
            let next = next + usize::from(lexicon.determiners.contains(reader.norm(next)));
            let describes = names.describes(name) || lexicon.role("anaphors", reader.norm(run.to - 1));
            if describes && let Some((apposed, other)) = names.longest(reader, next).filter(|(id, _)| !names.describes(*id)) {
                (name, run, own) = (apposed, Run { from: run.from, to: other.to }, other);
            }
            mentions.push(read(name, run, Some(own), unit));
            i = run.to;
        }
    }
    mentions
}

/// "this group", "the aforementioned organisation": the word that points back, where one does at `i`.
fn anaphor(reader: Reader<'_>, i: usize) -> Option<Run> {
    let lexicon = reader.lexicon;
    let mut at = i;
    while lexicon.role("pointing", reader.norm(at)) {
        at += 1;
    }
    let from = at;
    let this = at > i && (i..at).any(|k| lexicon.role("same", reader.norm(k)));
    while this && at < from + 3 && lexicon.descriptors.contains_key(reader.norm(at)) {
        at += 1;
    }
    let plain = reader.at(at + 1).is_none_or(|w| !w.is_word() && w.norm != "\"") || {
        let next = reader.norm(at + 1);
        !reader.nameish(at + 1) && !lexicon.of.contains(next) && !lexicon.introductions.contains(next)
    };
    (at > i && lexicon.role("anaphors", reader.norm(at)) && plain).then_some(Run { from: at, to: at + 1 })
}

/// The name that a word pointing back from a passage stands for: the last one before it in its document.
fn antecedent(mentions: &[Mention], unit: usize, corpus: &Corpus<'_>, names: &Names) -> Option<usize> {
    let document = corpus.units[unit].document;
    let near = |m: &&Mention| corpus.units[m.unit].document == document && unit - m.unit <= MAX_BACK;
    let named = |m: &&Mention| {
        let class = names.list[names.root(m.name)].class;
        !names.describes(m.name) && matches!(class, Class::Insurgent | Class::Criminal | Class::Paramilitary | Class::Group)
    };
    mentions.iter().rev().take_while(near).find(named).map(|m| m.name)
}
