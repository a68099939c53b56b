//! Checks on the form of an assessment, after the analytic standards of ICD 203. They judge wording and
//! evidence, never content.
//!
//! Invariant: a finding refuses nothing. Its author may have good reasons; readers see what remains.

mod evidence;
mod outlook;
mod wording;

#[cfg(test)]
mod tests;

pub use outlook::due_items;

use super::{Assessment, Body, Citation};
use crate::AssessmentId;
use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The checks that were made, and what they found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Checks {
    /// Ids of the checks.
    pub run: Vec<String>,
    pub findings: Vec<Finding>,
}

/// A fault that a check found at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Id of the check.
    pub check: String,
    /// Where, as a path in the JSON (`indicators[1].resolution.by`).
    pub at: String,
    pub text: String,
}

impl Checks {
    /// Whether a check found nothing.
    pub fn is_passed(&self, check: &str) -> bool {
        !self.findings.iter().any(|finding| finding.check == check)
    }

    /// `13 of 15 checks passed`.
    pub fn score(&self) -> String {
        let passed = self.run.iter().filter(|check| self.is_passed(check)).count();
        format!("{passed} of {} checks passed", self.run.len())
    }
}

/// Maximum age in days of the newest cited publication for a question about the present.
const PRESENT_DAYS: i64 = 180;

/// Input of the checks.
#[derive(Debug, Clone, Copy)]
pub struct CheckContext<'a> {
    pub body: &'a Body,
    pub citations: &'a [Citation],
    /// The assessment that `change` names, else the one that this continues.
    pub previous: Option<&'a Assessment>,
    /// The latest earlier assessment of the thread, or of the same question.
    pub earlier: Option<AssessmentId>,
    pub today: NaiveDate,
}

impl CheckContext<'_> {
    /// Returns the day from which indicators can be watched: today, or the newest publication where all evidence is old.
    fn watched_from(&self) -> NaiveDate {
        let published = self.citations.iter().filter_map(|citation| citation.published_at);
        let newest = published.map(|published| published.value.to_datetime().date_naive()).max();
        newest.filter(|newest| (self.today - *newest).num_days() > PRESENT_DAYS).unwrap_or(self.today)
    }
}

/// Path in the JSON, and the fault there.
type Issue = (String, String);

/// One check.
pub struct Check {
    pub id: &'static str,
    /// The rule that holds where the check finds nothing.
    pub title: &'static str,
    find: fn(&CheckContext<'_>) -> Vec<Issue>,
}

const fn check(id: &'static str, title: &'static str, find: fn(&CheckContext<'_>) -> Vec<Issue>) -> Check {
    Check { id, title, find }
}

/// Every check, in the order in which readers see them.
pub const CHECKS: [Check; 15] = [
    check("likelihood_words", "Likelihood words match the figures", wording::likelihood_words),
    check("likelihood_and_confidence", "Likelihood and confidence stand in sentences of their own", wording::mixed_sentences),
    check("judgements_cited", "Every judgement is cited", evidence::judgements_cited),
    check("single_origin", "A judgement on one second-hand origin says so", evidence::single_origin),
    check("alternatives", "Each question has rival answers and \"none of these\"", evidence::alternatives),
    check("matrix_diagnostic", "Each row of the matrix tells hypotheses apart", evidence::matrix_diagnostic),
    check("causes_cited", "Every cause is cited", evidence::causes_cited),
    check("assumptions_named", "Assumptions are named, with what follows if they are wrong", outlook::assumptions_named),
    check("gaps_have_effect", "Each gap says what it changes and how it can be closed", outlook::gaps_have_effect),
    check("indicators_observable", "Each indicator can be observed", outlook::indicators_observable),
    check("indicators_dated", "Indicators have days", outlook::indicators_dated),
    check("indicators_ahead", "Days of indicators lie ahead", outlook::indicators_ahead),
    check("indicators_linked", "Each indicator bears on a judgement or hypothesis", outlook::indicators_linked),
    check("change_explained", "What changed since the previous assessment is explained", outlook::change_explained),
    check("earlier_items_settled", "What came due since the previous assessment is settled", outlook::earlier_items_settled),
];

/// Runs every check.
pub fn run(context: &CheckContext<'_>) -> Checks {
    let findings = CHECKS.iter().flat_map(|check| {
        let issues: BTreeSet<Issue> = (check.find)(context).into_iter().collect();
        issues.into_iter().map(|(at, text)| Finding { check: check.id.to_owned(), at, text })
    });
    Checks { findings: findings.collect(), run: CHECKS.iter().map(|check| check.id.to_owned()).collect() }
}

/// Returns the title of a check, or the id itself for a check that no longer exists.
pub fn title(id: &str) -> &str {
    CHECKS.iter().find(|check| check.id == id).map_or(id, |check| check.title)
}
