//! Product tools: earlier assessments, and the product of this investigation.

use super::{
    GatewayToken, Tool, ToolContext, ToolError, ToolOffer, ToolReply,
    draft::{self, DraftArguments, ReadDraft},
};
use crate::{
    agents::machine::{AMEND_TOOL, DRAFT_TOOL, ToolEffect},
    assessments::{self, AssessmentDraft, FindingsPolicy, ProduceError, failure},
};
use async_trait::async_trait;
use domain::{
    assessment::{AssessmentKind, Finding, Problem},
    event::EventKind,
    investigation::Status,
    work_order::WorkOrderStatus,
};
use protocol::{
    refs::RefKind,
    tools::{
        AmendAssessment, AssessmentProduced, AssessmentSummary, AssessmentsFound, EarlierAssessment, GetAssessment,
        ProduceAssessment, ProduceEvidenceBrief, SearchAssessments,
    },
};

pub struct SearchAssessmentsTool;

#[async_trait]
impl Tool for SearchAssessmentsTool {
    type Input = SearchAssessments;
    const NAME: &'static str = "search_assessments";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::Final;
    const TAINTED: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: SearchAssessments) -> Result<ToolReply, ToolError> {
        let scope = &context.investigation.scope;
        let (embedder, limit) = (context.embedder(), context.items(input.limit));
        let mut found =
            assessments::find(context.engine, embedder, scope, &context.engine.search.query.text(&input.query), limit).await?;
        // An earlier assessment rests on documents of any time.
        found.retain(|_| context.investigation.terms.period.is_open());
        let assessments = found
            .into_iter()
            .map(|stored| AssessmentSummary {
                reference: context.refs.give(RefKind::Assessment, stored.assessment.id),
                kind: stored.assessment.kind,
                summary: stored.assessment.bottom_line_text().into_owned(),
                question: stored.assessment.question,
                confidence: stored.assessment.body.overall_confidence.as_ref().map(|one| one.level.as_str().into()),
                created_at: stored.created_at.to_string(),
            })
            .collect();
        ToolReply::json(&AssessmentsFound { assessments })
    }
}

pub struct GetAssessmentTool;

#[async_trait]
impl Tool for GetAssessmentTool {
    type Input = GetAssessment;
    const NAME: &'static str = "get_assessment";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::Final;
    const TAINTED: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: GetAssessment) -> Result<ToolReply, ToolError> {
        let found = context.engine.assessments.assessment(&context.investigation.scope, input.assessment_id).await?;
        let missing = || ToolError::ForModel(format!("there is no assessment {}", input.assessment_id));
        let stored = found.filter(|_| context.investigation.terms.period.is_open()).ok_or_else(missing)?;
        ToolReply::json(&EarlierAssessment::new(stored.assessment, stored.created_at, input.parts, &context.refs))
    }
}

pub struct ProduceAssessmentTool;

#[async_trait]
impl Tool for ProduceAssessmentTool {
    type Input = DraftArguments;
    const NAME: &'static str = DRAFT_TOOL;
    const NARROWEST_OFFER: ToolOffer = ToolOffer::WriteOnly;
    const PRODUCT: Option<AssessmentKind> = Some(AssessmentKind::Assessment);
    const TAINTED: bool = false;
    const CHECKS_ARGUMENTS: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: DraftArguments) -> Result<ToolReply, ToolError> {
        produce_assessment(context, ReadDraft::read(&context.refs, input.0)?).await
    }
}

/// Tool that corrects the last draft, so that a mistake costs a patch and not the whole draft.
pub struct AmendAssessmentTool;

#[async_trait]
impl Tool for AmendAssessmentTool {
    type Input = AmendAssessment;
    const NAME: &'static str = AMEND_TOOL;
    const NARROWEST_OFFER: ToolOffer = ToolOffer::WriteOnly;
    const PRODUCT: Option<AssessmentKind> = Some(AssessmentKind::Assessment);
    const TAINTED: bool = false;
    const CHECKS_ARGUMENTS: bool = true;

