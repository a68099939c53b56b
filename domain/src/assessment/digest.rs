//! The short lists of the Brief: the entries that stand open, so that it is read in two minutes. The others are folded.

use super::{
    ANSWERED_FROM, Assessment, AssessmentState, Assumption, Body, Change, Gap, Hypothesis, Impact, Indicator, Judgement,
    SettledItem, shares, sharpest_line, without_markers,
};
use std::{cmp::Reverse, collections::BTreeSet};

/// Words of a Brief, with its headings and labels.
const MAX_BRIEF_WORDS: usize = 350;
/// Words of its badges (8), its question's label (3), versions (7) and confidence (2), its two notices (16), its headings (13), and the
/// lines that unfold its lists (13).
const FRAME_WORDS: usize = 62;
/// Words of the line that unfolds further answers.
const MORE_ANSWERS_WORDS: usize = 3;
/// Words of the link beside the sentence on what the report rests on.
const BASIS_LINK_WORDS: usize = 4;
/// Words beside the text of an entry: label, figures, state.
const ANSWER_LABEL_WORDS: usize = 2;
const JUDGEMENT_LABEL_WORDS: usize = 4;
const WATCHED_WORDS: usize = 3;
const ASSUMPTION_LABEL_WORDS: usize = 4;
/// Words of a date.
const DAY_WORDS: usize = 3;
/// Words of the note on changes beside its texts, and of the title of its items.
const CHANGE_LABEL_WORDS: usize = 4;
const CHANGE_TITLE_WORDS: usize = 4;
/// Entries of a list that stand open, at most.
const MAX_OPEN: usize = 3;
/// Share of the words of a statement that another text has where it says the same.
const SAME_FROM: f64 = 0.7;
/// Letters of the shortest Latin words that are compared.
const SHORTEST_WORD: usize = 4;
/// Ends of clauses, each of which may negate.
const CLAUSE_ENDS: [char; 8] = ['.', ';', '!', '?', '。', '；', '！', '？'];
const NEGATIONS: [&str; 8] = ["no", "not", "never", "none", "nor", "neither", "cannot", "without"];
/// Words that a person reads in a minute.
const WORDS_PER_MINUTE: usize = 200;

/// A list of the Brief: its open entries, and those that are folded.
#[derive(Debug, Clone, PartialEq)]
pub struct DigestList<T> {
    pub open: Vec<T>,
    pub folded: Vec<T>,
}

/// The lists of a Brief. Entries stand open while [`MAX_BRIEF_WORDS`] last: the first of each list, then further ones.
///
/// Invariant: `words` is at least what the page shows. It is over the limit only where title, bottom line, answers and change are.
#[derive(Debug, Clone, PartialEq)]
pub struct Digest {
    /// Those that the bottom line already says come last and are folded.
    pub judgements: DigestList<Judgement>,
    /// The first assumption.
    pub linchpin: DigestList<Assumption>,
    pub indicators: DigestList<Indicator>,
    pub gaps: DigestList<Gap>,
    pub impacts: DigestList<Impact>,
    words: usize,
}

impl Digest {
    pub fn new(assessment: &Assessment) -> Self {
        let body = &assessment.body;
        let is_said = |one: &Judgement| says(&body.bottom_line, &one.statement);
        let (said, new): (Vec<Judgement>, Vec<Judgement>) = body.key_judgements.iter().cloned().partition(is_said);
        let linchpin = body.assumptions.get(..1).unwrap_or_default();
        let mut judgements = Opening::new(&new, |one| words(&one.statement) + JUDGEMENT_LABEL_WORDS);
        let mut indicators = Opening::new(&body.indicators, |one| words(&one.text) + indicator_label_words(one));
        let mut gaps = Opening::new(&body.gaps, |one| words(&one.text));
        let mut impacts = Opening::new(&body.impacts, |one| words(&one.effect) + impact_label_words(body, one));
        let mut assumption = Opening::new(linchpin, |one| words(&one.text) + ASSUMPTION_LABEL_WORDS);
        let mut total = fixed_words(assessment);
        for list in [&mut judgements, &mut indicators, &mut gaps, &mut impacts] {
            total += list.open_next(MAX_BRIEF_WORDS.saturating_sub(total));
        }
        for _ in 0..MAX_OPEN {
            for list in [&mut assumption, &mut judgements, &mut indicators, &mut gaps, &mut impacts] {
                total += list.open_next(MAX_BRIEF_WORDS.saturating_sub(total));
            }
        }
        Self {
            judgements: judgements.split(&[new, said].concat()),
            linchpin: assumption.split(linchpin),
            indicators: indicators.split(&body.indicators),
            gaps: gaps.split(&body.gaps),
            impacts: impacts.split(&body.impacts),
            words: total,
        }
    }

    /// The number of words to read, at most.
    pub const fn words(&self) -> usize {
        self.words
    }

