//! The short lists of the Brief: reasons, objection, what would flip the answer, effects and gaps. Entries stand open while its
//! words last, the first of each list always.

mod argument;
mod outlet_words;

pub use argument::{CitedSource, Flip, Objection, RankedAnswer, Reason, rank_answers};

use super::{Assessment, Body, Gap, Impact, Marker, SettledItem, markers_in, sharpest_line, unmarked};
use std::collections::BTreeSet;

/// Words of a Brief, with its headings and labels.
pub(super) const MAX_BRIEF_WORDS: usize = 450;
/// Words of its question's label (3), confidence (2), headings (13), and the lines that unfold its lists (16).
const FRAME_WORDS: usize = 34;
/// Words of the link beside the sentence on what the report rests on.
const BASIS_LINK_WORDS: usize = 4;
/// Words of an answer beside its statement: its short name and its share.
const ANSWER_LABEL_WORDS: usize = 2;
/// Words of the line that unfolds unlikely answers, and of the one that unfolds the answer to a part in a sentence.
const MORE_ANSWERS_WORDS: usize = 4;
const PART_ANSWER_WORDS: usize = 3;
/// Words of the note on changes beside its texts.
const CHANGE_LABEL_WORDS: usize = 8;
/// Words beside an indicator: that the reader watches it.
const WATCHED_WORDS: usize = 3;
/// Words of a date, and of the label of what closes a gap.
const DAY_WORDS: usize = 3;
const CLOSE_LABEL_WORDS: usize = 3;
/// Words of the size and direction of an effect.
const SIZE_WORDS: usize = 4;
/// Entries of a list that stand open, at most.
const MAX_OPEN: usize = 3;
/// Words that a person reads in a minute.
const WORDS_PER_MINUTE: usize = 200;

/// A list of the Brief: its open entries, and those that are folded.
#[derive(Debug, Clone, PartialEq)]
pub struct DigestList<T> {
    pub open: Vec<T>,
    pub folded: Vec<T>,
}

impl<T> DigestList<T> {
    fn new(mut entries: Vec<T>, open: usize) -> Self {
        let folded = entries.split_off(open.min(entries.len()));
        Self { open: entries, folded }
    }
}

/// The lists of a Brief. The first entry of each stands open, then further reasons and entries while [`MAX_BRIEF_WORDS`] last.
///
/// Invariant: `words` is at least what the page shows. Only bottom line, answers and first entries take it over the limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Digest {
    /// The sentence on the basis.
    pub basis: Option<String>,
    pub reasons: DigestList<Reason>,
    pub objection: Option<Objection>,
    pub flips: DigestList<Flip>,
    pub impacts: DigestList<Impact>,
    pub gaps: DigestList<Gap>,
    /// Items of the previous assessment: those with an outcome first.
    pub settled: DigestList<SettledItem>,
    words: usize,
    least_words: usize,
}

impl Digest {
    pub fn new(assessment: &Assessment) -> Self {
        let (body, basis) = (&assessment.body, sharpest_line(assessment));
        let (reasons, objection) = (argument::reasons(assessment), argument::objection(assessment));
        let flips = argument::flips(body);
        let mut settled: Vec<SettledItem> = body.change.iter().flat_map(|change| change.settled.iter().cloned()).collect();
        settled.sort_by_key(|item| !item.outcome.is_settled());
        let costs: [Vec<usize>; 5] = [
            reasons.iter().map(reason_words).collect(),
            flips.iter().map(flip_words).collect(),
            body.impacts.iter().map(|impact| impact_words(body, impact)).collect(),
            body.gaps.iter().map(gap_words).collect(),
            settled.iter().map(settled_words).collect(),
        ];
        let objection_words =
            objection.as_ref().map_or(0, |objection| words(objection.label) + reason_words(&objection.reason));
        let fixed = fixed_words(assessment, basis.as_deref()) + objection_words;
        let ([open_reasons, open_flips, open_impacts, open_gaps, open_settled], used) =
            count_open(&costs, MAX_BRIEF_WORDS.saturating_sub(fixed));
        Self {
            basis,
            reasons: DigestList::new(reasons, open_reasons),
            objection,
            flips: DigestList::new(flips, open_flips),
            impacts: DigestList::new(body.impacts.clone(), open_impacts),
            gaps: DigestList::new(body.gaps.clone(), open_gaps),
            settled: DigestList::new(settled, open_settled),
            words: fixed + used,
            least_words: fixed + costs.iter().filter_map(|costs| costs.first()).sum::<usize>(),
        }
    }

    /// The number of words to read, at most.
    pub const fn words(&self) -> usize {
        self.words
    }

    /// The number of words that its fixed parts and the first entries of its lists need.
    pub(super) const fn least_words(&self) -> usize {
        self.least_words
    }

    /// Minutes to read what stands open.
    pub fn minutes_to_read(&self) -> u64 {
        self.words.div_ceil(WORDS_PER_MINUTE).max(1) as u64
    }

