//! Order of the answers to one question by the evidence against them.

use super::plural;
use crate::assessment::{Hypothesis, Marker, MatrixRow, recount};
use std::collections::{BTreeMap, BTreeSet};

/// Evidence against the answers to one question: rows of the matrix that the author rated inconsistent or very inconsistent with
/// each, as a recount shows them. The order holds while the leading answer has fewer than every rival (after Heuer).
pub(super) struct Order<'a> {
    pub lead: &'a str,
    against: BTreeMap<&'a str, usize>,
    /// Answers that the rows of a citation speak against.
    rows: BTreeMap<Marker, Vec<&'a str>>,
}

impl<'a> Order<'a> {
    /// Returns none where the leading answer has no rival.
    pub fn new(lead: &'a Hypothesis, answers: &[&'a Hypothesis], matrix: &'a [MatrixRow]) -> Option<Self> {
        let real = answers.iter().filter(|answer| !answer.is_none);
        let mut against: BTreeMap<&'a str, usize> = real.map(|answer| (answer.id.as_str(), 0)).collect();
        let mut rows: BTreeMap<Marker, Vec<&'a str>> = BTreeMap::new();
        for row in matrix {
            for (id, _) in row.ratings.iter().filter(|(_, rating)| recount::is_against(**rating)) {
                if let Some(count) = against.get_mut(id.as_str()) {
                    *count += 1;
                    rows.entry(row.citation).or_default().push(id.as_str());
                }
            }
        }
        (against.len() > 1).then_some(Self { lead: lead.id.as_str(), against, rows })
    }

    /// The rival with the least evidence against it, where that is no more than there is against the leading answer.
    fn rival(&self, against: &BTreeMap<&'a str, usize>) -> Option<&'a str> {
        let lead = against.get(self.lead).copied().unwrap_or_default();
        let rivals = against.iter().filter(|(id, count)| **id != self.lead && **count <= lead);
        rivals.min_by_key(|(_, count)| **count).map(|(id, _)| *id)
    }

    /// The rival that overtakes the leading answer, or draws level, without some citations; none where it leads by no evidence.
    pub fn rival_without(&self, markers: &BTreeSet<Marker>) -> Option<&'a str> {
        if self.rival(&self.against).is_some() {
            return None;
        }
        let mut against = self.against.clone();
        for id in markers.iter().filter_map(|marker| self.rows.get(marker)).flatten() {
            if let Some(count) = against.get_mut(*id) {
                *count = count.saturating_sub(1);
            }
        }
        self.rival(&against)
    }

    /// The sentence for a matrix that speaks more against the likeliest answer than against a rival.
    pub fn contradiction(&self) -> Option<String> {
        let rival = self.rival(&self.against)?;
        let count = |id: &str| self.against.get(id).copied().unwrap_or_default();
        let (lead, other) = (count(self.lead), count(rival));
        let (name, rows) = (self.lead, plural(lead, "row", "rows"));
        let text =
            format!("{name} is judged likeliest, but the matrix has more against it ({rows}) than against {rival} ({other}).");
        (other < lead).then_some(text)
    }
}
