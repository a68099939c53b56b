//! The evidence brief: quotations with their sources, arranged by the shape of the question.

use crate::{
    answers::reported_actors,
    corpus::{Corpus, Passage, Source},
    question::{Asked, Question, Shape},
    select::{Candidate, Ranking, overlap},
    text::{Span, Text},
    words::Cue,
};
use chrono::NaiveDate;
use std::collections::BTreeSet;

/// A statement with the passages that it quotes.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Markdown with `[n]` markers.
    pub text: String,
    pub markers: Vec<u32>,
}

/// A reported answer, with the passages that report and that deny it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub statement: String,
    pub reported_by: Vec<u32>,
    pub denied_by: Vec<u32>,
}

/// What the provider writes; marker `n` cites `cited[n - 1]`.
#[derive(Clone, Debug, Default)]
pub struct Brief {
    pub title: String,
    pub bottom_line: String,
    /// A sentence behind the bottom line, on what was left out.
    pub note: Option<String>,
    pub statements: Vec<Line>,
    pub answers: Vec<Answer>,
    /// Announcements, with their last day where they name one.
    pub indicators: Vec<(Line, Option<String>)>,
    pub gaps: Vec<Line>,
    pub contradictions: Vec<Line>,
    /// Indices of passages.
    pub cited: Vec<usize>,
}

/// Documents speak of the question where a passage and its surroundings have so much of the weight of its terms.
const SETTLED_COVERAGE: f64 = 0.5;
/// What stands under a heading of its own has so much of it.
const ENTRY_COVERAGE: f64 = 0.45;
/// Words that a source in brackets adds to a quotation.
const SOURCE_WORDS: usize = 4;

/// Writes the brief of a question from passages that are ranked, the best first.
pub fn write(ranking: &Ranking<'_>, ranked: &[Candidate]) -> Brief {
    let Ranking { question, corpus, rules } = *ranking;
    let limits = &rules.limits.brief;
    let mut brief = Brief { title: question.text.trim_end_matches('?').to_owned(), ..Brief::default() };
    let coverage = ranked.iter().map(|candidate| candidate.coverage).fold(0.0, f64::max);
    let absent = absent_names(question, corpus);
    if ranked.is_empty() || coverage <= f64::EPSILON || !absent.is_empty() {
        brief.bottom_line = match absent.is_empty() {
            true => "These documents do not settle it: nothing in them is about the question.".into(),
            false => format!("These documents do not settle it: nothing in them names {}.", absent.join(" or ")),
        };
        return brief;
    }
    let mut chosen = ranking.diverse(ranked, limits.statements + 2);
    if question.shape == Shape::Series {
        let published = |candidate: &Candidate| &corpus.sources[corpus.passages[candidate.passage].source].published;
        chosen.sort_by(|a, b| published(b).cmp(published(a)));
    }
    let mut bottom: Vec<String> = vec![];
    let mut used = 0;
    for candidate in &chosen {
        let words = corpus.readings[candidate.passage].words;
        let fits_above = bottom.len() == 1 && used + words + 2 * SOURCE_WORDS <= limits.bottom_line_words;
        if bottom.is_empty() || fits_above && brief.statements.is_empty() {
            bottom.push(brief.quote(corpus, candidate.passage).text);
        } else if used + words <= limits.words && brief.statements.len() < limits.statements {
            let line = brief.quote(corpus, candidate.passage);
            brief.statements.push(line);
        } else {
            continue;
        }
        used += words;
    }
    let bottom = bottom.join(" ");
    brief.bottom_line = match coverage >= SETTLED_COVERAGE {
        true => format!("{bottom}{}", brief.origins(corpus)),
        false => format!("These documents do not settle it. Closest: {bottom}"),
    };
    if question.asked == Asked::Actor {
        brief.answers = reported_actors(ranking, ranked, &mut brief.cited);
    }
    brief.add_contradictions(ranking, ranked);
    brief.add_gaps(ranking, ranked);
    brief.add_indicators(ranking, ranked);
    brief
}

/// The names of the question, where no document has any of them.
fn absent_names(question: &Question, corpus: &Corpus) -> Vec<String> {
    let names: Vec<_> = question.terms.iter().filter(|term| term.is_name).collect();
    let titled = |key: &String| corpus.titles.iter().any(|title| title.contains(key));
    match names.iter().any(|term| corpus.has(&term.key) || titled(&term.key)) {
        true => vec![],
        false => names.iter().map(|term| term.text.clone()).collect(),
    }
}

impl Brief {
    fn quote(&mut self, corpus: &Corpus, passage: usize) -> Line {
        let marker = self.marker(passage);
        let passage = &corpus.passages[passage];
        Line { text: cite(passage, &corpus.sources[passage.source], marker), markers: vec![marker] }
    }