    async fn run(&self, _: GatewayToken, context: &ToolContext<'_>, input: AmendAssessment) -> Result<ToolReply, ToolError> {
        let whole = draft::amended(context.conversation, &input.patch)?;
        produce_assessment(context, ReadDraft::read(&context.refs, whole)?).await
    }
}

/// Tool of the built-in provider; models are not offered it (`Model::product`).
pub struct ProduceEvidenceBriefTool;

#[async_trait]
impl Tool for ProduceEvidenceBriefTool {
    type Input = ProduceEvidenceBrief;
    const NAME: &'static str = "produce_evidence_brief";
    const NARROWEST_OFFER: ToolOffer = ToolOffer::WriteOnly;
    const PRODUCT: Option<AssessmentKind> = Some(AssessmentKind::EvidenceBrief);
    const TAINTED: bool = false;

    async fn run(
        &self,
        _: GatewayToken,
        context: &ToolContext<'_>,
        input: ProduceEvidenceBrief,
    ) -> Result<ToolReply, ToolError> {
        let ProduceEvidenceBrief { content, claim_refs: claims, entity_refs: entities } = input;
        let (kind, investigation) = (AssessmentKind::EvidenceBrief, context.investigation);
        let mut draft =
            AssessmentDraft { kind, body: content.into(), claims, entities, unknown: vec![], review: FindingsPolicy::Keep };
        if investigation.progress.status == Status::Failed {
            let orders = context.engine.work_orders.work_orders(investigation.id).await?;
            draft.review = FindingsPolicy::Partial;
            draft.body.gaps.splice(0..0, failure::gaps(investigation.reason.as_deref(), &orders));
        }
        produce(context, draft).await
    }
}

/// Checks references and rules of a draft together, and stores it where nothing is wrong.
async fn produce_assessment(context: &ToolContext<'_>, read: ReadDraft) -> Result<ToolReply, ToolError> {
    let ReadDraft { assessment, unknown } = read;
    let ProduceAssessment { content: body, claim_refs: claims, entity_refs: entities } = assessment;
    let kind = AssessmentKind::Assessment;
    produce(context, AssessmentDraft { kind, body, claims, entities, unknown, review: review(context) }).await
}

/// Stores a draft, records an event, and ends the session.
async fn produce(context: &ToolContext<'_>, draft: AssessmentDraft) -> Result<ToolReply, ToolError> {
    let (engine, investigation, kind) = (context.engine, context.investigation, draft.kind);
    let orders = engine.work_orders.work_orders(investigation.id).await?;
    let is_partial = draft.review == FindingsPolicy::Partial;
    if !is_partial && orders.iter().any(|order| order.status == WorkOrderStatus::Staged) {
        let kind = kind.words();
        let why = format!("this session has created work orders, so it cannot write the {kind} too: end your turn now");
        return Err(ToolError::ForModel(why));
    }
    let produced = match assessments::produce(engine, context.prompts, investigation, draft).await {
        Ok(produced) => produced,
        Err(ProduceError::Refused { problems, findings }) => {
            let effect = if findings.is_empty() { ToolEffect::None } else { ToolEffect::FindingsReturned };
            return Ok(ToolReply::refused(refusal(kind, &problems, &findings), effect));
        }
        Err(ProduceError::Store(error)) => return Err(error.into()),
    };
    let assessment_id = produced.stored.assessment.id;
    let bottom_line = produced.stored.assessment.bottom_line_text().into_owned();
    let event = EventKind::AssessmentWritten { assessment_id, bottom_line };
    engine.events.append(investigation.id, engine.clock.now(), event).await?;
    assessments::record_belief_change(engine, investigation, &produced).await?;
    let left_out = produced.uncited.iter().copied().collect();
    Ok(ToolReply::json(&AssessmentProduced { assessment_id, left_out })?.with(ToolEffect::AssessmentProduced(assessment_id)))
}