    /// The citations of what stands open, which are the notes of the printed Brief of `assessment`.
    pub fn markers(&self, assessment: &Assessment) -> BTreeSet<Marker> {
        let body = &assessment.body;
        let mut texts: Vec<&str> = vec![&*body.bottom_line];
        let mut markers: BTreeSet<Marker> = BTreeSet::new();
        texts.extend(body.overall_confidence.iter().map(|confidence| &*confidence.basis));
        texts.extend(body.change.iter().map(|change| &*change.summary));
        texts.extend(self.basis.as_deref());
        for reason in self.reasons.open.iter().chain(self.objection.iter().map(|objection| &objection.reason)) {
            markers.extend(reason.markers());
        }
        texts.extend(self.flips.open.iter().map(|flip| &*flip.text));
        for impact in &self.impacts.open {
            texts.push(&impact.effect);
            markers.extend(&impact.citations);
        }
        for gap in &self.gaps.open {
            texts.push(&gap.text);
            texts.extend(gap.how_to_close.as_deref());
        }
        markers.extend(self.settled.open.iter().flat_map(|item| &item.citations));
        markers.extend(texts.into_iter().flat_map(markers_in));
        markers
    }
}

/// The number of open entries of each list by the words of their entries, and the words of all open ones: the first of each list,
/// and while there is room the others of the first list, which are the reasons, then further ones of all in turn.
fn count_open<const N: usize>(costs: &[Vec<usize>; N], room: usize) -> ([usize; N], usize) {
    let (mut open, mut used) = ([0; N], 0);
    let first = (0..N).map(|list| (list, 0));
    let leading = (1..MAX_OPEN).map(|place| (0, place));
    let rest = (1..MAX_OPEN).flat_map(|place| (1..N).map(move |list| (list, place)));
    for (list, place) in first.chain(leading).chain(rest) {
        let Some(cost) = costs[list].get(place) else { continue };
        // After an entry that found no room, its list has no further one.
        if open[list] == place && (place == 0 || used + cost <= room) {
            open[list] += 1;
            used += cost;
        }
    }
    (open, used)
}

/// Words of what a Brief has beside its lists. The bottom line answers every part: the answers to the parts are folded.
fn fixed_words(assessment: &Assessment, basis: Option<&str>) -> usize {
    let body = &assessment.body;
    let question = if assessment.repeats_question() { 0 } else { words(&assessment.question) };
    let sets = body.hypothesis_sets();
    let has_parts = sets.len() > 1;
    let answers: usize = sets
        .into_iter()
        .map(|(part, hypotheses)| {
            let ranked = rank_answers(&hypotheses);
            let rows: usize = ranked
                .iter()
                .filter(|answer| !answer.is_folded)
                .map(|answer| words(&answer.hypothesis.statement) + ANSWER_LABEL_WORDS)
                .sum();
            let more = if ranked.iter().any(|answer| answer.is_folded) { MORE_ANSWERS_WORDS } else { 0 };
            let part = part.filter(|_| has_parts);
            let part = part.map_or(0, |part| words(&part.text) + part.answer.as_ref().map_or(0, |_| PART_ANSWER_WORDS));
            rows + more + part
        })
        .sum();
    let states: usize = assessment.parts().iter().map(|part| words(&part.words())).sum();
    let change = body.change.as_ref().map_or(0, |change| CHANGE_LABEL_WORDS + words(&change.summary));
    let dissent = assessment.dissent.as_ref();
    let dissent = dissent.map_or(0, |one| words(one.verdict()) + words(&one.leaders_beside(body)));
    let basis = basis.map_or(0, |line| words(line) + BASIS_LINK_WORDS);
    let head = words(assessment.heading()) + question + states + words(&body.bottom_line);
    FRAME_WORDS + head + answers + change + basis + dissent
}

fn reason_words(reason: &Reason) -> usize {
    let sources: usize = reason.sources.iter().map(|source| words(&source.name) + DAY_WORDS).sum();
    words(&reason.text) + sources
}

fn flip_words(flip: &Flip) -> usize {
    let due = flip.by.as_deref().map_or(0, |by| 1 + words(by).max(DAY_WORDS));
    let watched = if flip.indicator.is_some() { WATCHED_WORDS } else { 0 };
    words(&flip.text) + flip.effect.as_deref().map_or(0, words) + due + watched
}

/// Words of an effect: whom it hits, how much, how likely it is, on what condition, and when.
fn impact_words(body: &Body, impact: &Impact) -> usize {
    let size = if impact.size.is_some() || impact.direction.is_some() { SIZE_WORDS } else { 0 };
    let likelihood = impact.likelihood.as_ref().map_or(0, |likelihood| words(likelihood.term.words()) + 1);
    let condition = body.condition_of(impact).as_deref().map_or(0, words);
    let when = impact.when.as_deref().map_or(0, |when| words(when).max(DAY_WORDS));
    words(&impact.effect) + impact.who.as_deref().map_or(0, words) + size + likelihood + condition + when
}

fn gap_words(gap: &Gap) -> usize {
    words(&gap.text) + gap.how_to_close.as_deref().map_or(0, |how| CLOSE_LABEL_WORDS + words(how))
}

fn settled_words(item: &SettledItem) -> usize {
    1 + item.text.as_deref().map_or(0, words) + words(&item.outcome_words())
}

pub(super) fn words(text: &str) -> usize {
    unmarked(text).split_whitespace().count()
}

#[cfg(test)]
mod tests;
