//! From what the Analyst wrote to a stored assessment: every marker becomes a citation whose quote was found in its document.
//!
//! Invariant: nothing is stored whose quote does not stand at its span of the stored text.

use super::StoredAssessment;
use crate::{
    Engine, StoreError,
    agents::{Prompts, machine::Judging, prompts::Additions, tools::wire::ClaimRef},
};
use domain::{
    AssessmentId, ClaimId, CollectionId, DocumentId, EntityId,
    agent::AgentRole,
    assessment::{self, Assessment, Body, Citation, Cost, Marker, Problem, Producer, SCHEMA},
    claim::Claim,
    document::DocumentText,
    investigation::Investigation,
};
use std::collections::{BTreeMap, BTreeSet};

/// What an Analyst hands in.
#[derive(Debug, Clone)]
pub struct Draft {
    pub body: Body,
    pub claims: Vec<ClaimRef>,
    pub entities: Vec<EntityId>,
    /// Written without a model, after a failure.
    pub is_partial: bool,
}

/// Why a draft was not stored.
#[derive(Debug, thiserror::Error)]
pub enum ProduceError {
    /// Everything that is wrong with it, so that its author can mend it.
    #[error("the assessment breaks {} rules", .0.len())]
    Refused(Vec<Problem>),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Checks a draft against the schema's rules, the graph and the documents, and stores it.
pub async fn produce(
    engine: &Engine,
    prompts: &Prompts,
    investigation: &Investigation,
    draft: Draft,
) -> Result<StoredAssessment, ProduceError> {
    let evidence = Evidence::load(engine, investigation, &draft).await?;
    let (citations, mut problems) = evidence.citations(&draft.claims);
    let markers: BTreeSet<Marker> = draft.claims.iter().map(|reference| reference.marker).collect();
    problems.extend(assessment::validate(&draft.body, &markers));
    problems.extend(evidence.unknown_entities(&draft));
    if !problems.is_empty() {
        return Err(ProduceError::Refused(problems));
    }
    let stored = StoredAssessment {
        collections: evidence.collections(investigation.collection_id),
        assessment: Assessment {
            schema: SCHEMA.into(),
            id: AssessmentId(engine.ids.next()),
            investigation_id: investigation.id,
            question: investigation.prompt.clone(),
            body: draft.body,
            citations,
            producer: producer(engine, prompts, investigation).await?,
            cost: cost(engine, investigation).await?,
        },
        entity_ids: draft.entities,
        is_partial: draft.is_partial,
        created_at: engine.clock.now(),
    };
    let id = engine.assessments.put(&stored).await?;
    let cited: Vec<DocumentId> = stored.assessment.cited().into_iter().collect();
    engine.captures.watch(&cited).await?;
    // An assessment of this investigation was there already: its process died before it could say so.
    Ok(StoredAssessment { assessment: Assessment { id, ..stored.assessment }, ..stored })
}

/// The model that wrote it, which need not be the preferred one.
async fn producer(engine: &Engine, prompts: &Prompts, investigation: &Investigation) -> Result<Producer, StoreError> {
    let final_session = investigation.progress.final_session;
    let cast = engine.cast_of(investigation);
    let (provider, model) = match engine.ledger.last_answer(investigation.id, AgentRole::Analyst).await? {
        Some(call) => (call.provider, call.model),
        None => {
            let model = cast.model(AgentRole::Analyst);
            (model.provider().to_owned(), model.model().to_owned())
        }
    };
    let judging = Judging::by(cast.judge.is_some());
    let synthesis = !engine.investigations.parts(investigation.id).await?.is_empty();
    Ok(Producer { provider, model, prompts: prompts.hashes(Additions { final_session, synthesis }, judging) })
}

/// Every call of the investigation and its parts so far, that of this assessment included.
async fn cost(engine: &Engine, investigation: &Investigation) -> Result<Cost, StoreError> {
    let spent = engine.ledger.spent(investigation.id).await?;
    Ok(Cost {
        currency: engine.budget.currency.clone(),
        amount: spent.amount(),
        tokens_in: spent.tokens_in,
        tokens_out: spent.tokens_out,
    })
}

/// What the draft points at, as the investigation's scope sees it.
struct Evidence {
    claims: BTreeMap<ClaimId, Claim>,
    documents: BTreeMap<DocumentId, DocumentText>,
    entities: BTreeMap<EntityId, String>,
}

impl Evidence {
    async fn load(engine: &Engine, investigation: &Investigation, draft: &Draft) -> Result<Self, StoreError> {
        let scope = &investigation.scope;
        let ids: Vec<ClaimId> = draft.claims.iter().map(|reference| reference.claim_id).collect();
        let claims = engine.graph.claims(scope, &ids).await?;
        let documents: BTreeSet<DocumentId> = claims.iter().map(|claim| claim.document_id).collect();
        let documents = engine.documents.texts(scope, &documents.into_iter().collect::<Vec<_>>()).await?;
        let mut entities: BTreeSet<EntityId> = draft.entities.iter().copied().collect();
        entities.extend(draft.body.outlets.iter().map(|outlet| outlet.entity_id));
        entities.extend(claims.iter().filter_map(|claim| claim.outlet_id));
        let entities = engine.graph.entities(scope, &entities.into_iter().collect::<Vec<_>>()).await?;
        Ok(Self {
            claims: claims.into_iter().map(|claim| (claim.id, claim)).collect(),
            documents: documents.into_iter().map(|text| (text.document.id, text)).collect(),
            entities: entities.into_iter().map(|entity| (entity.id, entity.canonical_name)).collect(),
        })
    }

