//! Assessments as shared objects: the Brief, with the notes that it uses.

use super::{PrivateNames, SAMPLE, ShareableKind, SharedBar, SharedObject, SharedSection, SharedSource, SharedTitle};
use crate::Web;
use app::{Slot, format};
use domain::{
    AssessmentId,
    assessment::{Assessment, Citation, Digest, Producer, Reason, markers_beside, rank_answers, unmarked},
    user::User,
};
use engine::{StoreResult, assessments::StoredAssessment};
use std::collections::{BTreeSet, HashMap};
use views::AssessmentView;

pub const KIND: ShareableKind = ShareableKind {
    key: Slot::ASSESSMENT,
    name: "assessment",
    load: |web, viewer, reference| Box::pin(async move { Ok(read(&web, &viewer, &reference).await?.map(shared)) }),
    titles: |web, viewer, references| Box::pin(async move { titles(&web, &viewer, references).await }),
};

async fn titles(web: &Web, viewer: &User, references: Vec<String>) -> StoreResult<HashMap<String, SharedTitle>> {
    let ids: HashMap<AssessmentId, String> =
        references.into_iter().filter_map(|reference| Some((reference.parse().ok()?, reference))).collect();
    let found = web.engine.open_assessments(viewer, &Vec::from_iter(ids.keys().copied())).await?;
    let title = |stored: StoredAssessment| {
        let Assessment { id, question, .. } = stored.assessment;
        Some((ids.get(&id)?.clone(), SharedTitle { title: question, href: format!("/assessments/{id}") }))
    };
    Ok(found.into_iter().filter_map(title).collect())
}

/// Returns an assessment of which the person reads every cited document.
pub(super) async fn read(web: &Web, viewer: &User, reference: &str) -> StoreResult<Option<AssessmentView>> {
    let Ok(id) = reference.parse::<AssessmentId>() else { return Ok(None) };
    let view = web.engine.assessment_view(viewer, id).await?;
    let is_readable = |view: &AssessmentView| view.sees_records && view.closed.is_empty();
    Ok(view.filter(is_readable))
}

/// Adds the names of the private documents that an assessment cites.
pub(super) fn add_names(names: &mut PrivateNames, assessment: &Assessment) {
    assessment.citations.iter().for_each(|one| names.add(&one.document_path));
}

fn shared(view: AssessmentView) -> SharedObject {
    let assessment = view.assessment;
    let digest = Digest::new(&assessment);
    let used = digest.markers(&assessment);
    let reasons = digest.reasons.open.iter().map(reason_text).collect();
    let objection = digest.objection.iter().map(|objection| reason_text(&objection.reason)).collect();
    let flips = digest.flips.open.iter().map(|flip| flip.text.clone()).collect();
    let gaps = digest.gaps.open.iter().map(|gap| gap.text.clone()).collect();
    let sections =
        [("Why", reasons), ("The case against", objection), ("What would change this", flips), ("What is not known", gaps)];
    let section = |(heading, lines): (&'static str, Vec<String>)| SharedSection { heading, lines };
    let mut facts: Vec<String> = assessment.parts().iter().map(|part| part.words()).collect();
    facts.extend(view.is_sample.then(|| SAMPLE.to_owned()));
    facts.extend(view.is_partial.then(|| "Partial report".to_owned()));
    let mut names = PrivateNames::default();
    add_names(&mut names, &assessment);
    SharedObject {
        href: format!("/assessments/{}", assessment.id),
        title: assessment.question.clone(),
        facts,
        finding: assessment.bottom_line_text().into_owned(),
        bars: bars(&assessment),
        sections: sections.into_iter().map(section).filter(|section| !section.lines.is_empty()).collect(),
        graph: None,
        table: None,
        sources: assessment.citations.iter().filter(|one| used.contains(&one.marker)).map(source).collect(),
        method: method(&assessment),
        is_quoted: !assessment.kind.is_assessment(),
    }
    .without_names(&names)
}

/// Returns the likeliest answers of the first question.
fn bars(assessment: &Assessment) -> Vec<SharedBar> {
    let sets = assessment.body.hypothesis_sets();
    let set = sets.first().map(|(_, set)| set.as_slice()).unwrap_or_default();
    // An evidence brief has no probabilities.
    let ranked = rank_answers(set).into_iter().filter(|answer| answer.hypothesis.probability.is_some() && !answer.is_folded);
    ranked.map(|answer| SharedBar { label: unmarked(&answer.hypothesis.statement), percent: answer.share }).collect()
}

/// Returns a reason with the markers of its citations.
fn reason_text(reason: &Reason) -> String {
    let beside = markers_beside(&reason.text, &reason.citations);
    beside.iter().fold(reason.text.clone(), |text, marker| format!("{text} [{marker}]"))
}

fn source(citation: &Citation) -> SharedSource {
    SharedSource {
        published: citation.published_at.map(format::published),
        quote: citation.quote.clone(),
        ..SharedSource::new(citation.marker, citation.outlet.as_deref(), &citation.document_path, &citation.document_title)
    }
}

/// Returns how an assessment was made: model, documents, origins and the dates of the evidence.
pub(super) fn method(assessment: &Assessment) -> String {
    let Producer { model, .. } = &assessment.producer;
    let by = match assessment.producer.is_rule_based() {
        true => "Compiled by rules, without a language model,".to_owned(),
        false => format!("Written by {model}"),
    };
    let documents = format::count(assessment.cited().len() as u64, "document", "documents");
    let origins: BTreeSet<&str> = assessment.citations.iter().map(Citation::origin_key).collect();
    let origins = format::count(origins.len() as u64, "origin", "origins");
    let period = assessment.evidence_period();
    let dates = match (period.from, period.until) {
        (Some(from), Some(until)) => format!(", published {} to {}", format::published(from), format::published(until)),
        _ => String::new(),
    };
    let written = assessment.created_at.map(|at| format!(" on {}", format::day(at))).unwrap_or_default();
    format!("{by}{written} from {documents} of {origins}{dates}.")
}
