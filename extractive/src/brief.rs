//! The evidence brief: quotations with their sources, arranged by the shape of the question.

use crate::{
    answers::reported_actors,
    corpus::{Corpus, Passage, Source},
    question::{AnswerType, Question, Shape},
    select::{Candidate, Ranking},
    text::{Span, Text, one_line},
    words::{Cue, Stems},
};
use chrono::NaiveDate;
use domain::assessment::{DatedStatement, EvidenceBrief, Marker, Statement};
use std::collections::BTreeSet;

/// A brief with the passages that it cites.
#[derive(Debug, Default)]
pub struct Brief {
    pub content: EvidenceBrief,
    pub cited: Citations,
}

/// The passages that a brief cites: marker `n` stands for the one at `n - 1`.
#[derive(Debug, Default)]
pub struct Citations(Vec<usize>);

impl Citations {
    /// The marker of a passage, a new one where it was not cited yet.
    pub fn marker(&mut self, passage: usize) -> Marker {
        let at = self.0.iter().position(|known| *known == passage).unwrap_or_else(|| {
            self.0.push(passage);
            self.0.len() - 1
        });
        Marker::try_from(at).unwrap_or(Marker::MAX).saturating_add(1)
    }

    /// The passages in the order of their markers.
    pub fn passages(&self) -> &[usize] {
        &self.0
    }
}

/// Words that a source in brackets adds to a quotation.
const SOURCE_WORDS: usize = 4;

