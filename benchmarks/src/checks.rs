//! Independent invariant checks on a finished assessment.

use crate::measured_run::MeasuredRun;
use domain::assessment::Citation;
use serde::Serialize;
use serde_json::Value;
use std::ops::RangeInclusive;
use uuid::Uuid;

/// Allowed sum of the probabilities of hypotheses.
const SUM: RangeInclusive<f64> = 0.95..=1.05;

/// Results of the checks.
#[derive(Debug, Serialize)]
pub struct AssessmentChecks {
    citations: usize,
    /// Markers of quotes that are not at their span of the stored text.
    misquoted: Vec<u32>,
    hypotheses: usize,
    /// Null for an evidence brief, which has no probabilities.
    sum_of_probabilities: Option<f64>,
    /// First line that differs between the two runs, apart from ids.
    difference: Option<String>,
}

impl AssessmentChecks {
    /// Checks the first run, and compares it with the second.
    pub fn compare(one: &MeasuredRun, other: &MeasuredRun) -> serde_json::Result<Self> {
        let assessment = &one.stored.assessment;
        let stands = |citation: &&Citation| {
            let text = one.texts.get(&citation.document_id).map_or("", String::as_str);
            let span = citation.span.start as usize..citation.span.end as usize;
            text.get(span) != Some(citation.quote.as_str())
        };
        let (left, right) = (without_ids(one)?, without_ids(other)?);
        let difference = left.lines().zip(right.lines()).find(|(left, right)| left != right);
        let difference = difference.map(|(left, right)| format!("{} / {}", left.trim(), right.trim()));
        let longer = (left.lines().count() != right.lines().count()).then(|| "one has more lines".to_owned());
        Ok(Self {
            citations: assessment.citations.len(),
            misquoted: assessment.citations.iter().filter(stands).map(|citation| citation.marker).collect(),
            hypotheses: assessment.body.hypotheses.len(),
            sum_of_probabilities: assessment.body.hypotheses.iter().map(|hypothesis| hypothesis.probability).sum(),
            difference: difference.or(longer),
        })
    }

    pub fn is_well(&self) -> bool {
        let sums = self.hypotheses == 0 || self.sum_of_probabilities.is_none_or(|sum| SUM.contains(&sum));
        self.misquoted.is_empty() && self.difference.is_none() && sums
    }

    pub fn to_text(&self) -> String {
        let quotes = match self.misquoted.len() {
            0 => "every quote is at its span".to_owned(),
            wrong => format!("{wrong} quotes are not at their spans"),
        };
        let sameness = match &self.difference {
            None => "identical with one worker and with four in reverse file order".to_owned(),
            Some(line) => format!("differs with four workers in reverse file order: {line}"),
        };
        let sum = self.sum_of_probabilities.map(|sum| format!(", probabilities sum to {sum:.2}")).unwrap_or_default();
        format!("{} citations: {quotes}\n{} hypotheses{sum}\nassessment: {sameness}\n", self.citations, self.hypotheses)
    }
}

/// Returns the assessment as JSON with ids and creation time blanked.
fn without_ids(measured_run: &MeasuredRun) -> serde_json::Result<String> {
    fn blank(value: &mut Value) {
        match value {
            Value::String(text) if Uuid::parse_str(text).is_ok() => *text = "id".to_owned(),
            Value::Array(items) => items.iter_mut().for_each(blank),
            Value::Object(fields) => fields.values_mut().for_each(blank),
            _ => {}
        }
    }
    let mut value: Value = serde_json::to_value(&measured_run.stored.assessment)?;
    blank(&mut value);
    value["created_at"] = Value::Null;
    serde_json::to_string_pretty(&value)
}