    /// Minutes to read what stands open.
    pub fn minutes_to_read(&self) -> u64 {
        self.words.div_ceil(WORDS_PER_MINUTE).max(1) as u64
    }
}

/// The number of entries of a list that stand open, counted up entry by entry.
struct Opening {
    /// Words of each entry.
    costs: Vec<usize>,
    open: usize,
}

impl Opening {
    fn new<T>(entries: &[T], cost: impl Fn(&T) -> usize) -> Self {
        Self { costs: entries.iter().map(cost).collect(), open: 0 }
    }

    /// Opens the next entry if it has at most `room` words, and returns how many it has.
    fn open_next(&mut self, room: usize) -> usize {
        match self.costs.get(self.open) {
            Some(cost) if self.open < MAX_OPEN && *cost <= room => {
                self.open += 1;
                *cost
            }
            _ => 0,
        }
    }

    fn split<T: Clone>(&self, entries: &[T]) -> DigestList<T> {
        let (open, folded) = entries.split_at(self.open);
        DigestList { open: open.to_vec(), folded: folded.to_vec() }
    }
}

/// The number of likeliest answers of a question that stand open, besides "none of these": two, one where it settles the question,
/// and all where no more than one would be folded.
pub fn open_answers(hypotheses: &[&Hypothesis]) -> usize {
    let answers = hypotheses.iter().filter(|one| !one.is_none);
    let is_settled = answers.clone().any(|one| one.probability.unwrap_or_default() >= ANSWERED_FROM);
    let open = if is_settled { 1 } else { 2 };
    let count = answers.count();
    if count > open + 1 { open } else { count }
}

/// Words of what a Brief has beside its lists.
fn fixed_words(assessment: &Assessment) -> usize {
    let body = &assessment.body;
    let headline = body.headline(AssessmentState::from_assessment(assessment)).unwrap_or_default();
    let question = if assessment.question == body.title { 0 } else { words(&assessment.question) };
    let answers: usize = body
        .hypothesis_sets()
        .into_iter()
        .map(|(question, hypotheses)| {
            let open = open_answers(&hypotheses);
            let mut ranked: Vec<_> = hypotheses.iter().zip(shares(&hypotheses)).collect();
            ranked.sort_by_key(|(_, share)| Reverse(*share));
            let (none, answers): (Vec<_>, Vec<_>) = ranked.into_iter().partition(|(one, _)| one.is_none);
            let more = if answers.len() > open { MORE_ANSWERS_WORDS } else { 0 };
            let shown = answers.into_iter().take(open).chain(none);
            let rows: usize = shown.map(|(one, _)| words(&one.statement) + ANSWER_LABEL_WORDS).sum();
            rows + more + question.map_or(0, |question| words(&question.text))
        })
        .sum();
    let change = body.change.as_ref().map(change_words).unwrap_or_default();
    let basis = sharpest_line(assessment).map_or(0, |line| words(&line) + BASIS_LINK_WORDS);
    FRAME_WORDS + words(&body.title) + question + words(&headline) + words(&body.bottom_line) + answers + change + basis
}

/// Words of the note on what changed.
fn change_words(change: &Change) -> usize {
    let item = |one: &SettledItem| 1 + one.text.as_deref().map(words).unwrap_or_default() + words(one.outcome.words());
    let items: usize = change.settled.iter().map(item).sum();
    let title = if change.settled.is_empty() { 0 } else { CHANGE_TITLE_WORDS };
    CHANGE_LABEL_WORDS + words(&change.summary) + title + items
}

/// Words beside an indicator: what it bears on, when it is due, and that the reader watches it.
fn indicator_label_words(indicator: &Indicator) -> usize {
    let targets = indicator.hypotheses.len() + indicator.judgements.len();
    let due = indicator.resolution.by.as_deref().map_or(0, |by| 1 + words(by).max(DAY_WORDS));
    WATCHED_WORDS + 1 + targets + due
}

/// Words beside an effect: whom it hits, how likely it is, on what condition, and when.
fn impact_label_words(body: &Body, impact: &Impact) -> usize {
    let likelihood = impact.likelihood.as_ref().map_or(0, |likelihood| words(likelihood.term.words()) + 1);
    let condition = body.condition_of(impact).as_deref().map_or(0, words);
    let when = impact.when.as_deref().map_or(0, |when| words(when).max(DAY_WORDS));
    impact.who.as_deref().map_or(0, words) + likelihood + condition + when
}

fn words(text: &str) -> usize {
    without_markers(text).split_whitespace().count()
}

/// Whether a clause of a text has most of the words of a statement, and negates as it does.
fn says(text: &str, statement: &str) -> bool {
    let (words, is_negated) = (compared_words(statement), negates(statement));
    let says = |clause: &str| {
        let said = words.intersection(&compared_words(clause)).count();
        said as f64 >= words.len() as f64 * SAME_FROM && negates(clause) == is_negated
    };
    !words.is_empty() && text.split(CLAUSE_ENDS).any(says)
}

