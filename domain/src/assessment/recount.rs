//! Recount of an assessment without some of its citations: what the program counts and checks, before and after.
//!
//! Invariant: no probability is computed here. Probabilities are judgements of the author, who saw all the evidence.

use super::{
    Assessment, Citation, Finding, Hypothesis, Judgement, Marker, Rating,
    checks::{self, CheckContext},
    markers_in,
};
use std::collections::BTreeSet;

/// Figures of an assessment with all citations and without the excluded ones.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recount {
    pub answers: Vec<AnswerRecount>,
    pub judgements: Vec<JudgementRecount>,
    pub sources: BeforeAfter<SourceCount>,
    /// Findings of the checks that only the reduced assessment has.
    pub findings: Vec<Finding>,
}

/// A figure before and after.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BeforeAfter<T> {
    pub before: T,
    pub after: T,
}

impl<T: PartialEq> BeforeAfter<T> {
    pub fn is_changed(&self) -> bool {
        self.before != self.after
    }
}

/// Evidence of one hypothesis.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerRecount {
    pub id: String,
    pub statement: String,
    /// Its share with all the evidence, in whole percent, from the author's probabilities.
    pub share: Option<u32>,
    pub supporting: BeforeAfter<Evidence>,
    pub against: BeforeAfter<Evidence>,
    /// Rows of the matrix that the author rated inconsistent or very inconsistent with it.
    pub inconsistent: BeforeAfter<usize>,
}

/// Evidence of one judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgementRecount {
    pub id: String,
    pub statement: String,
    pub evidence: BeforeAfter<Evidence>,
}

/// Number of citations, and of the independent texts that they stand in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evidence {
    pub citations: usize,
    pub origins: usize,
}

impl Evidence {
    pub fn of_citations<'a>(citations: impl IntoIterator<Item = &'a Citation>) -> Self {
        let count = SourceCount::of_citations(citations);
        Self { citations: count.citations as usize, origins: count.origins as usize }
    }
}

impl Judgement {
    /// Returns what is cited for it, beside its statement or in it.
    pub fn cited(&self) -> BTreeSet<Marker> {
        self.citations.iter().copied().chain(markers_in(&self.statement)).collect()
    }
}

/// Number of cited documents and of their independent texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SourceCount {
    pub documents: u64,
    pub origins: u64,
    pub citations: u64,
}

impl SourceCount {
    pub fn of_citations<'a>(citations: impl IntoIterator<Item = &'a Citation>) -> Self {
        let (mut documents, mut origins, mut count) = (BTreeSet::new(), BTreeSet::new(), 0);
        for citation in citations {
            documents.insert(citation.document_id);
            origins.insert(citation.origin_key());
            count += 1;
        }
        Self { documents: documents.len() as u64, origins: origins.len() as u64, citations: count }
    }
}

impl Recount {
    /// Counts an assessment as it is and without `excluded`, by the same rules.
    pub fn new(assessment: &Assessment, excluded: &BTreeSet<Marker>) -> Self {
        let (reduced, shares) = (without(assessment, excluded), assessment.body.shares());
        let answers = assessment.body.hypotheses.iter().zip(&reduced.body.hypotheses).map(|(before, after)| AnswerRecount {
            id: before.id.clone(),
            statement: before.statement.clone(),
            share: shares.get(before.id.as_str()).copied(),
            supporting: both(assessment, &reduced, &before.supporting, &after.supporting),
            against: both(assessment, &reduced, &before.against, &after.against),
            inconsistent: BeforeAfter { before: inconsistent(assessment, before), after: inconsistent(&reduced, after) },
        });
        let judgements = assessment.body.key_judgements.iter().map(|judgement| {
            let cited = judgement.cited();
            let left: Vec<Marker> = cited.difference(excluded).copied().collect();
            JudgementRecount {
                id: judgement.id.clone(),
                statement: judgement.statement.clone(),
                evidence: both(assessment, &reduced, &Vec::from_iter(cited), &left),
            }
        });
        let (before, after) = (findings(assessment), findings(&reduced));
        Self {
            answers: answers.collect(),
            judgements: judgements.collect(),
            sources: BeforeAfter {
                before: SourceCount::of_citations(&assessment.citations),
                after: SourceCount::of_citations(&reduced.citations),
            },
            findings: after.into_iter().filter(|finding| is_of_text(finding) && !before.contains(finding)).collect(),
        }
    }
}

