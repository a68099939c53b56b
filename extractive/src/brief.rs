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
    /// Markdown on files and sources that could not be read.
    pub not_read: String,
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
/// A statement scores at least so much of the best.
const STATEMENT_SHARE: f64 = 0.35;
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
    let least = STATEMENT_SHARE * ranked.first().map_or(0.0, |best| best.score);
    let mut chosen = ranking.diverse(ranked, limits.statements + 2);
    chosen.retain(|candidate| candidate.score >= least);
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
    let marks = ['"', '\u{201c}', '\u{201d}'];
    let quote = quote.strip_prefix(marks).and_then(|inner| inner.strip_suffix(marks)).unwrap_or(&quote);
    let outlet = source.outlet.as_deref().unwrap_or(&source.title);
    match &source.published {
        Some(published) => {
            // The day is enough: the citation has the moment.
            let day = published.get(..10).unwrap_or(published);
            format!("\u{201c}{quote}\u{201d} ({outlet}, {day}) [{marker}]")
        }
        None => format!("\u{201c}{quote}\u{201d} ({outlet}) [{marker}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Rules, shipped};

    /// A document with a line for each sentence, and the day on which it was published.
    type Paper = (&'static str, &'static str, &'static [&'static str]);

    const FERRY: &[Paper] = &[
        (
            "Port Gazette",
            "2031-05-02",
            &[
                "The ferry Aurelia sank off Varrow on Friday.",
                "Fourteen sailors drowned when the ferry Aurelia sank, the coast guard said.",
                "The ferry sank because its bow door had been left open, investigators found.",
                "The owner denied that the bow door had been left open.",
            ],
        ),
        (
            "Harbour Radio",
            "2031-05-03",
            &[
                "Nineteen sailors drowned in the sinking of the Aurelia, a union said.",
                "It is unclear who gave the ferry Aurelia permission to sail.",
                "The court will hear the captain of the Aurelia on 20 May 2031.",
            ],
        ),
        ("Garden Weekly", "2031-05-04", &["Tulips bloom early this year in the south."]),
    ];

    fn written(rules: &Rules, papers: &[Paper], question: &str) -> (Brief, Vec<String>) {
        let sources = papers.iter().map(|(outlet, published, _)| Source {
            title: format!("{outlet} report"),
            outlet: Some((*outlet).to_owned()),
            published: Some((*published).to_owned()),
            text: (*outlet).to_owned(),
        });
        let passages = papers.iter().enumerate().flat_map(|(source, (_, _, lines))| {
            (0..).zip(*lines).map(move |(at, line): (u64, _)| Passage {
                reference: format!("c{source}{at}"),
                source,
                quote: (*line).to_owned(),
                at,
            })
        });
        let corpus = Corpus::new(sources.collect(), passages.collect(), rules);
        let question = Question::read(question, &rules.lexicon, &rules.words);
        let ranking = Ranking { question: &question, corpus: &corpus, rules };
        let brief = write(&ranking, &ranking.closely(ranking.by_words(), None));
        let cited = brief.cited.iter().map(|passage| corpus.passages[*passage].quote.clone()).collect();
        (brief, cited)
    }

    #[test]
    fn the_bottom_line_quotes_what_answers_with_source_and_day() {
        let rules = shipped();
        let (brief, cited) = written(&rules, FERRY, "Why did the ferry Aurelia sink?");
        let quoted = "\u{201c}The ferry sank because its bow door had been left open, investigators found.\u{201d} (Port Gazette, 2031-05-02)";
        assert!(brief.bottom_line.contains(quoted), "{}", brief.bottom_line);
        assert!(cited.iter().all(|quote| FERRY.iter().any(|(_, _, lines)| lines.contains(&quote.as_str()))));
    }

    #[test]
    fn two_figures_for_one_thing_stand_side_by_side() {
        let rules = shipped();
        let (brief, _) = written(&rules, FERRY, "How many sailors drowned on the Aurelia?");
        let [contradiction] = &brief.contradictions[..] else { panic!("{:?}", brief.contradictions) };
        assert!(contradiction.text.contains("Fourteen") && contradiction.text.contains("Nineteen"), "{contradiction:?}");
    }

    #[test]
    fn what_is_not_known_and_what_is_announced_have_headings_of_their_own() {
        let rules = shipped();
        let (brief, _) = written(&rules, FERRY, "Was the ferry Aurelia overloaded?");
        let everything = format!("{}{:?}{:?}", brief.bottom_line, brief.statements, brief.gaps);
        assert!(everything.contains("unclear"), "{everything}");
        let due = brief.indicators.iter().any(|(_, by)| by.as_deref() == Some("2031-05-20"));
        assert!(due || format!("{}{:?}", brief.bottom_line, brief.statements).contains("20 May"), "{brief:?}");
    }

    #[test]
    fn a_subject_that_no_document_names_is_not_answered() {
        let rules = shipped();
        let (brief, cited) = written(&rules, FERRY, "How large is the navy of Dorvane?");
        assert_eq!(brief.bottom_line, "These documents do not settle it: nothing in them names Dorvane.");
        assert!(cited.is_empty() && brief.statements.is_empty());
    }

    #[test]
    fn the_order_of_the_documents_changes_nothing() {
        let rules = shipped();
        let mut papers = FERRY.to_vec();
        let first = written(&rules, &papers, "How many sailors drowned on the Aurelia?");
        papers.reverse();
        let second = written(&rules, &papers, "How many sailors drowned on the Aurelia?");
        assert_eq!((first.0.bottom_line, first.1), (second.0.bottom_line, second.1));
    }
}
