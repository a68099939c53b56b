//! Reported answers: reported doers of a deed, in order of support, with claims and denials.
//!
//! Invariant: a claim or denial of a document that is not about the question above all adds no answer.

use crate::{
    actors::{Actor, Tie, short_forms},
    brief::Citations,
    question_actors::tie,
    rules::Rules,
    select::{Candidate, Ranking},
    text::fold,
    words::{Cue, Stems},
};
use domain::assessment::{Marker, ReportedAnswer};
use std::collections::{BTreeMap, BTreeSet};

/// The reports and denials about one actor.
#[derive(Default)]
struct Support {
    forms: Vec<String>,
    /// Each way of naming it, with its weight.
    names: BTreeMap<String, f64>,
    weight: f64,
    reports: Vec<usize>,
    denials: Vec<usize>,
}

/// The actors that documents tie to the deed, and the passages in which somebody claims or denies it.
#[derive(Default)]
pub struct ReportedActors {
    support: Vec<Support>,
    /// Short forms of names, with the long ones.
    pairs: BTreeMap<String, String>,
    /// The best claims and denials of all documents, those of actors that are answers first.
    pub responses: Vec<usize>,
}

impl ReportedActors {
    /// Reads the documents about the question, then the claims and denials of all documents that have passages about it.
    pub fn read(ranking: &Ranking<'_>, ranked: &[Candidate]) -> Self {
        let mut actors = Self { support: supported_actors(ranking, ranked), ..Self::default() };
        // Without anybody there is no need to read who has a short form.
        if !actors.support.is_empty() {
            actors.pairs = short_names(ranking);
            merge(&mut actors.support, &actors.pairs);
        }
        let weights = &ranking.rules.limits.answers;
        let most = actors.support.iter().map(|known| known.weight).fold(0.0, f64::max);
        actors.support.retain(|known| known.weight >= weights.least * most);
        actors.support.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.forms.cmp(&b.forms)));
        actors.support.truncate(weights.most);
        actors.add_responses(ranking, ranked);
        actors
    }

    /// The reported answers to "who", in order of support.
    pub fn answers(self, ranking: &Ranking<'_>, cited: &mut Citations) -> Vec<ReportedAnswer> {
        let weights = &ranking.rules.limits.answers;
        let mut markers = |passages: &[usize], most: usize| -> Vec<Marker> {
            passages.iter().take(most).map(|passage| cited.marker(*passage)).collect()
        };
        let answers = self.support.into_iter().map(|known| ReportedAnswer {
            statement: known.statement(&self.pairs),
            reported_by: markers(&known.reports, weights.reports),
            denied_by: markers(&known.denials, weights.denials),
        });
        answers.collect()
    }

    /// Adds claims and denials of documents with passages about the question. One of an actor that is an answer is cited with it.
    fn add_responses(&mut self, ranking: &Ranking<'_>, ranked: &[Candidate]) {
        let Ranking { corpus, rules, .. } = *ranking;
        let weights = &rules.limits.answers;
        let source = |one: &Candidate| corpus.passages[one.passage].source;
        let best = ranked.iter().map(|one| one.coverage).fold(0.0, f64::max);
        let about = ranked.iter().filter(|one| one.coverage > 0.0 && one.coverage >= weights.responding * best);
        let mut sources: Vec<usize> = vec![];
        for candidate in about {
            if !sources.contains(&source(candidate)) {
                sources.push(source(candidate));
            }
        }
        let mut found: Vec<Response> = vec![];
        for at in sources.into_iter().flat_map(|source| corpus.range(source)).filter(|at| may_respond(ranking, *at)) {
            let responders = ranking.responders(at, |actor| self.support.iter().any(|known| known.has_name_of(actor)));
            for actor in responders {
                let known = self.support.iter_mut().find(|known| known.has_name_of(&actor));
                let is_known = known.is_some() || actor.is_in_question;
                let tie = tie(&actor);
                // "There is no proof that X claimed it" is no claim.
                if tie == Tie::Claims && ranking.has(Cue::Nothing, at) {
                    continue;
                }
                if let Some(known) = known {
                    known.cite(tie, at);
                }
                if !found.iter().any(|other| other.passage == at) {
                    found.push(Response { passage: at, is_denial: tie == Tie::Denies, is_known });
                }
            }
        }
        // Stable: documents stand in the order of their best passages.
        found.sort_by_key(|response| !response.is_known);
        let first_of = |is_denial: bool| found.iter().position(|response| response.is_denial == is_denial);
        let firsts: BTreeSet<usize> = [first_of(true), first_of(false)].into_iter().flatten().collect();
        let others = (0..found.len()).filter(|at| !firsts.contains(at));
        for at in firsts.iter().copied().chain(others) {
            let passage = found[at].passage;
            let alike = |other: &usize| corpus.overlap(passage, *other) > rules.limits.scores.same;
            if self.responses.len() < weights.responses && !self.responses.iter().any(alike) {
                self.responses.push(passage);
            }
        }
    }
}