/// Writes the brief of a question from passages that are ranked, the best first.
pub fn write(ranking: &Ranking<'_>, ranked: &[Candidate]) -> Brief {
    let Ranking { question, corpus, rules, .. } = *ranking;
    let limits = &rules.limits.brief;
    let mut brief = Brief::default();
    brief.content.title = question.text.trim_end_matches('?').to_owned();
    let coverage = ranked.iter().map(|candidate| candidate.coverage).fold(0.0, f64::max);
    let absent = absent_names(question, corpus);
    if ranked.is_empty() || coverage <= f64::EPSILON || !absent.is_empty() {
        brief.content.bottom_line = match absent.is_empty() {
            true => "These documents do not settle it: nothing in them is about the question.".into(),
            false => format!("These documents do not settle it: nothing in them names {}.", absent.join(" or ")),
        };
        return brief;
    }
    let least = limits.statement_share * ranked.first().map_or(0.0, |best| best.score);
    let mut chosen = ranking.diverse(ranked, limits.statements + 2);
    chosen.retain(|candidate| candidate.score >= least);
    let asks_deed = question.answer_type == AnswerType::Actor
        && question.terms.iter().any(|term| !term.is_name && rules.words.has_stem(Stems::Acts, &term.key));
    // Who did another deed is no answer, not even in part.
    if asks_deed {
        let other = |candidate: &Candidate| ranking.question_actors(candidate.passage).has_other_deeds_only;
        if !chosen.iter().all(other) {
            chosen.retain(|candidate| !other(candidate));
        }
    }
    if question.shape == Shape::Series {
        let published = |candidate: &Candidate| &corpus.sources[corpus.passages[candidate.passage].source].published;
        chosen.sort_by(|a, b| published(b).cmp(published(a)));
    }
    let mut bottom: Vec<String> = vec![];
    let mut used = 0;
    for candidate in &chosen {
        let words = corpus.readings[candidate.passage].words;
        let fits_above = bottom.len() == 1 && used + words + 2 * SOURCE_WORDS <= limits.bottom_line_words;
        if bottom.is_empty() || fits_above && brief.content.statements.is_empty() {
            bottom.push(brief.quote(corpus, candidate.passage).text);
        } else if used + words <= limits.words && brief.content.statements.len() < limits.statements {
            let line = brief.quote(corpus, candidate.passage);
            brief.content.statements.push(line);
        } else {
            continue;
        }
        used += words;
    }
    if question.answer_type == AnswerType::Actor {
        brief.content.answers = reported_actors(ranking, ranked, &mut brief.cited);
    }
    brief.add_contradictions(ranking, ranked);
    brief.add_gaps(ranking, ranked);
    brief.add_indicators(ranking, ranked);
    let is_unknown = chosen.first().is_some_and(|candidate| ranking.has(Cue::Unknown, candidate.passage));
    let names_nobody = asks_deed && brief.content.answers.is_empty() && !is_unknown;
    let bottom = bottom.join(" ");
    brief.content.bottom_line = match coverage >= limits.settled_coverage && !names_nobody {
        true => format!("{bottom}{}", brief.origins(corpus)),
        false => format!("These documents do not settle it. Closest: {bottom}"),
    };
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
    fn quote(&mut self, corpus: &Corpus, passage: usize) -> Statement {
        let marker = self.cited.marker(passage);
        let passage = &corpus.passages[passage];
        Statement { text: cite(passage, &corpus.sources[passage.source], marker), citations: vec![marker] }
    }

    /// The sentence that says from how many independent origins all quotations of the brief are, under every heading.
    fn origins(&self, corpus: &Corpus) -> String {
        let sources: BTreeSet<usize> = self.cited.passages().iter().map(|passage| corpus.passages[*passage].source).collect();
        match sources.len() {
            0 | 1 => " All quotations of this brief are from one source.".into(),
            count => format!(" The quotations of this brief are from {count} independent origins."),
        }
    }

    /// Two figures for one thing: what the question counts, in passages that tell of the same.
    fn add_contradictions(&mut self, ranking: &Ranking<'_>, ranked: &[Candidate]) {
        let Ranking { question, corpus, rules, .. } = *ranking;
        if question.counted.is_empty() {
            return;
        }
        let figure = |candidate: &Candidate| {
            let counts = |number: &&crate::corpus::Number| number.counted.iter().any(|key| question.counted.contains(key));
            let numbers = &corpus.readings[candidate.passage].numbers;
            numbers.iter().find(counts).map(|number| (candidate.passage, number.value))
        };
        let about = ranked
            .iter()
            .filter(|candidate| candidate.coverage >= rules.limits.brief.settled_coverage && candidate.states >= 1.0);
        let figures: Vec<(usize, f64)> = about.filter_map(figure).collect();
        let Some(&(first, value)) = figures.first() else { return };
        let source = corpus.passages[first].source;
        let differs = |(passage, other): &&(usize, f64)| *other != value && corpus.passages[*passage].source != source;
        let others: Vec<usize> = figures.iter().filter(differs).map(|(passage, _)| *passage).collect();
        for other in others.into_iter().take(rules.limits.brief.entries) {
            let (one, two) = (self.quote(corpus, first), self.quote(corpus, other));
            let citations = [one.citations, two.citations].concat();
            self.content.contradictions.push(Statement { text: format!("{} {}", one.text, two.text), citations });
        }
    }

    /// Adds the sentences in which sources say that something is not known.
    fn add_gaps(&mut self, ranking: &Ranking<'_>, ranked: &[Candidate]) {
        let is_gap = |candidate: &Candidate| ranking.has(Cue::Unknown, candidate.passage);
        for passage in self.entries(ranking, ranked, &is_gap) {
            let line = self.quote(ranking.corpus, passage);
            self.content.gaps.push(line);
        }
    }

    /// Adds the sentences that announce something for a day after their publication.
    fn add_indicators(&mut self, ranking: &Ranking<'_>, ranked: &[Candidate]) {
        let due = |passage: usize| {
            let Passage { quote, source, .. } = &ranking.corpus.passages[passage];
            let published = ranking.corpus.sources[*source].published.as_deref()?;
            let published: NaiveDate = published.get(..10)?.parse().ok()?;
            let text = Text::new(&ranking.rules.lexicon, quote);
            let end = text.due(Span::whole(quote), Some(published))?.end?;
            (end > published).then_some(end)
        };
        for passage in self.entries(ranking, ranked, &|candidate| due(candidate.passage).is_some()) {
            let Statement { text, citations } = self.quote(ranking.corpus, passage);
            let by = due(passage).map(|day| day.to_string());
            self.content.indicators.push(DatedStatement { text, by, citations });
        }
    }

    /// The best passages of a kind that are about the question, not quoted yet and not alike.
    fn entries(&self, ranking: &Ranking<'_>, ranked: &[Candidate], is_wanted: &dyn Fn(&Candidate) -> bool) -> Vec<usize> {
        let limits = &ranking.rules.limits;
        let mut entries: Vec<usize> = vec![];
        for candidate in ranked {
            let alike = |other: &usize| ranking.corpus.overlap(candidate.passage, *other) > limits.scores.same;
            if entries.len() < limits.brief.entries
                && candidate.coverage >= limits.brief.entry_coverage
                && is_wanted(candidate)
                && !self.cited.passages().iter().chain(&entries).any(alike)
            {
                entries.push(candidate.passage);
            }
        }
        entries
    }
}

