//! Candidate actors: every body named near the event, with the parts it plays there, ranked by weighed features.

use std::collections::{BTreeMap, BTreeSet};

use super::Hypothesis;
use super::accounts;
use super::corpus::Corpus;
use super::lexicon::{Class, Lexicon, WordSet};
use super::names::Names;
use super::phrase::Reader;
use super::question::Question;
use super::settle::{denied_in_words, doubt, settle, support_in_words, with_none};
use super::words::{Shape, split, stem};
use features::Table;
use grade::Parties;
use mentions::{Deed, Mention, mentions};

mod display;
mod features;
mod grade;
mod mentions;
mod plain;

/// So many of the likeliest bodies are always told.
const LIKELIEST: usize = 3;

/// Hypotheses that name whom the question asks for: read from plain clauses, or the likeliest authors of a deed.
pub fn hypotheses(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Hypothesis> {
    if plain::asks_of_name(question, lexicon) {
        return settle(accounts::groups(question, corpus, lexicon), corpus, lexicon);
    }
    let asks = plain::Asks::of(question, lexicon);
    let groups = asks.map(|asks| plain::groups(&asks, question, corpus, lexicon)).unwrap_or_default();
    if groups.is_empty() { authors(question, corpus, lexicon) } else { settle(groups, corpus, lexicon) }
}

/// Hypotheses that name the likeliest bodies.
fn authors(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Hypothesis> {
    let mut list = candidates(question, corpus, lexicon);
    list.truncate(4 * lexicon.who.max_hypotheses);
    let of_bodies = question.act.as_ref().is_some_and(|act| lexicon.of_bodies.contains(act));
    let shares = shares(&list, of_bodies, corpus, lexicon);
    let told = list.iter().map(|c| (describe(c, question, corpus, lexicon), c.outright()));
    let mut rows: Vec<(f64, Hypothesis, bool)> =
        shares.into_iter().zip(told).map(|(share, (h, named))| (share, h, named)).collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let all: f64 = rows.iter().map(|r| r.0).sum();
    // After the likeliest, whoever is named outright as the author goes before those who are only near.
    let rest = rows.split_off(rows.len().min(LIKELIEST));
    let (outright, near): (Vec<_>, Vec<_>) = rest.into_iter().partition(|r| r.2);
    rows.extend(outright.into_iter().chain(near));
    rows.truncate(lexicon.who.max_hypotheses);
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    // What the last ones held goes to those that are told, in their proportions.
    let kept: f64 = rows.iter().map(|r| r.0).sum::<f64>().max(1e-9);
    rows.iter_mut().for_each(|r| r.0 *= all / kept);
    let (shares, told): (Vec<f64>, Vec<Hypothesis>) = rows.into_iter().map(|(share, told, _)| (share, told)).unzip();
    with_none(told, &shares, corpus, lexicon)
}

/// Probabilities of the candidates; what they leave belongs to "none of these". Where the passages cover the question and
/// name an author, the residue stays below the second candidate, so that it never hides a named alternative; but where it is no deed
/// of bodies, few voices leave more room for others.
fn shares(list: &[Candidate], of_bodies: bool, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<f64> {
    let rules = &lexicon.who;
    let peak = list.iter().map(|c| c.score).fold(rules.none, f64::max);
    let weights: Vec<f64> = list.iter().map(|c| ((c.score - peak) / rules.temperature).exp()).collect();
    let named: f64 = weights.iter().sum::<f64>().max(1e-9);
    let none = ((rules.none - peak) / rules.temperature).exp();
    let independent: f64 = list.iter().map(|c| c.independent).sum::<f64>();
    // The more origins speak at all, the more their count decides rather than what any one of them says.
    let spoken = voices(corpus);
    let mix = if independent > 0.0 { rules.independent_share * (spoken.saturating_sub(2) as f64 / spoken as f64) } else { 0.0 };
    let mixed = |(c, w): (&Candidate, &f64)| (1.0 - mix) * w / named + mix * c.independent / independent.max(1e-9);
    let shares: Vec<f64> = list.iter().zip(&weights).map(mixed).collect();
    let mut residue = (none / (named + none)).max(rules.least_none);
    let told = corpus.covered() >= rules.well_covered && list.iter().any(|c| !c.supporting.is_empty());
    if told {
        let mut sorted = shares.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        residue = residue.min(0.8 * sorted.get(1).copied().unwrap_or(1.0));
    }
    if !of_bodies {
        residue = residue.max(doubt(list.iter().map(|c| c.origins).max().unwrap_or(0)));
    }
    shares.into_iter().map(|s| s * (1.0 - residue)).collect()
}

/// How many origins speak of the event.
fn voices(corpus: &Corpus<'_>) -> usize {
    corpus.docs.iter().filter(|d| d.relevance > 0.1).map(|d| d.origin).collect::<BTreeSet<_>>().len().max(1)
}

fn describe(candidate: &Candidate, question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Hypothesis {
    let mut reasoning = support_in_words(candidate.passages, candidate.origins, candidate.against.len(), lexicon);
    if candidate.features.get(candidate.strongest).is_some_and(|v| *v > 0.0) {
        reasoning.push_str(&lexicon.say(&format!("role_{}", candidate.strongest), &[]));
    }
    reasoning.push_str(&match (candidate.findings, candidate.passages) {
        (_, 0 | 1) => String::new(),
        (0, _) => lexicon.say("findings_none", &[]),
        (1, _) => lexicon.say("findings_one", &[]),
        (n, _) => lexicon.say("findings", &[("passages", &lexicon.count(n))]),
    });
    let mut weak = Vec::new();
    if candidate.origins <= 1 {
        weak.push(if candidate.origins == 1 { "weak_single" } else { "weak_none" });
    }
    if corpus.covered() < 0.5 {
        weak.push("weak_distant");
    }
    let mut weaknesses: Vec<String> = weak.into_iter().map(|name| lexicon.say(name, &[])).collect();
    if !candidate.against.is_empty() {
        weaknesses.push(denied_in_words(candidate.against.len(), lexicon));
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
            let norm = reader.norm(i);
            lexicon.heads.contains_key(norm)
                || lexicon.members.contains_key(norm)
                || reader.bare_acronym(i)
                || lexicon.determiners.contains(reader.norm(i)) && reader.at(i).is_some_and(|w| w.shape == Shape::Title)
        })
    };
    let rest = question.predicate.as_deref().map(|rest| pointed(rest, question, lexicon));
    if let Some(rest) = rest.filter(|r| harmless(r)) {
        return format!("{actor} {}.", agreeing(&rest, actor, lexicon));
    }
    let place = question
        .place
        .as_deref()
        .filter(|p| harmless(p))
        .map_or_else(String::new, |p| lexicon.say("in_place", &[("place", p)]));
    match question.act.as_deref() {
        Some(act) => lexicon.say("carried_out", &[("actor", actor), ("act", act), ("place", &place)]),
        None => {
            let asked = question.parts.first().map_or(question.text.as_str(), |part| part.text.as_str());
            lexicon.say("carried_out_plain", &[("actor", actor), ("question", asked.trim_end_matches('?'))])
        }
    }
}

/// The question as a statement about whoever is told to fit.
fn statement_of(actor: &str, question: &Question, lexicon: &Lexicon) -> String {
    match question.predicate.as_deref() {
        Some(rest) => format!("{actor} {}.", agreeing(rest, actor, lexicon)),
        None => statement(actor, question, lexicon),
    }
}

/// "was behind" becomes "were behind" for several people.
fn agreeing(predicate: &str, actor: &str, lexicon: &Lexicon) -> String {
    let last =
        actor.split(" (").next().and_then(|name| name.split_whitespace().last()).map(super::words::fold).unwrap_or_default();
    let joined = actor.split_whitespace().skip_while(|word| *word != "and").nth(1);
    let joined = joined.is_some_and(|word| lexicon.determiners.contains(word));
    let several = joined
        || last.ends_with('s')
            && (lexicon.members.contains_key(&last) || lexicon.heads.contains_key(last.trim_end_matches('s')));
    let Some((verb, rest)) = predicate.split_once(' ').filter(|_| several) else { return predicate.to_owned() };
    let plural = lexicon.say(&format!("plural_{verb}"), &[]);
    if plural.is_empty() { predicate.to_owned() } else { format!("{plural} {rest}") }
}

/// "carried out the attack" becomes "carried out this attack": the statement speaks of the one event asked about.
fn pointed(predicate: &str, question: &Question, lexicon: &Lexicon) -> String {
    if let Some(act) = question.act_word.as_deref() {
        return predicate.replacen(&lexicon.say("the", &[("act", act)]), &lexicon.say("this", &[("act", act)]), 1);
    }
    let opens = predicate.split(' ').next().is_some_and(|w| lexicon.filler.contains(&w.to_lowercase()));
    let (the, this) = (lexicon.say("the", &[("act", "")]), lexicon.say("this", &[("act", "")]));
    if opens { predicate.replacen(&the, &this, 1) } else { predicate.to_owned() }
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
    /// How many passages name it as author, the listed ones and more.
    pub passages: usize,
    /// Origins of the supporting passages.
    pub origins: usize,
    /// Its strongest part, for the reasoning.
    pub strongest: &'static str,
    findings: usize,
    independent: f64,
    tie: (u64, usize),
}

impl Candidate {
    /// Some passage names it as the author, not only beside the deed.
    fn outright(&self) -> bool {
        !self.supporting.is_empty() && self.features.get(self.strongest).is_some_and(|value| *value > 0.0)
    }
}

/// One passage for or against a body.
struct Row {
    against: bool,
    finding: bool,
    weight: f64,
    order: (u64, usize),
    key: u32,
}

/// Ranks the bodies named near the event.
pub fn candidates(question: &Question, corpus: &Corpus<'_>, lexicon: &Lexicon) -> Vec<Candidate> {
    let mut names = Names::discover(corpus, lexicon);
    let asked = asked_stems(question);
    let mut mentions = mentions(corpus, &names, &Deed { verbs: &asked, kin: &question.act_stems }, lexicon);
    join_short_forms(&mut names, &mentions, lexicon);
    for mention in &mut mentions {
        mention.body = names.root(mention.name);
    }
    let mut bodies: BTreeMap<usize, Vec<&Mention>> = BTreeMap::new();
    for mention in &mentions {
        bodies.entry(mention.body).or_default().push(mention);
    }
    let parties = Parties::of(corpus, &mentions);
    let table = Table { question, corpus, lexicon, names: &names, bodies: &bodies, parties: &parties };
    let mut list: Vec<Candidate> = bodies.keys().filter_map(|&body| table.candidate(body)).collect();
    list.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.tie.cmp(&b.tie)).then(a.display.cmp(&b.display)));
    list
}

