//! A small assessment to store.

use crate::{TestBackend, id};
use domain::{
    AssessmentId, CollectionId, ConfidenceLevel, EntityId, InvestigationId,
    assessment::{AnalyticConfidence, Assessment, AssessmentKind, Body, Cost, Gap, InformationPeriod, Producer, SCHEMA},
};
use engine::assessments::StoredAssessment;
use std::collections::BTreeMap;

/// An assessment without judgements, as it is stored.
pub fn stored_assessment(
    backend: &TestBackend,
    investigation: InvestigationId,
    collections: &[CollectionId],
    bottom_line: &str,
) -> StoredAssessment {
    let body = Body {
        title: "The Varrow Lock".into(),
        bottom_line: bottom_line.into(),
        analysis: "We do not know.".into(),
        gaps: vec![Gap { text: "who".into(), impact: Some("all".into()), how_to_close: Some("ask".into()) }],
        overall_confidence: Some(AnalyticConfidence { level: ConfidenceLevel::Low, basis: "nothing was read".into() }),
        ..Body::default()
    };
    let created_at = backend.now();
    let assessment = Assessment {
        schema: SCHEMA.into(),
        id: AssessmentId(id()),
        investigation_id: investigation,
        kind: AssessmentKind::Assessment,
        question: "Who opened it?".into(),
        created_at: Some(created_at),
        information: InformationPeriod::default(),
        disclosure: None,
        body,
        citations: vec![],
        scope: None,
        sources: None,
        dissent: None,
        checks: None,
        producer: Producer { provider: "extractive".into(), model: "extractive".into(), prompts: BTreeMap::new() },
        cost: Cost { currency: "EUR".into(), amount: Some(0.25), tokens_in: 1, tokens_out: 2 },
    };
    StoredAssessment {
        assessment,
        collections: collections.to_vec(),
        entity_ids: vec![EntityId(id())],
        is_partial: false,
        created_at,
    }
}
