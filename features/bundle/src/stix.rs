//! A report as a STIX 2.1 bundle: report, notes of its parts, opinions on its hypotheses, and an extension for these. `graph` writes a
//! saved graph view.
//!
//! Invariant: ids depend on the report alone (UUIDv5), so that a second export updates the objects of the first.

mod graph;

pub use graph::graph_bundle;

use crate::{passage::Quotation, report::ExportedReport};
use domain::{
    AssessmentId, ConfidenceLevel, Timestamp,
    assessment::{Dissent, Hypothesis, Judgement, Marker},
};
use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use uuid::{Builder, Uuid};

/// Namespace of our ids.
const NAMESPACE: Uuid = Uuid::from_u128(0x6f0c_2d64_8f4b_4b0e_9d5e_3a7c_51f2_0e98);
/// Namespace of the ids of observables, which STIX 2.1 prescribes.
const OBSERVABLES: Uuid = Uuid::from_u128(0x00ab_edb4_aa42_466c_9c01_fed2_3315_a9b7);

/// Time of the objects that are the same in every report.
const FIRST: &str = "2026-01-01T00:00:00.000Z";

/// Description of the extension, which STIX asks for.
const EXTENSION_SCHEMA: &str = "Properties of a note that is a hypothesis: hypothesis (string, its id in the report), question (string, \
     the id of the question that it answers), probability (number from 0 to 1), is_none (boolean, true for “none of these”), \
     supported_by and contradicted_by (lists of identifiers of notes with quotations).";

/// Returns the bundle of a report.
pub fn bundle(report: &ExportedReport) -> Value {
    let writer = Writer::new(report);
    let mut objects = vec![identity(), extension()];
    objects.push(writer.report());
    objects.extend(report.quotations.iter().flat_map(|quotation| writer.citation(quotation)));
    for hypothesis in &report.assessment.body.hypotheses {
        objects.push(writer.hypothesis(hypothesis));
        objects.extend(writer.opinions(hypothesis));
    }
    objects.extend(report.assessment.body.key_judgements.iter().map(|judgement| writer.judgement(judgement)));
    // Two citations may share a document, whose id is that of its bytes.
    let unique: BTreeMap<String, Value> = objects.into_iter().map(|object| (object["id"].to_string(), object)).collect();
    json!({ "type": "bundle", "id": writer.id("bundle", "bundle"), "objects": Vec::from_iter(unique.into_values()) })
}

/// Returns the UUIDv5 of a name.
pub fn uuid_of(namespace: Uuid, name: &str) -> Uuid {
    let hash = digest(&SHA1_FOR_LEGACY_USE_ONLY, &[namespace.as_bytes().as_slice(), name.as_bytes()].concat());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.as_ref()[..16]);
    Builder::from_sha1_bytes(bytes).into_uuid()
}

/// Returns a moment with milliseconds.
fn moment(at: Timestamp) -> String {
    at.to_datetime().format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

fn identity_id() -> String {
    format!("identity--{}", uuid_of(NAMESPACE, "identity"))
}

fn extension_id() -> String {
    format!("extension-definition--{}", uuid_of(NAMESPACE, "hypotheses"))
}

/// Returns the program, as the author of the objects.
fn identity() -> Value {
    json!({
        "type": "identity", "spec_version": "2.1", "id": identity_id(), "created": FIRST, "modified": FIRST,
        "name": "AutOSINT", "identity_class": "system",
    })
}

/// Returns the definition of the extension for hypotheses.
fn extension() -> Value {
    json!({
        "type": "extension-definition", "spec_version": "2.1", "id": extension_id(), "created": FIRST, "modified": FIRST,
        "created_by_ref": identity_id(), "name": "AutOSINT hypotheses",
        "description": "Competing hypotheses of an assessment, with their probabilities and evidence.",
        "schema": EXTENSION_SCHEMA, "version": "1.0.0", "extension_types": ["property-extension"],
    })
}

/// Returns the agreement that a probability expresses.
fn agreement(probability: f64) -> &'static str {
    match probability {
        p if p < 0.2 => "strongly-disagree",
        p if p < 0.45 => "disagree",
        p if p <= 0.55 => "neutral",
        p if p <= 0.8 => "agree",
        _ => "strongly-agree",
    }
}

/// Returns a level on the scale of STIX from 0 to 100 (none, low, medium, high).
const fn confidence(level: ConfidenceLevel) -> u32 {
    match level {
        ConfidenceLevel::Low => 15,
        ConfidenceLevel::Moderate => 50,
        ConfidenceLevel::High => 85,
    }
}

/// Writer of the objects of one report.
struct Writer<'a> {
    report: &'a ExportedReport,
    assessment: AssessmentId,
    /// Moment of the report, with milliseconds.
    created: String,
}

impl<'a> Writer<'a> {
    fn new(report: &'a ExportedReport) -> Self {
        let created = moment(report.created_at);
        Self { report, assessment: report.assessment.id, created }
    }

    /// Returns the id of an object of the report.
    fn id(&self, kind: &str, name: &str) -> String {
        format!("{kind}--{}", uuid_of(NAMESPACE, &format!("{}/{name}", self.assessment)))
    }

    fn note_id(&self, name: &str) -> String {
        self.id("note", name)
    }

    /// Returns the ids of the notes of citations, without markers of which there is no citation.
    fn citation_ids(&self, markers: &[Marker]) -> Vec<String> {
        let quotations = &self.report.quotations;
        let known = markers.iter().filter(|marker| quotations.iter().any(|quotation| quotation.marker == **marker));
        known.map(|marker| self.note_id(&format!("c{marker}"))).collect()
    }

