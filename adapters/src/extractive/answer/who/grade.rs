//! What a passage is worth as evidence about one body: a finding more than an accusation, a disinterested voice more than a
//! party to the matter, each outlet and each speaker once.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Mode;
use super::super::corpus::{Corpus, Unit};
use super::super::lexicon::{Grades, Lexicon};
use super::super::words::{fold, spaced};
use super::Mention;

/// Reads what the mentions of one body are worth.
pub(super) struct Grader<'t, 'c> {
    corpus: &'t Corpus<'c>,
    lexicon: &'t Lexicon,
    /// Speakers who belong to a body that is itself accused, and outlets that carry the name of one.
    parties: &'t Parties,
}

/// How one passage bears on a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Bearing {
    /// It names the body as author.
    For(f64),
    /// It says that the body is not the author.
    Against(f64),
    /// It says nothing of who did it.
    Nothing,
}

/// Speakers and outlets with the bodies that they speak for.
#[derive(Debug, Default)]
pub(super) struct Parties {
    speakers: BTreeMap<String, usize>,
}

impl Parties {
    /// A speaker belongs to the body that is named beside his name: "Ann Vale, the head of Brand Haulage".
    pub(super) fn of(corpus: &Corpus<'_>, mentions: &[Mention]) -> Self {
        let surnames: BTreeSet<String> =
            corpus.units.iter().filter_map(|u| u.passage.speaker).filter_map(surname).filter(|s| s.len() > 3).collect();
        let mut speakers = BTreeMap::new();
        for mention in mentions {
            let words = &corpus.units[mention.unit].words.list;
            let from = mention.run.from;
            let left = words[from.saturating_sub(8)..from].iter();
            if let Some(word) =
                left.rev().take_while(|w| !matches!(w.norm.as_str(), "." | ";")).find(|w| surnames.contains(&w.norm))
            {
                speakers.entry(word.norm.clone()).or_insert(mention.body);
            }
        }
        Self { speakers }
    }

    fn body_of(&self, speaker: Option<&str>) -> Option<usize> {
        self.speakers.get(&surname(speaker?)?).copied()
    }
}

fn surname(speaker: &str) -> Option<String> {
    speaker.split_whitespace().last().map(|word| fold(word.trim_matches(|c: char| !c.is_alphanumeric())))
}

impl<'t, 'c> Grader<'t, 'c> {
    pub(super) fn new(corpus: &'t Corpus<'c>, lexicon: &'t Lexicon, parties: &'t Parties) -> Self {
        Self { corpus, lexicon, parties }
    }

    /// What one mention says of its body.
    pub(super) fn bearing(&self, m: &Mention) -> Bearing {
        let (unit, r) = (&self.corpus.units[m.unit], m.roles);
        let grades = &self.lexicon.grades;
        let near = (r.near_blame || r.near_act) && !r.owner;
        let text = spaced(&unit.words.list);
        // A clause of something else than the deed says nothing of its author.
        let concerned = (r.explicit() || near) && (unit.acts || r.claim || r.blame || r.denial);
        if !concerned {
            return Bearing::Nothing;
        }
        if contains(&text, &grades.clearing) {
            return Bearing::Against(grades.cleared);
        }
        let own = self.parties.body_of(unit.passage.speaker) == Some(m.body);
        if r.denial || r.negated || unit.passage.mode == Mode::Denied || contains(&text, &grades.disowning) {
            return Bearing::Against(if own || r.denial { grades.own_denial } else { grades.denied });
        }
        if !r.explicit() && r.source {
            return Bearing::Nothing;
        }
        Bearing::For(self.worth(m, unit, &text, grades))
    }

    fn worth(&self, m: &Mention, unit: &Unit<'_>, text: &str, grades: &Grades) -> f64 {
        let found = contains(text, &grades.findings);
        let kind = match found {
            true => grades.finding,
            false if contains(text, &grades.accusing) || unit.passage.mode != Mode::Asserted => grades.accusation,
            false => 1.0,
        };
        let plainly = if m.roles.explicit() || found { 1.0 } else { grades.nearness };
        let party = self.parties.body_of(unit.passage.speaker).is_some_and(|body| body != m.body);
        let interest = if party && !found { grades.interested } else { 1.0 };
        kind * plainly * interest * m.weight
    }

    /// Whether a mention says outright, or by a finding, that its body did it.
    pub(super) fn plain(&self, m: &Mention) -> bool {
        m.roles.explicit() || self.finds(m)
    }

    /// Whether its passage tells of an arrest, a record, an examination or an eyewitness.
    pub(super) fn finds(&self, m: &Mention) -> bool {
        self.lexicon.grades.finds(&self.corpus.units[m.unit].words.list)
    }

    /// Support that counts each outlet and each speaker once, less what stands against it; 0 or more.
    pub(super) fn balance(&self, mentions: &[&Mention]) -> f64 {
        let (mut outlets, mut speakers, mut against) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for m in mentions {
            let passage = self.corpus.units[m.unit].passage;
            let outlet = self.corpus.outlet(m.unit);
            match self.bearing(m) {
                Bearing::For(worth) => {
                    most(&mut outlets, outlet.clone(), worth);
                    most(&mut speakers, passage.speaker.and_then(surname).unwrap_or(outlet), worth);
                }
                Bearing::Against(worth) => most(&mut against, outlet, worth * m.weight),
                Bearing::Nothing => {}
            }
        }
        let sum = |voices: &BTreeMap<String, f64>| voices.values().sum::<f64>();
        let (support, against) = (sum(&outlets).min(sum(&speakers)), sum(&against));
        // What nobody says outright stays a possibility.
        let outright = mentions.iter().any(|m| m.roles.explicit() && matches!(self.bearing(m), Bearing::For(_)));
        let support = if outright { support } else { support * self.lexicon.grades.unsaid };
        support * support / (support + against).max(1e-9)
    }
}

fn most(voices: &mut BTreeMap<String, f64>, voice: String, worth: f64) {
    let slot = voices.entry(voice).or_default();
    *slot = slot.max(worth);
}

fn contains(text: &str, phrases: &[String]) -> bool {
    phrases.iter().any(|phrase| text.contains(phrase.as_str()))
}
