//! The evidence brief: quotations with their sources, arranged by the shape of the question.

use crate::{
    answers::reported_actors,
    corpus::{Corpus, Passage, Source},
    question::{Asked, Question},
    select::{Candidate, Ranking},
};

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
    pub statements: Vec<Line>,
    pub answers: Vec<Answer>,
    /// Indices of passages.
    pub cited: Vec<usize>,
    /// Whether the documents answer.
    pub is_settled: bool,
}

/// A bottom line has at most so many words.
const BOTTOM_LINE_WORDS: usize = 116;
/// All quotes of a brief have about so many words.
const BRIEF_WORDS: usize = 270;
const STATEMENTS: usize = 6;

/// Writes the brief of a question.
pub fn write(ranking: &Ranking<'_>, ranked: &[Candidate]) -> Brief {
    let Ranking { question, corpus, lexicon, words } = *ranking;
    let mut brief = Brief { title: title(question), ..Brief::default() };
    let Some(best) = ranked.first() else {
        brief.bottom_line = "These documents do not settle it: nothing in them is about the question.".into();
        return brief;
    };
    brief.is_settled = is_settled(question, best);
    let chosen = ranking.diverse(ranked, STATEMENTS);
    let mut used = 0;
    let mut bottom = vec![];
    for (place, candidate) in chosen.iter().enumerate() {
        let count = corpus.readings[candidate.passage].words;
        let quoted = brief.quote(corpus, candidate);
        used += count;
        if place == 0 || (place == 1 && used + 4 * 2 <= BOTTOM_LINE_WORDS) {
            bottom.push(quoted.text);
        } else if used <= BRIEF_WORDS {
            brief.statements.push(quoted);
        } else {
            brief.cited.pop();
        }
    }
    if question.asked == Asked::Actor {
        brief.answers = reported_actors(question, corpus, lexicon, words, ranked, &mut brief.cited);
    }
    let bottom = bottom.join(" ");
    brief.bottom_line = match brief.is_settled {
        true => bottom,
        false => format!("These documents do not settle it. Closest: {bottom}"),
    };
    brief
}

fn is_settled(question: &Question, best: &Candidate) -> bool {
    let _ = question;
    best.coverage >= 0.5
}

impl Brief {
    fn quote(&mut self, corpus: &Corpus, candidate: &Candidate) -> Line {
        let passage = &corpus.passages[candidate.passage];
        self.cited.push(candidate.passage);
        let marker = self.cited.len() as u32;
        Line { text: cite(passage, &corpus.sources[passage.source], marker), markers: vec![marker] }
    }
}

/// A quote on one line, without the quotation marks at its ends.
fn plain_quote(quote: &str) -> String {
    let quote = quote.split_whitespace().collect::<Vec<_>>().join(" ");
    quote.trim_matches(['"', '\u{201c}', '\u{201d}']).to_owned()
}

/// A quotation with its source: `“…” (Reuters, 2019-11-19) [1]`.
fn cite(passage: &Passage, source: &Source, marker: u32) -> String {
    let quote = plain_quote(&passage.quote);
    let named = [source.outlet.as_deref(), source.published.as_deref()];
    let named: Vec<&str> = named.into_iter().flatten().collect();
    match named.is_empty() {
        true => format!("\u{201c}{quote}\u{201d} [{marker}]"),
        false => format!("\u{201c}{quote}\u{201d} ({}) [{marker}]", named.join(", ")),
    }
}

fn title(question: &Question) -> String {
    question.text.trim_end_matches('?').to_owned()
}