/// A sentence in which somebody claims or denies the deed.
struct Response {
    passage: usize,
    is_denial: bool,
    /// The actor is an answer, or stands in the question.
    is_known: bool,
}

/// Whether a passage has a word of claiming or denying, so that its actors are worth reading.
pub fn may_respond(ranking: &Ranking<'_>, passage: usize) -> bool {
    let (reading, words) = (&ranking.corpus.readings[passage], &ranking.rules.words);
    let responds = |key: &str| words.has_stem(Stems::Claiming, key) || words.has_stem(Stems::Denying, key);
    !reading.is_question && (reading.keys.iter().any(|(key, _)| responds(key)) || reading.folded.contains("nothing to do with"))
}

/// The actors that the documents about the question tie to the deed.
fn supported_actors(ranking: &Ranking<'_>, ranked: &[Candidate]) -> Vec<Support> {
    let Ranking { corpus, rules, .. } = *ranking;
    let Rules { words, limits, .. } = rules;
    let weights = &limits.answers;
    let Some(best) = ranked.first() else { return vec![] };
    let about = |candidate: &&Candidate| {
        candidate.score >= weights.about * best.score && candidate.coverage >= weights.covered * best.coverage
    };
    let sources: BTreeSet<usize> = ranked.iter().filter(about).map(|one| corpus.passages[one.passage].source).collect();
    let mut support: Vec<Support> = vec![];
    let ranks: BTreeMap<usize, usize> = ranked.iter().map(|one| one.passage).zip(0..).collect();
    let rank = |passage: usize| ranks.get(&passage).copied().unwrap_or(ranked.len());
    let value = |one: &Candidate| one.score * one.coverage;
    // Of each document its best one, which is the last to be put in.
    let documents: BTreeMap<usize, f64> =
        ranked.iter().rev().map(|one| (corpus.passages[one.passage].source, value(one))).collect();
    let mut passages: Vec<usize> = sources.iter().flat_map(|source| corpus.range(*source)).collect();
    passages.sort_by_key(|passage| rank(*passage));
    for at in passages {
        let passage = &corpus.passages[at];
        let document = documents.get(&passage.source).copied().unwrap_or(0.0);
        let near = ranked.get(rank(at)).map_or(0.0, value).max(weights.rest * document);
        if corpus.readings[at].is_question {
            continue;
        }
        let found = ranking.question_actors(at).actors;
        if found.is_empty() {
            continue;
        }
        // "No one has claimed it, but X is blamed" rules out no doer.
        let folded = &corpus.readings[at].folded;
        let ruled_out = words.first(Cue::Nothing, folded).filter(|from| words.first(Cue::Unknown, folded) != Some(*from));
        for actor in &found {
            // "No document shows that X did it" names no doer.
            let place = corpus.readings[at].folded.find(&fold(&actor.name));
            if ruled_out.is_some_and(|from| place.is_none_or(|place| from <= place)) && tie(actor) != Tie::Denies {
                continue;
            }
            let weight = match tie(actor) {
                Tie::Does | Tie::Claims => 1.0,
                Tie::Accused => 0.9,
                Tie::Denies => 0.1,
            };
            let weight = weight * near.powf(weights.closeness);
            let share = match actor.body {
                _ if actor.is_named => 1.0,
                Some(body) if words.is_specific(body) => weights.specific,
                _ => weights.described,
            };
            add(&mut support, actor, share * weight, at);
        }
    }
    support
}

/// The short forms of names that the documents introduce, with the long ones.
fn short_names(ranking: &Ranking<'_>) -> BTreeMap<String, String> {
    let Rules { lexicon, words, .. } = ranking.rules;
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let introduced = ranking.corpus.passages.iter().flat_map(|passage| short_forms(&passage.quote, lexicon, words));
    introduced.for_each(|pair| *counts.entry(pair).or_default() += 1);
    let mut pairs: Vec<((String, String), usize)> = counts.into_iter().collect();
    pairs.sort_by_key(|((long, _), count)| (*count, long.len()));
    pairs.retain(|((long, short), _)| abbreviates(short, long));
    pairs.into_iter().map(|((long, short), _)| (short, long)).collect()
}

fn add(support: &mut Vec<Support>, actor: &Actor, weight: f64, passage: usize) {
    let at = match support.iter().position(|known| known.has_name_of(actor)) {
        Some(at) => at,
        None => {
            support.push(Support::default());
            support.len() - 1
        }
    };
    let known = &mut support[at];
    known.weight += weight;
    *known.names.entry(actor.name.clone()).or_default() += weight;
    let new: Vec<String> = actor.forms.iter().filter(|form| !known.forms.contains(form)).cloned().collect();
    known.forms.extend(new);
    known.cite(tie(actor), passage);
}