/// The words of a text without short Latin ones. In other scripts short words carry meaning.
fn compared_words(text: &str) -> BTreeSet<String> {
    let is_latin = |letter: char| matches!(letter, ..'\u{250}' | '\u{1e00}'..='\u{1eff}');
    let is_compared = |word: &&str| word.chars().count() >= SHORTEST_WORD || !word.chars().all(is_latin);
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).filter(is_compared).map(str::to_lowercase).collect()
}

fn negates(text: &str) -> bool {
    let text = text.to_lowercase().replace('’', "'");
    text.contains("n't") || text.split(|letter: char| !letter.is_alphanumeric()).any(|word| NEGATIONS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assessment::EvidenceBrief;
    use crate::likelihood::Likelihood;

    fn judgement(id: &str, statement: &str) -> Judgement {
        Judgement {
            id: id.into(),
            statement: statement.into(),
            likelihood: Some(Likelihood::from_point(0.7)),
            confidence: None,
            horizon: None,
            would_change: None,
            hypotheses: vec![],
            citations: vec![],
        }
    }

    fn assessment(body: Body) -> Assessment {
        let stored = include_str!("tests/stored_before.json");
        Assessment { body, question: "Who?".into(), ..serde_json::from_str(stored).unwrap() }
    }

    fn body(bottom_line: &str) -> Body {
        Body { bottom_line: bottom_line.into(), ..EvidenceBrief::default().into() }
    }

    fn gap(words: usize) -> Gap {
        Gap { text: "word ".repeat(words), impact: None, how_to_close: None }
    }

    #[test]
    fn a_judgement_repeated_in_the_bottom_line_is_folded() {
        let mut body = body("Two guards of Grevald Security very likely placed the charge [1]; who paid them is not known.");
        body.key_judgements = vec![
            judgement("J1", "It is very likely (88 %) that two guards of Grevald Security placed the charge [1][2]."),
            judgement("J2", "Those who placed the charge also switched off the flood siren [3]."),
        ];
        let Digest { judgements, .. } = Digest::new(&assessment(body));
        assert_eq!((judgements.open[0].id.as_str(), judgements.folded[0].id.as_str()), ("J2", "J1"));
        assert_eq!((judgements.open.len(), judgements.folded.len()), (1, 1));
    }

    #[test]
    fn a_negation_and_words_of_other_scripts_are_compared() {
        let denied = "Two guards of Grevald Security did not place the charge; the siren was off.";
        assert!(!says(denied, "Two guards of Grevald Security place the charge."));
        assert!(says(denied, "The guards of Grevald Security didn’t place the charge."));
        let text = "Два охранника не были на мосту";
        assert!(says(text, "Два охранника не были на мосту."));
        assert!(!says(text, "Три грузовика не были на складе"));
        assert!(says("大桥 昨夜 倒塌。原因 不明。", "大桥 昨夜 倒塌"));
        assert!(!says("大桥 昨夜 倒塌。", "大桥 今晨 修复"));
    }

    #[test]
    fn entries_are_open_up_to_the_word_limit() {
        let mut short = body("Short.");
        short.gaps = vec![gap(10), gap(10), gap(10), gap(10)];
        let digest = Digest::new(&assessment(short.clone()));
        assert_eq!((digest.gaps.open.len(), digest.gaps.folded.len()), (MAX_OPEN, 1));
        assert_eq!(digest.minutes_to_read(), 1);

        short.gaps = vec![gap(150), gap(100), gap(100)];
        let digest = Digest::new(&assessment(short.clone()));
        assert_eq!(digest.gaps.open.len(), 2);
        assert!(digest.words() <= MAX_BRIEF_WORDS);

        short.bottom_line = "word ".repeat(400);
        let digest = Digest::new(&assessment(short));
        assert_eq!((digest.gaps.open.len(), digest.gaps.folded.len()), (0, 3), "a long bottom line leaves no room");
        assert_eq!(digest.minutes_to_read(), 3);
    }

    #[test]
    fn answers_that_a_settled_question_leaves_behind_are_folded() {
        let answer = |probability: f64, is_none: bool| Hypothesis {
            id: "H1".into(),
            question: None,
            statement: "An answer".into(),
            is_none,
            position: None,
            probability: Some(probability),
            reasoning: String::new(),
            supporting: vec![],
            against: vec![],
            weaknesses: String::new(),
        };
        let open = |probabilities: &[f64]| {
            let mut all: Vec<_> = probabilities.iter().map(|probability| answer(*probability, false)).collect();
            all.push(answer(0.1, true));
            open_answers(&all.iter().collect::<Vec<_>>())
        };
        assert_eq!(open(&[0.8, 0.05, 0.05]), 1);
        assert_eq!(open(&[0.4, 0.3, 0.1, 0.1]), 2);
        assert_eq!(open(&[0.4, 0.3, 0.2]), 3, "no fold for a single answer");
    }
}
