//! The sentence on the source that carries most of the answer.

use super::{EvidenceBase, Source, SourceKind, listed};
use crate::assessment::{Assessment, Body, Marker, as_clause, markers_in};
use std::collections::BTreeSet;

/// Parts of the answer that the sentence names, at most.
const MAX_NAMED: usize = 2;
/// Words of a statement that names a part, at most.
const MAX_WORDS: usize = 12;
/// Share of the leading answer's probability from which a rival is close.
const CLOSE_FROM: f64 = 0.5;
/// Weight of all citations of a part.
const WHOLE: usize = 1_000;

/// A part of the answer with what is cited for it: the bottom line, the first judgement on a question, or a leading answer.
struct AnswerPart {
    /// `in the bottom line`, `cited for “The lock reopens”`.
    phrase: String,
    markers: BTreeSet<Marker>,
}

impl AnswerPart {
    /// Returns how much of it a source carries; none where that is not more than half.
    fn carried(&self, source: &Source<'_>) -> Option<String> {
        let (count, all) = (self.markers.intersection(&source.markers).count(), self.markers.len());
        let share = match (count, all) {
            (1, 1) => "the only one".to_owned(),
            (count, all) if count == all => "all".to_owned(),
            _ => format!("{count} of {all}"),
        };
        (count * 2 > all).then(|| format!("{share} {}", self.phrase))
    }

    fn weight(&self, source: &Source<'_>) -> usize {
        self.markers.intersection(&source.markers).count() * WHOLE / self.markers.len().max(1)
    }
}

/// The sentence on the basis that a reader needs first; none where nothing is judged or cited.
///
/// Rule: of all pages with more than half of the citations of a part of the answer, the one that carries most of all parts. Without
/// such a page, the same holds for texts on several pages, then for outlets, then for speakers on several pages. Without any, it is
/// the source without which the matrix has no more against a close rival than against the leading answer. Without that, the sentence
/// says so, or names what has no citation at all, and adds the largest share of the citations.
pub fn sharpest_line(assessment: &Assessment) -> Option<String> {
    if !assessment.kind.is_assessment() {
        return None;
    }
    let (evidence, body) = (EvidenceBase::new(assessment), &assessment.body);
    let parts = answer_parts(body, &evidence);
    let kinds =
        [SourceKind::Page, SourceKind::Text, SourceKind::Outlet, SourceKind::Speaker].map(|kind| evidence.sources(kind));
    let carried = kinds.iter().find_map(|sources| carried_line(sources, &parts, &evidence));
    let decided = || kinds.iter().flatten().find_map(|source| decided_line(source, body, &evidence));
    carried.or_else(decided).or_else(|| {
        let [pages, _, outlets, _] = &kinds;
        let largest = outlets.first().or(pages.first()).filter(|_| !evidence.parts.is_empty())?;
        let uncited: Vec<String> = evidence.uncited.iter().map(|id| statement_of(body, id)).collect();
        let uncited: Vec<&str> = uncited.iter().map(String::as_str).collect();
        let start = match uncited.as_slice() {
            [] => "No page and no outlet carries most of the answer".to_owned(),
            statements => format!("Nothing is cited for {}", listed(statements)),
        };
        Some(format!("{start}; {}.", evidence.share_of(largest)))
    })
}

/// The bottom line, and for each question its first judgement and its leading answer, where they cite anything.
fn answer_parts(body: &Body, evidence: &EvidenceBase<'_>) -> Vec<AnswerPart> {
    let known: BTreeSet<Marker> = evidence.citations.iter().map(|citation| citation.marker).collect();
    let bottom_line = AnswerPart { phrase: "in the bottom line".to_owned(), markers: markers_in(&body.bottom_line).collect() };
    let sets = body.hypothesis_sets().into_iter();
    let first = sets.filter_map(|(_, set)| {
        let names = |id: &&str| {
            let judgement = body.key_judgements.iter().find(|one| one.id == **id);
            judgement.is_some_and(|one| set.iter().any(|answer| one.hypotheses.contains(&answer.id)))
        };
        body.key_judgements.iter().map(|one| one.id.as_str()).find(names)
    });
    let mut leading: Vec<&str> = first.collect();
    if leading.is_empty() {
        leading.extend(body.key_judgements.first().map(|one| one.id.as_str()));
    }
    let is_answer = |id: &str| body.hypotheses.iter().any(|one| one.id == id);
    leading.extend(evidence.parts.iter().map(|part| part.id).filter(|id| is_answer(id)));
    let mut ids = BTreeSet::new();
    leading.retain(|id| ids.insert(*id));
    let cited = leading.into_iter().filter_map(|id| {
        let part = evidence.parts.iter().find(|part| part.id == id)?;
        Some(AnswerPart { phrase: format!("cited for {}", statement_of(body, id)), markers: part.markers.clone() })
    });
    let mut parts: Vec<AnswerPart> = std::iter::once(bottom_line).chain(cited).collect();
    for part in &mut parts {
        part.markers.retain(|marker| known.contains(marker));
    }
    parts.retain(|part| !part.markers.is_empty());
    parts
}

/// `9 of 37 citations are from one page of Quay Radio [3], among them 4 of 5 cited for “The lock reopens”.`
fn carried_line(sources: &[Source<'_>], parts: &[AnswerPart], evidence: &EvidenceBase<'_>) -> Option<String> {
    // Sources stand with the largest first, and the last of equals would win.
    let carriers = sources.iter().rev().filter(|source| parts.iter().any(|part| part.carried(source).is_some()));
    let weight = |source: &&Source<'_>| parts.iter().map(|part| part.weight(source)).sum::<usize>();
    let source = carriers.max_by_key(weight)?;
    // A judgement often says the same as the answer that it rests on.
    let mut named = BTreeSet::new();
    let carried = parts.iter().filter_map(|part| Some((&part.phrase, part.carried(source)?)));
    let carried = carried.filter(|(phrase, _)| named.insert(*phrase)).map(|(_, carried)| carried);
    let carried: Vec<String> = carried.take(MAX_NAMED).collect();
    let among = if source.markers.len() == 1 { "" } else { "among them " };
    Some(format!("{}, {among}{}.", evidence.share_of(source), carried.join(" and ")))
}

/// The sentence on a source that decides between the leading answer and a close rival.
fn decided_line(source: &Source<'_>, body: &Body, evidence: &EvidenceBase<'_>) -> Option<String> {
    let probability = |id: &str| body.hypotheses.iter().find(|one| one.id == id).and_then(|one| one.probability);
    let is_close = |(lead, rival): &&(&str, &str)| match (probability(lead), probability(rival)) {
        (Some(lead), Some(rival)) => rival >= lead * CLOSE_FROM,
        _ => false,
    };
    let (lead, rival) = source.overtaken.iter().find(is_close)?;
    let (share, lead, rival) = (evidence.share_of(source), statement_of(body, lead), statement_of(body, rival));
    Some(format!("{share}; without it, no more evidence is against {rival} than against {lead}."))
}

/// `“The lock reopens”`: the statement of a judgement or hypothesis, of a longer one its beginning.
fn statement_of(body: &Body, id: &str) -> String {
    let clause = body.statement(id).map(as_clause).unwrap_or_default();
    let words: Vec<&str> = clause.split_whitespace().collect();
    match words.len() {
        0 => id.to_owned(),
        1..=MAX_WORDS => format!("“{clause}”"),
        _ => format!("“{}…”", words[..MAX_WORDS].join(" ").trim_end_matches([',', ';', ':'])),
    }
}
