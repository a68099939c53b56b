//! What speaks for one body: features of its mentions, its name in full, and the passages for and against it.

use std::collections::{BTreeMap, BTreeSet};

use super::super::corpus::Corpus;
use super::super::lexicon::{Class, Lexicon};
use super::super::names::Names;
use super::super::question::Question;
use super::super::words::{split, stem};
use super::grade::{Bearing, Grader, Parties};
use super::{Candidate, Mention, Row};

/// At most so many passages are listed for or against one body.
const MAX_LISTED: usize = 8;
/// Among at most so many voices a body that is only described keeps its full part.
const FEW_VOICES: f64 = 6.0;

/// All bodies with their mentions.
pub(super) struct Table<'t, 'c> {
    pub(super) question: &'t Question,
    pub(super) corpus: &'t Corpus<'c>,
    pub(super) lexicon: &'t Lexicon,
    pub(super) names: &'t Names,
    pub(super) bodies: &'t BTreeMap<usize, Vec<&'t Mention>>,
    pub(super) parties: &'t Parties,
}

impl Table<'_, '_> {
    /// One body with its features, its score and its evidence.
    pub(super) fn candidate(&self, body: usize) -> Option<Candidate> {
        let mentions = &self.bodies[&body];
        let forms: BTreeSet<usize> = mentions.iter().map(|m| m.name).chain([body]).collect();
        let class = self.class(&forms);
        // "the private company" names nobody.
        if class == Class::Business && forms.iter().all(|&f| self.names.list[f].descriptive) {
            return None;
        }
        let features = self.features(body, mentions, &forms, class);
        // What the question names suffered the deed or is where it was done.
        if features["in_question"] >= 1.0 {
            return None;
        }
        let weights = &self.lexicon.who.features;
        // Where no deed of bodies is asked about, whoever is the subject of the question's own verb answers it.
        let plain = if self.of_bodies() { 0.0 } else { self.lexicon.who.plain_agent * features["agent_act"] };
        let score: f64 =
            plain + features.iter().map(|(name, value)| weights.get(*name).copied().unwrap_or(0.0) * value).sum::<f64>();
        let grader = Grader::new(self.corpus, self.lexicon, self.parties);
        let Evidence { supporting, against, passages, origins, findings } = self.evidence(mentions, &grader);
        // A mere description names nobody.
        let share = match features["descriptive"] > 0.0 {
            // A word of no known sort is seldom a body.
            _ if class == Class::Plain && self.of_bodies() => self.lexicon.grades.nearness,
            // The more voices speak, the likelier one of them knows the name.
            true => self.lexicon.grades.nearness * FEW_VOICES / FEW_VOICES.max(super::voices(self.corpus) as f64),
            _ => 1.0,
        };
        let independent = share * grader.balance(mentions);
        let strongest =
            ["claim", "blame", "by", "subject", "deed"].into_iter().max_by(|a, b| features[a].total_cmp(&features[b]))?;
        let tie = mentions.iter().map(|m| self.corpus.units[m.unit].order()).min()?;
        Some(Candidate {
            display: self.display(body, mentions),
            score,
            features,
            supporting,
            against,
            passages,
            origins,
            strongest,
            findings,
            independent,
            tie,
        })
    }

    /// The question asks for the author of a deed that bodies rather than persons do.
    fn of_bodies(&self) -> bool {
        self.question.act.as_ref().is_some_and(|a| self.lexicon.of_bodies.contains(a))
    }

    fn class(&self, forms: &BTreeSet<usize>) -> Class {
        let classes = forms.iter().map(|&f| (self.names.list[f].found, self.names.list[f].class));
        let firm = |c: Class| !matches!(c, Class::Plain | Class::Group | Class::Unknown | Class::Business);
        classes.max_by_key(|(found, class)| (firm(*class), *found)).map_or(Class::Plain, |(_, class)| class)
    }