    /// The marker of a passage, a new one where it was not cited yet.
    fn marker(&mut self, passage: usize) -> u32 {
        let at = self.cited.iter().position(|known| *known == passage).unwrap_or_else(|| {
            self.cited.push(passage);
            self.cited.len() - 1
        });
        u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// How many independent origins are quoted; nothing where it is one.
    fn origins(&self, corpus: &Corpus) -> String {
        let sources: BTreeSet<usize> = self.cited.iter().map(|passage| corpus.passages[*passage].source).collect();
        match sources.len() {
            0 | 1 => " All quotations are from one source.".into(),
            count => format!(" Quotations are from {count} independent origins."),
        }
    }

    /// Two figures for one thing: what the question counts, in passages that tell of the same.
    fn add_contradictions(&mut self, ranking: &Ranking<'_>, ranked: &[Candidate]) {
        let Ranking { question, corpus, rules } = *ranking;
        if question.counted.is_empty() {
            return;
        }
        let figure = |candidate: &Candidate| {
            let counts = |number: &&crate::corpus::Number| number.counted.iter().any(|key| question.counted.contains(key));
            let numbers = &corpus.readings[candidate.passage].numbers;
            numbers.iter().find(counts).map(|number| (candidate.passage, number.value))
        };
        let about = ranked.iter().filter(|candidate| candidate.coverage >= SETTLED_COVERAGE && candidate.states >= 1.0);
        let figures: Vec<(usize, f64)> = about.filter_map(figure).collect();
        let Some(&(first, value)) = figures.first() else { return };
        let source = corpus.passages[first].source;
        let differs = |(passage, other): &&(usize, f64)| *other != value && corpus.passages[*passage].source != source;
        let others: Vec<usize> = figures.iter().filter(differs).map(|(passage, _)| *passage).collect();
        for other in others.into_iter().take(rules.limits.brief.entries) {
            let (one, two) = (self.quote(corpus, first), self.quote(corpus, other));
            let markers = [one.markers, two.markers].concat();
            self.contradictions.push(Line { text: format!("{} {}", one.text, two.text), markers });
        }
    }

    /// What sources say is not known.
    fn add_gaps(&mut self, ranking: &Ranking<'_>, ranked: &[Candidate]) {
        let is_gap = |candidate: &Candidate| ranking.has(Cue::Unknown, candidate.passage);
        for passage in self.entries(ranking, ranked, &is_gap) {
            let line = self.quote(ranking.corpus, passage);
            self.gaps.push(line);
        }
    }

    /// What sources announce for a day after they were published.
    fn add_indicators(&mut self, ranking: &Ranking<'_>, ranked: &[Candidate]) {
        let due = |passage: usize| {
            let Passage { quote, source, .. } = &ranking.corpus.passages[passage];
            let published = ranking.corpus.sources[*source].published.as_deref()?;
            let published: NaiveDate = published.get(..10)?.parse().ok()?;
            let text = Text::new(&ranking.rules.lexicon, quote);
            let end = text.forward_looking(Span::whole(quote), Some(published))?.due?.end?;
            (end > published).then_some(end)
        };
        for passage in self.entries(ranking, ranked, &|candidate| due(candidate.passage).is_some()) {
            let line = self.quote(ranking.corpus, passage);
            self.indicators.push((line, due(passage).map(|day| day.to_string())));
        }
    }

    /// The best passages of a kind that are about the question, not quoted yet and not alike.
    fn entries(&self, ranking: &Ranking<'_>, ranked: &[Candidate], is_wanted: &dyn Fn(&Candidate) -> bool) -> Vec<usize> {
        /// Two passages that share more of their words say the same.
        const SAME: f64 = 0.6;
        let mut entries: Vec<usize> = vec![];
        for candidate in ranked {
            let alike = |other: &usize| overlap(ranking.corpus, candidate.passage, *other) > SAME;
            if entries.len() < ranking.rules.limits.brief.entries
                && candidate.coverage >= ENTRY_COVERAGE
                && is_wanted(candidate)
                && !self.cited.iter().chain(&entries).any(alike)
            {
                entries.push(candidate.passage);
            }
        }
        entries
    }
}

/// A quotation with its source: `“…” (Reuters, 2019-11-19) [1]`.
fn cite(passage: &Passage, source: &Source, marker: u32) -> String {
    let quote = passage.quote.split_whitespace().collect::<Vec<_>>().join(" ");
    let quote = quote.trim_matches(['"', '\u{201c}', '\u{201d}']);
    let outlet = source.outlet.as_deref().unwrap_or(&source.title);
    match &source.published {
        Some(published) => format!("\u{201c}{quote}\u{201d} ({outlet}, {published}) [{marker}]"),
        None => format!("\u{201c}{quote}\u{201d} ({outlet}) [{marker}]"),
    }
}