/// Joins the support of the long form of a name with that of the short one.
fn merge(support: &mut Vec<Support>, pairs: &BTreeMap<String, String>) {
    for (short, long) in pairs {
        let has = |known: &Support, form: &str| known.forms.iter().any(|own| is_same_name(own, form));
        let of = |form: &str| support.iter().position(|known| has(known, &fold(form)));
        let (Some(one), Some(other)) = (of(long), of(short)) else { continue };
        if one != other {
            let gone = support.remove(one.max(other));
            let known = &mut support[one.min(other)];
            known.weight += gone.weight;
            known.forms.extend(gone.forms);
            gone.names.into_iter().for_each(|(name, weight)| *known.names.entry(name).or_default() += weight);
            known.reports.extend(gone.reports);
            known.denials.extend(gone.denials);
        }
    }
}

impl Support {
    /// Whether an actor has one of its names.
    fn has_name_of(&self, actor: &Actor) -> bool {
        self.forms.iter().any(|one| actor.forms.iter().any(|other| is_same_name(one, other)))
    }

    /// Cites a passage for a tie, once.
    fn cite(&mut self, tie: Tie, passage: usize) {
        let list = if tie == Tie::Denies { &mut self.denials } else { &mut self.reports };
        if !list.contains(&passage) {
            list.push(passage);
        }
    }

    /// The long name with its short form where the documents introduce them; else the phrase with the most support.
    fn statement(&self, pairs: &BTreeMap<String, String>) -> String {
        let is_own = |form: &str| self.forms.iter().any(|own| own == form);
        if let Some((short, long)) = pairs.iter().find(|(short, long)| is_own(&fold(short)) || is_own(&fold(long))) {
            let both = [format!("{} [{}]", fold(long), fold(short)), format!("{} ({})", fold(long), fold(short))];
            let reversed = [format!("{} [{}]", fold(short), fold(long)), format!("{} ({})", fold(short), fold(long))];
            let is_whole = |name: &&String| {
                let name = fold(name);
                let name = name.strip_prefix("the ").unwrap_or(&name);
                both.iter().chain(&reversed).any(|form| form == name)
            };
            return self.names.keys().find(is_whole).cloned().unwrap_or_else(|| format!("{long} ({short})"));
        }
        let better = |a: &(&String, &f64), b: &(&String, &f64)| {
            a.1.total_cmp(b.1).then_with(|| b.0.len().cmp(&a.0.len())).then_with(|| b.0.cmp(a.0))
        };
        self.names.iter().max_by(better).map(|(name, _)| name.clone()).unwrap_or_default()
    }
}

/// Whether at least half of the letters of a short form begin words of the long one, in any order: names get translated.
fn abbreviates(short: &str, long: &str) -> bool {
    let long = fold(long);
    let begins = |letter: &char| long.split([' ', '-']).any(|word| word.starts_with(*letter));
    let letters: Vec<char> = fold(short).chars().filter(|letter| letter.is_alphabetic()).collect();
    2 * letters.iter().filter(|letter| begins(letter)).count() >= letters.len()
}

