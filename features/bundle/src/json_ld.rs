//! JSON-LD of a report: claims and their reviews in the terms of schema.org, provenance in those of PROV-O.
//!
//! The context is in the file, so that it is expanded without a network.

use crate::{passage::Quotation, report::ExportedReport};
use domain::{
    DocumentId,
    assessment::{Hypothesis, Judgement, Marker},
};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Returns the graph of a report.
pub fn graph(report: &ExportedReport) -> Value {
    let assessment = &report.assessment;
    let ids = Ids(format!("urn:uuid:{}", assessment.id));
    let date = report.created_at.to_string();
    let (producer, investigation) = (ids.part("producer"), format!("urn:uuid:{}", assessment.investigation_id));
    let documents: BTreeSet<DocumentId> = report.quotations.iter().map(|quotation| quotation.document_id).collect();
    let documents: Vec<Value> = documents.into_iter().map(|document| link(&document_id(document))).collect();
    let claims: Vec<Value> = report.quotations.iter().map(|quotation| link(&ids.citation(quotation.marker))).collect();
    let mut nodes = vec![
        json!({
            "@id": ids.0, "@type": ["Report", "prov:Entity"],
            "headline": assessment.heading(), "abstract": assessment.bottom_line_text(), "about": assessment.question,
            "dateCreated": date, "creator": link(&producer), "citation": documents,
            "prov:wasGeneratedBy": link(&investigation), "prov:wasDerivedFrom": claims,
        }),
        json!({
            "@id": producer, "@type": ["SoftwareApplication", "prov:SoftwareAgent"], "name": "AutOSINT",
            "softwareVersion": env!("CARGO_PKG_VERSION"),
            "description": format!("model {} of {}", assessment.producer.model, assessment.producer.provider),
        }),
        json!({
            "@id": investigation, "@type": "prov:Activity", "prov:used": documents,
            "prov:wasAssociatedWith": link(&producer), "prov:endedAtTime": date,
        }),
    ];
    let mut seen = BTreeSet::new();
    for quotation in &report.quotations {
        if seen.insert(quotation.document_id) {
            nodes.push(source(quotation));
        }
        nodes.push(citation(&ids, quotation));
    }
    for hypothesis in &assessment.body.hypotheses {
        let Hypothesis { id, statement, probability, reasoning, supporting, .. } = hypothesis;
        nodes.extend(ids.reviewed(id, statement, supporting, *probability, reasoning, &date));
    }
    for judgement in &assessment.body.key_judgements {
        let Judgement { id, statement, likelihood, confidence, citations, .. } = judgement;
        let (point, basis) = (likelihood.as_ref().map(|one| one.point), confidence.as_ref().map_or("", |one| &*one.basis));
        nodes.extend(ids.reviewed(id, statement, citations, point, basis, &date));
    }
    json!({
        "@context": {
            "@vocab": "https://schema.org/",
            "prov": "http://www.w3.org/ns/prov#",
            "xsd": "http://www.w3.org/2001/XMLSchema#",
            "dateCreated": { "@type": "xsd:dateTime" },
            "prov:endedAtTime": { "@type": "xsd:dateTime" },
            "prov:generatedAtTime": { "@type": "xsd:dateTime" },
        },
        "@graph": nodes,
    })
}

/// Ids of the objects of one report, which are the same in every export.
struct Ids(String);

impl Ids {
    fn part(&self, name: &str) -> String {
        format!("{}#{name}", self.0)
    }

    fn citation(&self, marker: Marker) -> String {
        self.part(&format!("c{marker}"))
    }

    fn links(&self, markers: &[Marker]) -> Vec<Value> {
        markers.iter().map(|marker| link(&self.citation(*marker))).collect()
    }

    /// Returns a statement of the report as a claim, and its review where the report rates it.
    fn reviewed(&self, id: &str, text: &str, evidence: &[Marker], rating: Option<f64>, body: &str, date: &str) -> Vec<Value> {
        let (claim, creator) = (self.part(id), self.part("producer"));
        let mut nodes = vec![json!({
            "@id": claim, "@type": ["Claim", "prov:Entity"], "identifier": id, "text": text, "creator": link(&creator),
            "isPartOf": link(&self.0), "prov:wasDerivedFrom": self.links(evidence),
        })];
        nodes.extend(rating.map(|rating| {
            json!({
                "@id": self.part(&format!("review-{id}")), "@type": "ClaimReview", "claimReviewed": text,
                "itemReviewed": link(&claim), "author": link(&creator), "dateCreated": date, "reviewBody": body,
                "reviewRating": {
                    "@type": "Rating", "ratingValue": rating, "worstRating": 0, "bestRating": 1,
                    "ratingExplanation": "Probability that the claim is true",
                },
            })
        }));
        nodes
    }
}

fn link(id: &str) -> Value {
    json!({ "@id": id })
}

fn document_id(document: DocumentId) -> String {
    format!("urn:uuid:{document}")
}

/// Returns the claim of a citation: the words of its document.
fn citation(ids: &Ids, quotation: &Quotation) -> Value {
    let document = link(&document_id(quotation.document_id));
    json!({
        "@id": ids.citation(quotation.marker), "@type": ["Claim", "prov:Entity"], "identifier": quotation.claim_id.to_string(),
        "text": quotation.quote, "appearance": document, "prov:wasQuotedFrom": document,
    })
}

/// Returns the document of a citation, with the hashes of its bytes and of its text.
fn source(quotation: &Quotation) -> Value {
    let mut node = Map::from_iter([
        ("@id".to_owned(), json!(document_id(quotation.document_id))),
        ("@type".to_owned(), json!(["MediaObject", "prov:Entity"])),
        ("name".to_owned(), json!(quotation.title)),
        ("sha256".to_owned(), json!(quotation.document_sha256)),
        ("publisher".to_owned(), json!({ "@type": "Organization", "name": quotation.source })),
        (
            "identifier".to_owned(),
            json!({ "@type": "PropertyValue", "propertyID": "SHA-256 of the text", "value": quotation.text_sha256 }),
        ),
    ]);
    let optional = [
        ("url", quotation.address.clone()),
        ("datePublished", quotation.published.map(|published| published.to_string())),
        ("prov:generatedAtTime", quotation.captured_at.map(|at| at.to_string())),
    ];
    node.extend(optional.into_iter().filter_map(|(key, value)| Some((key.to_owned(), json!(value?)))));
    Value::Object(node)
}
