//! Assessment production: validates a draft, resolves its markers to citations, and stores it.
//!
//! Invariant: every stored quote is verbatim at its span of the stored text.

mod earlier;
mod evidence;
mod named_entities;
mod repeated_passages;
mod sources;

use super::StoredAssessment;
use crate::{
    Engine, StoreError,
    agents::{Prompts, machine::JudgeMode, prompts::Additions},
    investigations,
};
use domain::{
    AssessmentId, DocumentId, EntityId,
    agent::AgentRole,
    assessment::{
        self, Assessment, AssessmentKind, Body, Checks, Cost, Finding, Marker, Problem, Producer, SCHEMA, checks, unmarked,
    },
    investigation::Investigation,
};
use earlier::EarlierAssessments;
use evidence::CitedEvidence;
use protocol::tools::ClaimRef;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Draft submitted by an Analyst.
#[derive(Debug, Clone)]
pub struct AssessmentDraft {
    pub kind: AssessmentKind,
    pub body: Body,
    pub claims: Vec<ClaimRef>,
    pub entities: Vec<EntityId>,
    /// References that stand for nothing. The nil id is in their place, so that the rest can be checked.
    pub unknown: Vec<Problem>,
    pub review: FindingsPolicy,
}

/// Policy for check findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindingsPolicy {
    /// Return findings to the author, once per session.
    Return,
    /// Store findings with the assessment.
    Keep,
    /// Partial report, written without a model after a failure: no checks and no rules of its kind, because its gaps say why.
    Partial,
}