    /// Returns an object of a kind with the properties of all.
    fn object(&self, kind: &str, id: String, properties: Value) -> Value {
        let mut object = Map::from_iter([
            ("type".to_owned(), json!(kind)),
            ("spec_version".to_owned(), json!("2.1")),
            ("id".to_owned(), json!(id)),
            ("created_by_ref".to_owned(), json!(identity_id())),
            ("created".to_owned(), json!(self.created)),
            ("modified".to_owned(), json!(self.created)),
        ]);
        if let Value::Object(properties) = properties {
            object.extend(properties.into_iter().filter(|(_, value)| !value.is_null()));
        }
        Value::Object(object)
    }

    /// Returns the references of a note, which must have one: to the report where there are no others.
    fn references(&self, mut ids: Vec<String>) -> Vec<String> {
        if ids.is_empty() {
            ids.push(self.id("report", "report"));
        }
        ids
    }

    fn report(&self) -> Value {
        let assessment = &self.report.assessment;
        let items = assessment.body.hypotheses.iter().map(|one| self.note_id(&one.id));
        let items = items.chain(assessment.body.key_judgements.iter().map(|one| self.note_id(&one.id)));
        let citations: Vec<Marker> = self.report.quotations.iter().map(|quotation| quotation.marker).collect();
        let mut references: Vec<String> = items.chain(self.citation_ids(&citations)).collect();
        if references.is_empty() {
            references.push(identity_id());
        }
        let overall = assessment.body.overall_confidence.as_ref().map(|one| confidence(one.level));
        let properties = json!({
            "name": assessment.heading(), "description": assessment.bottom_line_text(), "published": self.created,
            "object_refs": references, "confidence": overall,
        });
        self.object("report", self.id("report", "report"), properties)
    }

    /// Returns the note of a quotation and the file that it is from.
    fn citation(&self, quotation: &Quotation) -> [Value; 2] {
        let hashes = json!({ "SHA-256": quotation.document_sha256 });
        // The id of a file is that of its hashes, as canonical JSON.
        let name = json!({ "hashes": hashes }).to_string();
        let file = format!("file--{}", uuid_of(OBSERVABLES, &name));
        let mut reference = json!({ "source_name": quotation.source, "description": quotation.title });
        if let Some(address) = &quotation.address {
            reference["url"] = json!(address);
            reference["hashes"] = hashes.clone();
        }
        let properties = json!({
            "abstract": format!("Quotation [{}]", quotation.marker), "content": quotation.quote,
            "external_references": [reference], "object_refs": [file],
        });
        let note = self.object("note", self.note_id(&format!("c{}", quotation.marker)), properties);
        [note, json!({ "type": "file", "spec_version": "2.1", "id": file, "hashes": hashes })]
    }

    fn hypothesis(&self, hypothesis: &Hypothesis) -> Value {
        let Hypothesis { id, question, statement, is_none, probability, reasoning, supporting, against, .. } = hypothesis;
        let (supported, contradicted) = (self.citation_ids(supporting), self.citation_ids(against));
        let mut references = supported.clone();
        references.extend(contradicted.iter().filter(|id| !supported.contains(id)).cloned());
        let mut extension = json!({
            "extension_type": "property-extension", "hypothesis": id, "is_none": is_none,
            "supported_by": supported, "contradicted_by": contradicted,
        });
        if let Some(question) = question {
            extension["question"] = json!(question);
        }
        if let Some(probability) = probability {
            extension["probability"] = json!(probability);
        }
        // A property of an extension is no empty list.
        if let Value::Object(properties) = &mut extension {
            properties.retain(|_, value| value.as_array().is_none_or(|list| !list.is_empty()));
        }
        let content = if reasoning.is_empty() { statement.clone() } else { format!("{statement}\n\n{reasoning}") };
        let properties = json!({
            "abstract": format!("Hypothesis {id}: {statement}"), "content": content,
            "object_refs": self.references(references), "extensions": { (extension_id()): extension },
        });
        self.object("note", self.note_id(id), properties)
    }

    /// Returns the opinions of the report and of its dissent on a hypothesis, as far as they rate it.
    fn opinions(&self, hypothesis: &Hypothesis) -> Vec<Value> {
        let dissent = self.report.assessment.dissent.as_ref();
        let theirs = dissent.and_then(|dissent: &Dissent| dissent.probability_of(&hypothesis.id));
        let opinion = |probability: f64, author: &str| {
            let properties = json!({
                "opinion": agreement(probability), "authors": [author],
                "explanation": format!("Probability {probability:.2} in the view of: {author}."),
                "object_refs": [self.note_id(&hypothesis.id)],
            });
            self.object("opinion", self.id("opinion", &format!("{author}/{}", hypothesis.id)), properties)
        };
        let ours = hypothesis.probability.map(|probability| opinion(probability, "Report"));
        ours.into_iter().chain(theirs.map(|probability| opinion(probability, "Dissent"))).collect()
    }

    fn judgement(&self, judgement: &Judgement) -> Value {
        let Judgement { id, statement, likelihood, confidence: basis, citations, hypotheses, .. } = judgement;
        let mut references = self.citation_ids(citations);
        let exists = |id: &&String| self.report.assessment.body.hypotheses.iter().any(|one| one.id == **id);
        references.extend(hypotheses.iter().filter(exists).map(|id| self.note_id(id)));
        let likelihood = likelihood.as_ref().map(|likelihood| format!("\n\nLikelihood: {}.", likelihood.words()));
        let properties = json!({
            "abstract": format!("Key judgement {id}"),
            "content": format!("{statement}{}", likelihood.unwrap_or_default()),
            "object_refs": self.references(references),
            "confidence": basis.as_ref().map(|one| confidence(one.level)),
        });
        self.object("note", self.note_id(id), properties)
    }
}