/// Returns the findings policy: findings go back to the author once. A final session keeps them, because its budget is nearly
/// used up.
fn review(context: &ToolContext<'_>) -> FindingsPolicy {
    match context.findings_returned || context.investigation.progress.final_session {
        true => FindingsPolicy::Keep,
        false => FindingsPolicy::Return,
    }
}

/// Lists every problem, broken rules first.
fn refusal(kind: AssessmentKind, problems: &[Problem], findings: &[Finding]) -> String {
    let again = match kind {
        AssessmentKind::Assessment => format!("send what changes with `{AMEND_TOOL}`"),
        AssessmentKind::EvidenceBrief => "send it again".to_owned(),
    };
    let kind = kind.words();
    let broken: String = problems.iter().map(|problem| format!("\n- {problem}")).collect();
    let found: String = findings.iter().map(|Finding { check, at, text }| format!("\n- {at}: {text} ({check})")).collect();
    let findings = "Checks of form found this; mend it too, or leave it as it is where a finding is wrong:";
    match (broken.is_empty(), found.is_empty()) {
        (false, true) => format!("the {kind} is refused; mend this and {again}:{broken}"),
        (false, false) => format!("the {kind} is refused; mend this and {again}:{broken}\n{findings}{found}"),
        (true, _) => format!(
            "the {kind} keeps every rule, but is not stored yet. {findings}{found}\nThen {again}: it is stored as it comes, \
             and its readers see what is left of these."
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config_files::ConfigFiles;
    use domain::{agent::AgentRole, investigation::WebAccess};

    /// Recorded sessions contain the hash of this schema, and models can send only what it names.
    #[test]
    fn the_schema_of_an_assessment_that_models_are_given_stays_as_it_is() {
        let registry = super::super::registry(&ConfigFiles::shipped()).unwrap();
        let schemas = registry.schemas(AgentRole::Analyst, ToolOffer::All, AssessmentKind::Assessment, WebAccess::On);
        let tool = schemas.iter().find(|schema| schema.name == ProduceAssessmentTool::NAME).unwrap();
        let text = format!("{}\n{:#}", tool.description, tool.input_schema);
        let digest = crate::evidence::sha256_hex(text.as_bytes());
        assert_eq!(digest, "92a18b29209820c09f2359474e81614a846938baed51fda51565b1fd3a84e33d", "{text}");
    }

    #[test]
    fn each_model_is_offered_the_tool_for_its_product() {
        let registry = super::super::registry(&ConfigFiles::shipped()).unwrap();
        for (product, offered, withheld) in [
            (AssessmentKind::Assessment, ProduceAssessmentTool::NAME, ProduceEvidenceBriefTool::NAME),
            (AssessmentKind::EvidenceBrief, ProduceEvidenceBriefTool::NAME, ProduceAssessmentTool::NAME),
        ] {
            for offer in [ToolOffer::All, ToolOffer::Undivided, ToolOffer::Final, ToolOffer::WriteOnly] {
                let schemas = registry.schemas(AgentRole::Analyst, offer, product, WebAccess::On);
                let has = |name| schemas.iter().any(|schema| schema.name == name);
                assert!(has(offered) && !has(withheld), "{product:?} {offer:?}");
            }
        }
    }

    #[test]
    fn a_refusal_names_broken_rules_before_findings() {
        let problem = Problem { at: "hypotheses".into(), rule: "probabilities sum to 1.200".into() };
        let finding = Finding { check: "single_origin".into(), at: "key_judgements[0]".into(), text: "say so".into() };
        let kind = AssessmentKind::Assessment;
        let both = refusal(kind, std::slice::from_ref(&problem), std::slice::from_ref(&finding));
        assert!(
            both.find("- hypotheses: probabilities sum to 1.200") < both.find("- key_judgements[0]: say so (single_origin)")
        );
        assert!(!refusal(kind, &[problem], &[]).contains("Checks"));
        assert!(refusal(kind, &[], &[finding]).contains("keeps every rule"));
    }
}
