//! Check of a bundle: marks, signature, hashes and quotes. It needs nothing but the file.

use crate::{
    file::{ALGORITHM, FORMAT, JSON, Manifest, ManifestSignature},
    part::{Damage, Part, data_in, split},
    passage::{self, QuotationList},
    signing::is_signed,
};
use domain::AssessmentId;
use engine::evidence::sha256_hex;
use serde::de::DeserializeOwned;

/// Result of a check without findings.
#[derive(Debug, PartialEq, Eq)]
pub struct Verified {
    pub assessment_id: AssessmentId,
    /// Public key of the signature, in hexadecimal digits.
    pub public_key: String,
    pub quotations: usize,
    /// Quotations without a passage.
    pub without_passage: usize,
    /// Quotations that were checked against whole texts.
    pub in_texts: usize,
}

/// Checks a bundle. `key` is the expected public key, `texts` are whole texts of its sources. The error names the first damaged part.
pub fn verify(file: &[u8], key: Option<&str>, texts: &[Vec<u8>]) -> Result<Verified, Damage> {
    let contents = split(file)?;
    let [.., manifest_bytes, signature_bytes] = contents;
    let signature: ManifestSignature = read(Part::Signature, signature_bytes)?;
    check_signature(&signature, manifest_bytes, key)?;
    let manifest: Manifest = read(Part::Manifest, manifest_bytes)?;
    let names: Vec<&str> = manifest.parts.iter().map(|part| part.name.as_str()).collect();
    if manifest.format != FORMAT || names != Vec::from_iter(Part::hashed().map(Part::name)) {
        return Err(Part::Manifest.damage(format!("it is not a list of the parts in the format {FORMAT}")));
    }
    for ((part, content), hash) in Part::hashed().zip(contents).zip(&manifest.parts) {
        if sha256_hex(content) != hash.sha256 {
            return Err(part.damage("it was changed: its hash differs from that in the manifest"));
        }
    }
    let [_, quotations, ..] = contents;
    let list: QuotationList = read(Part::Quotations, quotations)?;
    if list.format != passage::FORMAT {
        return Err(Part::Quotations.damage(format!("its format is not {}", passage::FORMAT)));
    }
    if let Some(problem) = list.quotations.iter().find_map(|quotation| quotation.problem()) {
        return Err(Part::Quotations.damage(problem));
    }
    Ok(Verified {
        assessment_id: manifest.assessment_id,
        public_key: signature.public_key,
        quotations: list.quotations.len(),
        without_passage: list.quotations.iter().filter(|quotation| quotation.passage.is_none()).count(),
        in_texts: check_texts(&list, texts)?,
    })
}

/// Reads the JSON of a part.
fn read<T: DeserializeOwned>(part: Part, block: &[u8]) -> Result<T, Damage> {
    let found = data_in(JSON, block).and_then(|bytes| serde_json::from_slice(bytes).ok());
    found.ok_or_else(|| part.damage("it cannot be read"))
}

fn check_signature(signature: &ManifestSignature, manifest: &[u8], key: Option<&str>) -> Result<(), Damage> {
    let ManifestSignature { algorithm, public_key, manifest_sha256, signature: bytes } = signature;
    let is_canonical = |text: &str| hex::decode(text).is_ok_and(|bytes| hex::encode(bytes) == text);
    if algorithm != ALGORITHM || !is_canonical(public_key) || !is_canonical(bytes) {
        return Err(Part::Signature.damage("it is not as the program writes it"));
    }
    let has_hash = sha256_hex(manifest) == *manifest_sha256;
    match (is_signed(public_key, manifest, bytes), has_hash) {
        (true, true) => {}
        (false, false) => return Err(Part::Manifest.damage("it was changed: hash and signature are of another one")),
        _ => return Err(Part::Signature.damage("it is no signature of the manifest")),
    }
    match key {
        Some(key) if !key.trim().eq_ignore_ascii_case(public_key) => {
            Err(Part::Signature.damage(format!("it was made with another key: {public_key}")))
        }
        _ => Ok(()),
    }
}

/// Checks the quotations of each text; returns their number.
fn check_texts(list: &QuotationList, texts: &[Vec<u8>]) -> Result<usize, Damage> {
    let mut checked = 0;
    for bytes in texts {
        let hash = sha256_hex(bytes);
        let text = str::from_utf8(bytes).unwrap_or_default();
        let mut quotations = list.quotations.iter().filter(|quotation| quotation.text_sha256 == hash).peekable();
        if quotations.peek().is_none() {
            return Err(Part::Quotations.damage(format!("none is from the text with the hash {hash}")));
        }
        for quotation in quotations {
            if let Some(problem) = quotation.problem_in(text) {
                return Err(Part::Quotations.damage(problem));
            }
            checked += 1;
        }
    }
    Ok(checked)
}
