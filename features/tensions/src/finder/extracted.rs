//! Tensions that a model named in a document: they need claims that hold their quotes, and bring the responses that the document describes.

use super::grouping::counted_day;
use crate::{
    cycle::order::Counts,
    extracted::{ExtractedResponse, ExtractedTension},
    findings::{FindingRule, TensionDraft, is_usable, place_tensions},
    scout::{accepted_response, add_responses},
    settings::TensionSettings,
    store::{StrainBatch, UnsearchedDocument},
    tension::{Evidence, TensionOrigin},
};
use domain::{
    CollectionId, DocumentId, Scope,
    claim::{Claim, Mode},
    document::host,
};
use engine::StoreResult;
use feature::Web;
use std::collections::{BTreeMap, HashMap};

/// Fewest bytes of a quote that is a part of the quote of a claim. A word that many claims have is evidence of nothing.
const LEAST_PART: usize = 16;

/// A tension of one document.
pub struct DocumentTension {
    pub draft: TensionDraft,
    pub document: DocumentId,
    /// 0 to 1.
    confidence: f64,
    responses: Vec<ExtractedResponse>,
}

/// Returns the tensions whose quotes are in claims of their document.
pub fn document_tensions(
    mut named: BTreeMap<DocumentId, Vec<ExtractedTension>>,
    documents: &[UnsearchedDocument],
    claims: &[Claim],
    most_confidence: f64,
    today: i64,
) -> Vec<DocumentTension> {
    let mut found = vec![];
    for document in documents {
        let claims: Vec<&Claim> = claims.iter().filter(|claim| claim.document_id == document.id).collect();
        for tension in named.remove(&document.id).unwrap_or_default() {
            let is_quoted = |claim: &Claim| {
                let mut quotes = tension.quotes.iter().map(|quoted| quoted.quote.as_str());
                let has_part = |quote: &str| quote.len() >= LEAST_PART && claim.quote.contains(quote);
                claim.mode != Mode::Denied && quotes.any(|quote| quote.contains(&claim.quote) || has_part(quote))
            };
            let evidence = |claim: &Claim| Evidence {
                claim: claim.id,
                document: document.id,
                origin: document.text_sha256.clone(),
                is_against: false,
                severity: tension.severity,
                day: counted_day(claim, document, today),
            };
            let evidence: Vec<Evidence> = claims.iter().copied().filter(|claim| is_quoted(claim)).map(evidence).collect();
            let given = tension.found();
            if !evidence.is_empty() && is_usable(&given) {
                found.push(DocumentTension {
                    draft: TensionDraft::new(given, evidence),
                    document: document.id,
                    confidence: tension.confidence.clamp(0.0, most_confidence),
                    responses: tension.responses,
                });
            }
        }
    }
    found
}

/// Adds tensions of documents of one collection to a batch, with their responses. Known ones are looked for in
/// `scope`, and responses are linked to those in `linked`.
pub async fn add_to_batch(
    web: &Web,
    collection: CollectionId,
    (scope, linked): (&Scope, &Scope),
    found: Vec<DocumentTension>,
    leaders: &BTreeMap<String, String>,
    batch: &mut StrainBatch,
) -> StoreResult<()> {
    if found.is_empty() {
        return Ok(());
    }
    let (engine, settings, now) = (&web.engine, web.settings.get::<TensionSettings>(), web.engine.clock.now());
    let ids: Vec<DocumentId> = found.iter().map(|one| one.document).collect();
    let documents = engine.documents.documents(&Scope::from(collection), &ids).await?;
    let addresses: HashMap<DocumentId, String> = documents.into_iter().map(|one| (one.id, address(one.id, one.path))).collect();
    let (mut drafts, mut rest) = (vec![], vec![]);
    for DocumentTension { draft, document, confidence, responses } in found {
        drafts.push(draft);
        rest.push((document, confidence, responses));
    }
    let (mut accepted, mut counts) = (vec![], Counts::new());
    for one in place_tensions(web, scope, drafts, leaders).await? {
        let (document, confidence, responses) = &mut rest[one.number];
        let (document, confidence) = (*document, *confidence);
        for response in std::mem::take(responses) {
            let Some(address) = addresses.get(&document) else { continue };
            match accepted_response(response.found(address.clone()), Some(document), collection, &settings, now) {
                Ok(response) => accepted.push((one.id, response)),
                Err(reason) => tracing::debug!(reason, %document, "response of a document refused"),
            }
        }
        let rule = FindingRule { origin: TensionOrigin::Extracted, confidence, parent: None };
        one.add_to(batch, collection, rule, now);
    }
    add_responses(web, linked, accepted, batch, &mut counts).await
}

/// Returns the web address of a document, else that of its page here.
fn address(id: DocumentId, path: String) -> String {
    if host(&path).is_some() { path } else { format!("/documents/{id}") }
}