/// The verbs of the question: whoever is their subject is an answer to it.
fn asked_stems(question: &Question) -> WordSet {
    let names: WordSet = question.names.iter().flat_map(|n| split(n).list).map(|w| w.norm).collect();
    let plain = question.terms.iter().filter(|t| !names.contains(&t.text));
    plain.map(|t| t.stem.clone()).chain(question.act_word.as_deref().map(|w| stem(&w.to_lowercase()).to_owned())).collect()
}

/// Joins "the army" to "the … army" where the passages name only one such body, or one far more than others.
fn join_short_forms(names: &mut Names, mentions: &[Mention], lexicon: &Lexicon) {
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
        let Some(last) = key.last().filter(|w| lexicon.heads.contains_key(*w) || lexicon.members.contains_key(*w)) else {
            continue;
        };
        // "the Sixth Office" for "the Sixth Office of Brand"
        let owned = seen.iter().filter(|&&l| {
            let long = &names.list[l].key;
            key.len() > 1
                && !names.list[short].descriptive
                && long.starts_with(key)
                && lexicon.of.contains(&long[key.len().min(long.len() - 1)])
        });
        let owned: Vec<usize> = owned.copied().collect();
        if let [long] = owned[..] {
            joins.push((short, long));
        }
        let longer =
            by_tail[last.as_str()].iter().filter(|&&l| names.list[l].key.len() > key.len() && names.list[l].key.ends_with(key));
        let best =
            longer.max_by(|&&a, &&b| weights[&a].total_cmp(&weights[&b]).then(names.list[b].key.cmp(&names.list[a].key)));
        if let Some(&long) = best {
            joins.push((short, long));
        }
    }
    joins.extend(first_words(names, mentions, &seen, &weights));
    for (short, long) in joins {
        names.join(short, long);
    }
    for (people, body) in people_of(names, &seen, &weights, lexicon) {
        names.stand_in(people, body);
    }
}