    fn features(
        &self,
        body: usize,
        mentions: &[&Mention],
        forms: &BTreeSet<usize>,
        class: Class,
    ) -> BTreeMap<&'static str, f64> {
        let mut f = BTreeMap::new();
        let per_origin = |pick: &dyn Fn(&Mention) -> f64| {
            let mut best: BTreeMap<&str, f64> = BTreeMap::new();
            for m in mentions {
                let value = pick(m) * m.weight;
                let slot = best.entry(self.origin(m)).or_default();
                *slot = slot.max(value);
            }
            best.values().sum::<f64>().min(2.0)
        };
        let flag = |b: bool| f64::from(u8::from(b));
        f.insert("by", per_origin(&|m| flag(m.roles.by && !m.roles.negated)));
        f.insert("subject", per_origin(&|m| flag(m.roles.subject && !m.roles.negated)));
        f.insert("claim", per_origin(&|m| flag(m.roles.claim && !m.roles.negated)));
        f.insert("blame", per_origin(&|m| flag(m.roles.blame && !m.roles.negated)));
        f.insert("deed", per_origin(&|m| flag(m.roles.deed)));
        f.insert("near_blame", per_origin(&|m| flag(m.roles.near_blame && !m.roles.source)));
        f.insert("near_act", per_origin(&|m| flag(m.roles.near_act && !m.roles.source && !m.roles.owner)));
        f.insert("presence", per_origin(&|_| 1.0));
        let total: f64 = mentions.iter().map(|m| m.weight).sum();
        let share = |pick: &dyn Fn(&Mention) -> bool| {
            mentions.iter().filter(|m| pick(m)).map(|m| m.weight).sum::<f64>() / total.max(1e-9)
        };
        f.insert("source", share(&|m| m.roles.source));
        f.insert("victim", share(&|m| m.roles.victim));
        f.insert("owner", share(&|m| m.roles.owner));
        f.insert("negated", share(&|m| m.roles.negated));
        f.insert("denial", per_origin(&|m| flag(m.roles.denial)));
        let agent = |m: &Mention| m.roles.explicit() && !m.roles.negated;
        f.insert("agent_close", per_origin(&|m| flag(agent(m)) * self.corpus.units[m.unit].near.powi(3)));
        f.insert("agent_act", per_origin(&|m| flag(agent(m) && self.corpus.units[m.unit].acts)));
        f.insert("agent_share", share(&agent));
        f.insert("kindred", per_origin(&|m| flag(m.roles.kindred && agent(m))));
        f.insert("kindred_here", per_origin(&|m| flag(m.roles.kindred && agent(m)) * self.here(m)));
        f.insert("agent_here", per_origin(&|m| flag(agent(m)) * self.here(m)));
        f.insert("here", per_origin(&|m| flag(!m.roles.source && !m.roles.owner && !m.roles.victim) * self.here(m)));
        f.insert("count", total.ln_1p());
        let descriptive = forms.iter().all(|&n| self.names.list[n].descriptive);
        let single = self.names.list[body].key.len() == 1 && descriptive;
        f.insert("descriptive", flag(descriptive));
        f.insert("single", flag(single));
        f.insert("acronym", flag((0..self.names.list.len()).any(|n| self.names.list[n].acronym && self.names.root(n) == body)));
        f.insert("found", (forms.iter().map(|&n| self.names.list[n].found).sum::<usize>().min(3) as f64).ln_1p());
        f.insert("firm", flag(forms.iter().any(|&n| self.names.list[n].firm)));
        let best_doc =
            mentions.iter().map(|m| self.corpus.docs[self.corpus.units[m.unit].document].relevance).fold(0.0, f64::max);
        f.insert("document", best_doc);
        f.insert("closest", mentions.iter().map(|m| m.weight).fold(0.0, f64::max));
        f.insert("in_question", self.in_question(forms));
        f.insert("bridge", if descriptive { 0.0 } else { self.bridge(body, class) });
        f.insert("self_voice", if class == Class::Insurgent && !descriptive { self.self_voice(mentions) } else { 0.0 });
        f.insert(
            "accused_voice",
            if class == Class::Military || class == Class::Government { self.self_voice(mentions) } else { 0.0 },
        );
        f.insert("early", self.early(mentions));
        f.insert("outlet", flag(self.is_outlet(forms)));
        f.insert("placed", share(&|m| m.roles.placed));
        f.insert("titled", share(&|m| m.roles.titled));
        f.insert("peer", flag(descriptive && self.has_named_peer(mentions, class)));
        f.insert(class_feature(class), flag(self.of_bodies()));
        f
    }

    /// How much of what the question names stands in the very passage, beside the best passage of its document.
    fn here(&self, m: &Mention) -> f64 {
        let unit = &self.corpus.units[m.unit];
        let units = &self.corpus.docs[unit.document].units;
        let peak = units.iter().map(|&u| self.corpus.units[u].coverage).fold(1e-9, f64::max);
        unit.coverage / peak
    }

    fn origin(&self, m: &Mention) -> &str {
        self.corpus.docs[self.corpus.units[m.unit].document].origin
    }

    /// It is the outlet of one of the passages.
    fn is_outlet(&self, forms: &BTreeSet<usize>) -> bool {
        let named = |outlet: &str| {
            let words: Vec<String> = split(outlet).list.into_iter().map(|w| w.norm).collect();
            forms.iter().any(|&f| self.names.list[f].key == words)
        };
        self.corpus.units.iter().filter_map(|u| u.passage.outlet).collect::<BTreeSet<_>>().into_iter().any(named)
    }

    /// Share of the name's words that the question itself holds.
    fn in_question(&self, forms: &BTreeSet<usize>) -> f64 {
        let asked: BTreeSet<String> = split(&self.question.text).list.iter().map(|w| stem(&w.norm).to_owned()).collect();
        let shares = forms.iter().map(|&f| {
            let key = &self.names.list[f].key;
            key.iter().filter(|w| asked.contains(stem(w))).count() as f64 / key.len() as f64
        });
        shares.fold(0.0, f64::max)
    }

    /// What is said of nameless people of the same class in the same document counts for the body that is named there.
    fn bridge(&self, body: usize, class: Class) -> f64 {
        let own = self.bodies[&body].iter().fold(BTreeMap::<usize, f64>::new(), |mut map, m| {
            *map.entry(self.corpus.units[m.unit].document).or_default() += m.weight;
            map
        });
        let mut nameless: BTreeMap<usize, f64> = BTreeMap::new();
        let mut named: BTreeMap<usize, f64> = BTreeMap::new();
        for (&other, mentions) in self.bodies {
            let forms: BTreeSet<usize> = mentions.iter().map(|m| m.name).collect();
            if self.class(&forms) != class {
                continue;
            }
            let descriptive = self.names.list[other].descriptive;
            for m in mentions {
                let doc = self.corpus.units[m.unit].document;
                if descriptive {
                    let r = m.roles;
                    let agent = r.by || r.subject || r.claim || r.blame || r.deed;
                    let slot = nameless.entry(doc).or_default();
                    *slot = slot.max(if agent { m.weight } else { 0.3 * m.weight });
                } else {
                    *named.entry(doc).or_default() += m.weight;
                }
            }
        }
        let shares = own.iter().map(|(doc, weight)| {
            nameless.get(doc).copied().unwrap_or(0.0) * weight / named.get(doc).copied().unwrap_or(*weight).max(1e-9)
        });
        shares.sum::<f64>().min(2.0)
    }

    /// A body of the same class is named where this one is only described.
    fn has_named_peer(&self, mentions: &[&Mention], class: Class) -> bool {
        let docs: BTreeSet<usize> = mentions.iter().map(|m| self.corpus.units[m.unit].document).collect();
        self.bodies.iter().any(|(&other, theirs)| {
            let forms: BTreeSet<usize> = theirs.iter().map(|m| m.name).collect();
            let named = !self.names.list[other].descriptive && self.class(&forms) == class;
            named && theirs.iter().any(|m| docs.contains(&self.corpus.units[m.unit].document))
        })
    }

    /// How early the best document names it, 1 at its start.
    fn early(&self, mentions: &[&Mention]) -> f64 {
        let places = mentions.iter().map(|m| {
            let doc = &self.corpus.docs[self.corpus.units[m.unit].document];
            let at = doc.units.iter().position(|&u| u == m.unit).unwrap_or(0);
            doc.relevance * (1.0 - at as f64 / doc.units.len() as f64)
        });
        places.fold(0.0, f64::max)
    }

    /// The document speaks in the first person of what it did.
    fn self_voice(&self, mentions: &[&Mention]) -> f64 {
        let docs: BTreeSet<usize> = mentions.iter().map(|m| self.corpus.units[m.unit].document).collect();
        let voice = |doc: usize| {
            let units = &self.corpus.docs[doc].units;
            let speaks = units
                .iter()
                .filter(|&&u| self.corpus.units[u].words.list.iter().any(|w| self.lexicon.role("self_voice", &w.norm)));
            let share = speaks.count() as f64 / units.len() as f64;
            share * self.corpus.docs[doc].relevance
        };
        docs.into_iter().map(voice).sum::<f64>().min(1.0)
    }

    fn evidence(&self, mentions: &[&Mention], grader: &Grader<'_, '_>) -> Evidence {
        let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
        let mut origins: BTreeSet<String> = BTreeSet::new();
        let explicit = mentions.iter().any(|m| grader.plain(m) && matches!(grader.bearing(m), Bearing::For(_)));
        for m in mentions {
            let unit = &self.corpus.units[m.unit];
            let (against, weight) = match grader.bearing(m) {
                Bearing::For(worth) if grader.plain(m) || !explicit => (false, worth),
                Bearing::Against(worth) => (true, worth * m.weight),
                _ => continue,
            };
            if !against && grader.plain(m) {
                origins.insert(self.corpus.outlet(m.unit));
            }
            let row = Row { against, finding: grader.finds(m), weight, order: unit.order(), key: unit.passage.key };
            rows.entry(row.key).and_modify(|old| old.against |= against).or_insert(row);
        }
        let mut rows: Vec<Row> = rows.into_values().collect();
        rows.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.order.cmp(&b.order)));
        let keys = |wanted: bool| rows.iter().filter(|r| r.against == wanted).take(MAX_LISTED).map(|r| r.key).collect();
        let passages = rows.iter().filter(|r| !r.against).count();
        let findings = rows.iter().filter(|r| !r.against && r.finding).count();
        Evidence { findings, supporting: keys(false), against: keys(true), passages, origins: origins.len() }
    }
}

/// The passages for and against a body.
struct Evidence {
    supporting: Vec<u32>,
    against: Vec<u32>,
    passages: usize,
    origins: usize,
    findings: usize,
}

fn class_feature(class: Class) -> &'static str {
    match class {
        Class::Insurgent => "is_insurgent",
        Class::Criminal => "is_criminal",
        Class::Paramilitary => "is_paramilitary",
        Class::Military => "is_military",
        Class::Police => "is_police",
        Class::Government => "is_government",
        Class::Political => "is_political",
        Class::Group => "is_group",
        Class::Business => "is_business",
        Class::Unknown => "is_unknown",
        Class::Plain => "is_plain",
    }
}
