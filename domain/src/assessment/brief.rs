//! The evidence brief: quotations that rules have selected. It states what sources say, and judges nothing.

use super::{Body, Gap, Hypothesis, Impact, Indicator, Judgement, Marker, Resolution, lenient, markers_beside};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The line under the bottom line of every evidence brief.
pub const DISCLOSURE: &str =
    "Built-in evidence brief: quotations selected by rules, no language model. Add a model to get an assessment.";

crate::words! {
    /// Kind of a product.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum AssessmentKind {
        /// A language model's judgements, with likelihoods and confidence.
        #[default]
        Assessment = "assessment",
        /// The built-in provider's quotations, without any.
        EvidenceBrief = "evidence_brief",
    }
}

impl AssessmentKind {
    pub const fn is_assessment(&self) -> bool {
        matches!(self, Self::Assessment)
    }

    /// The name that readers see.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Assessment => "assessment",
            Self::EvidenceBrief => "evidence brief",
        }
    }

    /// The sentence that says how it was made; none for an assessment.
    pub const fn disclosure(self) -> Option<&'static str> {
        match self {
            Self::Assessment => None,
            Self::EvidenceBrief => Some(DISCLOSURE),
        }
    }
}

/// A statement of sources, with the citations that make it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Statement {
    pub text: String,
    #[serde(deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

/// An answer to the question that sources give, with those that report and those that deny it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReportedAnswer {
    pub statement: String,
    #[serde(deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub reported_by: Vec<Marker>,
    #[serde(default, deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub denied_by: Vec<Marker>,
}

/// Something that sources announce, with its day where they name one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DatedStatement {
    pub text: String,
    /// `YYYY-MM-DD`.
    #[serde(default, deserialize_with = "lenient::last_day")]
    pub by: Option<String>,
    #[serde(deserialize_with = "lenient::markers")]
    #[schemars(schema_with = "lenient::markers_schema")]
    pub citations: Vec<Marker>,
}

/// What the author of a brief hands in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceBrief {
    pub title: String,
    /// Markdown with `[n]` markers: the quotes that are closest to the question, or that no passage is about it.
    pub bottom_line: String,
    #[serde(default)]
    pub statements: Vec<Statement>,
    /// Markdown with `[n]` markers; may be empty.
    #[serde(default)]
    pub analysis: String,
    /// Rival answers in order of support.
    #[serde(default)]
    pub answers: Vec<ReportedAnswer>,
    #[serde(default)]
    pub indicators: Vec<DatedStatement>,
    #[serde(default)]
    pub gaps: Vec<Statement>,
    #[serde(default)]
    pub impacts: Vec<Statement>,
    #[serde(default)]
    pub contradictions: Vec<Statement>,
}

impl From<EvidenceBrief> for Body {
    fn from(brief: EvidenceBrief) -> Self {
        let EvidenceBrief { title, bottom_line, statements, analysis, answers, indicators, gaps, impacts, contradictions } =
            brief;
        Self {
            title,
            bottom_line,
            key_judgements: (1..).zip(statements).map(|(number, statement)| to_judgement(number, statement)).collect(),
            analysis,
            hypotheses: (1..).zip(answers).map(|(number, answer)| to_hypothesis(number, answer)).collect(),
            indicators: (1..).zip(indicators).map(|(number, statement)| to_indicator(number, statement)).collect(),
            gaps: gaps.into_iter().map(to_gap).collect(),
            impacts: impacts.into_iter().map(to_impact).collect(),
            contradictions,
            ..Self::default()
        }
    }
}

fn to_judgement(number: usize, Statement { text, citations }: Statement) -> Judgement {
    Judgement { id: format!("J{number}"), statement: text, citations, ..Judgement::default() }
}

fn to_hypothesis(number: usize, answer: ReportedAnswer) -> Hypothesis {
    Hypothesis {
        id: format!("H{number}"),
        statement: answer.statement,
        supporting: answer.reported_by,
        against: answer.denied_by,
        ..Hypothesis::default()
    }
}

fn to_indicator(number: usize, DatedStatement { text, by, citations }: DatedStatement) -> Indicator {
    let resolution = Resolution { by, ..Resolution::default() };
    Indicator { id: format!("I{number}"), text: with_markers(text, &citations), resolution, ..Indicator::default() }
}

fn to_gap(Statement { text, citations }: Statement) -> Gap {
    Gap { text: with_markers(text, &citations), ..Gap::default() }
}

fn to_impact(Statement { text, citations }: Statement) -> Impact {
    Impact { effect: text, citations, ..Impact::default() }
}

/// The text with a marker for each citation; those that it lacks stand at its end.
fn with_markers(text: String, citations: &[Marker]) -> String {
    let missing: String = markers_beside(&text, citations).iter().map(|marker| format!("[{marker}]")).collect();
    if missing.is_empty() { text } else { format!("{text} {missing}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_and_an_indicator_carry_each_citation_once() {
        let cases = [("It is open [2].", vec![2], "It is open [2]."), ("It is open.", vec![1, 2], "It is open. [1][2]")];
        for (text, citations, expected) in cases {
            assert_eq!(with_markers(text.into(), &citations), expected);
        }
    }
}