/// The assessment without some of its citations; its texts and numbers stay as the author wrote them.
fn without(assessment: &Assessment, excluded: &BTreeSet<Marker>) -> Assessment {
    let mut reduced = assessment.clone();
    let kept = |marker: &Marker| !excluded.contains(marker);
    reduced.citations.retain(|citation| kept(&citation.marker));
    reduced.body.evidence_matrix.retain(|row| kept(&row.citation));
    for judgement in &mut reduced.body.key_judgements {
        judgement.citations.retain(kept);
    }
    for hypothesis in &mut reduced.body.hypotheses {
        hypothesis.supporting.retain(kept);
        hypothesis.against.retain(kept);
    }
    for cause in &mut reduced.body.causes {
        cause.citations.retain(kept);
    }
    reduced
}

fn both(all: &Assessment, reduced: &Assessment, before: &[Marker], after: &[Marker]) -> BeforeAfter<Evidence> {
    BeforeAfter { before: evidence(all, before), after: evidence(reduced, after) }
}

fn evidence(assessment: &Assessment, markers: &[Marker]) -> Evidence {
    Evidence::of_citations(assessment.citations.iter().filter(|citation| markers.contains(&citation.marker)))
}

fn inconsistent(assessment: &Assessment, hypothesis: &Hypothesis) -> usize {
    let ratings = assessment.body.evidence_matrix.iter().filter_map(|row| row.ratings.get(&hypothesis.id));
    ratings.filter(|rating| is_against(**rating)).count()
}

/// Whether a row of the matrix counts as evidence against an answer.
pub(super) fn is_against(rating: Rating) -> bool {
    matches!(rating, Rating::I | Rating::II)
}

/// Whether a finding is on what the author wrote: its place is the same after rows of the matrix have gone, and it does not count the
/// words of the page, which names other sources then.
fn is_of_text(finding: &Finding) -> bool {
    !finding.at.starts_with("evidence_matrix") && finding.check != "first_page_fits"
}

/// Runs the checks that the assessment was checked with; none where it was not.
fn findings(assessment: &Assessment) -> Vec<Finding> {
    let (Some(_), Some(at)) = (&assessment.checks, assessment.created_at) else { return vec![] };
    let today = at.to_datetime().date_naive();
    let context = CheckContext {
        question: &assessment.question,
        body: &assessment.body,
        citations: &assessment.citations,
        previous: None,
        earlier: None,
        today,
    };
    checks::findings(&context)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete() -> Assessment {
        serde_json::from_str(include_str!("tests/complete.json")).unwrap()
    }

    #[test]
    fn a_page_that_was_too_long_is_no_finding_of_an_exclusion() {
        let mut assessment = complete();
        assessment.body.bottom_line = "word ".repeat(500) + "[1][2]";
        let recount = Recount::new(&assessment, &BTreeSet::from([2]));
        assert!(recount.findings.iter().all(|finding| finding.check != "first_page_fits"), "{:?}", recount.findings);
    }

    #[test]
    fn nothing_excluded_changes_nothing() {
        let recount = Recount::new(&complete(), &BTreeSet::new());
        assert!(recount.answers.iter().all(|answer| !answer.supporting.is_changed() && !answer.inconsistent.is_changed()));
        assert!(recount.findings.is_empty() && !recount.sources.is_changed());
    }

    #[test]
    fn an_excluded_citation_counts_nowhere_and_probabilities_stay() {
        let assessment = complete();
        let hypothesis = assessment.body.hypotheses.iter().find(|one| !one.supporting.is_empty()).unwrap();
        let excluded = BTreeSet::from([hypothesis.supporting[0]]);
        let recount = Recount::new(&assessment, &excluded);
        let answer = recount.answers.iter().find(|answer| answer.id == hypothesis.id).unwrap();
        assert_eq!(answer.supporting.after.citations + 1, answer.supporting.before.citations);
        assert_eq!(recount.sources.after.citations + 1, recount.sources.before.citations);
        assert_eq!(answer.share, assessment.body.shares().get(hypothesis.id.as_str()).copied());
    }

    #[test]
    fn a_judgement_that_loses_all_evidence_is_found() {
        let mut assessment = complete();
        assessment.checks.get_or_insert_default();
        assessment.created_at = crate::Timestamp::parse("2031-05-06T08:00:00Z");
        let recount = Recount::new(&assessment, &assessment.markers());
        assert!(recount.judgements.iter().all(|one| one.evidence.after == Evidence::default()));
        assert!(recount.findings.iter().any(|finding| finding.check == "judgements_cited"), "{:?}", recount.findings);
    }
}