/// A quotation with its source: `“…” (Reuters, 2019-11-19) [1]`.
fn cite(passage: &Passage, source: &Source, marker: Marker) -> String {
    let quote = one_line(&passage.quote);
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
        let ranking = Ranking::new(&question, &corpus, rules);
        let brief = write(&ranking, &ranking.closely(ranking.by_words(), None));
        let cited = brief.cited.passages().iter().map(|passage| corpus.passages[*passage].quote.clone()).collect();
        (brief, cited)
    }

    #[test]
    fn the_bottom_line_quotes_what_answers_with_source_and_day() {
        let rules = shipped();
        let (brief, cited) = written(&rules, FERRY, "Why did the ferry Aurelia sink?");
        let quoted = "\u{201c}The ferry sank because its bow door had been left open, investigators found.\u{201d} (Port Gazette, 2031-05-02)";
        assert!(brief.content.bottom_line.contains(quoted), "{}", brief.content.bottom_line);
        assert!(cited.iter().all(|quote| FERRY.iter().any(|(_, _, lines)| lines.contains(&quote.as_str()))));
    }

    #[test]
    fn two_figures_for_one_thing_stand_side_by_side() {
        let rules = shipped();
        let (brief, _) = written(&rules, FERRY, "How many sailors drowned on the Aurelia?");
        let [contradiction] = &brief.content.contradictions[..] else { panic!("{:?}", brief.content.contradictions) };
        assert!(contradiction.text.contains("Fourteen") && contradiction.text.contains("Nineteen"), "{contradiction:?}");
    }

    #[test]
    fn what_is_not_known_and_what_is_announced_have_headings_of_their_own() {
        let rules = shipped();
        let (brief, _) = written(&rules, FERRY, "Was the ferry Aurelia overloaded?");
        let everything = format!("{}{:?}{:?}", brief.content.bottom_line, brief.content.statements, brief.content.gaps);
        assert!(everything.contains("unclear"), "{everything}");
        let due = brief.content.indicators.iter().any(|announced| announced.by.as_deref() == Some("2031-05-20"));
        assert!(due || format!("{}{:?}", brief.content.bottom_line, brief.content.statements).contains("20 May"), "{brief:?}");
    }

    #[test]
    fn a_subject_that_no_document_names_is_not_answered() {
        let rules = shipped();
        let (brief, cited) = written(&rules, FERRY, "How large is the navy of Dorvane?");
        assert_eq!(brief.content.bottom_line, "These documents do not settle it: nothing in them names Dorvane.");
        assert!(cited.is_empty() && brief.content.statements.is_empty());
    }

    #[test]
    fn the_order_of_the_documents_changes_nothing() {
        let rules = shipped();
        let mut papers = FERRY.to_vec();
        let first = written(&rules, &papers, "How many sailors drowned on the Aurelia?");
        papers.reverse();
        let second = written(&rules, &papers, "How many sailors drowned on the Aurelia?");
        assert_eq!((first.0.content.bottom_line, first.1), (second.0.content.bottom_line, second.1));
    }
}
