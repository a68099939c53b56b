//! A comparison in figures, and in a sentence.

use super::{Comparison, HypothesisChange, HypothesisPair, LeaderChange, Terms, hypothesis_pairs, hypothesis_shares, share_in};
use crate::assessment::{
    Assessment, as_clause,
    basis::{listed, plural},
};
use serde::{Deserialize, Serialize};

/// Points from which the move of an answer is a change of belief.
pub const NOTABLE_POINTS: i32 = 15;

/// Change of belief in figures. It has no words of either assessment, so that people see it who may read one of them only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BeliefChange {
    /// Whether another answer leads.
    pub is_other_leader: bool,
    /// Points by which the leading answer moved; none where the earlier version lacks it.
    pub leader_points: Option<i32>,
    /// The largest move of an answer that both have, in points.
    pub largest_points: i32,
    pub new_hypotheses: usize,
    /// Hypotheses that were dropped without mention.
    pub lost_hypotheses: usize,
    /// Gaps that were dropped without mention.
    pub lost_gaps: usize,
    /// Citations that were dropped without mention.
    pub lost_citations: usize,
    /// Hypotheses that a follow-up in other words has in common with what it follows, the only ones compared. None for versions of one
    /// question.
    pub common_hypotheses: Option<usize>,
}

impl BeliefChange {
    /// Compares a follow-up in other words with what it follows. Only hypotheses that both have with a share are compared: the others
    /// answer another question, and are neither new nor lost. None where there are none in common.
    pub fn of_follow_up(earlier: &Assessment, later: &Assessment, terms: Terms) -> Option<Self> {
        let pairs = hypothesis_pairs(&earlier.body, &later.body, terms);
        let (before, after) = (hypothesis_shares(&earlier.body), hypothesis_shares(&later.body));
        let points = |(one, other): &HypothesisPair<'_>| {
            let (one, other) = ((*one).filter(|one| !one.is_none)?, (*other)?);
            let (from, to) = (share_in(&before, Some(one))?, share_in(&after, Some(other))?);
            Some(((to - from) * 100.0).round() as i32)
        };
        let moves: Vec<i32> = pairs.iter().filter_map(points).collect();
        let largest_points = moves.iter().copied().max_by_key(|points| points.abs())?;
        Some(Self { largest_points, common_hypotheses: Some(moves.len()), ..Self::default() })
    }

    /// Whether people who follow the question should know: another answer leads, one moved by [`NOTABLE_POINTS`], or a hypothesis or
    /// gap got lost. Other citations alone are usual.
    pub const fn is_notable(&self) -> bool {
        self.is_other_leader || self.largest_points.abs() >= NOTABLE_POINTS || self.lost_hypotheses > 0 || self.lost_gaps > 0
    }

    /// Returns the change in words: `leading answer +12 points, dropped without mention: 1 hypothesis`.
    pub fn words(&self) -> String {
        if let Some(common) = self.common_hypotheses {
            let common = plural(common, "hypothesis", "hypotheses");
            return format!("{common} in common, largest move {}", point_words(self.largest_points));
        }
        let leader = match (self.is_other_leader, self.leader_points) {
            (true, _) => "another answer leads".to_owned(),
            (false, Some(0)) => "leading answer unchanged".to_owned(),
            (false, Some(points)) => format!("leading answer {}", point_words(points)),
            (false, None) => "no probabilities to compare".to_owned(),
        };
        let new = (self.new_hypotheses > 0).then(|| plural(self.new_hypotheses, "new hypothesis", "new hypotheses"));
        let lost = [
            (self.lost_hypotheses, "hypothesis", "hypotheses"),
            (self.lost_gaps, "gap", "gaps"),
            (self.lost_citations, "citation", "citations"),
        ];
        let lost: Vec<String> =
            lost.into_iter().filter(|(number, ..)| *number > 0).map(|(number, one, many)| plural(number, one, many)).collect();
        let lost = (!lost.is_empty())
            .then(|| format!("dropped without mention: {}", listed(&Vec::from_iter(lost.iter().map(String::as_str)))));
        [Some(leader), new, lost].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl Comparison {
    /// Returns the change in figures.
    pub fn belief_change(&self) -> BeliefChange {
        let moves = self.hypotheses.iter().filter_map(|one| one.change.points());
        BeliefChange {
            is_other_leader: self.leader.as_ref().is_some_and(|leader| leader.is_other),
            leader_points: self.leader.as_ref().and_then(|leader| leader.points),
            largest_points: moves.max_by_key(|points| points.abs()).unwrap_or_default(),
            new_hypotheses: self.hypotheses.iter().filter(|one| one.change.earlier.is_none()).count(),
            lost_hypotheses: self.losses.hypotheses.len(),
            lost_gaps: self.losses.gaps.len(),
            lost_citations: self.losses.citations.len(),
            common_hypotheses: None,
        }
    }

    /// Returns what changed, in sentences with the words of both versions.
    pub fn sentence(&self) -> String {
        let leader = self.leader.as_ref().map(LeaderChange::sentence);
        let leader = leader.unwrap_or_else(|| match (self.citations_added.len(), self.citations_removed.len()) {
            (0, 0) => "Both versions cite the same places.".to_owned(),
            (added, removed) => format!("{} added, and {removed} removed.", plural(added, "citation was", "citations were")),
        });
        let is_far = |one: &&HypothesisChange| one.change.points().is_some_and(|points| points.abs() >= NOTABLE_POINTS);
        let far = self.hypotheses.iter().filter(is_far).count();
        let far =
            (far > 0).then(|| format!("{} by {NOTABLE_POINTS} points or more.", plural(far, "answer moved", "answers moved")));
        [Some(leader), far, self.lost_words().map(|lost| format!("Dropped without mention: {lost}."))]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Returns what got lost: hypotheses and gaps by their words, citations by their number. None where nothing did.
    fn lost_words(&self) -> Option<String> {
        let hypotheses = self.losses.hypotheses.iter();
        let mut lost: Vec<String> = hypotheses.map(|one| format!("the hypothesis “{}”", as_clause(&one.statement))).collect();
        lost.extend(self.losses.gaps.iter().map(|gap| format!("the gap “{}”", as_clause(gap))));
        let citations = self.losses.citations.len();
        lost.extend((citations > 0).then(|| plural(citations, "citation", "citations")));
        (!lost.is_empty()).then(|| listed(&Vec::from_iter(lost.iter().map(String::as_str))))
    }
}

impl LeaderChange {
    fn sentence(&self) -> String {
        let (later, share) = (as_clause(&self.later), self.share);
        let part = self.question.as_ref().map(|question| format!("{question} ")).unwrap_or_default();
        match self.points {
            _ if self.is_other => {
                format!("{part}“{later}” leads now with {share}\u{a0}%; before, it was “{}”.", as_clause(&self.earlier))
            }
            Some(0) | None => format!("{part}“{later}” leads as before with {share}\u{a0}%."),
            Some(points) => {
                let verb = if points > 0 { "rose" } else { "fell" };
                let by = plural(points.unsigned_abs() as usize, "point", "points");
                format!("{part}“{later}” still leads: it {verb} by {by} to {share}\u{a0}%.")
            }
        }
    }
}

/// Returns a move in words: `+12 points`, `−1 point`, `no change`.
pub fn point_words(points: i32) -> String {
    match points {
        0 => "no change".to_owned(),
        _ => {
            let sign = if points > 0 { '+' } else { '−' };
            format!("{sign}{}", plural(points.unsigned_abs() as usize, "point", "points"))
        }
    }
}