/// Errors of assessment production.
#[derive(Debug, thiserror::Error)]
pub enum ProduceError {
    /// Draft refused, with every problem for its author to correct.
    #[error("the assessment violates {} rules and has {} check findings", .problems.len(), .findings.len())]
    Refused { problems: Vec<Problem>, findings: Vec<Finding> },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Stored assessment with the earlier one that it continues.
#[derive(Debug, Clone)]
pub struct ProducedAssessment {
    pub stored: StoredAssessment,
    /// The one that it continues, else the one that it names; none for the first of a question.
    pub earlier: Option<Assessment>,
    /// Markers of the draft that nothing cites: their claims were left out.
    pub uncited: BTreeSet<Marker>,
}

/// Validates a draft against schema, graph and documents, and stores it.
pub async fn produce(
    engine: &Engine,
    prompts: &Prompts,
    investigation: &Investigation,
    draft: AssessmentDraft,
) -> Result<ProducedAssessment, ProduceError> {
    let markers: BTreeSet<Marker> = draft.claims.iter().map(|reference| reference.marker).collect();
    let uncited = assessment::uncited(&draft.body, &markers);
    let evidence = CitedEvidence::load(engine, investigation, &draft, &uncited).await?;
    let (citations, mut problems) = evidence.citations(&draft.claims, &uncited);
    let earlier = EarlierAssessments::load(engine, investigation, &draft.body).await?;
    if draft.review != FindingsPolicy::Partial {
        problems.extend(assessment::validate(draft.kind, &draft.body, &markers, earlier.previous.as_ref()));
    }
    problems.extend(evidence.unknown_entities(&draft));
    let problems = with_unknown(problems, &draft.unknown);
    let created_at = engine.clock.now();
    // The checks concern judgements, which a brief does not make.
    let is_checked = draft.kind.is_assessment() && draft.review != FindingsPolicy::Partial;
    let checks = is_checked.then(|| {
        checks::run(&checks::CheckContext {
            question: &investigation.question,
            body: &draft.body,
            citations: &citations,
            previous: earlier.previous.as_ref().or(earlier.continued.as_ref()),
            earlier: earlier.continued.as_ref().map(|continued| continued.id),
            today: created_at.to_datetime().date_naive(),
        })
    });
    let findings = returned(draft.review, checks.as_ref());
    if !problems.is_empty() || !findings.is_empty() {
        return Err(ProduceError::Refused { problems, findings });
    }
    let (sources, information) = sources::statement(engine, investigation, &evidence, &citations).await?;
    let collections = evidence.collections(investigation.collection_id);
    let is_partial = draft.review == FindingsPolicy::Partial;
    let assessment = Assessment {
        schema: SCHEMA.into(),
        id: AssessmentId(engine.ids.next()),
        investigation_id: investigation.id,
        kind: draft.kind,
        question: investigation.question.clone(),
        created_at: Some(created_at),
        information,
        disclosure: draft.kind.disclosure().map(str::to_owned),
        body: with_earlier_words(draft.body, earlier.previous.as_ref()),
        citations,
        scope: investigations::question_scope(engine, investigation).await?,
        sources: Some(sources),
        dissent: None,
        checks,
        producer: producer(engine, prompts, investigation).await?,
        cost: investigation_cost(engine, investigation).await?,
    };
    let stored = StoredAssessment { collections, assessment, entity_ids: draft.entities, is_partial, created_at };
    let id = engine.assessments.put(&stored).await?;
    let cited: Vec<DocumentId> = stored.assessment.cited().into_iter().collect();
    engine.captures.watch(&cited).await?;
    // An assessment exists already: an earlier process died before recording its event.
    let stored = StoredAssessment { assessment: Assessment { id, ..stored.assessment }, ..stored };
    Ok(ProducedAssessment { stored, earlier: earlier.continued.or(earlier.previous), uncited })
}

/// Replaces what the rules say of the nil id by the references for which it stands.
fn with_unknown(mut problems: Vec<Problem>, unknown: &[Problem]) -> Vec<Problem> {
    let nil = Uuid::nil().to_string();
    problems.retain(|problem| unknown.is_empty() || !problem.rule.contains(&nil));
    unknown.iter().cloned().chain(problems).collect()
}

/// Returns the findings that block storing the draft.
fn returned(review: FindingsPolicy, checks: Option<&Checks>) -> Vec<Finding> {
    match (review, checks) {
        (FindingsPolicy::Return, Some(checks)) => checks.findings.clone(),
        _ => vec![],
    }
}

/// Adds the original wording of each settled item of the previous assessment, without the numbers of its citations, and its
/// probability there.
fn with_earlier_words(body: Body, previous: Option<&Assessment>) -> Body {
    let (Some(mut change), Some(previous)) = (body.change.clone(), previous) else { return body };
    for item in &mut change.settled {
        item.text = previous.item(&item.previous_item).map(unmarked);
        item.probability = previous.probability_of_item(&item.previous_item);
    }
    Body { change: Some(change), ..body }
}

/// Returns the model that wrote the draft, which need not be the preferred one.
async fn producer(engine: &Engine, prompts: &Prompts, investigation: &Investigation) -> Result<Producer, StoreError> {
    let final_session = investigation.progress.final_session;
    let models = engine.models_for(investigation);
    let preferred = models.model(AgentRole::Analyst);
    let (provider, model) = match engine.ledger.last_answer(investigation.id, AgentRole::Analyst).await? {
        Some(call) => (call.provider, call.model),
        None => (preferred.provider().to_owned(), preferred.model().to_owned()),
    };
    let judging = JudgeMode::enabled(models.judge.is_some());
    let synthesis = !engine.investigations.parts(investigation.id).await?.is_empty();
    // Those that the model saw: a recording has its own.
    let recorded = preferred.prompt_hashes().filter(|_| preferred.provider() == provider);
    let prompts = recorded.unwrap_or_else(|| prompts.hashes(Additions { final_session, synthesis }, judging));
    Ok(Producer { provider, model, prompts })
}

/// Returns the cost of all calls of the investigation and its parts.
pub(crate) async fn investigation_cost(engine: &Engine, investigation: &Investigation) -> Result<Cost, StoreError> {
    let spent = engine.ledger.spent(investigation.id).await?;
    let is_priced = is_priced(engine, investigation).await?;
    Ok(Cost {
        currency: engine.budget.currency.clone(),
        amount: is_priced.then(|| spent.amount()),
        tokens_in: spent.tokens_in,
        tokens_out: spent.tokens_out,
    })
}

/// Returns whether the cost is known: no session used tokens of a model without a price.
async fn is_priced(engine: &Engine, investigation: &Investigation) -> Result<bool, StoreError> {
    let sessions = engine.ledger.spent_by_session(investigation.id).await?;
    let costs_nothing = sessions.values().any(|(spent, _)| spent.tokens() > 0 && spent.cost_micros == 0);
    Ok(!costs_nothing || engine.prices_known(investigation))
}
