//! A small assessment to store, and what assessments of two runs have in common.

use crate::{TestBackend, id};
use domain::{
    AssessmentId, CollectionId, ConfidenceLevel, EntityId, InvestigationId,
    assessment::{AnalyticConfidence, Assessment, AssessmentKind, Body, Cost, Gap, InformationPeriod, Producer, SCHEMA},
};
use engine::assessments::StoredAssessment;
use serde_json::Value;
use std::collections::BTreeMap;
use uuid::Uuid;

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

/// Replaces the ids in an assessment, and its creation time: what two runs have in common.
pub fn without_ids(mut value: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::String(text) if Uuid::parse_str(text).is_ok() => *text = "id".into(),
            Value::Array(items) => items.iter_mut().for_each(strip),
            Value::Object(fields) => fields.values_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut value);
    if let Some(moment) = value.get_mut("created_at") {
        *moment = "now".into();
    }
    value
}