    fn citations(&self, references: &[ClaimRef]) -> (Vec<Citation>, Vec<Problem>) {
        let (mut citations, mut problems, mut seen) = (vec![], vec![], BTreeSet::new());
        for (n, reference) in references.iter().enumerate() {
            let at = format!("claim_refs[{n}]");
            if reference.marker == 0 || !seen.insert(reference.marker) {
                problems.push(Problem { at, rule: format!("marker {} is 0 or used twice", reference.marker) });
                continue;
            }
            match self.citation(reference) {
                Ok(citation) => citations.push(citation),
                Err(rule) => problems.push(Problem { at, rule }),
            }
        }
        citations.sort_by_key(|citation| citation.marker);
        (citations, problems)
    }

    fn citation(&self, reference: &ClaimRef) -> Result<Citation, String> {
        let claim = self.claims.get(&reference.claim_id).ok_or_else(|| format!("there is no claim {}", reference.claim_id))?;
        let read = self.documents.get(&claim.document_id).ok_or("its document is gone")?;
        if claim.span.of(&read.text) != Some(claim.quote.as_str()) {
            return Err(format!("the quote of claim {} does not stand in its document", claim.id));
        }
        let document = &read.document;
        Ok(Citation {
            marker: reference.marker,
            claim_id: claim.id,
            document_id: document.id,
            document_sha256: document.sha256.clone(),
            text_sha256: document.text_sha256.clone(),
            document_title: document.title.clone(),
            document_path: document.path.clone(),
            quote: claim.quote.clone(),
            span: claim.span,
            // The document's own word before the graph's: it does not depend on what else was read.
            outlet: document.outlet.clone().or_else(|| claim.outlet_id.and_then(|id| self.entities.get(&id).cloned())),
            published_at: claim.published,
            attribution: claim.attribution,
        })
    }

    fn unknown_entities(&self, draft: &Draft) -> Vec<Problem> {
        let outlets = draft.body.outlets.iter().enumerate().map(|(n, outlet)| (format!("outlets[{n}]"), outlet.entity_id));
        let entities = draft.entities.iter().enumerate().map(|(n, id)| (format!("entity_refs[{n}]"), *id));
        outlets
            .chain(entities)
            .filter(|(_, id)| !self.entities.contains_key(id))
            .map(|(at, id)| Problem { at, rule: format!("there is no entity {id}") })
            .collect()
    }

    fn collections(&self, of_investigation: CollectionId) -> Vec<CollectionId> {
        let mut all: BTreeSet<CollectionId> = self.claims.values().map(|claim| claim.collection_id).collect();
        all.insert(of_investigation);
        all.into_iter().collect()
    }
}
