//! Bundles for readers of public links: as the person who shares exports them, with nothing that leads into the installation.
//!
//! Invariant: no id of the installation, no title of a private document, and no name of a collection or file, also inside quotes.

use crate::{
    file,
    passage::Quotation,
    report::{ExportError, ExportedReport, load},
    signing::SigningKey,
    stix::uuid_of,
};
use domain::{AssessmentId, ClaimId, DocumentId, InvestigationId, assessment::Citation, document::host};
use engine::StoreResult;
use feature::{
    BundlePort, BundleRequest, Slot, Web,
    shareable::{PRIVATE_DOCUMENT, PrivateNames},
};
use uuid::Uuid;

/// Words in place of the names of collections, in "the collections …".
const UNNAMED_COLLECTIONS: &str = "that are not named here";
/// Namespace of the ids in shared bundles.
const NAMESPACE: Uuid = Uuid::from_u128(0x1c7a_90e4_53b2_4d0f_8a41_be52_7d36_c90b);

pub const PORT: BundlePort =
    BundlePort { kind: Slot::ASSESSMENT, write: |web, request| Box::pin(async move { write(&web, &request).await }) };

async fn write(web: &Web, request: &BundleRequest) -> StoreResult<Option<String>> {
    let Ok(id) = request.object.parse::<AssessmentId>() else { return Ok(None) };
    let mut report = match load(web, &request.person, id).await {
        Ok(report) => report,
        Err(ExportError::Store(error)) => return Err(error),
        Err(ExportError::NotFound | ExportError::Private | ExportError::UnreadableKey) => return Ok(None),
    };
    redact(&mut report, &request.salt);
    let key = SigningKey::load(web).await?;
    Ok(Some(file::write(&report, &key, web.engine.clock.now())))
}

/// Replaces ids by those of the link, and hides what only people with an account may see.
pub fn redact(report: &mut ExportedReport, salt: &str) {
    let of_link = |id: Uuid| uuid_of(NAMESPACE, &format!("{salt}/{id}"));
    let ExportedReport { assessment, findings, quotations, names, .. } = report;
    assessment.id = AssessmentId(of_link(assessment.id.0));
    assessment.investigation_id = InvestigationId(of_link(assessment.investigation_id.0));
    if let Some(change) = &mut assessment.body.change {
        change.previous_id = AssessmentId(of_link(change.previous_id.0));
    }
    if let Some(scope) = &mut assessment.scope
        && !scope.collections.is_empty()
    {
        scope.collections = vec![UNNAMED_COLLECTIONS.to_owned()];
    }
    if let Some(sources) = &mut assessment.sources {
        // They name people with an account.
        sources.plan_changes.clear();
    }
    for citation in &mut assessment.citations {
        let Citation { claim_id, speaker_entity, document_id, document_title, document_path, quote, .. } = citation;
        *claim_id = ClaimId(of_link(claim_id.0));
        *document_id = DocumentId(of_link(document_id.0));
        *speaker_entity = None;
        *quote = names.hide(quote);
        if host(document_path).is_none() {
            PRIVATE_DOCUMENT.clone_into(document_title);
        }
    }
    for finding in findings {
        finding.document_id = DocumentId(of_link(finding.document_id.0));
    }
    for quotation in quotations {
        quotation.claim_id = ClaimId(of_link(quotation.claim_id.0));
        quotation.document_id = DocumentId(of_link(quotation.document_id.0));
        hide_names(quotation, names);
    }
}

/// Hides names in a quotation. A passage with one is left out: it must stay as it is in its source.
fn hide_names(quotation: &mut Quotation, names: &PrivateNames) {
    let Quotation { title, address, quote, passage, .. } = quotation;
    if address.is_none() {
        PRIVATE_DOCUMENT.clone_into(title);
    }
    let has_name = |text: &str| names.hide(text) != text;
    if has_name(quote) || passage.as_ref().is_some_and(|passage| has_name(&passage.text)) {
        *passage = None;
    }
    *quote = names.hide(quote);
}
