//! Rival reported answers, in order of support.

use crate::{
    actors::{Tie, actors},
    brief::Answer,
    rules::Rules,
    select::{Candidate, Ranking},
    text::fold,
};
use std::collections::BTreeSet;

/// Those who are said to have done the deed, in order of support.
pub fn reported_actors(ranking: &Ranking<'_>, ranked: &[Candidate], cited: &mut Vec<usize>) -> Vec<Answer> {
    let Ranking { question, corpus, rules } = *ranking;
    let Rules { lexicon, words, limits } = rules;
    /// Documents with a passage that scores so much of the best are about the question.
    const ABOUT: f64 = 0.5;
    /// What a description counts beside a name.
    const DESCRIBED: f64 = 0.3;
    struct Support {
        name: String,
        weight: f64,
        reports: Vec<usize>,
        denials: Vec<usize>,
    }
    let Some(best) = ranked.first() else { return vec![] };
    let mut support: Vec<Support> = vec![];
    let about = |candidate: &&Candidate| candidate.score >= ABOUT * best.score;
    let sources: BTreeSet<usize> = ranked.iter().filter(about).map(|one| corpus.passages[one.passage].source).collect();
    for candidate in ranked.iter().filter(|one| sources.contains(&corpus.passages[one.passage].source)) {
        let quote = &corpus.passages[candidate.passage].quote;
        for actor in actors(quote, question, lexicon, words) {
            let at = match support.iter().position(|known| is_same_name(&known.name, &actor.name)) {
                Some(at) => at,
                None => {
                    support.push(Support { name: actor.name.clone(), weight: 0.0, reports: vec![], denials: vec![] });
                    support.len() - 1
                }
            };
            let known = &mut support[at];
            let weight = match actor.tie {
                Tie::Does | Tie::Claims => 1.0,
                Tie::Accused => 0.9,
                Tie::Denies => 0.1,
            };
            let named = if actor.is_named { 1.0 } else { DESCRIBED };
            known.weight += named * weight * candidate.score * candidate.coverage;
            match actor.tie {
                Tie::Denies => known.denials.push(candidate.passage),
                _ => known.reports.push(candidate.passage),
            }
        }
    }
    support.retain(|known| !known.reports.is_empty());
    support.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.name.cmp(&b.name)));
    let mut marker = |passage: &usize| match cited.iter().position(|known| known == passage) {
        Some(at) => at as u32 + 1,
        None => {
            cited.push(*passage);
            cited.len() as u32
        }
    };
    let answers = support.into_iter().take(limits.brief.answers).map(|known| Answer {
        statement: known.name,
        reported_by: known.reports.iter().take(3).map(&mut marker).collect(),
        denied_by: known.denials.iter().take(2).map(&mut marker).collect(),
    });
    answers.collect()
}

/// Whether two names are one: equal, one ends the other, or one is the initials of the other, which may stand behind it.
fn is_same_name(one: &str, other: &str) -> bool {
    let forms = |name: &str| -> Vec<String> {
        let folded = fold(name);
        match folded.split_once(" (") {
            Some((long, short)) => vec![long.to_owned(), short.trim_end_matches(')').to_owned()],
            None => vec![folded],
        }
    };
    let same = |one: &String, other: &String| {
        let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
        let initials: String = long.split([' ', '-']).filter_map(|word| word.chars().next()).collect();
        let ends = long.strip_suffix(short.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with(' '));
        ends || short.len() > 1 && *short == initials
    };
    let others = forms(other);
    forms(one).iter().any(|one| others.iter().any(|other| same(one, other)))
}
