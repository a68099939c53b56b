//! Checks on the form of an assessment, after the analytic standards of ICD 203. They judge wording and
//! evidence, never content.
//!
//! Invariant: a finding refuses nothing. Its author may have good reasons; readers see what remains.

mod citations;
mod evidence;
mod outlook;
mod page;
mod wording;
mod words;

#[cfg(test)]
mod tests;

pub use outlook::due_items;

use self::words::CheckWords;
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
    /// Ids of those that had nothing to look at. They are neither passed nor failed.
    #[serde(default)]
    pub nothing_to_check: Vec<String>,
    pub findings: Vec<Finding>,
    /// Notes of checks that passed.
    #[serde(default)]
    pub remarks: Vec<Finding>,
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

/// Result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckOutcome {
    Passed,
    Failed,
    /// The assessment has nothing that the check looks at.
    NothingToCheck,
}

impl Checks {
    /// Returns the result of a check.
    pub fn outcome(&self, check: &str) -> CheckOutcome {
        if self.findings.iter().any(|finding| finding.check == check) {
            CheckOutcome::Failed
        } else if self.nothing_to_check.iter().any(|id| id == check) {
            CheckOutcome::NothingToCheck
        } else {
            CheckOutcome::Passed
        }
    }

    /// Returns the counts in words: `13 of 15 checks passed`, `11 of 13 checks passed, 2 had nothing to check`.
    pub fn score(&self) -> String {
        let count = |outcome| self.run.iter().filter(|check| self.outcome(check) == outcome).count();
        let empty = count(CheckOutcome::NothingToCheck);
        let score = format!("{} of {} checks passed", count(CheckOutcome::Passed), self.run.len() - empty);
        if empty == 0 { score } else { format!("{score}, {empty} had nothing to check") }
    }
}

/// Maximum age in days of the newest cited publication for a question about the present.
const PRESENT_DAYS: i64 = 180;

/// Input of the checks.
#[derive(Debug, Clone, Copy)]
pub struct CheckContext<'a> {
    pub question: &'a str,
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
    /// Whether there is anything to look at.
    applies: fn(&CheckContext<'_>) -> bool,
    rule: CheckRule,
}

