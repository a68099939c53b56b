//! Answers of a question over its versions.

use super::{
    hypothesis_shares,
    pairs::{Phrase, Terms, partners},
    share_in,
};
use crate::assessment::Body;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An answer over the versions of a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerLine {
    /// Its words in the latest version that has it.
    pub statement: String,
    pub is_none: bool,
    /// Its share in each version, 0 to 1; none where a version lacks it.
    pub probabilities: Vec<Option<f64>>,
}

/// Follows each answer through the versions of a question, oldest first. An answer that was dropped and comes back goes on.
pub fn answer_lines(versions: &[&Body], terms: Terms) -> Vec<AnswerLine> {
    let mut lines: Vec<AnswerLine> = vec![];
    let mut known: Vec<Phrase> = vec![];
    for (version, body) in versions.iter().enumerate() {
        let phrases = Phrase::hypotheses(body, terms);
        let shares = hypothesis_shares(body);
        let mut added: BTreeSet<usize> = (0..phrases.len()).collect();
        for (n, partner) in partners(&known, &phrases).into_iter().enumerate() {
            let line = &mut lines[n];
            let Some(m) = partner else {
                line.probabilities.push(None);
                continue;
            };
            added.remove(&m);
            known[n] = phrases[m].clone();
            line.statement.clone_from(&body.hypotheses[m].statement);
            line.probabilities.push(share_in(&shares, Some(&body.hypotheses[m])));
        }
        for m in added {
            let one = &body.hypotheses[m];
            let mut probabilities = vec![None; version];
            probabilities.push(share_in(&shares, Some(one)));
            known.push(phrases[m].clone());
            lines.push(AnswerLine { statement: one.statement.clone(), is_none: one.is_none, probabilities });
        }
    }
    lines
}
