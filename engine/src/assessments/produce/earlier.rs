//! Earlier assessments relevant to a draft: the one that it names, and the one that it continues.

use crate::{
    Engine, StoreError,
    assessments::{beliefs::is_same_question, find::not_recorded},
    investigations::followed_question,
};
use domain::{
    assessment::{Assessment, Body},
    investigation::Investigation,
};

/// Search candidates compared with the question.
const CANDIDATES: u32 = 20;

pub(super) struct EarlierAssessments {
    /// Assessment named by `change`, if it exists.
    pub previous: Option<Assessment>,
    /// Latest complete assessment of the thread, else the newest of the same question; evidence briefs make no judgements.
    pub continued: Option<Assessment>,
}

impl EarlierAssessments {
    pub async fn load(engine: &Engine, investigation: &Investigation, body: &Body) -> Result<Self, StoreError> {
        let scope = &investigation.scope;
        let previous = match &body.change {
            Some(change) => engine.assessments.assessment(scope, change.previous_id).await?,
            None => None,
        };
        let thread = followed_question(engine, investigation).await?.and_then(|followed| followed.assessment);
        let query = engine.search.query.text(&investigation.question);
        let found = not_recorded(engine.assessments.search(scope, &query, CANDIDATES).await?);
        let same = found.into_iter().filter(|stored| {
            let assessment = &stored.assessment;
            let is_other = assessment.investigation_id != investigation.id;
            let is_judged = assessment.kind.is_assessment() && !stored.is_partial;
            is_other && is_judged && is_same_question(&assessment.question, &investigation.question)
        });
        // Agents of a period see no earlier assessment (`search_assessments`).
        let same = same.filter(|_| investigation.terms.period.is_open());
        let newest = same.max_by_key(|stored| (stored.created_at, stored.assessment.id));
        let continued = thread.or(newest).map(|stored| stored.assessment);
        Ok(Self { previous: previous.map(|stored| stored.assessment), continued })
    }
}