/// The function of a check.
enum CheckRule {
    Form(fn(&CheckContext<'_>) -> Vec<Issue>),
    /// Reads words, so it applies only to reports in a language that has lists of them.
    Wording(fn(&CheckContext<'_>, &CheckWords) -> Vec<Issue>),
}

impl Check {
    fn has_nothing_to_check(&self, context: &CheckContext<'_>, language: Option<&CheckWords>) -> bool {
        let lacks_words = matches!(self.rule, CheckRule::Wording(_)) && language.is_none();
        lacks_words || !(self.applies)(context)
    }

    fn issues(&self, context: &CheckContext<'_>, language: Option<&CheckWords>) -> Vec<Issue> {
        match self.rule {
            CheckRule::Form(find) => find(context),
            CheckRule::Wording(find) => language.map_or_else(Vec::new, |language| find(context, language)),
        }
    }
}

const fn check(
    id: &'static str,
    title: &'static str,
    applies: fn(&CheckContext<'_>) -> bool,
    find: fn(&CheckContext<'_>) -> Vec<Issue>,
) -> Check {
    Check { id, title, applies, rule: CheckRule::Form(find) }
}

const fn wording_check(
    id: &'static str,
    title: &'static str,
    applies: fn(&CheckContext<'_>) -> bool,
    find: fn(&CheckContext<'_>, &CheckWords) -> Vec<Issue>,
) -> Check {
    Check { id, title, applies, rule: CheckRule::Wording(find) }
}

const fn always(_: &CheckContext<'_>) -> bool {
    true
}

const fn has_judgements(context: &CheckContext<'_>) -> bool {
    !context.body.key_judgements.is_empty()
}

const fn has_indicators(context: &CheckContext<'_>) -> bool {
    !context.body.indicators.is_empty()
}

/// Every check, in the order in which readers see them.
pub const CHECKS: [Check; 22] = [
    wording_check("likelihood_words", "Likelihood words match the figures", always, wording::likelihood_words),
    wording_check(
        "likelihood_and_confidence",
        "Likelihood and confidence stand in sentences of their own",
        always,
        wording::mixed_sentences,
    ),
    check("judgements_cited", "Every judgement is cited", has_judgements, evidence::judgements_cited),
    wording_check(
        "single_origin",
        "A judgement on one origin or one document says so",
        has_judgements,
        evidence::single_origin,
    ),
    check(
        "citations_fit",
        "Sentences share words with the claims that they cite",
        citations::has_comparable_sentences,
        citations::citations_fit,
    ),
    check(
        "judgement_sums",
        "A judgement has the figure of the answers that it rests on",
        |context| evidence::has_sums(context.body),
        evidence::judgement_sums,
    ),
    check("alternatives", "Each question has rival answers and \"none of these\"", always, evidence::alternatives),
    check("reasoning_given", "Each answer has reasoning of its own", always, evidence::reasoning_given),
    check("matrix_diagnostic", "The matrix has rows, and each tells answers apart", always, evidence::matrix_diagnostic),
    check(
        "argument_cited",
        "Reasons, objection, actors, events and ranges are cited",
        |context| evidence::has_argument(context.body),
        evidence::argument_cited,
    ),
    check("causes_cited", "Every cause is cited", |context| !context.body.causes.is_empty(), evidence::causes_cited),
    check("impacts_cited", "Every effect is cited", |context| !context.body.impacts.is_empty(), evidence::impacts_cited),
    check(
        "assumptions_named",
        "Assumptions are named, with what follows if they are wrong",
        always,
        outlook::assumptions_named,
    ),
    check(
        "gaps_have_effect",
        "Gaps are named, with what each changes and how it can be closed",
        always,
        outlook::gaps_have_effect,
    ),
    check("indicators_observable", "Each indicator can be observed", has_indicators, outlook::indicators_observable),
    check("indicators_dated", "Indicators are named, and have days", always, outlook::indicators_dated),
    check(
        "indicators_ahead",
        "Days of indicators lie ahead",
        |context| outlook::has_days(context.body),
        outlook::indicators_ahead,
    ),
    check(
        "conditionals_agree",
        "Indicators and scenarios agree with the probabilities of today",
        |context| outlook::has_conditionals(context.body),
        outlook::conditionals_agree,
    ),
    check("indicators_linked", "Each indicator bears on a judgement or hypothesis", has_indicators, outlook::indicators_linked),
    check(
        "change_explained",
        "What changed since the previous assessment is explained",
        |context| context.earlier.is_some() || context.body.change.is_some(),
        outlook::change_explained,
    ),
    check(
        "earlier_items_settled",
        "What came due since the previous assessment is settled",
        |context| context.body.change.is_some(),
        outlook::earlier_items_settled,
    ),
    check("first_page_fits", "The first page has no more words than it can show", always, page::first_page_fits),
];

/// Runs every check.
pub fn run(context: &CheckContext<'_>) -> Checks {
    let language = CheckWords::of_report(context.body);
    let empty = CHECKS.iter().filter(|check| check.has_nothing_to_check(context, language));
    Checks {
        findings: findings_in(context, language),
        run: CHECKS.iter().map(|check| check.id.to_owned()).collect(),
        nothing_to_check: empty.map(|check| check.id.to_owned()).collect(),
        remarks: in_order("citations_fit", citations::few_unfit(context)),
    }
}

/// Returns the findings of every check.
pub fn findings(context: &CheckContext<'_>) -> Vec<Finding> {
    findings_in(context, CheckWords::of_report(context.body))
}

fn findings_in(context: &CheckContext<'_>, language: Option<&CheckWords>) -> Vec<Finding> {
    CHECKS.iter().flat_map(|check| in_order(check.id, check.issues(context, language))).collect()
}

/// Returns the issues of a check as findings, by place, each once.
fn in_order(id: &str, issues: Vec<Issue>) -> Vec<Finding> {
    let issues: BTreeSet<Issue> = issues.into_iter().collect();
    issues.into_iter().map(|(at, text)| Finding { check: id.to_owned(), at, text }).collect()
}

/// Returns the title of a check, or the id itself for a check that no longer exists.
pub fn title(id: &str) -> &str {
    CHECKS.iter().find(|check| check.id == id).map_or(id, |check| check.title)
}
