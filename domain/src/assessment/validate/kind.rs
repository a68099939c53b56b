//! Rules for values that an evidence brief cannot state: an assessment states every one of them, a brief none.

use super::Problems;
use crate::assessment::{Body, Marker, markers_in};

/// The values of `body` that only an assessment states, each with whether it is there.
fn judged_values(body: &Body) -> Vec<(String, bool)> {
    let mut values = vec![("overall_confidence".to_owned(), body.overall_confidence.is_some())];
    for (n, judgement) in body.key_judgements.iter().enumerate() {
        values.push((format!("key_judgements[{n}].likelihood"), judgement.likelihood.is_some()));
        values.push((format!("key_judgements[{n}].confidence"), judgement.confidence.is_some()));
    }
    for (n, hypothesis) in body.hypotheses.iter().enumerate() {
        values.push((format!("hypotheses[{n}].probability"), hypothesis.probability.is_some()));
    }
    for (n, indicator) in body.indicators.iter().enumerate() {
        values.push((format!("indicators[{n}].direction"), indicator.direction.is_some()));
        values.push((format!("indicators[{n}].resolution.question"), indicator.resolution.question.is_some()));
        values.push((format!("indicators[{n}].resolution.criteria"), indicator.resolution.criteria.is_some()));
    }
    for (n, gap) in body.gaps.iter().enumerate() {
        values.push((format!("gaps[{n}].impact"), gap.impact.is_some()));
        values.push((format!("gaps[{n}].how_to_close"), gap.how_to_close.is_some()));
    }
    values.extend(body.impacts.iter().enumerate().map(|(n, impact)| (format!("impacts[{n}].who"), impact.who.is_some())));
    values
}

impl Problems<'_> {
    /// In an assessment none of them is null, and what only a brief lists is empty.
    pub(super) fn check_judged(&mut self) {
        for (at, _) in judged_values(self.body).into_iter().filter(|(_, is_stated)| !is_stated) {
            self.add(at, "must not be null in an assessment");
        }
        if !self.body.contradictions.is_empty() {
            self.add("contradictions", "only an evidence brief lists them");
        }
    }

    /// In a brief all of them are null, nothing else judges, and everything is cited.
    pub(super) fn check_brief(&mut self) {
        let body = self.body;
        let mut judged = judged_values(body);
        let probabilities = body.indicators.iter().enumerate();
        judged.extend(probabilities.map(|(n, one)| (format!("indicators[{n}].probability"), one.probability.is_some())));
        let likelihoods = body.impacts.iter().enumerate();
        judged.extend(likelihoods.map(|(n, one)| (format!("impacts[{n}].likelihood"), one.likelihood.is_some())));
        for (at, _) in judged.into_iter().filter(|(_, is_stated)| *is_stated) {
            self.add(at, "must be null in an evidence brief");
        }
        let lists = [
            ("questions", body.questions.is_empty()),
            ("evidence_matrix", body.evidence_matrix.is_empty()),
            ("assumptions", body.assumptions.is_empty()),
            ("causes", body.causes.is_empty()),
        ];
        for (at, _) in lists.into_iter().filter(|(_, is_empty)| !is_empty) {
            self.add(at, "must be empty in an evidence brief");
        }
        for (n, one) in body.key_judgements.iter().enumerate() {
            self.check_cited(format!("key_judgements[{n}]"), &one.statement, &one.citations);
        }
        for (n, one) in body.hypotheses.iter().enumerate() {
            let citations: Vec<Marker> = one.supporting.iter().chain(&one.against).copied().collect();
            self.check_cited(format!("hypotheses[{n}]"), &one.statement, &citations);
        }
        for (n, one) in body.indicators.iter().enumerate() {
            self.check_cited(format!("indicators[{n}]"), &one.text, &[]);
            self.check_day(format!("indicators[{n}].resolution.by"), one.resolution.by.as_deref());
        }
        for (n, one) in body.gaps.iter().enumerate() {
            self.check_cited(format!("gaps[{n}]"), &one.text, &[]);
        }
        for (n, one) in body.impacts.iter().enumerate() {
            self.check_cited(format!("impacts[{n}]"), &one.effect, &one.citations);
        }
        for (n, one) in body.contradictions.iter().enumerate() {
            self.check_cited(format!("contradictions[{n}]"), &one.text, &one.citations);
        }
    }

    /// A statement of a brief has words, and a citation beside or in them.
    fn check_cited(&mut self, at: String, text: &str, citations: &[Marker]) {
        self.require(at.as_str(), text);
        if citations.is_empty() && markers_in(text).next().is_none() {
            self.add(at, "cites nothing: a brief says only what a source says");
        }
    }
}
