//! Candidate actors: every body named near the event, with the parts it plays there, ranked by weighed features.

use std::collections::{BTreeMap, BTreeSet};

use super::corpus::Corpus;
use super::lexicon::{Class, Lexicon};
use super::names::Names;
use super::phrase::Reader;
use super::question::Question;
use super::roles::{Roles, roles};
use super::settle::{support_in_words, with_none};
use super::words::{Shape, split, stem};
use super::{Hypothesis, Mode};

/// Passages below this weight say nothing of the event.
const MIN_WEIGHT: f64 = 0.02;
/// At most so many passages are read for mentions, the weightiest first.
const MAX_UNITS: usize = 600;

/// Hypotheses that name the likeliest bodies.
pub fn hypotheses(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Hypothesis> {
    let mut list = candidates(question, corpus, lexicon);
    list.truncate(lexicon.who.max_hypotheses);
    let shares = shares(&list, corpus, lexicon);
    let told = list.iter().map(|c| describe(c, question, corpus, lexicon)).collect();
    with_none(told, &shares, corpus, lexicon)
}

/// Probabilities of the candidates; what they leave belongs to "none of these". Where the passages cover the question and
/// name an author, the residue stays below the second candidate, so that it never hides a named alternative.
fn shares(list: &[Candidate], corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<f64> {
    let peak = list.iter().map(|c| c.score).fold(lexicon.who.none, f64::max);
    let weights: Vec<f64> = list.iter().map(|c| ((c.score - peak) / lexicon.who.temperature).exp()).collect();
    let named: f64 = weights.iter().sum();
    let mut none = ((lexicon.who.none - peak) / lexicon.who.temperature).exp();
    let told = corpus.covered() >= lexicon.who.well_covered && list.iter().any(|c| !c.supporting.is_empty());
    if told {
        let rival = weights.get(1).or(weights.first()).copied().unwrap_or(none);
        none = none.min(0.8 * rival);
    }
    weights.iter().map(|w| w / (named + none)).collect()
}

fn describe(candidate: &Candidate, question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Hypothesis {
    let mut reasoning = support_in_words(candidate.supporting.len(), candidate.origins, candidate.against.len(), lexicon);
    if candidate.features.get(candidate.strongest).is_some_and(|v| *v > 0.0) {
        reasoning.push_str(&lexicon.say(&format!("role_{}", candidate.strongest), &[]));
    }
    let mut weak = Vec::new();
    if candidate.origins <= 1 {
        weak.push(if candidate.origins == 1 { "weak_single" } else { "weak_none" });
    }
    if corpus.covered() < 0.5 {
        weak.push("weak_distant");
    }
    let mut weaknesses: Vec<String> = weak.into_iter().map(|name| lexicon.say(name, &[])).collect();
    if !candidate.against.is_empty() {
        weaknesses.push(lexicon.say("weak_denied", &[("passages", &candidate.against.len().to_string())]));
    }
    if weaknesses.is_empty() {
        weaknesses.push(lexicon.say("weak_plain", &[]));
    }
    Hypothesis {
        statement: statement(&candidate.display, question, lexicon),
        probability: 0.0,
        reasoning,
        supporting: candidate.supporting.clone(),
        against: candidate.against.clone(),
        weaknesses: weaknesses.join(" "),
        none: false,
    }
}

/// The question as a statement about one body; the question's own names are left out where they would read as other actors.
fn statement(actor: &str, question: &Question, lexicon: &Lexicon) -> String {
    let harmless = |text: &str| {
        let words = split(text);
        let reader = Reader { words: &words, lexicon };
        !(0..words.list.len()).any(|i| {
            reader.head(i).is_some()
                || reader.bare_acronym(i)
                || lexicon.determiners.contains(reader.norm(i)) && reader.at(i).is_some_and(|w| w.shape == Shape::Title)
        })
    };
    let rest = question.predicate.as_deref().map(|rest| pointed(rest, question, lexicon));
    if let Some(rest) = rest.filter(|r| harmless(r)) {
        return format!("{actor} {rest}.");
    }
    let place = question
        .place
        .as_deref()
        .filter(|p| harmless(p))
        .map_or_else(String::new, |p| lexicon.say("in_place", &[("place", p)]));
    match question.act.as_deref() {
        Some(act) => lexicon.say("carried_out", &[("actor", actor), ("act", act), ("place", &place)]),
        None => lexicon.say("carried_out_plain", &[("actor", actor)]),
    }
}

/// "carried out the attack" becomes "carried out this attack": the statement speaks of the one event asked about.
fn pointed(predicate: &str, question: &Question, lexicon: &Lexicon) -> String {
    let Some(act) = question.act_word.as_deref() else { return predicate.to_owned() };
    let this = lexicon.say("this", &[("act", act)]);
    predicate.replacen(&lexicon.say("the", &[("act", act)]), &this, 1)
}

/// One candidate with what speaks for it.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Name of the body, with its short form.
    pub display: String,
    /// Rank value; larger is likelier.
    pub score: f64,
    /// Its features, by name.
    pub features: BTreeMap<&'static str, f64>,
    /// Keys of the passages that name it as author, the weightiest first.
    pub supporting: Vec<u32>,
    /// Keys of the passages that deny it or name it otherwise.
    pub against: Vec<u32>,
    /// Origins of the supporting passages.
    pub origins: usize,
    /// Its strongest part, for the reasoning.
    pub strongest: &'static str,
    tie: (u64, usize),
}

struct Mention {
    body: usize,
    name: usize,
    unit: usize,
    roles: Roles,
    weight: f64,
}

/// Ranks the bodies named near the event.
pub fn candidates(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Candidate> {
    let mut names = Names::discover(corpus, lexicon);
    let mut mentions = mentions(corpus, &names, lexicon);
    join_short_forms(&mut names, &mentions);
    for mention in &mut mentions {
        mention.body = names.root(mention.name);
    }
    let mut bodies: BTreeMap<usize, Vec<&Mention>> = BTreeMap::new();
    for mention in &mentions {
        bodies.entry(mention.body).or_default().push(mention);
    }
    let table = Table { question, corpus, lexicon, names: &names, bodies: &bodies };
    let mut list: Vec<Candidate> = bodies.keys().filter_map(|&body| table.candidate(body)).collect();
    list.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.tie.cmp(&b.tie)).then(a.display.cmp(&b.display)));
    list
}

fn mentions(corpus: &Corpus<'_>, names: &Names, lexicon: &Lexicon) -> Vec<Mention> {
    let mut units: Vec<usize> = (0..corpus.units.len()).filter(|&u| corpus.weight(u) >= MIN_WEIGHT).collect();
    units.sort_by(|&a, &b| {
        corpus.weight(b).total_cmp(&corpus.weight(a)).then(corpus.units[a].order().cmp(&corpus.units[b].order()))
    });
    units.truncate(MAX_UNITS);
    units.sort_unstable();
    let mut mentions = Vec::new();
    for unit in units {
        let reader = Reader { words: &corpus.units[unit].words, lexicon };
        let mut i = 0;
        while i < reader.words.list.len() {
            let Some((name, run)) = names.longest(reader, i) else {
                i += 1;
                continue;
            };
            let weight = corpus.weight(unit);
            mentions.push(Mention { body: names.root(name), name, unit, roles: roles(reader, run), weight });
            i = run.to;
        }
    }
    mentions
}

/// Joins "the army" to "the … army" where the passages name only one such body, or one far more than others.
fn join_short_forms(names: &mut Names, mentions: &[Mention]) {
    let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
    for mention in mentions {
        *weights.entry(mention.name).or_default() += mention.weight;
    }
    let seen: Vec<usize> = weights.keys().copied().collect();
    let mut by_tail: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for &id in &seen {
        if let Some(last) = names.list[id].key.last() {
            by_tail.entry(last.as_str()).or_default().push(id);
        }
    }
    let mut joins = Vec::new();
    for &short in &seen {
        let key = &names.list[short].key;
        let Some(last) = key.last() else { continue };
        let longer =
            by_tail[last.as_str()].iter().filter(|&&l| names.list[l].key.len() > key.len() && names.list[l].key.ends_with(key));
        let best =
            longer.max_by(|&&a, &&b| weights[&a].total_cmp(&weights[&b]).then(names.list[b].key.cmp(&names.list[a].key)));
        if let Some(&long) = best {
            joins.push((short, long));
        }
    }
    for (short, long) in joins {
        names.join(short, long);
    }
}

struct Table<'t, 'c> {
    question: &'t Question,
    corpus: &'t Corpus<'c>,
    lexicon: &'t Lexicon,
    names: &'t Names,
    bodies: &'t BTreeMap<usize, Vec<&'t Mention>>,
}

impl Table<'_, '_> {
    fn candidate(&self, body: usize) -> Option<Candidate> {
        let mentions = &self.bodies[&body];
        let forms: BTreeSet<usize> = mentions.iter().map(|m| m.name).chain([body]).collect();
        let class = self.class(&forms);
        let features = self.features(body, mentions, &forms, class);
        let weights = &self.lexicon.who.features;
        let score = features.iter().map(|(name, value)| weights.get(*name).copied().unwrap_or(0.0) * value).sum();
        let (supporting, against, origins) = self.evidence(mentions);
        let strongest =
            ["claim", "blame", "by", "subject", "deed"].into_iter().max_by(|a, b| features[a].total_cmp(&features[b]))?;
        let tie = mentions.iter().map(|m| self.corpus.units[m.unit].order()).min()?;
        Some(Candidate { display: self.display(body, &forms), score, features, supporting, against, origins, strongest, tie })
    }

    fn class(&self, forms: &BTreeSet<usize>) -> Class {
        let classes = forms.iter().map(|&f| (self.names.list[f].found, self.names.list[f].class));
        let firm = |c: Class| !matches!(c, Class::Plain | Class::Group | Class::Unknown | Class::Business);
        classes.max_by_key(|(found, class)| (firm(*class), *found)).map_or(Class::Plain, |(_, class)| class)
    }

    fn display(&self, body: usize, forms: &BTreeSet<usize>) -> String {
        let long = &self.names.list[body];
        let short = (0..self.names.list.len())
            .filter(|&f| self.names.root(f) == body && f != body)
            .map(|f| &self.names.list[f])
            .filter(|n| n.acronym && n.key.len() <= 2)
            .max_by_key(|n| (n.found, std::cmp::Reverse(n.key.clone())));
        let _ = forms;
        let article = if long.articled * 2 >= long.found || long.acronym || long.descriptive {
            self.lexicon.say("article", &[])
        } else {
            String::new()
        };
        match short {
            Some(short) if !long.acronym => format!("{article}{} ({})", long.display, short.display),
            _ => format!("{article}{}", long.display),
        }
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
        f.insert("by", per_origin(&|m| flag(m.roles.by)));
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
        let agent = |m: &Mention| m.roles.by || m.roles.subject || m.roles.claim || m.roles.blame || m.roles.deed;
        f.insert("agent_close", per_origin(&|m| flag(agent(m) && !m.roles.negated) * self.corpus.units[m.unit].near.powi(3)));
        f.insert("agent_act", per_origin(&|m| flag(agent(m) && self.corpus.units[m.unit].acts)));
        f.insert("agent_share", share(&agent));
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
        f.insert(class_feature(class), 1.0);
        f
    }

    fn origin(&self, m: &Mention) -> &str {
        self.corpus.docs[self.corpus.units[m.unit].document].origin
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

    fn evidence(&self, mentions: &[&Mention]) -> (Vec<u32>, Vec<u32>, usize) {
        let mut rows: Vec<(bool, f64, (u64, usize), u32, &str)> = Vec::new();
        let mut seen = BTreeSet::new();
        for m in mentions {
            let unit = &self.corpus.units[m.unit];
            let r = m.roles;
            let author = r.by || r.subject || r.claim || r.blame || r.deed || r.near_blame || r.near_act;
            let against = r.denial || r.negated || unit.passage.mode == Mode::Denied;
            if (author || against) && seen.insert(unit.passage.key) {
                rows.push((against, m.weight, unit.order(), unit.passage.key, self.origin(m)));
            }
        }
        rows.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.2.cmp(&b.2)));
        let keys = |wanted: bool| rows.iter().filter(|r| r.0 == wanted).take(8).map(|r| r.3).collect::<Vec<_>>();
        let origins: BTreeSet<&str> = rows.iter().filter(|r| !r.0).map(|r| r.4).collect();
        (keys(false), keys(true), origins.len())
    }
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
