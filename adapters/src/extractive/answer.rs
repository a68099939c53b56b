//! The reasoning of the built-in provider: a question and passages in, competing hypotheses of the kind asked out.
//! Pure functions over what is passed in: no model, no clock, no dependence on the order of arrival.

mod accounts;
mod causes;
mod clauses;
mod contradictions;
mod corpus;
mod figures;
mod lexicon;
mod likeness;
mod names;
mod outcomes;
mod phrase;
mod question;
mod roles;
mod settle;
mod who;
mod words;

#[cfg(test)]
mod actors;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod forecasts;
#[cfg(test)]
mod incidents;
#[cfg(test)]
mod rules;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod speeches;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod weighing;

use corpus::Corpus;
pub use lexicon::{Lexicon, LexiconError};
pub use question::{Kind, Part, Question, Term, analyse_question};

/// How a passage means what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// Said to be so.
    #[default]
    Asserted,
    /// Said not to be so.
    Denied,
    /// Said to be so by others, unproven.
    Alleged,
    /// Undertaken.
    Promised,
    /// Foreseen.
    Forecast,
}

/// One claim's text and where it comes from.
#[derive(Debug, Clone, Copy)]
pub struct Passage<'a> {
    /// The caller's own number for it.
    pub key: u32,
    /// Opaque id of its document.
    pub document: &'a str,
    /// Cluster of documents that repeat one text.
    pub origin: &'a str,
    /// One or few sentences, verbatim.
    pub text: &'a str,
    /// Byte offset in its document.
    pub start: usize,
    /// Who published it.
    pub outlet: Option<&'a str>,
    /// When it was published, as an ISO date.
    pub published: Option<&'a str>,
    /// Whose words it gives.
    pub speaker: Option<&'a str>,
    /// How it means what it says.
    pub mode: Mode,
}

/// One competing answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Hypothesis {
    /// The answer as a plain sentence.
    pub statement: String,
    /// How likely it is, 0 to 1; all of an answer's sum to 1.
    pub probability: f64,
    /// Why it is held to be so likely.
    pub reasoning: String,
    /// Keys of the passages for it, the weightiest first.
    pub supporting: Vec<u32>,
    /// Keys of the passages against it.
    pub against: Vec<u32>,
    /// What it rests on too lightly.
    pub weaknesses: String,
    /// It is "none of these".
    pub none: bool,
}

/// A part of the question that nothing answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// What is missing, as a sentence.
    pub text: String,
    /// What to search for to close it.
    pub query: String,
}

/// What the passages answer to a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The competing answers, the likeliest first, "none of these" last.
    pub hypotheses: Vec<Hypothesis>,
    /// The parts of the question that nothing answers.
    pub gaps: Vec<Gap>,
    /// Keys of passages that contradict each other.
    pub contradictions: Vec<(u32, u32)>,
    /// Keys of the passages that speak of the event, the weightiest first.
    pub relevant: Vec<u32>,
    /// Share of what the question names that the passages cover, 0 to 1.
    pub covered: f64,
}

/// Competing answers of the kind asked, each with its evidence. The order of the passages does not matter.
pub fn hypotheses(question: &Question, passages: &[Passage<'_>], lexicon: &Lexicon) -> Answer {
    let corpus = Corpus::new(question, passages);
    let list = of_kind(question, &corpus, passages, lexicon);
    let relevant = corpus.weightiest(lexicon).iter().map(|&u| corpus.units[u].passage.key).collect();
    let gaps = gaps(question, &list, &corpus, passages, lexicon);
    Answer {
        hypotheses: list,
        gaps,
        contradictions: contradictions::pairs(&corpus, lexicon),
        relevant,
        covered: corpus.covered(),
    }
}

fn of_kind(question: &Question, corpus: &Corpus<'_>, passages: &[Passage<'_>], lexicon: &Lexicon) -> Vec<Hypothesis> {
    let verdict = || (question.kind == Kind::Whether).then(|| outcomes::verdict(question, passages, lexicon)).flatten();
    if let Some(list) = verdict() {
        return list;
    }
    let groups = match question.kind {
        Kind::Who => return who::hypotheses(question, corpus, lexicon),
        Kind::Why => causes::groups(question, corpus, lexicon),
        Kind::Whether => outcomes::groups(question, corpus, lexicon),
        Kind::HowMany => figures::groups(question, corpus, lexicon),
        Kind::When | Kind::Where | Kind::How | Kind::What => accounts::groups(question, corpus, lexicon),
    };
    settle::settle(groups, corpus, lexicon)
}

fn gaps(
    question: &Question,
    list: &[Hypothesis],
    corpus: &Corpus<'_>,
    passages: &[Passage<'_>],
    lexicon: &Lexicon,
) -> Vec<Gap> {
    let mut gaps = Vec::new();
    if !corpus.missing.is_empty() {
        let terms = corpus.missing.join(", ");
        gaps.push(Gap { text: lexicon.say("gap_terms", &[("terms", &terms)]), query: corpus.missing.join(" ") });
    }
    let answers = |list: &[Hypothesis]| list.iter().any(|h| !h.none && h.probability > 0.05 && !h.supporting.is_empty());
    for part in &question.parts {
        let answered = if question.parts.len() == 1 {
            answers(list)
        } else {
            let asked = analyse_question(&part.text, lexicon);
            answers(&of_kind(&asked, &Corpus::new(&asked, passages), passages, lexicon))
        };
        if !answered {
            let query = part.terms.iter().map(|t| t.text.as_str()).collect::<Vec<_>>().join(" ");
            gaps.push(Gap { text: lexicon.say("gap_part", &[("part", &part.text)]), query });
        }
    }
    gaps.dedup();
    gaps
}