/// Whether two folded names are one: equal, one ends the other, or one is the initials of the other.
fn is_same_name(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let initials: String = long.split([' ', '-']).filter_map(|word| word.chars().next()).collect();
    let ends = long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with(' '));
    ends || short.len() > 1 && short == initials
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        corpus::{Corpus, Passage, Source},
        question::Question,
        rules::shipped,
    };

    /// The reported answers of documents, one sentence per line.
    fn answers(question: &str, documents: &[&str]) -> Vec<String> {
        let rules = shipped();
        let question = Question::read(question, &rules.lexicon, &rules.words);
        let source = |text: &&str| Source { text: (*text).into(), ..Source::default() };
        let passage = |(source, text): (usize, &&str)| -> Vec<Passage> {
            let passage = |(at, quote): (u64, &str)| Passage { reference: String::new(), source, quote: quote.into(), at };
            (0..).zip(text.lines()).map(passage).collect()
        };
        let passages = documents.iter().enumerate().flat_map(passage).collect();
        let corpus = Corpus::new(documents.iter().map(source).collect(), passages, &rules);
        let ranking = Ranking::new(&question, &corpus, &rules);
        let ranked = ranking.closely(ranking.by_words(), None);
        let found = ReportedActors::read(&ranking, &ranked).answers(&ranking, &mut Citations::default());
        found.into_iter().map(|answer| answer.statement).collect()
    }

    #[test]
    fn a_negated_finding_names_no_doer() {
        let document = "No document shows that Halvek Rail attacked the bridge at Lowmere.\nThe bridge at Lowmere was attacked by the Red Front.";
        assert_eq!(answers("Who attacked the bridge at Lowmere?", &[document]), ["the Red Front"]);
    }

    #[test]
    fn a_long_name_and_its_short_form_are_one_answer() {
        let document = "Members of the Northern Salvation Front (NSF) attacked the bridge at Lowmere.\nThe NSF attacked the bridge at Lowmere twice.";
        assert_eq!(answers("Who attacked the bridge at Lowmere?", &[document]), ["Northern Salvation Front (NSF)"]);
    }

    #[test]
    fn a_description_stays_one_where_no_sentence_names_the_body() {
        let document =
            "THE REBELS ATTACKED THE BRIDGE AT LOWMERE ON MONDAY.\nTHE RED MORNING FRONT GUERRILLAS LEFT THE TOWN AT NOON.";
        let found = answers("Who attacked the bridge at Lowmere?", &[document]);
        assert!(!found.iter().any(|answer| answer.contains("MORNING")), "{found:?}");
    }

    #[test]
    fn another_deed_of_the_same_document_names_no_doer() {
        let document = "The bridge at Lowmere was attacked by the Red Front.\nThe mayor spoke on the radio.\nIn Toronto the River Army burned a mill of Jonna Pell.";
        assert_eq!(answers("Who attacked the bridge at Lowmere?", &[document]), ["the Red Front"]);
        let document = "The bridge at Lowmere was attacked at night.\nThe mayor spoke on the radio.\nThe Red Front claimed responsibility for the attack.";
        assert_eq!(answers("Who attacked the bridge at Lowmere?", &[document]), ["The Red Front"]);
    }

    #[test]
    fn an_unclaimed_deed_keeps_its_accused_doer() {
        let document = "No one has claimed the attack on the bridge at Lowmere, but police blamed it on the Red Front.";
        assert_eq!(answers("Who attacked the bridge at Lowmere?", &[document]), ["the Red Front"]);
    }

    #[test]
    fn another_document_about_another_deed_names_no_doer() {
        let about = "The bridge at Lowmere was attacked at night by unidentified men.";
        let other = "The River Front attacked the harbour of Eastwick in the spring.";
        let found = answers("Who attacked the bridge at Lowmere?", &[about, other]);
        assert_eq!(found, ["unidentified men"]);
    }

    #[test]
    fn a_deed_against_another_victim_names_no_doer() {
        let ask = |document: &str| answers("Who killed Jonna Pell in Lowmere?", &[document]);
        for other in [
            "Jonna Pell was killed in Lowmere.\nThe Red Front killed Piet Sarn in Lowmere.",
            "Jonna Pell was killed in Lowmere.\nThe Red Front burned a mill and killed two drivers.",
            "Jonna Pell was killed in Lowmere while the Red Front attacked the harbour of Toronto.",
            "Jonna Pell was killed in Lowmere.\nTwo men were on a bus when they were killed by the Red Front.\nThe offensive launched by the Red Front goes on.",
            "Jonna Pell of Lowmere was killed at home.\nThe police blamed the Red Front and Jonna Pell for the theft.",
            "The Red Front killed two drivers in Lowmere.\nMeanwhile, Jonna Pell was killed at home.",
            "Jonna Pell was killed in Lowmere.\nThe Red Front claimed credit for several attacks in the past.",
        ] {
            assert_eq!(ask(other), [""; 0], "{other}");
        }
    }

    #[test]
    fn a_deed_in_other_words_names_its_doer() {
        let ask = |document: &str| answers("Who killed Jonna Pell in Lowmere?", &[document]);
        for told in [
            "Jonna Pell, who was killed by the Red Front, lived in Lowmere.",
            "Jonna Pell lived in Lowmere.\nThe Red Front killed her on Monday.",
            "Jonna Pell was killed in Lowmere.\nThe Red Front claimed responsibility for the murder.",
            "The Red Front carried out the operation in which Jonna Pell was killed at Lowmere.",
            "Jonna Pell was killed in Lowmere when the Red Front attacked her car.",
            "The Red Front killed the mayor of Lowmere.\nJonna Pell was at home with two guests.",
            "Jonna Pell was found dead in Lowmere.\nThe police said that the mayor was killed by members of the Red Front.",
            "Jonna Pell was killed in Lowmere.\nThe Red Front claimed the murder through leaflets.",
            "The Red Front began an offensive in May, which has included an attack on the home of Jonna Pell in Lowmere.",
            "Jonna Pell was killed in Lowmere.\nThese murders by the Red Front were condemned.",
        ] {
            assert!(ask(told).iter().any(|name| name.ends_with("Red Front")), "{told} {:?}", ask(told));
        }
    }
}
