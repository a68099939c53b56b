//! The bundle as a file: parts, manifest and signature.

use crate::{
    json_ld, page,
    part::{Part, data_block, download},
    passage::{self, QuotationList},
    report::ExportedReport,
    signing::SigningKey,
    stix,
};
use domain::{AssessmentId, Timestamp};
use engine::{assessments::markdown, evidence::sha256_hex};
use serde::{Deserialize, Serialize};

/// Value of `format` in a manifest.
pub const FORMAT: &str = "autosint.bundle.v1";
/// Media type of data blocks.
pub const JSON: &str = "application/json";
const JSON_LD: &str = "application/ld+json";
/// Algorithm of the signature.
pub const ALGORITHM: &str = "Ed25519";

/// The script in the bundle.
pub const CHECKER: &str = include_str!("verify.py");

/// List of the parts with their hashes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub format: String,
    pub assessment_id: AssessmentId,
    /// When the bundle was made.
    pub created_at: Timestamp,
    /// Version of the program.
    pub program: String,
    pub parts: Vec<PartHash>,
}

/// Part with the SHA-256 of its bytes between the marks, in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartHash {
    pub name: String,
    pub sha256: String,
}

/// Signature of the bytes of the manifest; values in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestSignature {
    pub algorithm: String,
    pub public_key: String,
    /// SHA-256 of the manifest, which tells a changed manifest from a changed signature.
    pub manifest_sha256: String,
    pub signature: String,
}

/// Writes the signed bundle of a report. Deterministic for a key and a moment.
pub fn write(report: &ExportedReport, key: &SigningKey, created_at: Timestamp) -> String {
    let quotations = QuotationList { format: passage::FORMAT.to_owned(), quotations: report.quotations.clone() };
    let stix = format!("{:#}\n", stix::bundle(report));
    let mut file = String::new();
    let mut hashes = vec![];
    for part in Part::hashed() {
        let content = match part {
            Part::Page => page::write(report, &key.public_key()),
            Part::Quotations => data_block(JSON, &json(&quotations)),
            Part::JsonLd => data_block(JSON_LD, &json_ld::graph(report).to_string()),
            Part::Stix => download("report.stix.json", "application/json", "STIX 2.1", &stix),
            Part::Markdown => {
                let text = markdown(&report.assessment, &report.findings);
                download("report.md", "text/markdown", "Markdown", &text)
            }
            Part::Checker => download("verify.py", "text/x-python", "Script that checks this file", CHECKER),
            // `hashed` leaves these out: they are made of the others.
            Part::Manifest | Part::Signature => continue,
        };
        hashes.push(PartHash { name: part.name().to_owned(), sha256: sha256_hex(content.as_bytes()) });
        file.push_str(&part.marked(&content));
    }
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        assessment_id: report.assessment.id,
        created_at,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        parts: hashes,
    };
    let manifest = data_block(JSON, &json(&manifest));
    let signature = ManifestSignature {
        algorithm: ALGORITHM.to_owned(),
        public_key: key.public_key(),
        manifest_sha256: sha256_hex(manifest.as_bytes()),
        signature: key.sign(manifest.as_bytes()),
    };
    file.push_str(&Part::Manifest.marked(&manifest));
    file.push_str(&Part::Signature.marked(&data_block(JSON, &json(&signature))));
    file
}

/// Writes a value as JSON on one line.
pub fn json(value: &impl Serialize) -> String {
    serde_json::json!(value).to_string()
}
