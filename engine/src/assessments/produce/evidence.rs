//! Cited evidence of a draft, as the investigation's scope sees it.

use super::{AssessmentDraft, named_entities::NamedEntities, repeated_passages};
use crate::{Engine, StoreError, investigations::period, library::origins};
use domain::{
    ClaimId, CollectionId, DocumentId, EntityId,
    assessment::{Citation, Marker, Problem},
    claim::{Attribution, Claim, Information},
    document::{DocumentText, outlet_name},
    investigation::Investigation,
};
use protocol::tools::ClaimRef;
use std::collections::{BTreeMap, BTreeSet};

/// Hash prefix length that distinguishes origins within an assessment.
const ORIGIN_CHARS: usize = 8;

pub(super) struct CitedEvidence {
    claims: BTreeMap<ClaimId, Claim>,
    documents: BTreeMap<DocumentId, DocumentText>,
    entities: BTreeMap<EntityId, String>,
    named: NamedEntities,
    /// Origins by hash of the text.
    origins: BTreeMap<String, String>,
}

impl CitedEvidence {
    /// Loads what a draft cites and names, without the claims of its uncited markers.
    pub async fn load(
        engine: &Engine,
        investigation: &Investigation,
        draft: &AssessmentDraft,
        uncited: &BTreeSet<Marker>,
    ) -> Result<Self, StoreError> {
        let scope = &investigation.scope;
        let cited = draft.claims.iter().filter(|reference| !uncited.contains(&reference.marker));
        let ids: Vec<ClaimId> = cited.map(|reference| reference.claim_id).collect();
        let claims = period::claims(engine, investigation, &ids).await?;
        let documents: BTreeSet<DocumentId> = claims.iter().map(|claim| claim.document_id).collect();
        let documents = engine.documents.texts(scope, &documents.into_iter().collect::<Vec<_>>()).await?;
        let texts: BTreeSet<String> = documents.iter().map(|read| read.document.text_sha256.clone()).collect();
        let mut entities: BTreeSet<EntityId> = draft.entities.iter().copied().collect();
        entities.extend(draft.body.outlets.iter().map(|outlet| outlet.entity_id));
        entities.extend(claims.iter().filter_map(|claim| claim.outlet_id));
        let quoting = claims.iter().filter(|claim| claim.speaker.is_some());
        entities.extend(quoting.flat_map(|claim| claim.entity_ids.iter().copied()));
        let entities = engine.graph.entities(scope, &entities.into_iter().collect::<Vec<_>>()).await?;
        Ok(Self {
            named: NamedEntities::new(&entities),
            claims: claims.into_iter().map(|claim| (claim.id, claim)).collect(),
            documents: documents.into_iter().map(|text| (text.document.id, text)).collect(),
            entities: entities.into_iter().map(|entity| (entity.id, entity.canonical_name)).collect(),
            origins: origins::find(&*engine.documents, scope, &engine.config.origins, &texts).await?,
        })
    }

    /// Returns whether a citation is first-hand: what its author saw, did or holds, not reasoning or talk about others.
    pub fn is_first_hand(&self, citation: &Citation) -> bool {
        let information = self.claims.get(&citation.claim_id).map(|claim| claim.information);
        citation.attribution == Attribution::Primary
            && matches!(information, Some(Information::Assertion | Information::Testimony))
    }

    pub fn citations(&self, references: &[ClaimRef], uncited: &BTreeSet<Marker>) -> (Vec<Citation>, Vec<Problem>) {
        let (mut citations, mut problems, mut seen) = (Vec::<Citation>::new(), vec![], BTreeSet::new());
        for (n, reference) in references.iter().enumerate() {
            let at = format!("claim_refs[{n}]");
            if reference.marker == 0 || !seen.insert(reference.marker) {
                problems.push(Problem { at, rule: format!("marker {} is 0 or used twice", reference.marker) });
                continue;
            }
            if uncited.contains(&reference.marker) {
                continue;
            }
            match self.citation(reference) {
                Ok(citation) => citations.push(citation),
                Err(rule) => problems.push(Problem { at, rule }),
            }
        }
        citations.sort_by_key(|citation| citation.marker);
        repeated_passages::join_origins(&mut citations);
        (citations, problems)
    }

    fn citation(&self, reference: &ClaimRef) -> Result<Citation, String> {
        let claim = self.claims.get(&reference.claim_id).ok_or_else(|| format!("there is no claim {}", reference.claim_id))?;
        let read = self.documents.get(&claim.document_id).ok_or("its document is gone")?;
        if claim.span.slice(&read.text) != Some(claim.quote.as_str()) {
            return Err(format!("the quote of claim {} does not stand in its document", claim.id));
        }
        let document = &read.document;
        let known = claim.outlet_id.and_then(|id| self.entities.get(&id)).map(String::as_str);
        let origin = self.origins.get(&document.text_sha256).unwrap_or(&document.text_sha256);
        Ok(Citation {
            marker: reference.marker,
            claim_id: claim.id,
            content: Some(claim.content.clone()),
            speaker: claim.speaker.clone(),
            speaker_entity: claim.speaker.as_deref().and_then(|speaker| self.named.speaker(speaker, &claim.entity_ids)),
            document_id: document.id,
            document_sha256: document.sha256.clone(),
            text_sha256: document.text_sha256.clone(),
            document_title: document.title.clone(),
            document_path: document.path.clone(),
            origin: Some(origin.chars().take(ORIGIN_CHARS).collect()),
            quote: claim.quote.clone(),
            span: claim.span,
            // The document's own name wins over the graph's, which depends on other documents.
            outlet: outlet_name(document.outlet.as_deref(), known).map(str::to_owned),
            published_at: claim.published,
            attribution: claim.attribution,
        })
    }

    /// Returns the outlets of citations by entity, with their names there.
    pub fn outlets(&self, citations: &[Citation]) -> BTreeMap<EntityId, String> {
        let named = citations.iter().filter_map(|citation| {
            let claim = self.claims.get(&citation.claim_id)?;
            Some((claim.outlet_id?, citation.outlet.clone()?))
        });
        named.collect()
    }

    pub fn unknown_entities(&self, draft: &AssessmentDraft) -> Vec<Problem> {
        let outlets = draft.body.outlets.iter().enumerate().map(|(n, outlet)| (format!("outlets[{n}]"), outlet.entity_id));
        let entities = draft.entities.iter().enumerate().map(|(n, id)| (format!("entity_refs[{n}]"), *id));
        outlets
            .chain(entities)
            .filter(|(_, id)| !self.entities.contains_key(id))
            .map(|(at, id)| Problem { at, rule: format!("there is no entity {id}") })
            .collect()
    }

    pub fn collections(&self, of_investigation: CollectionId) -> Vec<CollectionId> {
        let mut all: BTreeSet<CollectionId> = self.claims.values().map(|claim| claim.collection_id).collect();
        all.insert(of_investigation);
        all.into_iter().collect()
    }
}
