//! What a body is called in an answer.

use super::super::lexicon::Class;
use super::super::names::written;
use super::super::phrase::{Reader, Run};
use super::super::settle::capitalised;
use super::Mention;
use super::features::Table;

impl Table<'_, '_> {
    /// The name in full, as the passage closest to the event writes it, with its short form.
    pub(super) fn display(&self, body: usize, mentions: &[&Mention]) -> String {
        let long = &self.names.list[body];
        let short = (0..self.names.list.len())
            .filter(|&f| self.names.root(f) == body && f != body)
            .map(|f| &self.names.list[f])
            .filter(|n| n.acronym && n.key.len() <= 2)
            .max_by_key(|n| (n.found, std::cmp::Reverse(n.key.clone())));
        let short = short.filter(|_| !long.acronym);
        let name = self.as_written(body, mentions).unwrap_or_else(|| long.display.clone());
        let unfolded = short.filter(|_| long.unfolded > 0);
        let first = unfolded.unwrap_or(long);
        let article = first.articled * 2 >= first.found || first.acronym && long.class != Class::Plain || first.descriptive;
        let article = if article { self.lexicon.say("article", &[]) } else { String::new() };
        let told = match (unfolded, short) {
            (Some(short), _) => format!("{article}{} [{name}]", short.display),
            (None, Some(short)) => format!("{article}{name} ({})", short.display),
            (None, None) => format!("{article}{name}"),
        };
        capitalised(&told)
    }

    /// What the document closest to the event calls the body, with what it says of its creed.
    fn as_written(&self, body: usize, mentions: &[&Mention]) -> Option<String> {
        let named = || mentions.iter().filter(|m| m.name == body).filter_map(|m| m.own.map(|own| (m, own)));
        let order = |m: &Mention| self.corpus.units[m.unit].order();
        let (closest, _) = named().max_by(|(a, _), (b, _)| a.weight.total_cmp(&b.weight).then(order(b).cmp(&order(a))))?;
        let document = self.corpus.units[closest.unit].document;
        let written = named().filter(|(m, _)| self.corpus.units[m.unit].document == document).map(|(m, own)| {
            let unit = &self.corpus.units[m.unit];
            let reader = Reader { words: &unit.words, lexicon: self.lexicon };
            let creed = |k: &usize| self.lexicon.role("creeds", reader.norm(*k));
            let from = (0..own.from).rev().take_while(creed).last().unwrap_or(own.from);
            let acronym = self.names.list[body].acronym;
            (own.from - from, written(unit.passage.text, reader, Run { from, to: own.to }, acronym))
        });
        written.max_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1))).map(|(_, told)| told)
    }
}
