//! From what the Analyst wrote to a stored assessment: every marker becomes a citation whose quote was found in its document.
//!
//! Invariant: nothing is stored whose quote does not stand at its span of the stored text.

mod earlier;
mod evidence;
mod sources;

use super::StoredAssessment;
use crate::{
    Engine, StoreError,
    agents::{Prompts, machine::Judging, prompts::Additions},
};
use domain::{
    AssessmentId, DocumentId, EntityId,
    agent::AgentRole,
    assessment::{self, Assessment, AssessmentKind, Body, Checks, Cost, Finding, Marker, Problem, Producer, SCHEMA, checks},
    investigation::Investigation,
};
use earlier::Earlier;
use evidence::Evidence;
use protocol::tools::ClaimRef;
use std::collections::BTreeSet;

/// What an Analyst hands in.
#[derive(Debug, Clone)]
pub struct Draft {
    pub kind: AssessmentKind,
    pub body: Body,
    pub claims: Vec<ClaimRef>,
    pub entities: Vec<EntityId>,
    pub review: Review,
}

/// What becomes of the findings of checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Review {
    /// They go back to the author, once in a session.
    Return,
    /// They are stored with the assessment.
    Keep,
    /// A partial report, written without a model after a failure: nothing is checked.
    Partial,
}

/// Why a draft was not stored.
#[derive(Debug, thiserror::Error)]
pub enum ProduceError {
    /// Everything that is wrong with it, so that its author can mend it.
    #[error("the assessment breaks {} rules, and checks found {} faults", .problems.len(), .findings.len())]
    Refused { problems: Vec<Problem>, findings: Vec<Finding> },
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
    let earlier = Earlier::load(engine, investigation, &draft.body).await?;
    let markers: BTreeSet<Marker> = draft.claims.iter().map(|reference| reference.marker).collect();
    problems.extend(assessment::validate(draft.kind, &draft.body, &markers, earlier.previous.as_ref()));
    problems.extend(evidence.unknown_entities(&draft));
    let created_at = engine.clock.now();
    // They look at how judgements are made, and a brief makes none.
    let is_checked = draft.kind.is_assessment() && draft.review != Review::Partial;
    let checks = is_checked.then(|| {
        checks::run(&checks::CheckContext {
            body: &draft.body,
            citations: &citations,
            previous: earlier.previous.as_ref(),
            earlier: earlier.of_question,
            today: created_at.to_datetime().date_naive(),
        })
    });
    let findings = returned(draft.review, checks.as_ref());
    if !problems.is_empty() || !findings.is_empty() {
        return Err(ProduceError::Refused { problems, findings });
    }
    let (sources, information) = sources::statement(engine, investigation, &evidence, &citations).await?;
    let collections = evidence.collections(investigation.collection_id);
    let is_partial = draft.review == Review::Partial;
    let assessment = Assessment {
        schema: SCHEMA.into(),
        id: AssessmentId(engine.ids.next()),
        investigation_id: investigation.id,
        kind: draft.kind,
        question: investigation.prompt.clone(),
        created_at: Some(created_at),
        information,
        disclosure: draft.kind.disclosure().map(str::to_owned),
        body: with_earlier_words(draft.body, earlier.previous.as_ref()),
        citations,
        sources: Some(sources),
        checks,
        producer: producer(engine, prompts, investigation).await?,
        cost: cost(engine, investigation).await?,
    };
    let stored = StoredAssessment { collections, assessment, entity_ids: draft.entities, is_partial, created_at };
    let id = engine.assessments.put(&stored).await?;
    let cited: Vec<DocumentId> = stored.assessment.cited().into_iter().collect();
    engine.captures.watch(&cited).await?;
    // An assessment of this investigation was there already: its process died before it could say so.
    Ok(StoredAssessment { assessment: Assessment { id, ..stored.assessment }, ..stored })
}

/// The findings that keep a draft from being stored now.
fn returned(review: Review, checks: Option<&Checks>) -> Vec<Finding> {
    match (review, checks) {
        (Review::Return, Some(checks)) => checks.findings.clone(),
        _ => vec![],
    }
}

/// The body with the words of each item of the previous assessment that it settles.
fn with_earlier_words(body: Body, previous: Option<&Assessment>) -> Body {
    let (Some(mut change), Some(previous)) = (body.change.clone(), previous) else { return body };
    for item in &mut change.settled {
        item.text = previous.item(&item.previous_item).map(str::to_owned);
    }
    Body { change: Some(change), ..body }
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
    let is_priced = is_priced(engine, investigation).await?;
    Ok(Cost {
        currency: engine.budget.currency.clone(),
        amount: is_priced.then(|| spent.amount()),
        tokens_in: spent.tokens_in,
        tokens_out: spent.tokens_out,
    })
}

/// Whether what the calls cost is known: no session used tokens for nothing while a model has no price.
async fn is_priced(engine: &Engine, investigation: &Investigation) -> Result<bool, StoreError> {
    let sessions = engine.ledger.spent_by_session(investigation.id).await?;
    let costs_nothing = sessions.values().any(|(spent, _)| spent.tokens() > 0 && spent.cost_micros == 0);
    let has_unpriced = engine.cast_of(investigation).all().any(|model| model.price().currency.is_empty());
    Ok(!(costs_nothing && has_unpriced))
}