/// "Brand guards" for "Brand Haulage": the people of a body are that body, where one alone has the name.
fn people_of(names: &Names, seen: &[usize], weights: &BTreeMap<usize, f64>, lexicon: &Lexicon) -> Vec<(usize, usize)> {
    let people = |id: usize| names.list[id].key.last().is_some_and(|w| lexicon.members.contains_key(w));
    let named = |id: usize| {
        let first = &names.list[id].key[0];
        !names.list[id].descriptive && !lexicon.is_demonym(first) && !lexicon.descriptors.contains_key(first)
    };
    let short = seen.iter().filter(|&&id| names.list[id].key.len() == 2 && people(id) && named(id));
    let found = short.filter_map(|&id| {
        let first = &names.list[id].key[0];
        let bodies = seen.iter().filter(|&&b| {
            names.list[b].class != Class::Plain
                && names.list[b].key.len() >= 2
                && names.list[b].key[0] == *first
                && !people(b)
                && named(b)
        });
        let best =
            bodies.max_by(|&&a, &&b| weights[&a].total_cmp(&weights[&b]).then(names.list[b].key.cmp(&names.list[a].key)))?;
        Some((id, *best))
    });
    found.collect()
}

/// "Brand" for "Brand Haulage": one word that begins a longer name and never stands for a place or a person.
fn first_words(names: &Names, mentions: &[Mention], seen: &[usize], weights: &BTreeMap<usize, f64>) -> Vec<(usize, usize)> {
    let placed: BTreeSet<usize> = mentions.iter().filter(|m| m.roles.placed || m.roles.titled).map(|m| m.name).collect();
    let plain = |id: usize| !names.list[id].descriptive && !placed.contains(&id);
    let single = seen.iter().filter(|&&id| names.list[id].key.len() == 1 && !names.list[id].acronym && plain(id));
    let found = single.filter_map(|&short| {
        let longer = seen
            .iter()
            .filter(|&&l| names.list[l].key.len() > 1 && plain(l) && names.list[l].key[0] == names.list[short].key[0]);
        let best =
            longer.max_by(|&&a, &&b| weights[&a].total_cmp(&weights[&b]).then(names.list[b].key.cmp(&names.list[a].key)));
        best.map(|&long| (short, long))
    });
    found.collect()
}
